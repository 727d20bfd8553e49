import type { BudgetKind } from "../task.ts"
import { has, type Item } from "./amounts.ts"
import type { Mention } from "./mentions.ts"
import type { Openness } from "./openness.ts"

/** A reading, with its evidence as a stretch of the text. */
export interface Decision {
  readonly kind: BudgetKind
  readonly upper: number | null
  readonly lower: number | null
  readonly approximate: boolean
  readonly start: number
  readonly end: number
}

/** What an approximate amount is multiplied by. */
const TOLERANCE = 1.1

/**
 * Makes one reading of all that a text says about money: totals before prices of the item, those before parts of it, any amount before
 * "no limit".
 */
export function decide(items: readonly Item[], mentions: readonly Mention[], openness: Openness | undefined): Decision {
  const valid = afterCorrection(items, mentions)
  const totals = valid.filter(({ of }) => of === "total")
  const prices = totals.length > 0 ? totals : valid.filter(({ of }) => of === "item")
  if (prices.length > 0) return bounded(prices)
  const [part] = valid
  if (part !== undefined) return unbounded("unit_price", part)
  if (openness !== undefined) return unbounded("explicitly_none", openness)
  return unbounded("not_stated", { start: 0, end: 0 })
}

/** 预算500，不对，300以内: what stands before a correction is taken back, if anything follows it. */
function afterCorrection(items: readonly Item[], mentions: readonly Mention[]): readonly Mention[] {
  let from = 0
  for (const item of items) if (has(item, "correction")) from = item.end
  const rest = mentions.filter(({ start }) => start >= from)
  return rest.length > 0 ? rest : mentions
}

function bounded(mentions: readonly Mention[]): Decision {
  if (mentions.some(({ reversed }) => reversed)) return unbounded("ambiguous", span(mentions))
  const lowers = mentions.filter(({ bound }) => bound === "lower")
  const uppers = mentions.filter(({ bound }) => bound !== "lower")
  const floor = highest(lowers)
  if (uppers.length === 0) {
    // a floor of nothing bounds nothing: 不低于0
    return floor!.high > 0
      ? { ...unbounded("floor_only", floor!), lower: floor!.high }
      : unbounded("explicitly_none", floor!)
  }
  const ceiling = ceilingOf(uppers)
  if (ceiling === undefined) return unbounded("ambiguous", span(uppers))
  const lower = Math.max(floor?.high ?? 0, ceiling.low ?? 0)
  if (lower > ceiling.value) return unbounded("ambiguous", span(mentions))
  return {
    kind: lower > 0 ? "range" : "upper",
    upper: ceiling.value,
    lower: lower > 0 ? lower : null,
    approximate: ceiling.approximate,
    ...span([...lowers, ...ceiling.from]),
  }
}

function highest(mentions: readonly Mention[]): Mention | undefined {
  let found = mentions[0]
  for (const mention of mentions) if (mention.high > found!.high) found = mention
  return found
}

interface Ceiling {
  readonly value: number
  readonly low: number | null
  readonly approximate: boolean
  readonly from: readonly Mention[]
}

/** The one ceiling that `mentions` come to, by what outranks what; undefined where nothing decides. */
function ceilingOf(mentions: readonly Mention[]): Ceiling | undefined {
  const hard = mentions.filter(({ hard, bound }) => hard && bound === "upper")
  const strict = mentions.filter(({ hard, soft, bound }) => bound === "upper" && !hard && !soft)
  const loose = mentions.filter(({ hard, soft, bound }) => bound !== "upper" || (soft && !hard))
  if (areAlternatives(mentions, hard)) return undefined
  const range = onlyRange(loose)
  if (range === "several") return undefined
  if (hard.length > 0) return limit(hard, range, [...strict, ...loose])
  if (strict.length > 0) {
    // Less in hand than the limit named elsewhere: nothing says which of the two holds. More is only a purse.
    if (
      loose.some(({ bound, around, soft, high }) => bound === "exact" && !around && !soft && high < strict[0]!.high)
    ) {
      return undefined
    }
    return limit(
      strict,
      range,
      loose.filter(({ around }) => around),
    )
  }
  if (range !== undefined) return { value: range.high, low: range.low, approximate: false, from: [range] }
  return target(loose)
}

/** The amount that all of `limits` name, unless another wants more than it. */
function limit(
  limits: readonly Mention[],
  range: Mention | undefined,
  others: readonly Mention[],
): Ceiling | undefined {
  const value = limits[0]!.high
  if (limits.some(({ high }) => high !== value)) return undefined
  if (others.some(({ bound, soft, high }) => bound !== "range" && !soft && high > value)) return undefined
  return { value, low: range?.low ?? null, approximate: false, from: range ? [range, ...limits] : limits }
}

function onlyRange(mentions: readonly Mention[]): Mention | undefined | "several" {
  const ranges = mentions.filter(({ bound }) => bound === "range")
  const [range] = ranges
  return ranges.some(({ low, high }) => low !== range!.low || high !== range!.high) ? "several" : range
}

/** Amounts without a limit, wishes only where there is nothing else. */
function target(mentions: readonly Mention[]): Ceiling | undefined {
  const meant = mentions.filter(({ soft }) => !soft)
  const amounts = meant.length > 0 ? meant : mentions
  const [amount] = amounts
  if (amount === undefined || amounts.some(({ high }) => high !== amount.high)) return undefined
  const approximate = amounts.every(({ around, bound }) => around && bound === "exact")
  const value = approximate ? Math.round(amount.high * TOLERANCE * 1e8) / 1e8 : amount.high
  return { value, low: null, approximate, from: amounts }
}

/** 100元以内或300元左右: alternatives with different ceilings, none of them said to be the limit. */
function areAlternatives(mentions: readonly Mention[], hard: readonly Mention[]): boolean {
  if (mentions.length < 2 || hard.length > 0) return false
  return mentions.some(({ alternative }) => alternative) && new Set(mentions.map(({ high }) => high)).size > 1
}

function span(mentions: readonly Mention[]): { start: number; end: number } {
  let { start, end } = mentions[0]!
  for (const mention of mentions) {
    start = Math.min(start, mention.start)
    end = Math.max(end, mention.end)
  }
  return { start, end }
}

function unbounded(kind: BudgetKind, { start, end }: { start: number; end: number }): Decision {
  return { kind, upper: null, lower: null, approximate: false, start, end }
}
