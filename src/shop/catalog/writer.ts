import { createHash } from "node:crypto"
import type { Split } from "../../core/task.ts"
import { jsonDifference } from "../../lib/json-difference.ts"
import { type OrderedObject, orderedJsonText } from "../../lib/ordered-json.ts"
import { buildDatabase } from "../../lib/sqlite.ts"
import type { CatalogManifest } from "../catalog.ts"
import { type Product, summarizeProduct } from "../product.ts"
import { searchDocument } from "../search/document.ts"
import { createIndexBuilder } from "../search/index-builder.ts"
import { shopSimulatorForm } from "../sources/shopsimulator-form.ts"
import type { ProblemEffect } from "../sources/source.ts"
import type { ShopTask } from "../task.ts"
import { CATALOG_INDEXES, CATALOG_KIND, CATALOG_TABLES, ContentHash, INDEX_CHUNK_BYTES } from "./file.ts"
import { currencyOf } from "./language.ts"

/** One fault found at import, with its place: `line` and `item` count from 1 and 0. */
export interface ImportProblem {
  readonly file: string
  readonly line: number
  readonly item: number
  readonly asin: string | null
  readonly field: string
  readonly reason: string
  readonly effect: ProblemEffect
}

/** A product or some of its tasks that a rule left out. */
export interface Exclusion {
  readonly source_product_index: number
  readonly asin: string
  readonly whole_product: boolean
  readonly task_ids: readonly string[]
  readonly reason: string // `multiple_price_affecting_axes`, `no_attributes`, or the reason of an exclusion list
  readonly details: Readonly<Record<string, readonly string[]>>
}

type Counts = CatalogManifest["counts"]

/** Writes one new catalog file, record by record. Nothing is at `path` before {@link finish}; {@link discard} leaves nothing. */
export class CatalogWriter {
  readonly counts: Counts = {
    records: 0,
    products: 0,
    tasks: 0,
    persona_tasks: 0,
    products_excluded: 0,
    tasks_excluded: 0,
    products_skipped: 0,
    tasks_skipped: 0,
    problems: 0,
  }
  readonly #building: ReturnType<typeof buildDatabase>
  readonly #insert: ReturnType<typeof statements>
  readonly #hash = new ContentHash()
  readonly #index = createIndexBuilder()
  readonly #exclusionsOfAsin = new Set<string>()

  constructor(path: string) {
    this.#building = buildDatabase(path, CATALOG_KIND)
    this.#building.database.exec(CATALOG_TABLES)
    this.#insert = statements(this.#building.database)
  }

  hasAsin(asin: string): boolean {
    return this.#insert.findAsin.get(asin) !== undefined || this.#exclusionsOfAsin.has(asin)
  }

  hasTask(taskId: string): boolean {
    return this.#insert.findTask.get(taskId) !== undefined
  }

  /** Adds a product with the usable ones of its tasks. `raw` is its source record, for the export. */
  add(entry: {
    product: Product
    tasks: readonly { position: number; task: ShopTask }[]
    source_product_index: number
    instruction_count: number
    raw: OrderedObject
  }): void {
    const { product, tasks, source_product_index, instruction_count, raw } = entry
    const document = this.counts.products++
    const json = JSON.stringify(product)
    this.#hash.product(json)
    this.#index.add(searchDocument(product))
    this.#insert.product.run(document, product.asin, json)
    this.#insert.summary.run(document, JSON.stringify(summarizeProduct(product)))
    for (const { position, task } of tasks) this.#addTask(task, document, position)
    const taskAt = (position: number) => tasks.find((task) => task.position === position)?.task
    const form = shopSimulatorForm(product, { source_product_index, instruction_count, taskAt })
    const difference = jsonDifference(form, raw)
    const text = difference === undefined ? null : orderedJsonText(difference)
    this.#insert.extra.run(document, source_product_index, instruction_count, text)
  }

  exclude(exclusion: Exclusion): void {
    const { source_product_index, asin, whole_product, task_ids, reason, details } = exclusion
    if (whole_product) {
      this.counts.products_excluded += 1
      this.#exclusionsOfAsin.add(asin)
    }
    this.counts.tasks_excluded += task_ids.length
    const texts = [JSON.stringify(task_ids), reason, JSON.stringify(details)]
    this.#insert.exclusion.run(source_product_index, asin, whole_product ? 1 : 0, ...texts)
  }

  report(problem: ImportProblem): void {
    const { file, line, item, asin, field, reason, effect } = problem
    this.counts.problems += 1
    this.#insert.problem.run(file, line, item, asin, field.slice(0, 500), reason.slice(0, 500), effect)
  }

  /** Every task so far, in catalog order. Nothing may be added while this is read. */
  *tasks(): Iterable<ShopTask> {
    for (const json of this.#insert.tasks.iterate()) yield JSON.parse(json as string) as ShopTask // as it was added
  }

  addSplit(split: Split): void {
    this.#insert.split.run(split.name, JSON.stringify(split))
  }

  /** Every task with where the source put it, in catalog order. */
  taskSources(): { task_id: string; source_split: string | null }[] {
    return this.#insert.taskSources.all() as { task_id: string; source_split: string | null }[] // the statement's columns
  }

  /** Saves the search index and the manifest and puts the file in its place. */
  finish(
    facts: Omit<CatalogManifest, "counts" | "currency" | "products_sha256" | "tasks_sha256" | "content_hash" | "index">,
  ): CatalogManifest {
    const { language } = facts
    const currency = currencyOf(language)
    const index = this.#saveIndex()
    const manifest: CatalogManifest = {
      ...facts,
      currency,
      counts: this.counts,
      ...this.#hash.finish({ language, currency }),
      index,
    }
    this.#insert.manifest.run(JSON.stringify(manifest))
    this.#building.database.exec(CATALOG_INDEXES)
    this.#building.commit()
    return manifest
  }

  discard(): void {
    this.#building.discard()
  }

  #addTask(task: ShopTask, document: number, position: number): void {
    this.counts.tasks += 1
    if (task.persona !== null) this.counts.persona_tasks += 1
    const json = JSON.stringify(task)
    this.#hash.task(json)
    this.#insert.task.run(task.task_id, document, position, task.persona === null ? 0 : 1, json)
  }

  #saveIndex(): { bytes: number; sha256: string } {
    const index = this.#index.finish()
    for (let at = 0; at < index.length; at += INDEX_CHUNK_BYTES) {
      this.#insert.chunk.run(index.subarray(at, at + INDEX_CHUNK_BYTES))
    }
    return { bytes: index.length, sha256: createHash("sha256").update(index).digest("hex") }
  }
}

function statements(database: ReturnType<typeof buildDatabase>["database"]) {
  const prepare = (sql: string) => database.prepare(sql)
  return {
    product: prepare("INSERT INTO products VALUES (?, ?, ?)"),
    summary: prepare("INSERT INTO summaries VALUES (?, ?)"),
    extra: prepare("INSERT INTO extras VALUES (?, ?, ?, ?)"),
    task: prepare("INSERT INTO tasks (task_id, document, position, persona, json) VALUES (?, ?, ?, ?, ?)"),
    split: prepare("INSERT INTO splits (name, json) VALUES (?, ?)"),
    exclusion: prepare(
      "INSERT INTO exclusions (source_product_index, asin, whole_product, task_ids, reason, details) VALUES (?, ?, ?, ?, ?, ?)",
    ),
    problem: prepare(
      "INSERT INTO problems (file, line, item, asin, field, reason, effect) VALUES (?, ?, ?, ?, ?, ?, ?)",
    ),
    chunk: prepare("INSERT INTO index_chunks (bytes) VALUES (?)"),
    manifest: prepare("INSERT INTO manifest VALUES (?)"),
    findAsin: prepare("SELECT 1 FROM products WHERE asin = ?"),
    findTask: prepare("SELECT 1 FROM tasks WHERE task_id = ?"),
    tasks: prepare("SELECT json FROM tasks ORDER BY number").pluck(),
    taskSources: prepare("SELECT task_id, json ->> 'source_split' AS source_split FROM tasks ORDER BY number"),
  }
}
