import { statSync } from "node:fs"
import { join } from "node:path"
import { parentPort, workerData } from "node:worker_threads"
import { AppError, messageOf } from "../core/errors.ts"
import type { FailedCase, FailedCases } from "../core/judgment.ts"
import type { Summary } from "../core/score.ts"
import { REPORTED_CHECKS, reportDocument } from "../report/any-run.ts"
import type { Document, Language } from "../report/document.ts"
import { type Comparison, compareJobs } from "../score/compare.ts"
import { readFailedCases } from "../score/failed-cases.ts"
import { summarize } from "../score/score.ts"
import { FILES, readManifest, readSummary } from "../store/read.ts"

/** What is worked out of runs' traces in a thread of its own. Folders are paths. */
export type FiguresTask =
  | { readonly type: "report"; readonly folder: string; readonly language: Language }
  | { readonly type: "comparison"; readonly first: string; readonly second: string }

export interface FiguresResult {
  readonly report: RunReport
  readonly comparison: { readonly comparison: Omit<Comparison, "pairs">; readonly jobs: JobColumns }
}

/** A run's report, and what it says as JSON: failed checks without what only judges and the buyer knew. */
export interface RunReport {
  readonly document: Document
  readonly summary: Summary
  readonly failed?: Omit<FailedCases, "cases"> & { readonly cases: readonly Omit<FailedCase, "record">[] }
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

/** What figures are made of, below a run's folder. */
export const FIGURE_SOURCES = [
  FILES.manifest,
  FILES.traces,
  join("scores", "judgment.json"),
  join("scores", "cases.jsonl"),
]

// This module is the entry of a worker thread: it acts when it is loaded, once.
const port = parentPort
if (port !== null) {
  const task = workerData as FiguresTask // given by `RunFigures`
  port.postMessage(await work(task).then(told, failed))
}

function work(task: FiguresTask): Promise<FiguresResult[FiguresTask["type"]]> {
  switch (task.type) {
    case "report":
      return reportOf(task.folder, task.language)
    case "comparison":
      return compareJobs(task.first, task.second, { allowDifferent: true }).then(inColumns)
    default:
      return task satisfies never
  }
}

async function reportOf(folder: string, language: Language): Promise<RunReport> {
  const manifest = readManifest(folder)
  const summary = keptSummary(folder) ?? (await summarize(folder))
  const failed = manifest.plan.suite === "service" ? await readFailedCases(folder, REPORTED_CHECKS) : undefined
  const document = reportDocument(manifest, { summary, failed }, language)
  if (failed === undefined) return { document, summary }
  const cases = failed.cases.map(({ job, judgment, verdicts }) => ({ job, judgment, verdicts }))
  return { document, summary, failed: { ...failed, cases } }
}

/** The one that lies in the folder, where it is no older than anything it was made of. */
function keptSummary(folder: string): Summary | undefined {
  const made = statSync(join(folder, FILES.summary), { throwIfNoEntry: false })
  if (made === undefined) return undefined
  const sources = FIGURE_SOURCES.map((name) => statSync(join(folder, name), { throwIfNoEntry: false }))
  if (sources.some((source) => source !== undefined && source.mtimeMs > made.mtimeMs)) return undefined
  try {
    return readSummary(folder)
  } catch {
    return undefined // damaged, or of another version: it is made again
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
