import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { SearchDocument, SearchEngine } from "./engine.ts"
import { buildFts5, openFts5 } from "./fts5.ts"
import { createIndexBuilder } from "./index-builder.ts"
import { type MemoryEngine, openMemoryIndex } from "./memory.ts"

/** A document with only the fields a test is about. */
export function tinyDocument(given: Partial<SearchDocument> & { asin: string }): SearchDocument {
  return { title: "", brand: "", category: "", attributes: "", options: "", bullets: "", ...given }
}

/** Both engines over the same documents, for tests; the FTS5 file is removed with them. */
export function bothEngines(
  documents: readonly SearchDocument[],
): { memory: MemoryEngine; fts5: SearchEngine } & Disposable {
  const builder = createIndexBuilder()
  for (const document of documents) builder.add(document)
  const folder = mkdtempSync(join(tmpdir(), "souk-search-"))
  const path = join(folder, "index.fts5")
  buildFts5(path, documents)
  const memory = openMemoryIndex(builder.finish().buffer)
  const fts5 = openFts5(path)
  return {
    memory,
    fts5,
    [Symbol.dispose]() {
      memory.close()
      fts5.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
