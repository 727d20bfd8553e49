import { rounded } from "../../lib/spoken-number.ts"
import type { Role } from "./roles.ts"
import type { Token, WordToken } from "./tokens.ts"

/** One amount or range with its currency: what a bound can be about. Counts and sizes are amounts too, with a measure. */
export interface Amount {
  readonly type: "amount"
  readonly start: number
  readonly end: number
  readonly low: number | null
  readonly high: number
  readonly currency: boolean
  /** `块` before a noun: thirty yuan, or thirty pieces. */
  readonly maybePieces: boolean
  readonly measure: string | null
  /** A range in one word (两三百, 几十) or two: no tolerance is added to its end. */
  readonly vague: boolean
  /** 多, 来, `-odd` */
  readonly more: boolean
  /** With a multiplier (百, k, hundred): a number of money rather than of things. */
  readonly scaled: boolean
  /** With the multiplier k or w, which names carry too: 4K. */
  readonly lettered: boolean
  /** Spoken in words: 四百, two hundred. */
  readonly words: boolean
  readonly bare: boolean
  readonly unitOnly: boolean
  /** The range runs backwards: 12到8元. */
  readonly reversed: boolean
}

export type Item = Amount | WordToken

/** Whether `item` is a word with the role. */
export function has(item: Item | Token | undefined, role: Role): boolean {
  return item?.type === "word" && item.roles.includes(role)
}

/** Joins numbers with their currencies and the two ends of ranges. `text` is the folded text. */
export function findAmounts(text: string, tokens: readonly Token[]): Item[] {
  const items: Item[] = []
  let index = 0
  while (index < tokens.length) {
    const low = amountAt(text, tokens, index, items)
    if (low === undefined) {
      items.push(tokens[index] as WordToken) // amountAt takes every number
      index++
      continue
    }
    const high = highEnd(text, tokens, low, items) ?? crossed(text, tokens, low)
    items.push(high === undefined ? low.amount : joinRange(low.amount, high.amount, low.unit, high.unit))
    index = (high ?? low).next
  }
  return items
}

interface Found {
  readonly amount: Amount
  readonly unit: number
  /** The token behind. */
  readonly next: number
}

function amountAt(text: string, tokens: readonly Token[], at: number, before: readonly Item[]): Found | undefined {
  const hasPrefix = isPrefixAt(tokens, at) && before.at(-1)?.type !== "amount"
  const token = tokens[hasPrefix || isSignAt(text, tokens, at) ? at + 1 : at]
  if (token?.type !== "number") return undefined
  const prefixed = token !== tokens[at]
  const { number } = token
  const after = at + (prefixed ? 2 : 1)
  let { value } = number
  let end = token.end
  if (prefixed && text[end] === "s" && value % 10 === 0) value += 9 // in the $20s
  const suffix = token.measure === null ? currencyBehind(text, tokens, after) : undefined
  let next = suffix?.next ?? after
  let maybePieces = false
  if (suffix !== undefined) {
    end = tokens[next - 1]!.end
    if (has(suffix.token, "cents")) value /= /[c¢]/.test(text[suffix.token.start]!) ? 100 : 10 // 毛, 角: a tenth
    const word = text.slice(suffix.token.start, suffix.token.end)
    const change = word === "块" || word === "元" ? changeBehind(tokens, next) : undefined
    if (change !== undefined) {
      value += change.value
      end = tokens[change.next - 1]!.end
      next = change.next
    }
    maybePieces = word === "块" && change === undefined && isNoun(tokens[next], end)
  }
  const amount: Amount = {
    type: "amount",
    start: tokens[at]!.start,
    end,
    low: null,
    high: rounded(value),
    currency: prefixed || suffix !== undefined || number.money,
    maybePieces: maybePieces && !prefixed,
    measure: prefixed || suffix !== undefined ? null : token.measure,
    vague: number.vague,
    more: number.more,
    scaled: number.unit > 1,
    lettered: /[kw]/.test(text[number.end - 1]!),
    words: !number.arabic,
    bare: number.bare,
    unitOnly: number.unitOnly,
    reversed: false,
  }
  return { amount, unit: number.unit, next }
}

function isPrefixAt(tokens: readonly Token[], at: number): boolean {
  return (
    has(tokens[at], "currency") && tokens[at + 1]?.type === "number" && tokens[at + 1]!.start - tokens[at]!.end <= 1
  )
}

function isSignAt(text: string, tokens: readonly Token[], at: number): boolean {
  return isPrefixAt(tokens, at) && /[$¥£€]/.test(text[tokens[at]!.end - 1]!)
}

/** The currency behind a number, at `50-dollar` behind a hyphen; several in a row (元人民币) count once. */
function currencyBehind(
  text: string,
  tokens: readonly Token[],
  at: number,
): { token: WordToken; next: number } | undefined {
  const hyphen = text[tokens[at]?.start ?? -1] === "-" && has(tokens[at], "to") ? 1 : 0
  const token = tokens[at + hyphen]
  if (token?.type !== "word" || !(has(token, "currency") || has(token, "cents"))) return undefined
  if (isSignAt(text, tokens, at + hyphen)) return undefined // the sign of the next amount
  let next = at + hyphen + 1
  while (has(tokens[next], "currency") && !isPrefixAt(tokens, next)) next++
  return { token, next }
}

/** The 9 of 9块9 and the 5毛 of 3块5毛. */
function changeBehind(tokens: readonly Token[], at: number): { value: number; next: number } | undefined {
  const token = tokens[at]
  if (token?.type !== "number" || token.start !== tokens[at - 1]!.end || token.measure !== null) return undefined
  const { value, unit, more } = token.number
  if (unit > 1 || more || !Number.isInteger(value) || value < 1 || value > 9) return undefined
  return { value: value / 10, next: at + (has(tokens[at + 1], "cents") ? 2 : 1) }
}

/** Unknown Chinese text right behind. */
function isNoun(token: Token | undefined, end: number): boolean {
  return token?.type === "word" && token.start === end && (token.roles[0] === "other" || has(token, "dimension"))
}

/** The upper end of a range that `low` begins: behind a dash or 到, or behind "and" where "between" or 之间 says so. */
function highEnd(text: string, tokens: readonly Token[], low: Found, before: readonly Item[]): Found | undefined {
  const sign = tokens[low.next]
  const isSlash = has(sign, "slash")
  const isAnd = has(sign, "and")
  if (!has(sign, "to") && !has(sign, "tilde") && !isSlash && !isAnd) return undefined
  const high = amountAt(text, tokens, low.next + 1, [])
  if (high === undefined || (low.amount.currency && high.amount.measure !== null)) return undefined
  if (isSlash && !(has(tokens[high.next], "between_after") || high.amount.currency)) return undefined
  if (isAnd) {
    const opened = before.slice(-4).some((item) => has(item, "between"))
    if (!opened && !has(tokens[high.next], "between_after")) return undefined
  }
  return high
}

/** 35×75, 52 by 84: sizes. */
function crossed(text: string, tokens: readonly Token[], low: Found): Found | undefined {
  if (!has(tokens[low.next], "times") || low.amount.currency) return undefined
  const high = amountAt(text, tokens, low.next + 1, [])
  if (high === undefined || high.amount.currency) return undefined
  return { ...high, amount: { ...high.amount, measure: high.amount.measure ?? "" } }
}

function joinRange(low: Amount, high: Amount, lowUnit: number, highUnit: number): Amount {
  // 3到5千, 2-3k, two to three hundred
  const lends = lowUnit === 1 && highUnit > 1 && low.high < high.high / highUnit
  const least = lends ? low.high * highUnit : low.high
  return {
    ...high,
    start: low.start,
    low: least,
    currency: low.currency || high.currency,
    maybePieces: high.maybePieces && !low.currency,
    measure: high.measure ?? low.measure,
    vague: true,
    scaled: low.scaled || high.scaled,
    bare: low.bare && high.bare,
    unitOnly: false,
    reversed: least > high.high,
  }
}
