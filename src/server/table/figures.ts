import type { Labels } from "../../store/index/columns.ts"
import type { EpisodeFigures, EpisodeFilter } from "../views.ts"
import { FACETS, failing } from "./filter.ts"
import { histogram } from "./histogram.ts"
import type { Rows } from "./rows.ts"

/** Values of a breakdown that are told apart; rarer ones are one group. */
const MOST_VALUES = 200
const OTHERS = "(others)"

/** The figures of the rows that a filter leaves. */
export function figuresOf(rows: Rows, filter: EpisodeFilter): Omit<EpisodeFigures, "index"> {
  const { columns, judged } = rows
  const masks = failing(rows, filter)
  const rest = new Uint32Array(masks.length)
  let count = 0
  for (let row = 0; row < masks.length; row++) {
    if (masks[row] === 0 && columns.superseded[row] === 0) rest[count++] = row
  }
  const matched = rest.subarray(0, count)
  const byLabel = (bit: number, labels: Labels | undefined, of: Uint32Array | undefined) => {
    if (labels === undefined || of === undefined) return {}
    const counts = new Uint32Array(labels.words.length)
    for (let row = 0; row < masks.length; row++) {
      if ((masks[row]! & ~bit) === 0 && columns.superseded[row] === 0) counts[of[row]!]!++
    }
    return named(labels, counts)
  }
  const outcomes = { success: 0, failure: 0, technical: 0 }
  for (let row = 0; row < masks.length; row++) {
    if ((masks[row]! & ~FACETS.outcome) === 0 && columns.superseded[row] === 0) outcomes[rows.outcome(row)]++
  }
  const values = (of: Float64Array) => {
    const chosen = new Float64Array(matched.length)
    for (let n = 0; n < chosen.length; n++) chosen[n] = of[matched[n]!]!
    return chosen
  }
  return {
    matched: matched.length,
    statuses: byLabel(FACETS.status, columns.statuses, columns.status),
    end_reasons: byLabel(FACETS.end_reason, columns.endReasons, columns.endReason),
    errors: byLabel(FACETS.error, columns.errors, columns.error),
    outcomes,
    categories: byLabel(FACETS.category, columns.categories, columns.category),
    verdicts: byLabel(FACETS.verdict, judged?.verdicts, judged?.verdict),
    checks: checksOf(rows, masks),
    histograms: {
      reward: histogram(values(rows.reward), { share: true }),
      steps: histogram(values(columns.steps), { whole: true }),
      tokens: histogram(values(columns.tokens), { whole: true }),
      duration_ms: histogram(values(columns.duration)),
    },
  }
}

function checksOf({ judged, columns }: Rows, masks: Uint8Array): Record<string, number> {
  if (judged === undefined) return {}
  const counts = new Uint32Array(judged.checks.words.length)
  for (const [row, checks] of judged.failed) {
    if ((masks[row]! & ~FACETS.check) !== 0 || columns.superseded[row] !== 0) continue
    for (const check of checks) counts[check]!++
  }
  return named(judged.checks, counts)
}

/** The most frequent first. Rows without a label are in none. */
function named(labels: Labels, counts: Uint32Array): Record<string, number> {
  const found: [string, number][] = []
  for (let number = 1; number < counts.length; number++) {
    if (counts[number]! > 0) found.push([labels.words[number]!, counts[number]!])
  }
  found.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  if (found.length <= MOST_VALUES) return Object.fromEntries(found)
  const rest = found.slice(MOST_VALUES - 1).reduce((sum, [, count]) => sum + count, 0)
  return Object.fromEntries([...found.slice(0, MOST_VALUES - 1), [OTHERS, rest]])
}
