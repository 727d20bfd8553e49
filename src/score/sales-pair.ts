import { z } from "zod"
import type { CaseRecord } from "../core/case-record.ts"
import { AppError } from "../core/errors.ts"
import type { Play } from "../core/play.ts"
import type { Manifest } from "../core/run.ts"
import { CaseSales } from "../core/sales.ts"
import { type PairedDifference, pairedDifference } from "./paired.ts"

/** A run's place in a pair that differs in what the agent was told of the buyer. */
const Place = z.looseObject({ id: z.string(), annotation: z.boolean() })

/** Two runs that are the sides of one pair: whether the agent was told. */
export interface SalesPair {
  readonly pair_id: string
  readonly first: { readonly annotation: boolean }
  readonly second: { readonly annotation: boolean }
}

/** Where two sides may differ. */
const ANNOTATION = "agent.context.injection"

/** The pair that two runs say they are the sides of; undefined: at most one says so, or each of another. */
export function salesPairOf({ execution: first }: Manifest, { execution: second }: Manifest): SalesPair | undefined {
  const [a, b] = [Place.safeParse(first.pair), Place.safeParse(second.pair)]
  if (!a.success || !b.success || a.data.id !== b.data.id) return undefined
  return {
    pair_id: a.data.id,
    first: { annotation: a.data.annotation },
    second: { annotation: b.data.annotation },
  }
}

/** Why the sides of a pair are none: paths of the plans that differ beside what may. Undefined: they are. */
export function pairFault(
  { first, second }: SalesPair,
  differences: readonly { readonly path: string }[],
): { readonly message: string; readonly members: readonly string[] } | undefined {
  if (first.annotation === second.annotation) {
    return { message: `both sides of the pair have the annotation ${first.annotation ? "on" : "off"}`, members: [] }
  }
  const members = differences.map(({ path }) => path).filter((path) => path !== ANNOTATION)
  if (members.length === 0) return undefined
  return { message: `the sides of the pair differ in more than the annotation: ${members.join(", ")}`, members }
}

/** What a case before the sale comes to, by name: whether the buyer came to buy, and how near to it the buyer seemed last. */
export function salesMeasures(play: Play): Map<string, number> {
  const record = z.looseObject({ sales: CaseSales }).safeParse(play.evidence.get("case"))
  return record.success ? measuresOf(record.data.sales) : new Map()
}

function measuresOf({ simulated_deal, purchase_intent = [] }: CaseSales): Map<string, number> {
  const measures = new Map<string, number>()
  if (simulated_deal !== undefined) measures.set("simulated_deal", simulated_deal ? 1 : 0)
  const last = purchase_intent.at(-1) // where that is not known, no earlier one stands for it
  if (last?.status === "observed") measures.set("purchase_intent", last.score)
  return measures
}

/** What of a paired run's record is compared: `runPaired` of `souk/service` gives two. */
export interface PairSide {
  readonly sales: { readonly annotation: { readonly pair_id: string; readonly enabled: boolean } }
  readonly cases: readonly Pick<CaseRecord, "case_id" | "end_reason" | "buyer_invalid_reason" | "messages" | "sales">[]
}

/** Two sides of a pair by case. Differences are second minus first. */
export interface PairComparison extends SalesPair {
  /** Cases that were played to an end on both sides, and how many were not. */
  readonly cases: number
  readonly left_out: number
  /** Measure → means of both sides, and whether interval and test both tell them apart. */
  readonly measures: {
    readonly [name: string]: {
      readonly first: number
      readonly second: number
      readonly apart: boolean
    } & PairedDifference
  }
}

/** As in reports: below this chance, where the interval leaves out zero. */
const SURE = 0.05

/**
 * Compares the two sides of a pair, case by case: deals, the last purchase intent, the agent's messages and the buyer's turns, each over
 * the cases that have it on both sides. Throws `REFUSED` for sides that are not of one pair, have the same annotation, or share no case
 * that was played to an end.
 */
export function comparePair(
  first: PairSide,
  second: PairSide,
  { seed = "souk-compare-1", resamples = 10_000 }: { readonly seed?: string; readonly resamples?: number } = {},
): PairComparison {
  const [a, b] = [first.sales.annotation, second.sales.annotation]
  if (a.pair_id !== b.pair_id) throw new AppError("REFUSED", `The sides are of pairs ${a.pair_id} and ${b.pair_id}`)
  if (a.enabled === b.enabled) {
    throw new AppError("REFUSED", `Both sides of pair ${a.pair_id} have the annotation ${a.enabled ? "on" : "off"}`)
  }
  const sides = [endedCases(first), endedCases(second)] as const
  const shared = [...sides[0].keys()].filter((id) => sides[1].has(id))
  if (shared.length === 0)
    throw new AppError("REFUSED", `No case of pair ${a.pair_id} was played to an end on both sides`)
  const measures: Record<string, PairComparison["measures"][string]> = {}
  for (const name of ["simulated_deal", "purchase_intent", "agent_messages", "buyer_turns"]) {
    const pairs = shared.flatMap((id) => {
      const [one, other] = [sides[0].get(id)!.get(name), sides[1].get(id)!.get(name)]
      return one === undefined || other === undefined ? [] : [{ one, other }]
    })
    if (pairs.length === 0) continue
    const difference = pairedDifference(
      pairs.map(({ one, other }) => other - one),
      { seed: `${seed}:${name}`, resamples },
    )
    const { interval, p } = difference
    measures[name] = {
      first: mean(pairs.map(({ one }) => one)),
      second: mean(pairs.map(({ other }) => other)),
      apart: interval !== undefined && (interval.low > 0 || interval.high < 0) && p < SURE,
      ...difference,
    }
  }
  const all = new Set([...first.cases, ...second.cases].map(({ case_id }) => case_id))
  return {
    pair_id: a.pair_id,
    first: { annotation: a.enabled },
    second: { annotation: b.enabled },
    cases: shared.length,
    left_out: all.size - shared.length,
    measures,
  }
}

/** Case → its measures. What broke, was stopped, or had an unusable buyer says nothing about selling. */
function endedCases({ cases }: PairSide): Map<string, Map<string, number>> {
  const ended = cases.filter(
    ({ end_reason, buyer_invalid_reason }) =>
      buyer_invalid_reason === undefined && !["error", "timeout", "cancelled"].includes(end_reason),
  )
  return new Map(
    ended.map(({ case_id, messages, sales }) => {
      const said = messages.filter(({ channel }) => channel === "conversation")
      const measures = sales === undefined ? new Map<string, number>() : measuresOf(sales)
      measures.set("agent_messages", said.filter(({ sender }) => sender === "agent").length)
      measures.set("buyer_turns", new Set(said.flatMap(({ sender, turn }) => (sender === "buyer" ? turn : []))).size)
      return [case_id, measures]
    }),
  )
}

function mean(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0) / values.length
}
