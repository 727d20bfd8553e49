import { createHash } from "node:crypto"
import { setImmediate } from "node:timers/promises"
import { isDeepStrictEqual } from "node:util"
import type { z } from "zod"
import { AppError, messageOf, throwIfCancelled } from "../../core/errors.ts"
import { openDatabase, type SqliteDatabase } from "../../lib/sqlite.ts"
import type { Catalog, CatalogManifest } from "../catalog.ts"
import { Product, summarizeProduct } from "../product.ts"
import { searchDocument } from "../search/document.ts"
import { createIndexBuilder } from "../search/index-builder.ts"
import { readShopSimulatorRecord } from "../sources/shopsimulator.ts"
import { checkSplits } from "../split/check.ts"
import { ShopTask } from "../task.ts"
import { readBudgets } from "./build-task.ts"
import { productRows } from "./export.ts"
import { CATALOG_KIND, ContentHash } from "./file.ts"
import { openCatalog } from "./open.ts"

/** So many faults are told; a damaged file may have one per record. */
const LISTED_FAULTS = 100

export interface CatalogCheck {
  readonly ok: boolean
  /** What is not as it should be, the first hundred. */
  readonly faults: readonly { readonly where: string; readonly fault: string }[]
  readonly fault_count: number
  readonly products: number
  readonly tasks: number
  readonly content_hash: string // as computed from the records
}

/**
 * Checks everything in a catalog file against everything else: each record against its schema and its keys, summaries and search
 * index against the products, raw records against what they are read as, splits against their hashes and tasks, counts and
 * content hash against the manifest. Takes about as long as an import.
 * Throws `NOT_FOUND` and `CATALOG_CORRUPT` where the file cannot be read at all.
 */
export async function verifyCatalog(path: string, { signal }: { signal?: AbortSignal } = {}): Promise<CatalogCheck> {
  using catalog = openCatalog(path)
  const database = openDatabase(path, CATALOG_KIND, "catalog")
  try {
    const check = new Check(database, catalog.manifest, signal)
    await check.attempt("the file", () => check.pages())
    await check.attempt("the products", () => check.products())
    await check.attempt("the tasks", () => check.tasks(catalog))
    await check.attempt("the splits", () => {
      checkSplits(catalog.splits(), { where: path, exists: (id) => catalog.task(id) !== undefined })
    })
    return check.result()
  } finally {
    database.close()
  }
}

class Check {
  readonly #database: SqliteDatabase
  readonly #manifest: CatalogManifest
  readonly #signal: AbortSignal | undefined
  readonly #faults: { where: string; fault: string }[] = []
  readonly #hash = new ContentHash()
  #faultCount = 0
  #products = 0
  #tasks = 0
  #personaTasks = 0

  constructor(database: SqliteDatabase, manifest: CatalogManifest, signal: AbortSignal | undefined) {
    this.#database = database
    this.#manifest = manifest
    this.#signal = signal
  }

  /** A part that cannot be checked to its end is a fault, and the other parts are checked all the same. */
  async attempt(where: string, check: () => void | Promise<void>): Promise<void> {
    try {
      await check()
    } catch (error) {
      if (error instanceof AppError && error.code === "CANCELLED") throw error
      this.#fault(where, messageOf(error))
    }
  }

  /** SQLite's own check of its pages. */
  pages(): void {
    const lines = this.#database.pragma("quick_check") as { quick_check: string }[] // one row `ok`, or one a fault
    for (const { quick_check } of lines) if (quick_check !== "ok") this.#fault("the file", quick_check)
  }

  async products(): Promise<void> {
    const index = createIndexBuilder()
    const select = this.#database.prepare<unknown[], { asin: string; summary: string | null }>(
      "SELECT asin, s.json AS summary FROM products LEFT JOIN summaries s USING (document) WHERE document = ?",
    )
    for (const { document, json, raw } of productRows(this.#database)) {
      await this.#pause(this.#products)
      const where = `product ${document}`
      if (document !== this.#products) this.#fault(where, `stands where product ${this.#products} should`)
      this.#products += 1
      this.#hash.product(json)
      const product = this.#valid(Product, JSON.parse(json), where)
      if (product === undefined) continue
      index.add(searchDocument(product))
      const { asin, summary } = select.get(document)! // the row was just read
      if (asin !== product.asin) this.#fault(where, `is filed under the asin ${asin}, but is ${product.asin}`)
      if (summary !== JSON.stringify(summarizeProduct(product))) {
        this.#fault(where, "has another summary than it should")
      }
      const { product: read } = readShopSimulatorRecord(raw(product)).record
      if (JSON.stringify(read) !== json) this.#fault(where, "is not what its raw record says")
    }
    this.#index(index.finish())
  }

  async tasks(catalog: Catalog): Promise<void> {
    const rows = this.#database.prepare<unknown[], { task_id: string; document: number; json: string }>(
      "SELECT task_id, document, json FROM tasks WHERE number > ? ORDER BY number LIMIT 200",
    )
    for (let batch = rows.all(0); batch.length > 0; batch = rows.all(this.#tasks)) {
      for (const { task_id, document, json } of batch) {
        await this.#pause(this.#tasks)
        this.#tasks += 1
        this.#hash.task(json)
        const where = `task ${task_id}`
        const task = this.#valid(ShopTask, JSON.parse(json), where)
        if (task === undefined) continue
        if (task.persona !== null) this.#personaTasks += 1
        if (task.task_id !== task_id) this.#fault(where, `is filed under another id than its own, ${task.task_id}`)
        if (catalog.documentOf(task.asin) !== document)
          this.#fault(where, `belongs to another product than ${task.asin}`)
        this.#budget(task, where)
      }
    }
  }

  result(): CatalogCheck {
    const { language, currency, counts, products_sha256, tasks_sha256, content_hash } = this.#manifest
    const expected = { products: counts.products, tasks: counts.tasks, persona_tasks: counts.persona_tasks }
    const found = { products: this.#products, tasks: this.#tasks, persona_tasks: this.#personaTasks }
    if (!isDeepStrictEqual(found, expected)) {
      this.#fault("the manifest", `counts ${JSON.stringify(expected)}, but there are ${JSON.stringify(found)}`)
    }
    const hashes = this.#hash.finish({ language, currency })
    for (const [name, hash] of Object.entries({ products_sha256, tasks_sha256, content_hash })) {
      if (hashes[name as keyof typeof hashes] !== hash)
        this.#fault("the manifest", `${name} is not that of the records`)
    }
    return {
      ok: this.#faultCount === 0,
      faults: this.#faults,
      fault_count: this.#faultCount,
      products: this.#products,
      tasks: this.#tasks,
      content_hash: hashes.content_hash,
    }
  }

  /** The stored index byte for byte: it is a function of the products. */
  #index(built: Uint8Array): void {
    const stored = createHash("sha256")
    const chunks = this.#database.prepare("SELECT bytes FROM index_chunks ORDER BY number").pluck()
    for (const chunk of chunks.iterate() as IterableIterator<Buffer>) stored.update(chunk) // the only column
    const hash = stored.digest("hex")
    if (hash !== this.#manifest.index.sha256) this.#fault("the search index", "is not the one the manifest names")
    else if (hash !== createHash("sha256").update(built).digest("hex")) {
      this.#fault("the search index", "is not that of the products (damaged, or built by another version)")
    }
  }

  /** Read again, where the stored reading is by the parser at hand. */
  #budget(task: ShopTask, where: string): void {
    const now = readBudgets(task, this.#manifest.language)
    for (const rules of ["v8", "souk"] as const) {
      const same = task.budget[rules].parser !== now[rules].parser || isDeepStrictEqual(task.budget[rules], now[rules])
      if (!same) this.#fault(where, `has another budget under ${rules} than its text gives`)
    }
  }

  #valid<T>(schema: z.ZodType<T>, value: unknown, where: string): T | undefined {
    const parsed = schema.safeParse(value)
    if (parsed.success) return parsed.data
    const issue = parsed.error.issues[0]!
    this.#fault(where, `${issue.path.join(".") || "the record"}: ${issue.message}`)
    return undefined
  }

  async #pause(number: number): Promise<void> {
    if (number % 500 !== 0) return
    await setImmediate() // lets an interrupt be noticed
    throwIfCancelled(this.#signal)
  }

  #fault(where: string, fault: string): void {
    this.#faultCount += 1
    if (this.#faults.length < LISTED_FAULTS) this.#faults.push({ where, fault })
  }
}
