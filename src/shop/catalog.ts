import type { Split } from "../core/task.ts"
import type { Product, ProductSummary } from "./product.ts"
import type { SearchEngine } from "./search/engine.ts"
import type { ShopTask } from "./task.ts"

export type Language = "zh" | "en"

/** An open catalog: cleaned, frozen, hashed products with tasks, splits and a search index. Products are read on demand. */
export interface Catalog {
  readonly path: string
  readonly manifest: CatalogManifest
  readonly productCount: number
  /** `documents` are product numbers from 0, in source order. */
  product(document: number): Product
  summary(document: number): ProductSummary
  asin(document: number): string
  documentOf(asin: string): number | undefined
  readonly taskCount: number
  task(taskId: string): ShopTask | undefined
  tasks(): Iterable<ShopTask>
  /** Task ids in source order. */
  taskIds(): string[]
  splits(): Split[]
  split(name: string): Split | undefined
  /** Opened on first use, closed with the catalog. `memory` is the default; `fts5` is built beside the file on first use. */
  engine(name?: "memory" | "fts5"): SearchEngine
  close(): void
}

export interface CatalogManifest {
  readonly language: Language
}
