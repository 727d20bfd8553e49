import { AppError } from "../../core/errors.ts"
import { Split } from "../../core/task.ts"
import { applyJsonDifference, jsonDifference } from "../../lib/json-difference.ts"
import { type OrderedJson, type OrderedObject, orderedJsonText, parseOrderedJson } from "../../lib/ordered-json.ts"
import { reviseDatabase, type SqliteDatabase } from "../../lib/sqlite.ts"
import { CatalogManifest } from "../catalog.ts"
import type { Product } from "../product.ts"
import { shopSimulatorForm } from "../sources/shopsimulator-form.ts"
import { makeSplit } from "../split/task-ids.ts"
import type { ShopTask } from "../task.ts"
import { CATALOG_KIND, ContentHash } from "./file.ts"

/** A task to leave out, and why. */
export interface TaskExclusion {
  readonly task_id: string
  readonly reason: string
  readonly details: Readonly<Record<string, readonly string[]>>
}

/**
 * Makes the next version of the catalog at `path` without the given tasks: gone from its tasks, its splits and its raw form, listed
 * among its exclusions. Products and search index stay; the content hash is another one. The old version stands until the new one is
 * whole. `contentHash` is that of the catalog the exclusions were found on.
 * Throws `NOT_FOUND`, `CATALOG_CORRUPT`, `CONFLICT` (the catalog is another one by now, or lacks a task), `REFUSED` (being written),
 * `STORE_UNWRITABLE`.
 */
export function excludeTasks(
  path: string,
  exclusions: readonly TaskExclusion[],
  { contentHash }: { contentHash: string },
): CatalogManifest {
  const building = reviseDatabase(path, CATALOG_KIND, "catalog")
  try {
    const manifest = revise(building.database, exclusions, { path, contentHash })
    building.commit()
    return manifest
  } catch (error) {
    building.discard()
    throw error
  }
}

function revise(
  database: SqliteDatabase,
  exclusions: readonly TaskExclusion[],
  { path, contentHash }: { path: string; contentHash: string },
): CatalogManifest {
  const old = CatalogManifest.parse(JSON.parse(database.prepare("SELECT json FROM manifest").pluck().get() as string)) // the only column
  if (old.content_hash !== contentHash) {
    throw new AppError("CONFLICT", `${path} has changed since its tasks were looked at; do that again`)
  }
  const byDocument = new Map<number, Removal[]>()
  const find = database.prepare<unknown[], { document: number; position: number; json: string }>(
    "SELECT document, position, json FROM tasks WHERE task_id = ?",
  )
  for (const exclusion of exclusions) {
    const row = find.get(exclusion.task_id)
    if (row === undefined) throw new AppError("CONFLICT", `${path} has no task ${exclusion.task_id} to leave out`)
    const task = JSON.parse(row.json) as ShopTask // written from a checked record
    const removal = { exclusion, position: row.position, task }
    byDocument.set(row.document, [...(byDocument.get(row.document) ?? []), removal])
  }
  for (const [document, removals] of byDocument) removeFromProduct(database, document, removals)
  renumberTasks(database)
  removeFromSplits(database, new Set(exclusions.map(({ task_id }) => task_id)))

  const removed = [...byDocument.values()].flat()
  const personas = removed.filter(({ task }) => task.persona !== null).length
  const { counts, language, currency } = old
  const manifest: CatalogManifest = {
    ...old,
    counts: {
      ...counts,
      tasks: counts.tasks - removed.length,
      persona_tasks: counts.persona_tasks - personas,
      tasks_excluded: counts.tasks_excluded + removed.length,
    },
    ...contentOf(database).finish({ language, currency }),
  }
  database.prepare("UPDATE manifest SET json = ?").run(JSON.stringify(manifest))
  return manifest
}

interface Removal {
  readonly exclusion: TaskExclusion
  readonly position: number // among the product's instructions
  readonly task: ShopTask
}

function removeFromProduct(database: SqliteDatabase, document: number, removals: readonly Removal[]): void {
  const before = rawForm(database, document)
  const raw = new Map(applyJsonDifference(before.form, before.difference) as OrderedObject) // products come from objects
  const insert = database.prepare(
    "INSERT INTO exclusions (source_product_index, asin, whole_product, task_ids, reason, details) VALUES (?, ?, 0, ?, ?, ?)",
  )
  for (const { task, exclusion } of removals) {
    const { reason, details } = exclusion
    database.prepare("DELETE FROM tasks WHERE task_id = ?").run(task.task_id)
    insert.run(task.source_product_index, task.asin, JSON.stringify([task.task_id]), reason, JSON.stringify(details))
  }
  const gone = new Set(removals.map(({ position }) => position))
  const places = database.prepare<unknown[], { number: number; position: number }>(
    "SELECT number, position FROM tasks WHERE document = ?",
  )
  const move = database.prepare("UPDATE tasks SET position = ? WHERE number = ?")
  for (const { number, position } of places.all(document)) {
    move.run(position - [...gone].filter((other) => other < position).length, number)
  }
  const count = database.prepare("UPDATE extras SET instruction_count = instruction_count - ? WHERE document = ?")
  count.run(gone.size, document)

  const instructions = raw.get("instructions")
  if (Array.isArray(instructions))
    raw.set(
      "instructions",
      instructions.filter((_, position) => !gone.has(position)),
    )
  const difference = jsonDifference(rawForm(database, document).form, raw)
  const text = difference === undefined ? null : orderedJsonText(difference)
  database.prepare("UPDATE extras SET difference = ? WHERE document = ?").run(text, document)
}

/** A product in the raw form as far as the catalog's own records tell it, and how its source differed from that. */
function rawForm(
  database: SqliteDatabase,
  document: number,
): { form: OrderedObject; difference: OrderedJson | undefined } {
  const row = database
    .prepare<
      unknown[],
      { json: string; source_product_index: number; instruction_count: number; difference: string | null }
    >(
      `SELECT json, source_product_index, instruction_count, difference
       FROM products JOIN extras USING (document) WHERE document = ?`,
    )
    .get(document)! // each task has its product
  const tasks = database.prepare<unknown[], { position: number; json: string }>(
    "SELECT position, json FROM tasks WHERE document = ?",
  )
  const byPosition = new Map<number, ShopTask>()
  for (const { position, json } of tasks.all(document)) byPosition.set(position, JSON.parse(json))
  const form = shopSimulatorForm(JSON.parse(row.json) as Product, {
    source_product_index: row.source_product_index,
    instruction_count: row.instruction_count,
    taskAt: (position) => byPosition.get(position),
  })
  return { form, difference: row.difference === null ? undefined : parseOrderedJson(row.difference) }
}

/** Tasks count from 1 without gaps. */
function renumberTasks(database: SqliteDatabase): void {
  database.exec("UPDATE tasks SET number = -number") // out of the way of the new numbers
  database.exec(
    `UPDATE tasks SET number = ranked.place FROM
     (SELECT number, ROW_NUMBER() OVER (ORDER BY number DESC) AS place FROM tasks) AS ranked
     WHERE tasks.number = ranked.number`,
  )
}

function removeFromSplits(database: SqliteDatabase, taskIds: ReadonlySet<string>): void {
  const update = database.prepare("UPDATE splits SET json = ? WHERE name = ?")
  for (const json of database.prepare("SELECT json FROM splits").pluck().all() as string[]) {
    const { name, role, persona, task_ids } = Split.parse(JSON.parse(json))
    const kept = task_ids.filter((taskId) => !taskIds.has(taskId))
    if (kept.length < task_ids.length) update.run(JSON.stringify(makeSplit(name, kept, { role, persona })), name)
  }
}

function contentOf(database: SqliteDatabase): ContentHash {
  const hash = new ContentHash()
  const texts = (sql: string) => database.prepare(sql).pluck().iterate() as IterableIterator<string> // the only column
  for (const json of texts("SELECT json FROM products ORDER BY document")) hash.product(json)
  for (const json of texts("SELECT json FROM tasks ORDER BY number")) hash.task(json)
  return hash
}
