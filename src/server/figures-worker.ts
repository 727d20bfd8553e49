import { parentPort, workerData } from "node:worker_threads"
import { AppError, messageOf } from "../core/errors.ts"
import type { Summary } from "../core/score.ts"
import { type Comparison, compareJobs, type ScoredPair } from "../score/compare.ts"
import { summarize } from "../score/score.ts"

/** What is worked out of runs' traces in a thread of its own. Folders are paths. */
export type FiguresTask =
  | { readonly type: "summary"; readonly folder: string }
  | { readonly type: "comparison"; readonly first: string; readonly second: string }

export interface FiguresResult {
  readonly summary: Summary
  readonly comparison: { readonly comparison: Comparison; readonly jobs: readonly ScoredPair[] }
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
      return compareJobs(task.first, task.second, { allowDifferent: true })
    default:
      return task satisfies never
  }
}

function told(result: FiguresResult[FiguresTask["type"]]): FiguresReply {
  return { result }
}

function failed(error: unknown): FiguresReply {
  return { error: { code: error instanceof AppError ? error.code : "INTERNAL", message: messageOf(error) } }
}
