import type { EpisodeColumns } from "../../store/index/columns.ts"
import type { EPISODE_SORTS, EpisodeRow } from "../views.ts"
import type { Judged } from "./judgments.ts"

type Sort = (typeof EPISODE_SORTS)[number]

/** By which rows stand one before the other: the rank of each, equal ones the same; `missing` is the rank of those without a figure. */
interface Ranks {
  readonly of: Uint32Array
  readonly missing: number
}

/** The rows of a run's table at one moment: its index and what its judges found. */
export class Rows {
  readonly columns: EpisodeColumns
  readonly judged: Judged | undefined
  readonly #ranks = new Map<Sort, Ranks>()

  constructor(columns: EpisodeColumns, judged: Judged | undefined) {
    this.columns = columns
    this.judged = judged
  }

  get success(): Float64Array {
    return this.judged?.success ?? this.columns.success
  }

  get reward(): Float64Array {
    return this.judged?.reward ?? this.columns.reward
  }

  outcome(row: number): "success" | "failure" | "technical" {
    const success = this.success[row]!
    return success === 1 ? "success" : success === 0 ? "failure" : "technical"
  }

  /**
   * Those of `rows` (in the order recorded) from `offset` on, so many, when they are sorted. Equal ones stay in the order recorded, and
   * those without the figure are last, in either direction.
   */
  sorted(
    rows: Uint32Array,
    { sort, order, offset, limit }: { sort: Sort; order: "asc" | "desc"; offset: number; limit: number },
  ): Uint32Array {
    if (sort === "recorded") {
      return order === "asc"
        ? rows.subarray(offset, offset + limit)
        : rows.toReversed().subarray(offset, offset + limit)
    }
    const ranks = this.#ranked(sort)
    const place = (row: number) => {
      const rank = ranks.of[row]!
      return order === "asc" || rank === ranks.missing ? rank : ranks.missing - 1 - rank
    }
    const starts = new Uint32Array(ranks.missing + 2)
    for (const row of rows) starts[place(row) + 1]!++
    for (let rank = 1; rank < starts.length; rank++) starts[rank]! += starts[rank - 1]!
    const sorted = new Uint32Array(rows.length)
    for (const row of rows) sorted[starts[place(row)]!++] = row
    return sorted.subarray(offset, offset + limit)
  }

  /** A row as it is shown. */
  read(at: number): EpisodeRow {
    const { row } = this.columns.read(at)
    const { judged } = this
    if (judged === undefined) return { ...row, verdict: null, failed_checks: [] }
    const [success, reward] = [judged.success[at]!, judged.reward[at]!]
    return {
      ...row,
      success: Number.isNaN(success) ? null : success === 1,
      reward: Number.isNaN(reward) ? null : reward,
      verdict: judged.verdicts.of(judged.verdict[at]!),
      failed_checks: (judged.failed.get(at) ?? []).map((check) => judged.checks.words[check]!),
    }
  }

  #ranked(sort: Exclude<Sort, "recorded">): Ranks {
    let ranks = this.#ranks.get(sort)
    if (ranks === undefined) {
      ranks = this.#rank(sort)
      this.#ranks.set(sort, ranks)
    }
    return ranks
  }

  #rank(sort: Exclude<Sort, "recorded">): Ranks {
    const { columns } = this
    switch (sort) {
      case "reward":
        return ranksOf(this.reward, columns.count)
      case "steps":
        return ranksOf(columns.steps, columns.count)
      case "tokens":
        return ranksOf(columns.tokens, columns.count)
      case "duration":
        return ranksOf(columns.duration, columns.count)
      case "started_at":
        return ranksOf(columns.startedAt, columns.count)
      case "status":
        return ranksOf(placesOf(columns.statuses.words, columns.status), columns.count)
      case "task":
        return ranksOf(placesOf(columns.tasks.words, columns.task), columns.count)
      default:
        return sort satisfies never
    }
  }
}

/** Sorting numbers without their rows is several times quicker than sorting rows by their numbers; the places are looked up then. */
function ranksOf(values: Float64Array, count: number): Ranks {
  const sorted = values.slice(0, count).sort() // NaN last
  let distinct = 0
  for (const value of sorted) {
    if (Number.isNaN(value)) break
    if (distinct === 0 || sorted[distinct - 1] !== value) sorted[distinct++] = value
  }
  const of = new Uint32Array(count)
  for (let row = 0; row < count; row++) {
    const value = values[row]!
    if (Number.isNaN(value)) {
      of[row] = distinct
      continue
    }
    let low = 0
    for (let high = distinct; high - low > 1; ) {
      const middle = (low + high) >> 1
      if (sorted[middle]! <= value) low = middle
      else high = middle
    }
    of[row] = low
  }
  return { of, missing: distinct }
}

/** Of each row, the place of its label among all: whole numbers by their size, then words. */
function placesOf(words: readonly string[], labels: Uint32Array): Float64Array {
  const numbers = words.map((word) => (/^\d{1,15}$/.test(word) ? Number(word) : Number.NaN))
  const texts = [...words.keys()].filter((label) => Number.isNaN(numbers[label]!))
  texts.sort((a, b) => (words[a]! < words[b]! ? -1 : words[a]! > words[b]! ? 1 : 0))
  for (const [place, label] of texts.entries()) numbers[label] = 1e15 + place
  const places = new Float64Array(labels.length)
  for (let row = 0; row < places.length; row++) places[row] = numbers[labels[row]!]!
  return places
}
