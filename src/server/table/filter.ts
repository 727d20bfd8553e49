import { casefold } from "../../lib/casefold.ts"
import type { EpisodeColumns, Labels } from "../../store/index/columns.ts"
import type { EpisodeFilter } from "../views.ts"
import type { Rows } from "./rows.ts"

/** Filters of the table, each with a bit of its own. */
export const FACETS = {
  q: 1,
  status: 2,
  end_reason: 4,
  error: 8,
  outcome: 16,
  category: 32,
  verdict: 64,
  check: 128,
} as const satisfies Record<keyof EpisodeFilter, number>

/** Of each row, the bits of the filters that it does not pass: 0 for one that is chosen. */
export function failing(rows: Rows, filter: EpisodeFilter): Uint8Array {
  const { columns, judged } = rows
  const masks = new Uint8Array(columns.count)
  const byLabel = (bit: number, text: string | undefined, labels: Labels | undefined, of: Uint32Array | undefined) => {
    if (text === undefined || text === "") return
    const chosen = chosenLabels(text, labels)
    for (let row = 0; row < masks.length; row++) {
      if (of === undefined || chosen[of[row]!] === 0) masks[row]! |= bit
    }
  }
  byLabel(FACETS.status, filter.status, columns.statuses, columns.status)
  byLabel(FACETS.end_reason, filter.end_reason, columns.endReasons, columns.endReason)
  byLabel(FACETS.error, filter.error, columns.errors, columns.error)
  byLabel(FACETS.category, filter.category, columns.categories, columns.category)
  byLabel(FACETS.verdict, filter.verdict, judged?.verdicts, judged?.verdict)
  if (filter.outcome !== undefined && filter.outcome !== "") {
    const chosen = new Set(listed(filter.outcome))
    for (let row = 0; row < masks.length; row++) if (!chosen.has(rows.outcome(row))) masks[row]! |= FACETS.outcome
  }
  if (filter.check !== undefined && filter.check !== "") {
    const chosen = chosenLabels(filter.check, judged?.checks)
    for (let row = 0; row < masks.length; row++) {
      const checks = judged?.failed.get(row)
      if (checks === undefined || !checks.some((check) => chosen[check] === 1)) masks[row]! |= FACETS.check
    }
  }
  if (filter.q !== undefined) {
    for (const word of casefold(filter.q).split(/\s+/)) {
      if (word === "") continue
      const found = rowsWith(columns, word)
      for (let row = 0; row < masks.length; row++) if (found[row] === 0) masks[row]! |= FACETS.q
    }
  }
  return masks
}

/** Values of a list; in one, a comma is written `\,`, and a backslash `\\`. */
function listed(text: string): string[] {
  return [...text.matchAll(/(?:^|,)((?:[^\\,]|\\[\s\S]?)*)/g)].map(([, value]) => value!.replace(/\\([\s\S])/g, "$1"))
}

/** By label number, whether the list names it. A label with commas is also found as it is. */
function chosenLabels(text: string, labels: Labels | undefined): Uint8Array {
  const words = labels?.words ?? []
  const chosen = new Uint8Array(words.length)
  const values = new Set(listed(text))
  const plain = text.includes("\\") ? undefined : `,${text},`
  for (let number = 1; number < words.length; number++) {
    const word = words[number]!
    if (values.has(word) || (word.includes(",") && plain?.includes(`,${word},`))) chosen[number] = 1
  }
  return chosen
}

/** Of each row, 1 where its folded text has the word. One look through all texts, from one row that has it to the next. */
function rowsWith({ folded, foldedFrom, count }: EpisodeColumns, word: string): Uint8Array {
  const found = new Uint8Array(count)
  const bytes = Buffer.from(word)
  const end = foldedFrom[count]!
  let row = 0
  for (let at = folded.indexOf(bytes); at >= 0 && at < end; at = folded.indexOf(bytes, foldedFrom[row]!)) {
    row = rowAt(foldedFrom, at, row, count)
    found[row] = 1
    row++
    if (row >= count) break
  }
  return found
}

/** The row, from `low` on, in whose text byte `at` is. */
function rowAt(from: Float64Array, at: number, low: number, count: number): number {
  // Mostly it is one of the next ones.
  let step = 1
  let high = low + 1
  while (high < count && from[high]! <= at) {
    low = high
    high += step
    step *= 2
  }
  high = Math.min(high, count)
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (from[middle]! <= at) low = middle
    else high = middle
  }
  return low
}
