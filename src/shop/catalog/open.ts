import { AppError, messageOf } from "../../core/errors.ts"
import { Split } from "../../core/task.ts"
import { LruCache } from "../../lib/lru.ts"
import { openDatabase, type SqliteDatabase, type SqliteStatement } from "../../lib/sqlite.ts"
import { type Catalog, CatalogManifest } from "../catalog.ts"
import type { Product, ProductSummary } from "../product.ts"
import { searchDocument } from "../search/document.ts"
import type { SearchDocument, SearchEngine } from "../search/engine.ts"
import { buildFts5, openFts5 } from "../search/fts5.ts"
import { openMemoryIndex } from "../search/memory.ts"
import type { ShopTask } from "../task.ts"
import { CATALOG_KIND } from "./file.ts"

const CACHED_PRODUCTS = 2048
const CACHED_SUMMARIES = 32_768 // a results page needs twenty, and reads for 7 µs what is not there; with its lines about 2 KB each

/**
 * Opens a catalog file for reading. Nothing but its manifest is read or checked yet (`verifyCatalog` checks everything), so this is
 * quick however large the catalog is; close it when done.
 * Throws `NOT_FOUND` (no such file) and `CATALOG_CORRUPT` (not a catalog, another version, damaged).
 *
 * @example using catalog = openCatalog("store.catalog"); catalog.product(catalog.documentOf("000001006002")!)
 */
export function openCatalog(path: string): Catalog & Disposable {
  return new CatalogFile(path)
}

class CatalogFile implements Catalog, Disposable {
  readonly path: string
  readonly manifest: CatalogManifest
  readonly #database: SqliteDatabase
  readonly #select: ReturnType<typeof statements>
  readonly #products = new LruCache<number, Product>(CACHED_PRODUCTS)
  readonly #summaries = new LruCache<number, ProductSummary>(CACHED_SUMMARIES)
  readonly #engines = new Map<string, SearchEngine>()

  constructor(path: string) {
    this.path = path
    this.#database = openDatabase(path, CATALOG_KIND, "catalog")
    try {
      this.manifest = readManifest(path, this.#database)
      this.#select = statements(this.#database)
    } catch (error) {
      this.#database.close()
      throw error instanceof AppError ? error : this.#corrupt(error)
    }
  }

  get productCount(): number {
    return this.manifest.counts.products
  }

  get taskCount(): number {
    return this.manifest.counts.tasks
  }

  product(document: number): Product {
    return this.#products.get(document, () => this.#json<Product>(this.#select.product, document))
  }

  summary(document: number): ProductSummary {
    return this.#summaries.get(document, () => this.#json<ProductSummary>(this.#select.summary, document))
  }

  asin(document: number): string {
    return this.#required(this.#select.asin, document)
  }

  documentOf(asin: string): number | undefined {
    return this.#read(() => this.#select.documentOf.get(asin) as number | undefined)
  }

  task(taskId: string): ShopTask | undefined {
    const json = this.#read(() => this.#select.task.get(taskId) as string | undefined)
    return json === undefined ? undefined : this.#parse<ShopTask>(json)
  }

  tasksOf(document: number): ShopTask[] {
    const texts = this.#read(() => this.#select.tasksOf.all(document) as string[])
    return texts.map((json) => this.#parse<ShopTask>(json))
  }

  *tasks(): Iterable<ShopTask> {
    // In pieces, so that the caller may use the catalog in between.
    for (let number = 0; ; ) {
      const rows = this.#read(() => this.#select.tasksFrom.all(number) as { number: number; json: string }[])
      for (const row of rows) yield this.#parse<ShopTask>(row.json)
      const last = rows.at(-1)
      if (last === undefined) return
      number = last.number
    }
  }

  taskIds(): string[] {
    return this.#read(() => this.#select.taskIds.all() as string[])
  }

  splits(): Split[] {
    return this.#read(() => this.#select.splits.all() as string[]).map((json) => this.#split(json))
  }

  split(name: string): Split | undefined {
    const json = this.#read(() => this.#select.split.get(name) as string | undefined)
    return json === undefined ? undefined : this.#split(json)
  }

  engine(name: "memory" | "fts5" = "memory"): SearchEngine {
    const open = this.#engines.get(name)
    if (open !== undefined) return open
    const engine = name === "memory" ? openMemoryIndex(this.#index()) : this.#fts5()
    this.#engines.set(name, engine)
    return engine
  }

  close(): void {
    for (const engine of this.#engines.values()) engine.close()
    this.#engines.clear()
    this.#database.close()
  }

  [Symbol.dispose](): void {
    this.close()
  }

  /** The FTS5 index stands beside the catalog and is made when it is first asked for, and again when the catalog has changed. */
  #fts5(): SearchEngine {
    const path = `${this.path}.fts5`
    const contentHash = this.manifest.content_hash
    try {
      return openFts5(path, { contentHash })
    } catch (error) {
      if (!(error instanceof AppError) || (error.code !== "NOT_FOUND" && error.code !== "CATALOG_CORRUPT")) throw error
      buildFts5(path, this.#documents(), { contentHash })
      return openFts5(path, { contentHash })
    }
  }

  *#documents(): Iterable<SearchDocument> {
    for (let document = 0; document < this.productCount; document++) {
      yield searchDocument(this.#json<Product>(this.#select.product, document))
    }
  }

  /** The search index, in memory that worker threads can share. */
  #index(): SharedArrayBuffer {
    const { bytes } = this.manifest.index
    const index = new Uint8Array(new SharedArrayBuffer(bytes))
    let at = 0
    this.#read(() => {
      for (const chunk of this.#select.chunks.iterate() as IterableIterator<Buffer>) {
        if (at + chunk.length > bytes) throw new RangeError("its pieces are longer than the manifest says")
        index.set(chunk, at)
        at += chunk.length
      }
      if (at !== bytes) throw new RangeError(`its pieces hold ${at} of ${bytes} bytes`)
    })
    return index.buffer
  }

  #json<T>(statement: SqliteStatement, document: number): T {
    return this.#parse<T>(this.#required(statement, document))
  }

  #required(statement: SqliteStatement, document: number): string {
    const text = this.#read(() => statement.get(document) as string | undefined)
    if (text !== undefined) return text
    if (!(document >= 0 && document < this.productCount)) {
      throw new AppError(
        "NOT_FOUND",
        `There is no product number ${document}; ${this.path} has ${this.productCount} from 0`,
      )
    }
    throw this.#corrupt(new RangeError(`product number ${document} is missing`))
  }

  /** A split is small and decides what is played: it is checked whenever it is read. */
  #split(json: string): Split {
    const split = Split.safeParse(this.#parse<unknown>(json))
    if (!split.success) throw this.#corrupt(split.error)
    return split.data
  }

  /** Texts in the file were written from checked records, hence the type; `verifyCatalog` checks them again. */
  #parse<T>(json: string): T {
    return this.#read(() => JSON.parse(json) as T)
  }

  #read<T>(read: () => T): T {
    if (!this.#database.open) throw new AppError("CONFLICT", `The catalog ${this.path} has been closed`)
    try {
      return read()
    } catch (error) {
      throw this.#corrupt(error)
    }
  }

  #corrupt(error: unknown): AppError {
    const message = `The catalog ${this.path} is damaged (${messageOf(error)}); import it again`
    return new AppError("CATALOG_CORRUPT", message, { cause: error })
  }
}

function statements(database: SqliteDatabase) {
  const value = (sql: string): SqliteStatement => database.prepare<unknown[]>(sql).pluck()
  return {
    product: value("SELECT json FROM products WHERE document = ?"),
    summary: value("SELECT json FROM summaries WHERE document = ?"),
    asin: value("SELECT asin FROM products WHERE document = ?"),
    documentOf: value("SELECT document FROM products WHERE asin = ?"),
    task: value("SELECT json FROM tasks WHERE task_id = ?"),
    tasksOf: value("SELECT json FROM tasks WHERE document = ? ORDER BY position"),
    tasksFrom: database.prepare<unknown[]>("SELECT number, json FROM tasks WHERE number > ? ORDER BY number LIMIT 500"),
    taskIds: value("SELECT task_id FROM tasks ORDER BY number"),
    splits: value("SELECT json FROM splits ORDER BY number"),
    split: value("SELECT json FROM splits WHERE name = ?"),
    chunks: value("SELECT bytes FROM index_chunks ORDER BY number"),
  }
}

function readManifest(path: string, database: SqliteDatabase): CatalogManifest {
  const json = database.prepare("SELECT json FROM manifest").pluck().get() as string | undefined // the only column
  const manifest = CatalogManifest.safeParse(json === undefined ? undefined : JSON.parse(json))
  if (manifest.success) return manifest.data
  const issue = manifest.error.issues[0]!
  throw new AppError(
    "CATALOG_CORRUPT",
    `The manifest of ${path} is wrong at ${issue.path.join(".") || "its top"}: ${issue.message}; import it again`,
  )
}
