import type { Random } from "../../core/random.ts"
import { type AxisOffer, atOnePrice, drawOffers, drawValues, type PriceMode, priceAxes } from "./axes.ts"
import type { Draft } from "./draft.ts"
import { drawPriceStyle } from "./prices.ts"
import type { Choice, Kind } from "./vocabulary.ts"
import type { StoreVoice } from "./voice.ts"

/** What the products of a group have in common but for what sets each apart. */
interface Outline {
  readonly brand: string
  readonly series: string
  readonly facets: readonly Choice[]
  readonly features: readonly Choice[]
  readonly offers: readonly AxisOffer[]
}

const SIZES = [2, 3, 4, 4, 5, 6, 7]
const NO_LISTING_SHARE = 0.015
const LOOSE_RANGE_SHARE = 0.01 // a range although there is nothing to choose

/**
 * A group of very similar products of one kind: most share brand and line, and each differs from the first in one or two of
 * facet, feature, options, brand, and always a little in price, so that a search finds all of them and decides nothing.
 */
export function drawGroup(random: Random, kind: Kind, voice: StoreVoice): Draft[] {
  const base = drawOutline(random, kind, voice)
  const mode: PriceMode = random.chance(0.5) ? "unpriced" : "priced"
  const [low, high] = kind.price
  // dear choices multiply, so the base stays in the lower part of the range
  const amount = low * (high / low) ** (0.08 + 0.6 * random.next())
  const size = random.pick(SIZES)
  return Array.from({ length: size }, (_, i) => {
    const outline = i === 0 ? base : vary(random, kind, voice, base)
    return finish(random, kind, voice, { outline, mode, amount })
  })
}

function drawOutline(random: Random, kind: Kind, voice: StoreVoice): Outline {
  return {
    brand: random.pick(kind.domain.brands),
    series: voice.series(kind, random),
    facets: kind.facets.map(({ choices }) => random.pick(choices)),
    features: random.sample(kind.features, random.integer(2, 5)),
    offers: drawOffers(random, kind),
  }
}

function vary(random: Random, kind: Kind, voice: StoreVoice, base: Outline): Outline {
  let outline = base
  const changes = random.pick([1, 2, 2, 3, 3, 4])
  for (let i = 0; i < changes; i++) {
    const change = random.next()
    if (change < 0.4) outline = { ...outline, facets: otherFacet(random, kind, outline.facets) }
    else if (change < 0.65) outline = { ...outline, features: otherFeature(random, kind, outline.features) }
    else if (change < 0.8) outline = { ...outline, offers: otherValues(random, kind, outline.offers) }
    else if (change < 0.9) {
      outline = { ...outline, brand: random.pick(kind.domain.brands), series: voice.series(kind, random) }
    } // else the same thing from another shop
  }
  return outline
}

function otherFacet(random: Random, kind: Kind, facets: readonly Choice[]): readonly Choice[] {
  const at = random.integer(0, facets.length - 1)
  const others = kind.facets[at]!.choices.filter((choice) => choice !== facets[at])
  return facets.map((choice, i) => (i === at ? random.pick(others) : choice))
}

/** One feature gives way to another, or one more comes in. */
function otherFeature(random: Random, kind: Kind, features: readonly Choice[]): readonly Choice[] {
  const others = kind.features.filter((feature) => !features.includes(feature))
  if (others.length === 0) return features.slice(1)
  const added = random.pick(others)
  return features.length < 4 && random.chance(0.4) ? [...features, added] : [...features.slice(1), added]
}

function otherValues(random: Random, kind: Kind, offers: readonly AxisOffer[]): readonly AxisOffer[] {
  if (offers.length === 0) return offers
  const at = random.integer(0, offers.length - 1)
  const before = offers[at]!
  const drawn = drawValues(random, kind.axes.find(({ name }) => name === before.name)!)
  const flat = before.values.every(({ factor }) => factor === 1)
  return offers.map((offer, i) => (i !== at ? offer : flat ? atOnePrice(drawn) : drawn))
}

function finish(
  random: Random,
  kind: Kind,
  voice: StoreVoice,
  { outline, mode, amount }: { outline: Outline; mode: PriceMode; amount: number },
): Draft {
  const style = drawPriceStyle(random, voice.language)
  const factors = outline.facets.reduce((product, { factor }) => product * factor, 1)
  const base = amount * factors * (0.9 + 0.25 * random.next())
  const axes = priceAxes(random, outline.offers, {
    price: (factor) => style.price(base * factor),
    mode,
    sign: (text) => voice.markValue(text, random),
  })
  const prices = axes.flatMap(({ values }) => values.flatMap(({ price }) => (price === null ? [] : [price])))
  const [least, most] = prices.length > 0 ? [Math.min(...prices), Math.max(...prices)] : [style.price(base), null]
  const listing = most === null || most === least ? [least] : [least, most]
  if (axes.length === 0 && random.chance(LOOSE_RANGE_SHARE)) listing.push(style.price(base * 1.3))
  return {
    kind,
    brand: outline.brand,
    series: outline.series,
    shop: voice.shopName(outline.brand, random),
    facets: outline.facets,
    features: outline.features,
    axes,
    listing: random.chance(NO_LISTING_SHARE) ? [] : listing,
    spelling: style.spelling,
  }
}
