import { z } from "zod"
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts"
import { ScriptTime } from "../../../core/time.ts"
import type { Recorded } from "./lookup.ts"

/** A figure that was worked out when the record was made, and how. */
const DerivedFact = z.looseObject({
  kind: z.string(),
  /** The day it is about, `2026-05-01`; absent: the product as it is. */
  date: z.string().optional(),
  sku_id: z.string().optional(),
  value: z.json(),
  method: z.string().min(1),
  limitations: z.array(z.string()),
  /** When it was worked out; absent: when its record was made. */
  at: ScriptTime.optional(),
})

export interface Estimate {
  readonly at: ScriptTime
  readonly date: string | undefined
  /** As the agent is told it: never without method and limitations. */
  readonly told: JsonObject
}

/** The estimates of a kind that a record carries in `derived`. What lacks its method or limitations is none. */
export function estimatesIn({ result, at }: Recorded, kind: string, skuId: Json | undefined): Estimate[] {
  if (!isJsonObject(result) || !Array.isArray(result.derived)) return []
  return result.derived.flatMap((value) => {
    const fact = DerivedFact.safeParse(value)
    if (!fact.success || fact.data.kind !== kind || fact.data.sku_id !== skuId) return []
    const { date, method, limitations } = fact.data
    const told: JsonObject = {
      ...(date !== undefined && { date }),
      value: fact.data.value as Json,
      method,
      limitations,
    }
    return [{ at: fact.data.at ?? at, date, told }]
  })
}

/** Those that say what `recorded` does not: nothing where it is one value, the days without a row where it goes by days. */
export function estimatesStandingIn(recorded: Json | undefined, estimates: readonly Estimate[]): Estimate[] {
  const days = recorded === undefined ? new Set<string>() : daysOf(recorded)
  if (days === null) return []
  const byDay = new Map<string | undefined, Estimate>()
  for (const estimate of estimates) {
    const known = byDay.get(estimate.date)
    if (estimate.date === undefined ? recorded !== undefined : days.has(estimate.date)) continue
    if (known === undefined || known.at < estimate.at) byDay.set(estimate.date, estimate)
  }
  return [...byDay.values()].sort((a, b) => ((a.date ?? "") < (b.date ?? "") ? -1 : 1))
}

/** The days that a value has something for: rows with a `date`, or members named for days. Null: it does not go by days. */
function daysOf(value: Json): Set<string> | null {
  const rows: [Json | undefined, Json][] = Array.isArray(value)
    ? value.map((row) => (isJsonObject(row) ? [row.date, { ...row, date: null }] : [undefined, row]))
    : isJsonObject(value)
      ? Object.entries(value)
      : [[undefined, value]]
  const days = new Set<string>()
  for (const [day, rest] of rows) {
    if (typeof day !== "string" || !/^\d{4}-\d\d-\d\d/.test(day)) return null
    if (Object.values(isJsonObject(rest) ? rest : { rest }).some((member) => member !== null && member !== ""))
      days.add(day)
  }
  return days
}
