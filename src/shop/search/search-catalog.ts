import type { Catalog } from "../catalog.ts"
import type { ProductSummary } from "../product.ts"

/** A product that a search found. */
export interface CatalogHit extends ProductSummary {
  readonly rank: number // from 1
  readonly document: number // the catalog's product number
  readonly score: number // bm25, rounded to nine decimals
}

export interface CatalogSearchOptions {
  /** How many hits at most. */
  readonly top?: number
  /** `fts5` is the slow reference, built on first use; both give the same hits. */
  readonly engine?: "memory" | "fts5"
  /** Only this many of the query's distinct tokens count. No limit unless given. */
  readonly maxTokens?: number
}

/**
 * The best products of a catalog for a shopper's words, best first; ties by asin. Throws what opening the engine throws
 * (`CATALOG_CORRUPT`; for `fts5` also `STORE_UNWRITABLE`).
 *
 * @example searchCatalog(catalog, "静音 台灯", { top: 5 }).map((hit) => hit.asin)
 */
export function searchCatalog(
  catalog: Catalog,
  query: string,
  { top = 20, engine = "memory", ...options }: CatalogSearchOptions = {},
): CatalogHit[] {
  return catalog
    .engine(engine)
    .search(query, top, options)
    .map(({ document, score }, index) => ({ rank: index + 1, document, score, ...catalog.summary(document) }))
}
