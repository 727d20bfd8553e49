import type { Random } from "../../core/random.ts"
import type { Language } from "../catalog.ts"
import type { PriceSpelling } from "./draft.ts"

/** How one seller ends and writes prices: `price` turns an exact amount into one that a shop would ask. */
export interface PriceStyle {
  readonly spelling: PriceSpelling
  price(amount: number): number
}

const SPELLINGS: Readonly<Record<Language, readonly (readonly [PriceSpelling, number])[]>> = {
  zh: [
    ["integer", 0.45],
    ["float", 0.3],
    ["decimal", 0.25],
  ],
  en: [
    ["decimal", 0.7],
    ["integer", 0.18],
    ["float", 0.12],
  ],
}
const ENDINGS: Readonly<Record<Language, readonly number[]>> = { zh: [0.9, 0.8, 0.5], en: [0.99, 0.99, 0.95, 0.49] }

export function drawPriceStyle(random: Random, language: Language): PriceStyle {
  const spelling = drawSpelling(random, language)
  const ending = random.pick(ENDINGS[language])
  if (spelling === "decimal") return { spelling, price: (amount) => toCents(Math.max(1, Math.floor(amount)) + ending) }
  const below = random.pick([0, 1, 1, 2]) // 300, 299, 298
  return {
    spelling,
    price(amount) {
      if (language === "zh" && amount >= 100) return Math.round(amount / 10) * 10 - below
      return Math.max(1, Math.round(amount))
    },
  }
}

function drawSpelling(random: Random, language: Language): PriceSpelling {
  let left = random.next()
  for (const [spelling, share] of SPELLINGS[language]) {
    left -= share
    if (left < 0) return spelling
  }
  return "integer"
}

function toCents(amount: number): number {
  return Math.round(amount * 100) / 100
}

/** A price as JSON number text: `520`, `520.0`, `55.4`. */
export function priceText(price: number, spelling: PriceSpelling): string {
  return spelling === "integer" || !Number.isInteger(price) ? String(price) : `${price}.0`
}
