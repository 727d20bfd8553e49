import type { Catalog } from "../shop/catalog.ts"
import type { FindDocuments } from "../shop/hosting.ts"
import { SEARCH_TOP } from "../shop/rules.ts"
import type { SearchEngine } from "../shop/search/engine.ts"
import type { MemoryEngine } from "../shop/search/memory.ts"
import { searchPool } from "../shop/search/pool.ts"

/**
 * Searches that may read more postings than this go to another thread, so that one long query over a large catalog does not hold
 * up everybody's clicks: about 10 ms. Below it, handing over (0.1 ms) costs more than it saves.
 */
const LONG_SEARCH = 400_000
const THREADS = 2

export interface Finder {
  readonly find: FindDocuments
  close(): Promise<void>
}

/** Finds documents in a catalog's index, which is read now: whoever asks first does not wait for it. */
export function openFinder(catalog: Catalog): Finder {
  const engine = catalog.engine()
  const pool = searchPool({ source: engine.source, workers: THREADS })
  return {
    find(query) {
      if (isLong(engine, query))
        return pool.search(query, SEARCH_TOP).then((hits) => hits.map(({ document }) => document))
      return engine.search(query, SEARCH_TOP).map(({ document }) => document)
    },
    close: () => pool.close(),
  }
}

function isLong(engine: SearchEngine, query: string): boolean {
  return engine.name === "memory" && "cost" in engine && (engine as MemoryEngine).cost(query) > LONG_SEARCH
}
