import { z } from "zod"
import type { Split } from "../core/task.ts"
import type { Product, ProductSummary } from "./product.ts"
import type { SearchEngine } from "./search/engine.ts"
import type { ShopTask } from "./task.ts"

export const Language = z.enum(["zh", "en"])
export type Language = z.infer<typeof Language>

/** Which products an import leaves out: none, or those whose price depends on two option axes or more. */
export const CatalogFilter = z.enum(["none", "single-price-axis"])
export type CatalogFilter = z.infer<typeof CatalogFilter>

/** An open catalog: cleaned, frozen, hashed products with tasks, splits and a search index. Products are read on demand. */
export interface Catalog {
  readonly path: string
  readonly manifest: CatalogManifest
  readonly productCount: number
  /** `documents` are product numbers from 0, in source order. A number out of range is `NOT_FOUND`. */
  product(document: number): Product
  summary(document: number): ProductSummary
  asin(document: number): string
  documentOf(asin: string): number | undefined
  readonly taskCount: number
  task(taskId: string): ShopTask | undefined
  /** Tasks that were written for a product, in source order. */
  tasksOf(document: number): ShopTask[]
  tasks(): Iterable<ShopTask>
  /** Task ids in source order. */
  taskIds(): string[]
  splits(): Split[]
  split(name: string): Split | undefined
  /** Opened on first use, closed with the catalog. `memory` is the default; `fts5` is built beside the file on first use. */
  engine(name?: "memory" | "fts5"): SearchEngine
  close(): void
}

const Count = z.number().int().nonnegative()
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** A catalog's identity card, written once at import. */
export const CatalogManifest = z.object({
  schema: z.literal("souk.catalog/1"),
  souk: z.string(), // version of the program that made it
  language: Language,
  currency: z.enum(["CNY", "USD"]), // of every price and budget
  format: z.string(), // of the sources, a name of `SOURCE_FORMATS`
  sources: z.array(
    z.object({
      name: z.string(), // the file's own name, without folders
      sha256: Sha256, // of the file
      data_sha256: Sha256, // of its decompressed content
      records: Count,
    }),
  ),
  filter: CatalogFilter,
  exclusion_list: z
    .object({ name: z.string(), version: z.string(), sha256: Sha256, unmatched: z.array(z.string()) })
    .nullable(),
  counts: z.object({
    records: Count,
    products: Count,
    tasks: Count,
    persona_tasks: Count,
    products_excluded: Count,
    tasks_excluded: Count, // with their product or by themselves
    products_skipped: Count, // faulty records
    tasks_skipped: Count,
    problems: Count,
  }),
  versions: z.record(z.string(), z.string()), // of whatever shaped the content: filter, search, budget readings
  products_sha256: Sha256,
  tasks_sha256: Sha256,
  /** Over language, currency, products and tasks: the same for the same content, however and whenever it was imported. */
  content_hash: Sha256,
  index: z.object({ bytes: Count, sha256: Sha256 }), // the memory search index
})
export type CatalogManifest = z.infer<typeof CatalogManifest>
