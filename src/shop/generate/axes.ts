import type { Random } from "../../core/random.ts"
import type { DraftAxis, DraftValue } from "./draft.ts"
import type { AxisPattern, Kind } from "./vocabulary.ts"

/** An axis with the values one product offers, and by how much each changes the price. */
export interface AxisOffer {
  readonly name: string
  readonly values: readonly { readonly text: string; readonly factor: number }[]
}

const OPTIONAL_SHARE = 0.85
/** Colours that cost a little more, where nothing else changes the price. */
const DEAR_VALUE_SHARE = 0.1
const TWO_PRICE_AXES_SHARE = 0.04
const NO_OPTIONS_SHARE = 0.04
/** Of groups where several axes could move the price, these leave it to the first. */
const FIRST_MOVES_SHARE = 0.7
const HARDLY = 1.2
const UNAVAILABLE_SHARE = 0.04
const STATES_AVAILABILITY_SHARE = 0.5
const PADDED_SHARE = 0.015

/** Which axes, and which of their values, a group of products offers. */
export function drawOffers(random: Random, kind: Kind): AxisOffer[] {
  const patterns = kind.axes.filter(({ optional }) => !optional || random.chance(OPTIONAL_SHARE))
  if (random.chance(NO_OPTIONS_SHARE)) return []
  const moving = patterns.filter((pattern) => largest(pattern) > 1)
  const mover = moving.length === 0 || random.chance(FIRST_MOVES_SHARE) ? moving[0] : random.pick(moving)
  const both = random.chance(TWO_PRICE_AXES_SHARE)
  const offers = patterns
    // two of something cannot cost what one does: an axis that ought to move the price as well stays only where it hardly would
    .filter((pattern) => pattern === mover || both || largest(pattern) <= HARDLY)
    .map((pattern) => {
      const offer = drawValues(random, pattern)
      return pattern === mover || both ? offer : atOnePrice(offer)
    })
  return withOneDearValue(random, offers)
}

/** The same values, none of which changes the price. */
export function atOnePrice({ name, values }: AxisOffer): AxisOffer {
  return { name, values: values.map(({ text }) => ({ text, factor: 1 })) }
}

function largest({ values }: AxisPattern): number {
  return Math.max(...values.map(({ factor }) => factor))
}

export function drawValues(random: Random, { name, anyOrder, values }: AxisPattern): AxisOffer {
  if (anyOrder) {
    const count = Math.min(values.length, random.integer(4, 6))
    return { name, values: random.sample(values, count) }
  }
  const shortest = Math.min(values.length, 5)
  const count = random.integer(shortest, values.length)
  const start = random.integer(0, values.length - count)
  return { name, values: values.slice(start, start + count) }
}

function withOneDearValue(random: Random, offers: AxisOffer[]): AxisOffer[] {
  const [first, ...others] = offers
  const flat = offers.every(({ values }) => values.every(({ factor }) => factor === 1))
  if (first === undefined || !flat || !random.chance(DEAR_VALUE_SHARE)) return offers
  const dear = random.integer(0, first.values.length - 1)
  const values = first.values.map((value, i) => (i === dear ? { ...value, factor: 1.12 } : value))
  return [{ ...first, values }, ...others]
}

/** How the prices of a group's options behave; the same for all of its products. */
export type PriceMode = "priced" | "unpriced"

/**
 * The axes of one product as its record has them. `unpriced`: where no axis changes the price, options carry none at all.
 */
export function priceAxes(
  random: Random,
  offers: readonly AxisOffer[],
  { price, mode, sign }: { price: (factor: number) => number; mode: PriceMode; sign: (text: string) => string },
): DraftAxis[] {
  const moving = offers.filter(({ values }) => values.some(({ factor }) => factor !== 1))
  const states = random.chance(STATES_AVAILABILITY_SHARE)
  const marked = random.chance(0.06) ? random.integer(0, offers.length - 1) : -1
  const padded = random.chance(PADDED_SHARE)
  return offers.map((offer, axis) => ({
    name: offer.name,
    values: offer.values.map(({ text, factor }, i): DraftValue => {
      const own = moving.includes(offer) ? price(factor) : mode === "priced" || moving.length > 0 ? price(1) : null
      const spelled = axis === marked && i === offer.values.length - 1 ? sign(text) : text
      return {
        text: padded ? ` ${spelled} ` : spelled,
        price: own,
        available: states ? !(offer.values.length > 2 && random.chance(UNAVAILABLE_SHARE)) : null,
      }
    }),
  }))
}
