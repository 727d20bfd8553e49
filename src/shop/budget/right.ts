import { type Amount, has, type Item } from "./amounts.ts"
import { chineseMeasureAt } from "./measures.ts"
import type { Role } from "./roles.ts"
import type { WordToken } from "./tokens.ts"

/** What stands behind an amount, up to the first word that is about something else. */
export interface Right {
  bound: "upper" | "lower" | null
  hard: boolean
  /** The bound is a + or "plus", which names carry too. */
  isPlus: boolean
  around: boolean
  soft: boolean
  enough: boolean
  topic: Role | null
  /** 的 stands before the topic: 50块的预算. */
  hasOwnTopic: boolean
  /** One of something: the 一斤 of 15块一斤. */
  one: Amount | null
  cheaper: boolean
  dearer: boolean
  /** 不要, "is too much": what was said is not wanted. */
  rejected: boolean
  alternative: boolean
  between: boolean
  /** A name follows directly: of what is counted, if the number is a count. */
  noun: boolean
  /** An English name follows directly on a bound: 100 or more pages. */
  nouns: boolean
  /** 的 follows, and behind it a name: the amount describes the item. */
  describes: boolean
  of: boolean
  /** The clause ends behind the amount, or goes on to something else. */
  closes: boolean
  /** Where the words about the amount end in the text. */
  end: number
  /** The index of the item behind them. */
  next: number
}

/** Reads the items behind the amount at `at` to the end of its clause, the next amount, or a word about something else. */
export function lookRight(text: string, items: readonly Item[], at: number): Right {
  const amount = items[at] as Amount
  const right = nothingRight(amount.end, at)
  let index = at + 1
  for (; index < items.length; index++) {
    const item = items[index]!
    if (item.type === "amount") {
      right.closes = false
      if (item.measure !== null && item.high === 1 && !right.of && !right.enough) {
        right.one = item
        right.end = item.end
      }
      break
    }
    if (has(item, "break") || has(item, "stop") || has(item, "preposition")) break
    const isAdjacent = index === at + 1
    if (readRightBound(text, right, items, index) || readRightMark(right, item)) {
      right.end = item.end
      right.next = index + 1
      continue
    }
    const topic = topicBehind(text, right, items, index, amount)
    if (topic !== undefined) {
      right.hasOwnTopic ||= right.of
      right.topic ??= topic
      right.end = item.end
      right.next = index + 1
    } else if (has(item, "currency") || has(item, "fill")) right.of ||= text[item.start] === "的"
    else {
      right.noun = isAdjacent && (item.roles[0] === "other" || has(item, "dimension"))
      right.nouns = right.bound !== null && index === right.next && /[a-z]/.test(text[item.start]!)
      right.describes = right.of
      right.closes = false
      break
    }
  }
  right.rejected = isRejected(items, Math.max(index - 1, at + 1))
  return right
}

function nothingRight(end: number, next: number): Right {
  return {
    bound: null,
    hard: false,
    isPlus: false,
    around: false,
    soft: false,
    enough: false,
    topic: null,
    hasOwnTopic: false,
    one: null,
    cheaper: false,
    dearer: false,
    rejected: false,
    alternative: false,
    between: false,
    noun: false,
    nouns: false,
    describes: false,
    of: false,
    closes: true,
    end,
    next,
  }
}

function readRightBound(text: string, right: Right, items: readonly Item[], index: number): boolean {
  const item = items[index] as WordToken
  if (right.bound !== null || right.of) return false
  const sign = text.slice(item.start, Math.min(item.end, item.start + 1))
  if (sign === "<" || sign === "≤")
    right.bound = "lower" // 500<价格
  else if (sign === ">" || sign === "≥") right.bound = "upper"
  else if (has(item, "limit") || has(item, "within") || has(item, "above")) {
    if (leadsOn(items, index)) return false
    right.bound = has(item, "limit") || has(item, "within") ? "upper" : "lower"
    right.hard = has(item, "limit")
    right.isPlus = has(item, "plus") || sign === "p"
  }
  return right.bound !== null
}

/** Whether the bound at `index` is one of the next amount rather than of the one before: 300最多400, 16+512. */
function leadsOn(items: readonly Item[], index: number): boolean {
  const item = items[index]!
  if (has(item, "plus") && items[index + 1]?.start === item.end && items[index + 1]?.type === "amount") return true
  if (!(["at_most", "at_least", "greater", "less"] as const).some((role) => has(item, role))) return false
  const amount = items[skip(items, index + 1, ["fill", "spend", "greater", "not"])]
  return amount?.type === "amount" && amount.measure === null
}

function readRightMark(right: Right, item: WordToken): boolean {
  if (has(item, "around_after") && !right.of) right.around = true
  else if (has(item, "between_after") && !right.of) right.between = true
  else if (has(item, "soft")) right.soft = true
  else if (has(item, "enough")) right.enough = true
  else if (has(item, "cheaper")) right.cheaper = true
  else if (has(item, "dearer")) right.dearer = true
  else if (has(item, "either_way")) right.alternative = true
  else return false
  return true
}

function topicBehind(
  text: string,
  right: Right,
  items: readonly Item[],
  index: number,
  amount: Amount,
): Role | undefined {
  const item = items[index]!
  const isAdjacent = items[index - 1] === amount
  if (has(item, "other_money_after") && (isAdjacent || right.of)) return "other_money"
  if (has(item, "deposit_after") && (isAdjacent || right.of)) return "deposit"
  if (has(item, "per") || has(item, "per_after")) return "per"
  if (has(item, "slash") && !has(items[index + 1], "within")) {
    return amount.currency || chineseMeasureAt(text, item.end) !== undefined ? "per" : undefined // 1/2 is a fraction
  }
  if (has(item, "total")) return "total"
  return has(item, "price") ? "price" : undefined
}

/** 超过200元的不要; over $70 I'm not interested: a rejection that ends the clause, or makes up the next one. */
function isRejected(items: readonly Item[], from: number): boolean {
  let index = from
  let isBehindComma = false
  while (index < items.length) {
    const item = items[index]!
    if (item.type === "amount" || has(item, "stop")) return false
    const isBreak = has(item, "break")
    if (isBreak && isBehindComma) return false
    if (isBreak) {
      isBehindComma = true
      index = skip(items, index + 1, ["fill"])
      if (!has(items[index], "reject") || has(items[index], "not")) return false
    } else if (has(item, "reject")) {
      index = skip(items, index + 1, ["fill", "reject"])
      const next = items[index]
      if (next === undefined || has(next, "break") || has(next, "stop")) return true
      if (isBehindComma) return false
    } else index++
  }
  return false
}

/** The index of the first item from `from` on that has none of `roles`, or ends a clause. */
function skip(items: readonly Item[], from: number, roles: readonly Role[]): number {
  let index = from
  while (!has(items[index], "break") && roles.some((role) => has(items[index], role))) index++
  return index
}
