/** The text of one product, per field, before normalising; `model` is derived from the title. */
export interface SearchDocument {
  readonly asin: string
  readonly title: string
  readonly brand: string
  readonly category: string
  readonly attributes: string
  /** Axis names and option values, axes by name: `颜色 暖白 黑色 规格 大号`. */
  readonly options: string
  readonly bullets: string
}

/** Documents are numbered in the order they were given to the builder, from 0: a catalog's product numbers. */
export interface SearchHit {
  readonly document: number
  /** bm25, rounded to nine decimals. */
  readonly score: number
}

export interface SearchOptions {
  /** Only this many of the query's distinct tokens count, the first ones. Profile `v8` has no such limit. */
  readonly maxTokens?: number
}

/** How another thread opens the same engine. */
export type EngineSource =
  | { readonly engine: "memory"; readonly buffer: ArrayBuffer | SharedArrayBuffer }
  | { readonly engine: "fts5"; readonly path: string; readonly contentHash: string }

/**
 * Ranks a catalog's documents for a query. Every engine gives the same hits: OR over the query's tokens, bm25 with field
 * weights, by score rounded to nine decimals (descending), then asin as text (ascending).
 */
export interface SearchEngine {
  readonly name: "memory" | "fts5"
  readonly documentCount: number
  readonly source: EngineSource
  /** The best `top` documents. No tokens or `top <= 0`: none. */
  search(query: string, top: number, options?: SearchOptions): SearchHit[]
  close(): void
}
