import type { z } from "zod"
import type { EpisodeIndex } from "../../store/episode-index.ts"
import type { EpisodeFigures, EpisodeFilter, EpisodePage, EpisodeQuery } from "../views.ts"
import { figuresOf } from "./figures.ts"
import { failing } from "./filter.ts"
import { RunJudgments } from "./judgments.ts"
import { Rows } from "./rows.ts"
import type { RunIndexes } from "./run-indexes.ts"

interface Table {
  readonly judgments: RunJudgments
  rows: Rows | undefined
  /** What `rows` were made of. */
  stamp: string
}

/** Answers about the episodes of runs: what a filter leaves, a page at a time, and its figures. */
export class RunTables {
  readonly #indexes: RunIndexes
  readonly #tables = new WeakMap<EpisodeIndex, Table>()

  constructor(indexes: RunIndexes) {
    this.#indexes = indexes
  }

  /** Throws the problem `not_found` for a name that no run has. */
  async page(runName: string, query: z.output<typeof EpisodeQuery>): Promise<EpisodePage> {
    const { rows, index } = await this.#rows(runName)
    const { columns } = rows
    const masks = failing(rows, query)
    const chosen = new Uint32Array(columns.rows)
    let matched = 0
    for (let row = 0; row < masks.length; row++) {
      if (masks[row] === 0 && columns.superseded[row] === 0) chosen[matched++] = row
    }
    const shown = rows.sorted(chosen.subarray(0, matched), query)
    return {
      total: columns.rows,
      matched,
      offset: query.offset,
      rows: Array.from(shown, (row) => rows.read(row)),
      index,
    }
  }

  /** Throws the problem `not_found` for a name that no run has. */
  async figures(runName: string, filter: EpisodeFilter): Promise<EpisodeFigures> {
    const { rows, index } = await this.#rows(runName)
    return { ...figuresOf(rows, filter), index }
  }

  async #rows(runName: string): Promise<{ rows: Rows; index: EpisodePage["index"] }> {
    const index = await this.#indexes.of(runName)
    let table = this.#tables.get(index)
    if (table === undefined) {
      table = { judgments: new RunJudgments(this.#indexes.folderOf(runName)), rows: undefined, stamp: "" }
      this.#tables.set(index, table)
    }
    const { cases, stamp: judged } = await table.judgments.read()
    // From here on nothing is waited for: the index does not grow meanwhile.
    const stamp = `${index.version} ${judged}`
    if (table.rows === undefined || table.stamp !== stamp) {
      table.rows = new Rows(index.columns, cases?.beside(index.columns))
      table.stamp = stamp
    }
    return { rows: table.rows, index: index.progress }
  }
}
