import type { EngineSource, SearchEngine } from "./engine.ts"
import { openFts5 } from "./fts5.ts"
import { openMemoryIndex } from "./memory.ts"

/** Opens another engine over what an open one searches, here or in another thread. Shared memory is shared, not copied. */
export function openEngine(source: EngineSource): SearchEngine {
  switch (source.engine) {
    case "memory":
      return openMemoryIndex(source.buffer)
    case "fts5":
      return openFts5(source.path, { contentHash: source.contentHash })
    default:
      return source satisfies never
  }
}
