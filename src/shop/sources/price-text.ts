import { floatText } from "../../lib/python-number.ts"
import type { NumberText } from "../product.ts"

/** Currency signs, codes and words that may stand around an amount. */
const CURRENCY =
  /\p{Sc}|(?<![\p{L}\p{N}])(?:[A-Z]{3}|usd|eur|gbp|cny|rmb|[Yy]uan|[Dd]ollars?|[Ee]uros?|kr|zł|Kč)(?![\p{L}\p{N}])|人民币|元/gu
const AMOUNT = "-?\\d+(?:[.,'’ \\u00a0\\u202f]\\d+)*"
const PRICE = new RegExp(`^(${AMOUNT})(?:\\s*(?:-|–|—|~|to|至|到)\\s*(${AMOUNT}))?$`, "iu")

/** A price as spreadsheets hold it: one amount or a range of two; or why it is none. */
export type PriceText = { readonly prices: readonly NumberText[] } | { readonly fault: string }

/**
 * Reads `12.9`, `$12.90`, `12,90 €`, `1,299.00`, `1.299,00`, `USD 12`, `￥1299元`, `10 - 15`. The last of two kinds of separators is the
 * decimal one; one kind alone groups thousands when it repeats, or is a comma before exactly three digits. Blank: no prices.
 */
export function readPriceText(text: string): PriceText {
  const trimmed = text.normalize("NFKC").trim()
  if (trimmed === "") return { prices: [] }
  const shown = JSON.stringify(trimmed.length > 40 ? `${trimmed.slice(0, 40)}…` : trimmed)
  const match = trimmed.length > 60 ? null : PRICE.exec(trimmed.replace(CURRENCY, " ").trim())
  if (match === null) return { fault: `${shown} is not a price` }
  const amounts = match
    .slice(1)
    .filter((amount) => amount !== undefined)
    .map(amountOf)
  if (amounts.some((amount) => amount === null)) return { fault: `${shown} is not a price` }
  const numbers = amounts.filter((amount) => amount !== null).map(Number)
  if (numbers.some((number) => !Number.isFinite(number) || number < 0))
    return { fault: `${shown} is not a price from 0 up` }
  return { prices: [...new Set(numbers)].sort((a, b) => a - b).map(plainNumber) }
}

/** `amount` with a point for decimals and nothing between thousands; null: its separators make no sense. */
function amountOf(amount: string): string | null {
  const kinds = new Set(amount.match(/[.,]/g) ?? [])
  const bare = amount.replace(/['’ \u00a0\u202f](?=\d{3}(?!\d))/g, "")
  if (/['’ \u00a0\u202f]/.test(bare)) return null
  if (kinds.size === 2) {
    const decimal = bare.lastIndexOf(".") > bare.lastIndexOf(",") ? "." : ","
    const parts = bare.split(decimal)
    return parts.length === 2 ? `${ungroup(parts[0]!)}.${parts[1]}` : null
  }
  const [separator] = kinds
  if (separator === undefined) return bare
  const groups = bare.split(separator)
  if (groups.length > 2 || (separator === "," && groups[1]!.length === 3)) {
    return groups.slice(1).every((group) => group.length === 3) ? groups.join("") : null
  }
  return groups.join(".")
}

function ungroup(whole: string): string {
  return whole.replaceAll(/[.,]/g, "")
}

/** As JSON from most programs has it: integers without decimals. */
function plainNumber(value: number): NumberText {
  return Number.isSafeInteger(value) ? String(value) : floatText(value)
}
