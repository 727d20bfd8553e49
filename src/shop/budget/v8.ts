import type { BudgetReading } from "../task.ts"
import { FAMILIES, type Match, scanText } from "./v8-families.ts"

/** Version of the reference's budget rules, as the reference names it. */
export const V8_BUDGET_VERSION = "instruction-budget-v1"

/**
 * Reads a budget exactly as the reference environment does, faults included: commas vanish first, so neighbouring numbers join;
 * `不低于` is a ceiling; `1.5k以内` without a price word is nothing. Seventeen families of phrases are tried in order over the
 * whole text; the first that matches decides. Costs time linear in the text. `upper` is the reference's float (`200 × 1.1` and all).
 */
export function readV8Budget(original: string): BudgetReading {
  const scan = scanText(original.replace(/[,，]/g, ""))
  for (const family of FAMILIES) {
    const match = family(scan)
    if (match === undefined) continue
    if (match.floor) return reading("floor_only", original, match)
    if (match.upper === null || !(match.upper > 0) || !Number.isFinite(match.upper)) return NOT_STATED
    return reading(match.lower === undefined ? "upper" : "range", original, match)
  }
  return NOT_STATED
}

const NOT_STATED: BudgetReading = {
  kind: "not_stated",
  upper: null,
  lower: null,
  approximate: false,
  evidence: "",
  parser: V8_BUDGET_VERSION,
}

function reading(kind: BudgetReading["kind"], original: string, match: Match): BudgetReading {
  const lower = match.lower !== undefined && Number.isFinite(match.lower) ? match.lower : null
  return {
    kind,
    upper: match.upper,
    lower,
    approximate: match.approximate ?? false,
    evidence: original.slice(sourceIndex(original, match.start, true), sourceIndex(original, match.end, false)),
    parser: V8_BUDGET_VERSION,
  }
}

/** Where position `index` of the text without commas lies in the original; a start skips commas before it, an end does not. */
function sourceIndex(original: string, index: number, isStart: boolean): number {
  let kept = 0
  for (let at = 0; at < original.length; at++) {
    const isComma = original[at] === "," || original[at] === "，"
    if (kept === index && !(isStart && isComma)) return at
    if (!isComma) kept++
  }
  return original.length
}
