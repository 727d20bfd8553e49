import { parentPort, workerData } from "node:worker_threads"
import { AppError, messageOf } from "../core/errors.ts"
import type { Summary } from "../core/score.ts"
import { type Comparison, compareJobs } from "../score/compare.ts"
import { summarize } from "../score/score.ts"

/** What is worked out of runs' traces in a thread of its own. Folders are paths. */
export type FiguresTask =
  | { readonly type: "summary"; readonly folder: string }
  | { readonly type: "comparison"; readonly first: string; readonly second: string }

export interface FiguresResult {
  readonly summary: Summary
  readonly comparison: { readonly comparison: Omit<Comparison, "pairs">; readonly jobs: JobColumns }
}

/** Paired jobs in columns: a hundred thousand objects would take their time to be handed over. */
export interface JobColumns {
  readonly episode_ids: readonly string[]
  readonly task_ids: readonly string[]
  /** Six figures a job: reward, success (1 or 0) and steps of the first run, then of the second. */
  readonly scores: Float64Array<ArrayBuffer>
}

export type FiguresReply =
  | { readonly result: FiguresResult[FiguresTask["type"]] }
  | { readonly error: { readonly code: string; readonly message: string } }

// This module is the entry of a worker thread: it acts when it is loaded, once.
const port = parentPort
if (port !== null) {
  const task = workerData as FiguresTask // given by `RunFigures`
  port.postMessage(await work(task).then(told, failed))
}

function work(task: FiguresTask): Promise<FiguresResult[FiguresTask["type"]]> {
  switch (task.type) {
    case "summary":
      return summarize(task.folder)
    case "comparison":
      return compareJobs(task.first, task.second, { allowDifferent: true }).then(inColumns)
    default:
      return task satisfies never
  }
}

function inColumns({
  comparison: { pairs: _, ...comparison },
  jobs,
}: Awaited<ReturnType<typeof compareJobs>>): FiguresResult["comparison"] {
  const scores = new Float64Array(6 * jobs.length)
  for (const [at, { first, second }] of jobs.entries()) {
    const figures = [first, second].flatMap(({ reward, success, steps }) => [reward, success ? 1 : 0, steps])
    scores.set(figures, 6 * at)
  }
  const episode_ids = jobs.map(({ episode_id }) => episode_id)
  const task_ids = jobs.map(({ task_id }) => task_id)
  return { comparison, jobs: { episode_ids, task_ids, scores } }
}

function told(result: FiguresResult[FiguresTask["type"]]): FiguresReply {
  return { result }
}

function failed(error: unknown): FiguresReply {
  return { error: { code: error instanceof AppError ? error.code : "INTERNAL", message: messageOf(error) } }
}
