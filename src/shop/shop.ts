import type { Catalog } from "./catalog.ts"
import type { Product, ProductSummary } from "./product.ts"

/**
 * What a session needs of a catalog. Documents are product numbers. A server that searches elsewhere beforehand hands in a shop
 * whose `search` returns what was found.
 */
export interface Shop {
  product(document: number): Product
  summary(document: number): ProductSummary
  documentOf(asin: string): number | undefined
  /** The instruction of the first task written for a product; null: there is none. Private. */
  instructionOf(document: number): string | null
  /** The best `top` documents for `query`, best first. */
  search(query: string, top: number): number[]
}

/** The shop over a catalog and one of its search engines. */
export function shopOf(catalog: Catalog, { engine = "memory" }: { engine?: "memory" | "fts5" } = {}): Shop {
  return {
    product: (document) => catalog.product(document),
    summary: (document) => catalog.summary(document),
    documentOf: (asin) => catalog.documentOf(asin),
    instructionOf: (document) => catalog.tasksOf(document)[0]?.instruction ?? null,
    search: (query, top) =>
      catalog
        .engine(engine)
        .search(query, top)
        .map((hit) => hit.document),
  }
}
