import { type Amount, has, type Item } from "./amounts.ts"
import type { Role } from "./roles.ts"
import type { WordToken } from "./tokens.ts"

/** What stands before an amount in its clause, as far as it is about the amount. */
export interface Left {
  bound: "upper" | "lower" | null
  /** 最高, max: not a wish among others but the limit. */
  hard: boolean
  /** The bound comes from 至少, from and the like, not from a comparison. */
  least: boolean
  around: boolean
  soft: boolean
  than: boolean
  /** A prohibition that no comparison has used up: 不要 500以上的. */
  prohibited: boolean
  topic: Role | null
  /** One of something: the 一斤 of 一斤不超过15块. */
  one: Amount | null
  /** It stands right before the amount. */
  isOneNear: boolean
  /** It is what is to be bought: 买一斤. */
  isOneBought: boolean
  alternative: boolean
  between: boolean
  /** Nothing of its own stands before the amount in its clause. */
  opens: boolean
  /** A preposition separates the amount from its topic: "pay for 2 tickets". */
  isApart: boolean
  /** Where the words about the amount begin in the text. */
  start: number
}

/** What an amount can be of; of several roles of a word the first counts. */
export const TOPICS: readonly Role[] = [
  ...(["per", "deposit", "total", "price", "spend", "other_money", "past", "dimension"] as const),
]
/** How many unknown characters may stand between an amount and a word that is about it. */
const REACH = 3
/** What may stand between a "not" and what it negates. */
const PLAIN: readonly Role[] = [
  "fill",
  "verb",
  "spend",
  "price",
  "total",
  "currency",
  "around",
  "soft",
  "preposition",
  "to",
]
/** Measures of a payment in several: 4 payments of $50. */
const PARTS: ReadonlySet<string> = new Set(["installments", "instalments", "payments", "期"])
const PROHIBITION =
  /^(?:[别甭勿莫]|不要|不想|不考虑|不接受|不希望|不推荐|不看|不买|请勿|切勿|千万别|千万不要|坚决不|拒绝|排除|避免|唔好|don't|dont|do not|nothing|avoid|not |no$)/

/** Reads the items before the amount at `at`, back to the clause's start, the amount before, or `from`, where the words of that one end. */
export function lookLeft(text: string, items: readonly Item[], at: number, from: number): Left {
  const amount = items[at] as Amount
  const left = nothingLeft(amount.start)
  let unknown = 0 // characters crossed
  let isComparison = false // the bound is one that a "not" turns round
  let isPlain = true // a "not" here would be about the amount
  for (let index = at - 1; index >= from; index--) {
    const item = items[index]!
    if (item.type === "amount") {
      readCount(left, items, index, unknown)
      break
    }
    if (has(item, "break") || has(item, "stop") || has(item, "correction")) break
    const isNear = unknown <= REACH
    if (isNear) {
      const before = left.bound
      if (has(item, "not") && isComparison) {
        if (isPlain) left.bound = left.bound === "lower" ? "upper" : "lower"
        isComparison = false
      } else if (readBound(text, left, item, amount)) {
        isComparison = has(item, "greater") || has(item, "less")
        isPlain = true
      } else if ((has(item, "not") || has(item, "reject")) && left.bound === null && isPlain) {
        left.prohibited ||= PROHIBITION.test(text.slice(item.start, item.end))
      }
      readMarks(left, item)
      if (left.bound !== before || left.prohibited || has(item, "around") || has(item, "between"))
        left.start = item.start
    }
    readTopic(left, item, unknown)
    if (has(item, "or")) {
      left.alternative = true
      break
    }
    if (!has(item, "fill") && !has(item, "around") && !has(item, "soft")) left.opens = false
    if (!isBound(item) && !PLAIN.some((role) => has(item, role))) isPlain = false
    if (item.roles[0] === "other") unknown += /[a-z]/.test(text[item.start]!) ? REACH : item.end - item.start
  }
  return left
}

function nothingLeft(start: number): Left {
  return {
    bound: null,
    hard: false,
    least: false,
    around: false,
    soft: false,
    than: false,
    prohibited: false,
    topic: null,
    one: null,
    isOneNear: false,
    isOneBought: false,
    alternative: false,
    between: false,
    opens: true,
    isApart: false,
    start,
  }
}

/** A count before the amount: one of something, or several payments. */
function readCount(left: Left, items: readonly Item[], index: number, unknown: number): void {
  const count = items[index] as Amount
  if (count.measure === null || unknown > REACH) return
  if (PARTS.has(count.measure) && unknown === 0) left.topic = "deposit"
  if (has(items[index - 1], "per") && unknown === 0) left.topic = "per" // 每100克
  if (count.high !== 1) return
  left.one = count
  left.isOneNear = unknown === 0
  left.isOneBought = has(items[index - 1], "verb")
}

/** Takes the bound that `item` sets, the nearest first; whether it set one. */
function readBound(text: string, left: Left, item: WordToken, amount: Amount): boolean {
  if (has(item, "at_most") && left.bound === "upper") left.hard = true // 最高不超过
  if (left.bound !== null) return false
  if (has(item, "greater") || has(item, "less")) left.bound = has(item, "greater") ? "lower" : "upper"
  else if (has(item, "at_most")) {
    left.bound = "upper"
    left.hard = true
  } else if (has(item, "at_least") && (amount.unitOnly || text.slice(item.start, item.end) !== "上")) {
    left.bound = "lower"
    left.least = true
  }
  return left.bound !== null
}

function isBound(item: WordToken): boolean {
  return has(item, "greater") || has(item, "less") || has(item, "at_most") || has(item, "at_least")
}

function readMarks(left: Left, item: WordToken): void {
  if (has(item, "around")) left.around = true
  if (has(item, "soft")) left.soft = true
  if (has(item, "than")) left.than = true
  if (has(item, "between")) left.between = true
  if (has(item, "either_way")) left.alternative = true
  if (has(item, "preposition") && left.topic === null) left.isApart = true
}

/** The nearest topic wins, but a part (每件) is one whatever stands between, and what "was" may turn out to be the price. */
function readTopic(left: Left, item: WordToken, unknown: number): void {
  const role = TOPICS.find((topic) => item.roles.includes(topic))
  const isNear = unknown <= (role === "spend" ? 0 : REACH)
  if (role === undefined || !(isNear || role === "dimension")) return
  const isPrice = role === "price" || role === "spend"
  const wasPrice = left.topic === "price" || left.topic === "spend"
  const overrules = wasPrice
    ? role === "per" || role === "deposit" || role === "total"
    : left.topic === "past" && isPrice
  if (left.topic !== null && !overrules) return
  left.topic = role
  if (isNear) left.start = item.start
}
