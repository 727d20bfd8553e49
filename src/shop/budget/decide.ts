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

const TOLERANCE = 1.1

/** Makes one reading of all that a text says about money. */
export function decide(
  text: string,
  items: readonly Item[],
  mentions: readonly Mention[],
  openness: Openness | undefined,
): Decision {
  void text
  const valid = afterCorrection(items, mentions)
  const items_ = valid.filter(({ of }) => of === "item")
  const totals = valid.filter(({ of }) => of === "total")
  const prices = totals.length > 0 ? totals : items_
  if (prices.length > 0) return bounded(prices)
  const [part] = valid
  if (part !== undefined) return nothing("unit_price", part)
  if (openness !== undefined) return nothing("explicitly_none", openness)
  return nothing("not_stated", { start: 0, end: 0 })
}

/** 预算500，不对，300以内: what stands before a correction is taken back, if anything follows it. */
function afterCorrection(items: readonly Item[], mentions: readonly Mention[]): readonly Mention[] {
  let from = 0
  for (const item of items) if (has(item, "correction")) from = item.end
  const rest = mentions.filter(({ start }) => start >= from)
  return rest.length > 0 ? rest : mentions
}

function bounded(mentions: readonly Mention[]): Decision {
  const lowers = mentions.filter(({ bound }) => bound === "lower")
  const uppers = mentions.filter(({ bound }) => bound !== "lower")
  if (mentions.some(({ reversed }) => reversed)) return nothing("ambiguous", span(mentions))
  if (uppers.length === 0) {
    const floor = lowers.reduce((highest, mention) => (mention.high > highest.high ? mention : highest))
    return { ...nothing("floor_only", floor), lower: floor.high }
  }
  const upper = oneOf(uppers)
  if (upper === undefined) return nothing("ambiguous", span(uppers))
  const floors = [...lowers.map(({ high }) => high), ...(upper.low === null ? [] : [upper.low])]
  const lower = floors.length === 0 ? null : floors.reduce((most, value) => Math.max(most, value))
  if (lower !== null && lower > upper.value) return nothing("ambiguous", span(mentions))
  return {
    kind: lower === null ? "upper" : "range",
    upper: upper.value,
    lower,
    approximate: upper.approximate,
    ...span([...lowers, ...upper.from]),
  }
}

interface Upper {
  readonly value: number
  readonly low: number | null
  readonly approximate: boolean
  readonly from: readonly Mention[]
}

/** The one ceiling that `mentions` agree on, by what outranks what; undefined where nothing decides. */
function oneOf(mentions: readonly Mention[]): Upper | undefined {
  const hard = mentions.filter(({ hard, bound }) => hard && bound !== "range")
  const strict = mentions.filter(({ bound, hard, soft }) => bound === "upper" && !hard && !soft)
  const bounds = new Set([...hard, ...strict])
  const loose = mentions.filter((mention) => !bounds.has(mention))
  if (isAlternative(mentions, hard)) return undefined
  for (const level of [hard, strict]) {
    if (level.length === 0) continue
    const value = level[0]!.high
    if (level.some(({ high }) => high !== value)) return undefined
    if (level === hard && strict.some(({ high }) => high > value)) return undefined
    const rest = loose.filter((mention) => mention.bound !== "exact" || mention.around || level === hard)
    if (
      rest.some(
        (mention) =>
          mention.bound !== "range" && !mention.soft && mention.high > value && (mention.around || level === hard),
      )
    )
      return undefined
    if (
      level === strict &&
      loose.some(({ bound, around, soft, high }) => bound === "exact" && !around && !soft && high < value)
    ) {
      return undefined
    }
    const range = loose.find(({ bound }) => bound === "range")
    return { value, low: range?.low ?? null, approximate: false, from: range ? [range, ...level] : level }
  }
  const ranges = loose.filter(({ bound }) => bound === "range")
  const [range] = ranges
  if (range !== undefined) {
    if (ranges.some(({ low, high }) => low !== range.low || high !== range.high)) return undefined
    return { value: range.high, low: range.low, approximate: false, from: [range] }
  }
  const wished = loose.filter(({ soft }) => !soft)
  const amounts = wished.length > 0 ? wished : loose
  const [amount] = amounts
  if (amount === undefined || amounts.some(({ high }) => high !== amount.high)) return undefined
  const approximate = amounts.every(({ around, bound }) => around && bound === "exact")
  return { value: approximate ? tolerant(amount.high) : amount.high, low: null, approximate, from: amounts }
}

/** 100元以内或300元左右: alternatives with different ceilings, none of them said to be the limit. */
function isAlternative(mentions: readonly Mention[], hard: readonly Mention[]): boolean {
  if (mentions.length < 2 || hard.length > 0) return false
  return mentions.some(({ alternative }) => alternative) && new Set(mentions.map(({ high }) => high)).size > 1
}

function tolerant(amount: number): number {
  return Math.round(amount * TOLERANCE * 1e8) / 1e8
}

function span(mentions: readonly Mention[]): { start: number; end: number } {
  let { start, end } = mentions[0]!
  for (const mention of mentions) {
    start = Math.min(start, mention.start)
    end = Math.max(end, mention.end)
  }
  return { start, end }
}

function nothing(kind: BudgetKind, { start, end }: { start: number; end: number }): Decision {
  return { kind, upper: null, lower: null, approximate: false, start, end }
}
