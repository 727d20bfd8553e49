import { type Amount, has, type Item } from "./amounts.ts"
import { type Left, lookLeft, TOPICS } from "./left.ts"
import { lookRight, type Right } from "./right.ts"
import type { Role } from "./roles.ts"

/** What an amount of money in the text says about the budget. */
export interface Mention {
  /** `total` and `item` are prices to pay; `part` is a unit price, a deposit or an instalment. */
  readonly of: "item" | "total" | "part"
  readonly bound: "upper" | "lower" | "range" | "exact"
  /** 最高, 封顶, max: said to be the limit of limits. */
  readonly hard: boolean
  /** 最好, ideally: a wish. */
  readonly soft: boolean
  /** Approximate: 左右, about, 多. */
  readonly around: boolean
  readonly low: number | null
  readonly high: number
  readonly reversed: boolean
  /** Stands beside another amount as good as itself: behind "or", or before 都可以. */
  readonly alternative: boolean
  /** Its words in the text. */
  readonly start: number
  readonly end: number
}

/** What the text says around an amount: by these the amount is judged. */
interface Place {
  readonly left: Left
  readonly right: Right
  /** What the amount is of, by the nearest word that says so. */
  readonly topic: Role | null
  /** An amount before it in the sentence was money. */
  readonly wasMoney: boolean
}

/** Measures whose one is never the item itself. */
const RATES: ReadonlySet<string> = new Set(
  "斤 公斤 千克 克 两 吨 升 毫升 米 厘米 平米 平方 平方米 平 尺 月 个月 天 年 小时 期 次 位 人 个人".split(" "),
)
/** What a clause may hand on to the next: 预算嘛，300. */
const CARRIED: readonly Role[] = ["per", "deposit", "total", "price", "spend"]

/** What holds for the later amounts of a clause too; a discount or a deposit is over with its amount. */
const INHERITED: readonly Role[] = ["total", "price", "spend", "dimension"]

/** Every amount of `items` that is money for the item or part of it, in order. `text` is the folded text. */
export function findMentions(text: string, items: readonly Item[]): Mention[] {
  const mentions: Mention[] = []
  const counted = countedMeasures(items)
  let clauseTopic: Role | null = null
  let wasMoney = false
  let hasAmount = false // in the clause so far
  let taken = 0 // items before this one belong to an earlier amount
  for (let index = 0; index < items.length; index++) {
    const item = items[index]!
    if (has(item, "break") || has(item, "stop")) {
      clauseTopic = hasAmount ? null : carriedTopic(items, index)
      hasAmount = false
      if (has(item, "stop")) wasMoney = false
    }
    if (item.type !== "amount") continue
    hasAmount = true
    const left = lookLeft(text, items, index, taken)
    const right = lookRight(text, items, index)
    const inherits = clauseTopic !== null && (left.alternative || INHERITED.includes(clauseTopic))
    const place = { left, right, topic: left.topic ?? right.topic ?? (inherits ? clauseTopic : null), wasMoney }
    clauseTopic = left.topic ?? clauseTopic
    taken = right.next
    if (!isMoney(item, place)) continue
    wasMoney = true
    const mention = mentionOf(item, place, counted)
    if (mention !== undefined) mentions.push(mention)
  }
  return mentions
}

/** The topic on which a clause without an amount ends. */
function carriedTopic(items: readonly Item[], end: number): Role | null {
  let at = end - 1
  while (at >= 0 && !has(items[at], "break") && (has(items[at], "fill") || has(items[at], "soft"))) at--
  const item = items[at]
  if (item?.type !== "word" || has(items[end], "stop")) return null
  const role = TOPICS.find((topic) => item.roles.includes(topic))
  return role !== undefined && CARRIED.includes(role) ? role : null
}

/** The measures of which more than one is asked for: 要24包 makes 一包3元 a unit price. */
function countedMeasures(items: readonly Item[]): ReadonlySet<string> {
  const measures = new Set<string>()
  for (const item of items) {
    if (item.type === "amount" && item.measure !== null && item.high > 1) measures.add(item.measure)
  }
  return measures
}

/** Whether the number is an amount of money: by its currency, by what it is said to be, or by the company it keeps. */
function isMoney(amount: Amount, place: Place): boolean {
  const { left, right, topic } = place
  if (!Number.isFinite(amount.high) || amount.high <= 0) return false
  const isTopical = topic !== null && topic !== "dimension"
  if (amount.currency) return !amount.maybePieces || isTopical || left.bound !== null
  if (amount.measure !== null || topic === "dimension") return false
  const isQualified = right.bound !== null || right.around || right.between
  if (amount.unitOnly || amount.bare) {
    // 千, 一: numbers only where the sentence is clearly about one
    if (right.noun || !(isQualified || isTopical || (amount.unitOnly && left.bound !== null))) return false
    const isBacked = left.bound !== null || right.topic !== null || left.topic !== null
    if (amount.bare && !isQualified && !isBacked) return false
  }
  if (left.topic !== null) return !(right.noun && (amount.bare || left.isApart))
  // 618活动价 is a day, 500预算 a budget
  if (right.topic === "price" && !right.hasOwnTopic && !isQualified) return amount.scaled || amount.high % 10 === 0
  if (isQualified && right.nouns) return false // 1000+ reviews
  if (right.isPlus && (amount.high < 50 || amount.high % 10 !== 0)) return false // Note 10+
  if (right.topic === "total" && !isQualified && left.bound === null) return false // 80 total watts
  if (right.topic !== null || isQualified || right.enough || (right.alternative && place.wasMoney)) return true
  if (right.noun) return false
  if (left.bound !== null || (left.than && (right.cheaper || right.dearer))) return !amount.bare
  if (isTopical || (left.between && amount.low !== null) || (left.alternative && place.wasMoney)) return true
  return isSpokenPrice(amount, left, right)
}

/** Numbers that shoppers say without any word of money: 两三百的, 四百 alone, 3-5k, 100-200的. */
function isSpokenPrice(amount: Amount, left: Left, right: Right): boolean {
  if (amount.scaled && (amount.low !== null || (amount.words && left.opens && right.closes))) return true
  return right.of && ((amount.scaled && !amount.lettered) || amount.more || isRoundRange(amount))
}

/** Sizes do not go by fifties. */
function isRoundRange({ low, high }: Amount): boolean {
  return low !== null && low >= 50 && low % 50 === 0 && high % 50 === 0
}

function mentionOf(amount: Amount, place: Place, counted: ReadonlySet<string>): Mention | undefined {
  const { left, right } = place
  const of = objectOf(place, counted)
  const bound = boundOf(amount, left, right)
  if (of === undefined || bound === undefined) return undefined
  const isRange = amount.low !== null && bound !== "lower"
  return {
    of,
    bound: isRange ? "range" : (bound ?? "exact"),
    hard: (left.hard || right.hard) && bound === "upper",
    soft: left.soft || right.soft,
    around: (left.around || right.around || amount.more) && !amount.vague,
    low: amount.low,
    high: bound === "lower" && amount.low !== null ? amount.low : amount.high,
    reversed: amount.reversed,
    alternative: left.alternative || right.alternative,
    start: left.start,
    end: right.end,
  }
}

/** The bound on the amount, null where there is none; undefined where the amount is only named to be refused. */
function boundOf(amount: Amount, left: Left, right: Right): "upper" | "lower" | null | undefined {
  if (left.than && (right.cheaper || right.dearer)) return right.cheaper ? "upper" : "lower"
  if (amount.low !== null && left.least && right.bound === null) return null // from 40 to 60
  const bound = left.bound === "lower" && right.bound === "upper" ? right.bound : (left.bound ?? right.bound)
  const isTurned = left.bound === null && left.prohibited
  if (bound === null) return left.prohibited || right.rejected ? undefined : null
  if (isTurned || right.rejected) return bound === "upper" ? "lower" : "upper"
  return bound
}

/** What the money pays for; undefined where it is not paid for the item at all. */
function objectOf({ left, right, topic }: Place, counted: ReadonlySet<string>): Mention["of"] | undefined {
  if (right.topic === "other_money" || topic === "other_money" || topic === "past") return undefined
  if (right.topic === "per" || right.topic === "deposit" || right.one !== null) return "part"
  if (topic === "per" || topic === "deposit") return "part"
  if (left.one !== null) {
    const isRate = RATES.has(left.one.measure!) || !(left.isOneBought || right.describes)
    if (counted.has(left.one.measure!) || (isRate && left.isOneNear)) return "part"
  }
  return topic === "total" ? "total" : "item"
}
