import { AppError } from "../../core/errors.ts"
import { forEachLimited } from "../../lib/limit.ts"
import type { Catalog } from "../catalog.ts"
import { searchPool } from "./pool.ts"
import { SEARCH_VERSION } from "./ranking.ts"

/**
 * How well the gold products were found: `queries`; `recall_at_1`, `recall_at_20` and `recall_at_<top>`, the shares of queries whose
 * gold product is among that many hits; `mrr_at_<top>`, the mean of 1 / rank, 0 where it is not among them.
 */
export type SearchMetrics = Readonly<Record<string, number>>

export interface SearchEvaluation {
  readonly search_version: string
  readonly engine: "memory" | "fts5"
  readonly content_hash: string // of the catalog
  readonly source_data_sha256: readonly string[] // of the files it was imported from, decompressed
  readonly split: string
  readonly top_k: number
  /** Queries are the tasks' own instructions, so this bounds what an agent that copies them can find. */
  readonly metric_scope: "gold asin of each task, instruction as the query"
  readonly simple: SearchMetrics // what a shopper with a persona says first; else the full instruction
  readonly full: SearchMetrics
}

const FEWEST_HITS = 20

/**
 * Searches with the instructions of all tasks of a split and looks for each task's own product. Tasks are taken by id. Runs in worker
 * threads, `workers` at most; the result does not depend on their number.
 * Throws `NOT_FOUND` for an unknown split or task id, `BAD_INPUT` for `top` below 20, `CANCELLED` when `signal` aborts.
 */
export async function evaluateSearch(
  catalog: Catalog,
  {
    split,
    top = 150,
    engine = "memory",
    workers = 2,
    signal,
    onProgress = () => {},
  }: {
    /** A split of the catalog, or `all` for all tasks. */
    readonly split: string
    readonly top?: number
    readonly engine?: "memory" | "fts5"
    readonly workers?: number
    readonly signal?: AbortSignal
    readonly onProgress?: (done: number, total: number) => void
  },
): Promise<SearchEvaluation> {
  if (!(top >= FEWEST_HITS))
    throw new AppError("BAD_INPUT", `Recall at 20 needs at least ${FEWEST_HITS} hits, not ${top}`)
  const tasks = tasksOf(catalog, split)
  const queries = [
    ...tasks.map((task) => task.instruction_simple ?? task.instruction),
    ...tasks.map((task) => task.instruction),
  ]
  const ranks = new Float64Array(queries.length) // of the gold product, from 1; infinite when it was not found
  const pool = searchPool({ source: catalog.engine(engine).source, workers })
  const call = signal === undefined ? {} : { signal }
  let done = 0
  try {
    // Two searches under way for each worker, so that none waits for this thread.
    await forEachLimited(
      queries.keys(),
      workers * 2,
      async (index) => {
        const hits = await pool.search(queries[index]!, top, call)
        const gold = catalog.documentOf(tasks[index % tasks.length]!.asin)
        const place = hits.findIndex(({ document }) => document === gold)
        ranks[index] = place < 0 ? Number.POSITIVE_INFINITY : place + 1
        onProgress(++done, queries.length)
      },
      signal,
    )
  } finally {
    await pool.close()
  }
  return {
    search_version: SEARCH_VERSION,
    engine,
    content_hash: catalog.manifest.content_hash,
    source_data_sha256: catalog.manifest.sources.map((source) => source.data_sha256),
    split,
    top_k: top,
    metric_scope: "gold asin of each task, instruction as the query",
    simple: metricsOf(ranks.subarray(0, tasks.length), top),
    full: metricsOf(ranks.subarray(tasks.length), top),
  }
}

function tasksOf(catalog: Catalog, name: string) {
  const split = catalog.split(name)
  if (split === undefined && name !== "all") {
    const names = ["all", ...catalog.splits().map((other) => other.name)]
    throw new AppError("NOT_FOUND", `${catalog.path} has no split ${JSON.stringify(name)}; it has ${names.join(", ")}`)
  }
  const ids = split?.task_ids ?? catalog.taskIds()
  if (ids.length === 0) throw new AppError("NOT_FOUND", `${catalog.path} has no tasks in ${JSON.stringify(name)}`)
  return ids.map((id) => {
    const task = catalog.task(id)
    if (task === undefined)
      throw new AppError("NOT_FOUND", `Split ${name} names task ${id}, which ${catalog.path} does not have`)
    return task
  })
}

function metricsOf(ranks: Float64Array, top: number): SearchMetrics {
  const recall = (limit: number): number => ranks.filter((rank) => rank <= limit).length / ranks.length
  return {
    queries: ranks.length,
    recall_at_1: recall(1),
    recall_at_20: recall(20),
    [`recall_at_${top}`]: recall(top),
    [`mrr_at_${top}`]: ranks.reduce((sum, rank) => sum + 1 / rank, 0) / ranks.length,
  }
}
