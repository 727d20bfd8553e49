import { z } from "zod"
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts"
import { Summary } from "../core/score.ts"

/** Where `shopsimrl-eval-summary-v2` and our summary have the same figure under another name. */
const RENAMED: Readonly<Record<string, string>> = { "counts.trace_files": "counts.recorded" }

/** Members of that summary that are no figures. */
const NOT_FIGURES: ReadonlySet<string> = new Set(["schema_version", "created_at"])

/** How the figures that came with a run compare with those made of its episodes. */
export interface FigureCheck {
  /** Figures that are the same, to the last bit. */
  readonly equal: number
  readonly differences: readonly { readonly figure: string; readonly given: Json; readonly ours: Json }[]
  /** Figures of theirs that our summary does not have. */
  readonly unknown: readonly string[]
}

/**
 * Holds a summary of the form `shopsimrl-eval-summary-v2` against ours, figure by figure. Where it says null, ours has no such
 * member; where it lists counts by name, a name that ours does not have counts 0.
 */
export function checkV4Summary(given: JsonObject, summary: Summary): FigureCheck {
  const figures = new Map(leaves(summary as unknown as JsonObject, ""))
  const differences: { figure: string; given: Json; ours: Json }[] = []
  const unknown: string[] = []
  let equal = 0
  for (const [figure, value] of leaves(given, "")) {
    if (NOT_FIGURES.has(figure)) continue
    const name = RENAMED[figure] ?? figure
    const ours = figures.get(name) ?? (isCountByName(name) ? 0 : null)
    if (ours === value) equal++
    else if (isKnown(name)) differences.push({ figure, given: value, ours })
    else unknown.push(figure)
  }
  return { equal, differences, unknown }
}

function leaves(value: JsonObject, prefix: string): [string, Json][] {
  return Object.entries(value).flatMap(([key, member]): [string, Json][] =>
    isJsonObject(member) ? leaves(member, `${prefix}${key}.`) : [[`${prefix}${key}`, member]],
  )
}

/** Groups that list counts by name: of tokens, errors, ways to end. */
const COUNTS_BY_NAME = ["behavior.termination_reasons.", "cost.tokens.", "errors."]

function isCountByName(name: string): boolean {
  return COUNTS_BY_NAME.some((group) => name.startsWith(group))
}

function isKnown(name: string): boolean {
  const [group = "", key = ""] = name.split(".")
  const schema: unknown = Summary.shape[group as keyof typeof Summary.shape]
  if (schema instanceof z.ZodRecord) return true
  return schema instanceof z.ZodObject && Object.hasOwn(schema.shape, key)
}
