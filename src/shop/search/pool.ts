import type { Worker } from "node:worker_threads"
import { AppError, messageOf } from "../../core/errors.ts"
import { startWorker } from "../../lib/worker.ts"
import type { EngineSource, SearchHit, SearchOptions } from "./engine.ts"
import type { SearchReply, SearchRequest } from "./worker.ts"

/** Searches in worker threads, so that long ones do not hold up the caller's thread and many run at once. */
export interface SearchPool {
  /**
   * As `SearchEngine.search`. Searches wait in order for a free worker. Rejects with `CANCELLED` at once when `signal` aborts (a search
   * under way still ends in its worker), with `CONFLICT` when the pool is closed, with `INTERNAL` when the worker dies.
   */
  search(query: string, top: number, options?: SearchOptions & { readonly signal?: AbortSignal }): Promise<SearchHit[]>
  /** Ends the threads. Searches that wait or run are rejected. Closing twice is fine. */
  close(): Promise<void>
}

/**
 * A pool of at most `workers` threads over what an engine searches: `searchPool({ source: catalog.engine().source, workers: 2 })`.
 * Threads start when they are first needed and never keep the process alive on their own.
 */
export function searchPool({ source, workers }: { source: EngineSource; workers: number }): SearchPool {
  return new WorkerPool(source, Math.max(1, Math.floor(workers)))
}

interface Task {
  readonly request: SearchRequest
  readonly resolve: (hits: SearchHit[]) => void
  readonly reject: (error: AppError) => void
}

class WorkerPool implements SearchPool {
  readonly #source: EngineSource
  readonly #size: number
  readonly #idle: Worker[] = []
  readonly #busy = new Map<Worker, Task>()
  #waiting: Task[] = []
  #lastId = 0
  #closed = false

  constructor(source: EngineSource, size: number) {
    this.#source = source
    this.#size = size
  }

  search(
    query: string,
    top: number,
    { signal, ...options }: SearchOptions & { signal?: AbortSignal } = {},
  ): Promise<SearchHit[]> {
    return new Promise<SearchHit[]>((resolve, reject) => {
      if (this.#closed) return reject(new AppError("CONFLICT", "The search pool has been closed"))
      const cancelled = (): AppError => new AppError("CANCELLED", "Cancelled", { cause: signal?.reason })
      if (signal?.aborted) return reject(cancelled())
      const onAbort = (): void => {
        this.#waiting = this.#waiting.filter((other) => other !== task)
        reject(cancelled())
      }
      const task: Task = {
        request: { id: ++this.#lastId, query, top, options },
        resolve: (hits) => {
          signal?.removeEventListener("abort", onAbort)
          resolve(hits)
        },
        reject: (error) => {
          signal?.removeEventListener("abort", onAbort)
          reject(error)
        },
      }
      signal?.addEventListener("abort", onAbort, { once: true })
      this.#waiting.push(task)
      this.#next()
    })
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    const closed = new AppError("CONFLICT", "The search pool has been closed")
    const workers = [...this.#idle, ...this.#busy.keys()]
    for (const task of [...this.#busy.values(), ...this.#waiting]) task.reject(closed)
    this.#idle.length = 0
    this.#busy.clear()
    this.#waiting = []
    await Promise.all(workers.map((worker) => worker.terminate()))
  }

  #next(): void {
    while (this.#waiting.length > 0 && (this.#idle.length > 0 || this.#busy.size < this.#size)) {
      const worker = this.#idle.pop() ?? this.#start()
      const task = this.#waiting.shift()!
      this.#busy.set(worker, task)
      worker.ref()
      worker.postMessage(task.request)
    }
  }

  #start(): Worker {
    const worker = startWorker({
      from: import.meta.url,
      entry: new URL("./worker.ts", import.meta.url),
      built: "shop/search/worker.js",
      data: this.#source,
    })
    worker.on("message", (reply: SearchReply) => this.#answer(worker, reply))
    worker.on("error", (error) => this.#lose(worker, messageOf(error)))
    worker.on("exit", (code) => this.#lose(worker, `exit code ${code}`))
    return worker
  }

  #answer(worker: Worker, reply: SearchReply): void {
    const task = this.#busy.get(worker)
    if (task === undefined || task.request.id !== reply.id) return
    this.#busy.delete(worker)
    this.#idle.push(worker)
    worker.unref()
    if ("error" in reply) task.reject(new AppError("INTERNAL", `The search failed: ${reply.error}`))
    else task.resolve(Array.from(reply.documents, (document, index) => ({ document, score: reply.scores[index]! })))
    this.#next()
  }

  /** A worker that is gone fails its own search only; the next search starts another. */
  #lose(worker: Worker, why: string): void {
    const task = this.#busy.get(worker)
    this.#busy.delete(worker)
    const place = this.#idle.indexOf(worker)
    if (place >= 0) this.#idle.splice(place, 1)
    task?.reject(new AppError("INTERNAL", `A search worker ended: ${why}`, { retryable: true }))
    if (!this.#closed) this.#next()
  }
}
