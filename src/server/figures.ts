import { statSync } from "node:fs"
import { join } from "node:path"
import type { Worker } from "node:worker_threads"
import { AppError, ERROR_CODES, type ErrorCode, messageOf } from "../core/errors.ts"
import { startWorker } from "../lib/worker.ts"
import type { Language } from "../report/document.ts"
import {
  FIGURE_SOURCES,
  type FiguresReply,
  type FiguresResult,
  type FiguresTask,
  type RunReport,
} from "./figures-worker.ts"

/** Results that are kept: a comparison of 100,000 jobs takes about 20 MB. */
const KEPT = 4
/** Threads at work. More than one, so that one large run does not hold up a small one. */
const THREADS = 2

/**
 * Figures of runs for readers, worked out in threads, so that a run of gigabytes does not hold up everybody's clicks. The last ones are
 * kept for as long as nothing was written to the runs; who asks for the same at the same time waits for the same.
 */
export class RunFigures {
  readonly #results = new Map<string, Promise<unknown>>() // last used last
  readonly #working = new Set<Worker>()
  readonly #waiting: (() => void)[] = []
  #closed = false

  /** The report of the run in `folder`, as its traces say it. Rejects with `STORE_CORRUPT` where they cannot be read. */
  async report(folder: string, language: Language): Promise<RunReport> {
    return (await this.#result({ type: "report", folder, language }, [folder])) as RunReport
  }

  /**
   * Two runs by paired job, whatever they played: what they did not share is in the warnings. Rejects with `REFUSED` where they have no
   * scored job in common, and with `STORE_CORRUPT`.
   */
  async compare(first: string, second: string): Promise<FiguresResult["comparison"]> {
    const task = { type: "comparison", first, second } as const
    return (await this.#result(task, [first, second])) as FiguresResult["comparison"]
  }

  /** Ends what is under way. Closing twice is fine. */
  async close(): Promise<void> {
    this.#closed = true
    for (const go of this.#waiting.splice(0)) go()
    await Promise.all([...this.#working].map((worker) => worker.terminate()))
  }

  #result(task: FiguresTask, folders: readonly string[]): Promise<unknown> {
    const key = JSON.stringify([task, folders.map(versionOf)])
    const result = this.#results.get(key) ?? this.#start(task)
    this.#results.delete(key)
    this.#results.set(key, result)
    for (const old of [...this.#results.keys()].slice(0, -KEPT)) this.#results.delete(old)
    result.catch(() => this.#results.delete(key)) // asked again, it is tried again
    return result
  }

  async #start(task: FiguresTask): Promise<unknown> {
    while (this.#working.size >= THREADS) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    if (this.#closed) throw new AppError("CANCELLED", "The server is stopping")
    const worker = startWorker({
      from: import.meta.url,
      entry: new URL("./figures-worker.ts", import.meta.url),
      built: "server/figures-worker.js",
      data: task,
    })
    this.#working.add(worker)
    try {
      return await replyOf(worker)
    } finally {
      this.#working.delete(worker)
      this.#waiting.shift()?.()
    }
  }
}

/** Changes with everything that is written to a run's traces and scores. */
function versionOf(folder: string): string {
  return FIGURE_SOURCES.map((name) => {
    const found = statSync(join(folder, name), { throwIfNoEntry: false })
    return found === undefined ? "" : `${found.mtimeMs} ${found.size}`
  }).join()
}

function replyOf(worker: Worker): Promise<unknown> {
  return new Promise((resolve, reject) => {
    worker.once("message", (reply: FiguresReply) => {
      if ("result" in reply) resolve(reply.result)
      else reject(new AppError(codeOf(reply.error.code), reply.error.message))
    })
    worker.once("error", (error) => reject(new AppError("INTERNAL", `Figures failed: ${messageOf(error)}`)))
    worker.once("exit", (code) => reject(new AppError("CANCELLED", `Figures were stopped (exit code ${code})`)))
  })
}

function codeOf(code: string): ErrorCode {
  return ERROR_CODES.find((known) => known === code) ?? "INTERNAL"
}
