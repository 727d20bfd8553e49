import { type Amount, has, type Item } from "./amounts.ts"
import type { Role } from "./roles.ts"
import type { WordToken } from "./tokens.ts"

/** What an amount of money in the text says about the budget. */
export interface Mention {
  /** `total` and `item` are prices to pay; `part` is a unit price, a deposit or an instalment. */
  readonly of: "item" | "total" | "part"
  readonly bound: "upper" | "lower" | "range" | "exact"
  /** 最高, 封顶, max: said to be the limit of limits. */
  readonly hard: boolean
  readonly soft: boolean
  /** Approximate: 左右, about, 多. */
  readonly around: boolean
  readonly low: number | null
  readonly high: number
  readonly reversed: boolean
  /** An "or" before it, or 都可以 behind: stands beside another amount as good as itself. */
  readonly alternative: boolean
  readonly start: number
  readonly end: number
}

/** How many unknown characters may stand between an amount and a word that is about it. */
const REACH = 3

/** What stands before an amount in its clause. */
interface Left {
  bound: "upper" | "lower" | null
  hard: boolean
  /** The bound comes from 至少, from and the like, not from a comparison. */
  least: boolean
  around: boolean
  soft: boolean
  than: boolean
  /** A prohibition that no comparison has used up: 不要500以上的. */
  prohibited: boolean
  topic: Role | null
  /** One of something (一斤) right before the amount. */
  one: Amount | null
  bought: boolean
  alternative: boolean
  between: boolean
  start: number
}

/** What stands behind an amount, up to the first word that is about something else. */
interface Right {
  bound: "upper" | "lower" | null
  hard: boolean
  around: boolean
  enough: boolean
  topic: Role | null
  one: Amount | null
  cheaper: boolean
  dearer: boolean
  rejected: boolean
  alternative: boolean
  between: boolean
  /** Unknown words, or the name of something that is measured, follow directly. */
  noun: boolean
  /** 的 and a noun follow: the amount describes the item. */
  describes: boolean
  /** 的 follows directly. */
  of: boolean
  end: number
  /** The index behind the last item that belongs to the amount. */
  next: number
}

const TOPICS: readonly Role[] = ["per", "deposit", "total", "price", "spend", "other_money", "dimension"]
/** Measures of a payment in several: 4 payments of $50. */
const PARTS: ReadonlySet<string> = new Set(["installments", "instalments", "payments", "期"])

/** Every amount of `items` that is money, with its bound, in order. `text` is the folded text. */
export function findMentions(text: string, items: readonly Item[]): Mention[] {
  const mentions: Mention[] = []
  const counted = countedMeasures(items)
  let topic: Role | null = null // of the clause so far
  let wasMoney = false
  let hasAmount = false // in the clause so far
  let taken = 0 // items before this one belong to an earlier amount
  for (const [index, item] of items.entries()) {
    if (has(item, "break") || has(item, "stop")) {
      topic = hasAmount ? null : carriedTopic(items, index)
      hasAmount = false
      if (has(item, "stop")) wasMoney = false
    }
    if (item.type !== "amount") continue
    hasAmount = true
    const left = lookLeft(text, items, index, taken)
    const right = lookRight(text, items, index)
    const nearest = left.topic ?? right.topic ?? topic
    const isMoney = readsAsMoney(item, left, right, nearest, wasMoney)
    topic = left.topic ?? topic
    wasMoney ||= isMoney
    taken = right.next
    if (!isMoney) continue
    const mention = mentionOf(item, left, right, nearest, counted)
    if (mention !== undefined) mentions.push(mention)
  }
  return mentions
}

/** A clause that ends on its topic hands it on: 预算嘛，300. */
function carriedTopic(items: readonly Item[], index: number): Role | null {
  let at = index - 1
  while (at >= 0 && (has(items[at], "fill") || has(items[at], "soft"))) at--
  const item = items[at]
  if (item?.type !== "word" || has(items[index], "stop")) return null
  return TOPICS.find((role) => item.roles.includes(role)) ?? null
}

/** The measures of which more than one is asked for: 要24包 makes 一包3元 a unit price. */
function countedMeasures(items: readonly Item[]): ReadonlySet<string> {
  const measures = new Set<string>()
  for (const item of items) {
    if (item.type === "amount" && item.measure !== null && item.high > 1) measures.add(item.measure)
  }
  return measures
}

function lookLeft(text: string, items: readonly Item[], at: number, from: number): Left {
  const amount = items[at] as Amount
  const left: Left = {
    bound: null,
    hard: false,
    least: false,
    around: false,
    soft: false,
    than: false,
    prohibited: false,
    topic: null,
    one: null,
    bought: false,
    alternative: false,
    between: false,
    start: amount.start,
  }
  let unknown = 0 // characters crossed
  let comparison = false // the bound is a comparison that a "not" may turn round
  let isNegatable = true
  for (let index = at - 1; index >= from; index--) {
    const item = items[index]!
    if (item.type === "amount") {
      if (PARTS.has(item.measure ?? "") && unknown === 0) left.topic = "deposit"
      if (item.measure !== null && item.high === 1 && unknown === 0) {
        left.one = item
        left.start = item.start
        left.bought = has(items[index - 1], "verb")
      }
      break
    }
    if (has(item, "break") || has(item, "stop") || has(item, "correction")) break
    if (has(item, "or")) {
      left.alternative = true
      break
    }
    const isNear = unknown <= REACH
    const wasBound = left.bound
    if (isNear) {
      if (has(item, "greater") || has(item, "less")) {
        if (left.bound === null) {
          left.bound = has(item, "greater") ? "lower" : "upper"
          comparison = true
          isNegatable = true
        }
      } else if (has(item, "at_most") && (left.bound === null || left.bound === "upper")) {
        left.bound = "upper"
        left.hard = true
      } else if (has(item, "at_least") && left.bound === null) {
        if (text.slice(item.start, item.end) !== "上" || amount.unitOnly) left.bound = "lower"
        left.least = true
      } else if ((has(item, "not") || isRefusal(text, item)) && isNegatable) {
        if (comparison) {
          left.bound = left.bound === "lower" ? "upper" : "lower"
          comparison = false
        } else if (left.bound === null && !isAbsence(text, item)) left.prohibited = true
      } else if (has(item, "around")) left.around = true
      if (has(item, "soft")) left.soft = true
      if (has(item, "than")) left.than = true
      if (has(item, "between")) left.between = true
      if (has(item, "either_way")) left.alternative = true
    }
    if (left.bound !== wasBound || has(item, "not") || has(item, "around")) left.start = item.start
    const role = topicOf(item, isNear)
    if (role !== null && overrules(role, left.topic)) {
      left.topic = role
      if (isNear) left.start = item.start
    }
    if (item.roles[0] === "other") {
      unknown += /[a-z]/.test(text[item.start]!) ? REACH : item.end - item.start
      if (comparison || left.bound === null) isNegatable = unknown === 0
    }
  }
  return left
}

/** 没有200以内的 asks; it does not forbid. */
function isAbsence(text: string, item: WordToken): boolean {
  return /^(?:没|没有|未|无|不|并未|no|none|without|isn't|is not|aren't|are not|doesn't|does not|didn't|did not)$/.test(
    text.slice(item.start, item.end),
  )
}

/** 别推荐500以上的: a rejection that comes first. */
function isRefusal(text: string, item: WordToken): boolean {
  return has(item, "reject") && /^(?:别|不要|不推荐|不考虑|不看|不买|拒绝|排除|not |no )/.test(text.slice(item.start, item.end))
}

function topicOf(item: WordToken, isNear: boolean): Role | null {
  const role = TOPICS.find((topic) => item.roles.includes(topic))
  return role !== undefined && (isNear || role === "dimension") ? role : null
}

/** The nearest topic wins, but a part (每件) is one whatever stands between, and a price once was a price. */
function overrules(role: Role, current: Role | null): boolean {
  if (current === null) return true
  const isPrice = current === "price" || current === "spend"
  return isPrice && (role === "per" || role === "deposit" || role === "total")
}

function lookRight(text: string, items: readonly Item[], at: number): Right {
  const amount = items[at] as Amount
  const right: Right = {
    bound: null,
    hard: false,
    around: false,
    enough: false,
    topic: null,
    one: null,
    cheaper: false,
    dearer: false,
    rejected: false,
    alternative: false,
    between: false,
    noun: false,
    describes: false,
    of: false,
    end: amount.end,
    next: at,
  }
  let index = at + 1
  for (; index < items.length; index++) {
    const item = items[index]!
    if (item.type === "amount") {
      if (item.measure !== null && item.high === 1 && !right.of && !right.enough) {
        right.one = item
        right.end = item.end
      }
      break
    }
    if (has(item, "break") || has(item, "stop") || has(item, "preposition")) break
    const isAdjacent = index === at + 1
    const mayBind = right.bound === null && !right.of
    if (mayBind && has(item, "limit") && !leadsOn(items, index)) {
      right.bound = "upper"
      right.hard = true
    } else if (mayBind && has(item, "within")) right.bound = "upper"
    else if (mayBind && has(item, "above") && !leadsOn(items, index)) right.bound = "lower"
    else if (has(item, "around_after") && !right.of) right.around = true
    else if (has(item, "between_after") && !right.of) right.between = true
    else if (has(item, "enough")) right.enough = true
    else if (has(item, "cheaper")) right.cheaper = true
    else if (has(item, "dearer")) right.dearer = true
    else if (has(item, "either_way")) right.alternative = true
    else if (has(item, "other_money_after") && (isAdjacent || right.of)) right.topic ??= "other_money"
    else if (has(item, "deposit_after") && (isAdjacent || right.of)) right.topic ??= "deposit"
    else if (has(item, "per") || has(item, "per_after") || has(item, "slash")) right.topic ??= "per"
    else if (has(item, "total")) right.topic ??= "total"
    else if (has(item, "price")) right.topic ??= "price"
    else if (has(item, "currency") || has(item, "fill")) {
      if (text[item.start] === "的") right.of = true
      continue
    } else {
      right.noun = isAdjacent && (item.roles[0] === "other" || has(item, "dimension"))
      right.describes = right.of
      break
    }
    right.end = item.end
    right.next = index + 1
  }
  right.rejected = isRejected(items, at, index)
  return right
}

/** Whether the bound at `index` is one of the next amount rather than of the one before: 300最多400, 16+512. */
function leadsOn(items: readonly Item[], index: number): boolean {
  const item = items[index]!
  const plus = has(item, "plus") && items[index + 1]?.start === item.end && items[index + 1]?.type === "amount"
  if (plus || !(has(item, "at_most") || has(item, "at_least"))) return plus
  let next = index + 1
  while (
    has(items[next], "fill") ||
    has(items[next], "spend") ||
    has(items[next], "greater") ||
    has(items[next], "not")
  )
    next++
  const amount = items[next]
  return amount?.type === "amount" && amount.measure === null
}

/** 超过200元的不要; over $70 I'm not interested: a rejection that ends its clause, or makes up the next one. */
function isRejected(items: readonly Item[], at: number, from: number): boolean {
  let crossed = 0
  for (let index = Math.max(from - 1, at + 1); index < items.length; index++) {
    const item = items[index]!
    if (item.type === "amount" || has(item, "stop")) return false
    if (has(item, "break")) {
      if (++crossed > 1) return false
      let next = index + 1
      while (has(items[next], "fill")) next++
      return has(items[next], "reject") && !has(items[next], "not") && endsClause(items, next + 1)
    }
    if (has(item, "reject") && endsClause(items, index + 1)) return true
  }
  return false
}

function endsClause(items: readonly Item[], from: number): boolean {
  let index = from
  while (has(items[index], "fill") || has(items[index], "reject")) index++
  return items[index] === undefined || has(items[index], "break") || has(items[index], "stop")
}

/** Whether the number is an amount of money: by its currency, by what it is said to be, or by the company it keeps. */
function readsAsMoney(amount: Amount, left: Left, right: Right, topic: Role | null, wasMoney: boolean): boolean {
  if (!Number.isFinite(amount.high) || amount.high <= 0) return false
  const isTopical = topic !== null && topic !== "dimension"
  const isLeftTopical = left.topic !== null && left.topic !== "dimension"
  if (amount.currency) return !amount.maybePieces || isTopical || left.bound !== null
  if (amount.measure !== null || topic === "dimension") return false
  const isQualified = right.bound !== null || right.around || right.between
  if (amount.unitOnly || amount.bare) {
    if (right.noun || !(isQualified || (isTopical && !right.noun))) return false
    if (amount.bare && !isQualified && left.bound === null && right.topic === null && !isLeftTopical) return false
  }
  if (isLeftTopical) return !(right.noun && amount.bare)
  if (right.topic !== null) return true
  if (isQualified || right.enough || (right.alternative && wasMoney)) return true
  if (right.noun) return false
  if (left.bound !== null || (left.than && (right.cheaper || right.dearer))) return !amount.bare
  if (left.between && amount.low !== null) return true
  if (wasMoney && (left.alternative || isTopical)) return true
  if (isTopical) return true
  if (amount.scaled && amount.low !== null) return true
  return right.of && (amount.scaled || isRoundRange(amount))
}

/** 100-200的: sizes do not go by fifties. */
function isRoundRange({ low, high }: Amount): boolean {
  return low !== null && low >= 50 && low % 50 === 0 && high % 50 === 0
}

function mentionOf(
  amount: Amount,
  left: Left,
  right: Right,
  topic: Role | null,
  counted: ReadonlySet<string>,
): Mention | undefined {
  const of = objectOf(left, right, topic, counted)
  if (of === undefined) return undefined
  let bound = right.bound ?? left.bound
  if (left.bound === "upper" || (left.bound === "lower" && right.bound !== "upper")) bound = left.bound
  if (left.than && right.cheaper) bound = "upper"
  else if (left.than && right.dearer) bound = "lower"
  const turned = right.bound !== null && left.bound === null && left.prohibited
  if (bound !== null && (turned || (right.rejected && !turned))) bound = bound === "upper" ? "lower" : "upper"
  else if (bound === null && (left.prohibited || right.rejected)) return undefined
  if (amount.low !== null && left.least && right.bound === null) bound = null // from 40 to 60
  const isRange = amount.low !== null && (bound === null || bound === "upper")
  return {
    of,
    bound: isRange ? "range" : (bound ?? "exact"),
    hard: (left.hard || right.hard) && bound === "upper",
    soft: left.soft,
    around: left.around || right.around || amount.more,
    low: amount.low,
    high: bound === "lower" && amount.low !== null ? amount.low : amount.high,
    reversed: amount.reversed,
    alternative: left.alternative || right.alternative,
    start: left.start,
    end: right.end,
  }
}

/** What the money pays for; undefined where it is not paid for the item at all. */
function objectOf(
  left: Left,
  right: Right,
  topic: Role | null,
  counted: ReadonlySet<string>,
): Mention["of"] | undefined {
  if (right.topic === "other_money" || (left.topic ?? topic) === "other_money") return undefined
  if (right.topic === "per" || right.topic === "deposit" || right.one !== null) return "part"
  const nearest = left.topic ?? right.topic ?? topic
  if (nearest === "per" || nearest === "deposit") return "part"
  if (left.one !== null) {
    const isMany = counted.has(left.one.measure!)
    if (isMany || WEIGHTS.has(left.one.measure!) || !(left.bought || right.describes)) return "part"
  }
  return nearest === "total" ? "total" : "item"
}

/** Measures whose one is never the item itself. */
const WEIGHTS: ReadonlySet<string> = new Set(
  "斤 公斤 千克 克 两 吨 升 毫升 米 厘米 平米 平方 平方米 平 尺 月 个月 天 年 小时 期 次 位 人 个人".split(" "),
)
