import { parentPort, workerData } from "node:worker_threads"
import { messageOf } from "../../core/errors.ts"
import type { EngineSource, SearchOptions } from "./engine.ts"
import { openEngine } from "./open-engine.ts"

/** What a search pool asks of its workers; `id` comes back with the answer. */
export interface SearchRequest {
  readonly id: number
  readonly query: string
  readonly top: number
  readonly options: SearchOptions
}

/** Hits as columns, which are handed over without copying. */
export type SearchReply =
  | { readonly id: number; readonly documents: Uint32Array<ArrayBuffer>; readonly scores: Float64Array<ArrayBuffer> }
  | { readonly id: number; readonly error: string }

// This module is the entry of a worker thread: unlike every other, it acts when it is loaded.
const port = parentPort
if (port !== null) {
  const engine = openEngine(workerData as EngineSource) // given by `searchPool`
  port.on("message", ({ id, query, top, options }: SearchRequest) => {
    try {
      const hits = engine.search(query, top, options)
      const documents = Uint32Array.from(hits, (hit) => hit.document)
      const scores = Float64Array.from(hits, (hit) => hit.score)
      port.postMessage({ id, documents, scores } satisfies SearchReply, [documents.buffer, scores.buffer])
    } catch (error) {
      port.postMessage({ id, error: messageOf(error) } satisfies SearchReply)
    }
  })
}
