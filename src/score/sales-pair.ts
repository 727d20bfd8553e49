import { z } from "zod"
import type { Play } from "../core/play.ts"
import type { Manifest } from "../core/run.ts"
import { CaseSales } from "../core/sales.ts"

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
  const measures = new Map<string, number>()
  if (!record.success) return measures
  const { simulated_deal, purchase_intent = [] } = record.data.sales
  if (simulated_deal !== undefined) measures.set("simulated_deal", simulated_deal ? 1 : 0)
  const last = purchase_intent.at(-1) // where that is not known, no earlier one stands for it
  if (last?.status === "observed") measures.set("purchase_intent", last.score)
  return measures
}
