import type { Split } from "../../core/task.ts"
import { jsonDifference } from "../../lib/json-difference.ts"
import { type OrderedJson, type OrderedObject, orderedJsonText } from "../../lib/ordered-json.ts"
import { buildDatabase, openDatabase, type SqliteDatabase } from "../../lib/sqlite.ts"
import { CatalogManifest } from "../catalog.ts"
import type { Product } from "../product.ts"
import { readShopSimulatorRecord } from "../sources/shopsimulator.ts"
import { shopSimulatorForm } from "../sources/shopsimulator-form.ts"
import { checkSplits } from "../split/check.ts"
import type { ShopTask } from "../task.ts"
import { buildTask } from "./build-task.ts"
import { productRows } from "./export.ts"
import { CATALOG_INDEXES, CATALOG_KIND, CATALOG_TABLES, ContentHash } from "./file.ts"

/** The tasks of one product in the raw ShopSimulator form: objects with `task_id`, `instruction` and the like, and who asks. */
export interface RawTasks {
  readonly instructions: readonly OrderedObject[]
  readonly persona: OrderedJson
}

/** Tables that hold nothing about tasks, or what was left out at import: taken over as they are. */
const KEPT_TABLES = ["products", "summaries", "exclusions", "problems", "index_chunks"]

/**
 * Makes at `out` the catalog at `from` with the given tasks, by document, in place of its own, and splits made of them. The two
 * may be the same file; until the new one is whole the old one stands.
 * Throws `NOT_FOUND`, `CATALOG_CORRUPT` (`from`), `REFUSED` (`out` is being written), `STORE_UNWRITABLE`, `BAD_INPUT` (splits).
 */
export function replaceTasks({
  from,
  out,
  tasks,
  splits,
  versions,
}: {
  from: string
  out: string
  tasks: ReadonlyMap<number, RawTasks>
  splits: (tasks: readonly ShopTask[]) => readonly Split[]
  /** Added to the manifest's: what shaped the tasks. */
  versions: Readonly<Record<string, string>>
}): CatalogManifest {
  const source = openDatabase(from, CATALOG_KIND, "catalog")
  try {
    const building = buildDatabase(out, CATALOG_KIND)
    try {
      const { database } = building
      database.exec(CATALOG_TABLES)
      database.prepare("ATTACH ? AS source").run(from)
      for (const table of KEPT_TABLES) database.exec(`INSERT INTO ${table} SELECT * FROM source.${table}`)
      const old = CatalogManifest.parse(JSON.parse(source.prepare("SELECT json FROM manifest").pluck().get() as string))
      const written = writeRecords(database, source, tasks, old)
      writeSplits(database, splits(written.tasks), written.tasks)
      const { language, currency } = old
      const manifest: CatalogManifest = {
        ...old,
        counts: {
          ...old.counts,
          tasks: written.tasks.length,
          persona_tasks: written.tasks.filter(({ persona }) => persona !== null).length,
        },
        versions: { ...old.versions, ...versions },
        ...written.hash.finish({ language, currency }),
      }
      database.prepare("INSERT INTO manifest VALUES (?)").run(JSON.stringify(manifest))
      database.exec(CATALOG_INDEXES)
      building.commit()
      return manifest
    } catch (error) {
      building.discard()
      throw error
    }
  } finally {
    source.close()
  }
}

function writeRecords(
  database: SqliteDatabase,
  source: SqliteDatabase,
  tasks: ReadonlyMap<number, RawTasks>,
  { language }: CatalogManifest,
): { tasks: ShopTask[]; hash: ContentHash } {
  const insertTask = database.prepare(
    "INSERT INTO tasks (task_id, document, position, persona, json) VALUES (?, ?, ?, ?, ?)",
  )
  const insertExtra = database.prepare("INSERT INTO extras VALUES (?, ?, ?, ?)")
  const places = source.prepare("SELECT source_product_index FROM extras WHERE document = ?").pluck()
  const hash = new ContentHash()
  const all: ShopTask[] = []
  for (const { document, json: productJson, raw: rawRecord } of productRows(source)) {
    const product = JSON.parse(productJson) as Product // written from a checked record
    const sourceProductIndex = places.get(document) as number // every product has an extra
    const own = tasks.get(document)
    const raw = withTasks(rawRecord(product) as OrderedObject, own) // products come from objects
    const built = buildTasks(raw, product, { sourceProductIndex, language })
    const instruction_count = own?.instructions.length ?? 0
    hash.product(productJson)
    for (const { position, task } of built) {
      const json = JSON.stringify(task)
      hash.task(json)
      insertTask.run(task.task_id, document, position, task.persona === null ? 0 : 1, json)
      all.push(task)
    }
    const taskAt = (position: number) => built.find((entry) => entry.position === position)?.task
    const form = shopSimulatorForm(product, { source_product_index: sourceProductIndex, instruction_count, taskAt })
    const difference = jsonDifference(form, raw)
    const text = difference === undefined ? null : orderedJsonText(difference)
    insertExtra.run(document, sourceProductIndex, instruction_count, text)
  }
  return { tasks: all, hash }
}

function withTasks(record: OrderedObject, tasks: RawTasks | undefined): OrderedObject {
  const raw = new Map(record)
  raw.delete("instructions")
  raw.delete("user_persona")
  if (tasks === undefined) return raw
  raw.set("instructions", [...tasks.instructions])
  if (tasks.persona !== null) raw.set("user_persona", tasks.persona)
  return raw
}

/** The tasks of a raw record as an import of it would make them. */
function buildTasks(
  raw: OrderedObject,
  product: Product,
  { sourceProductIndex, language }: { sourceProductIndex: number; language: CatalogManifest["language"] },
): { position: number; task: ShopTask }[] {
  const { record } = readShopSimulatorRecord(raw)
  if (record.product === null) return []
  return record.tasks.map((source) => {
    const taskId = source.task_id ?? `${product.asin}-${source.position}`
    const facts = { product, taskId, sourceProductIndex, sourceSplit: null, language }
    return { position: source.position, task: buildTask(source, facts) }
  })
}

function writeSplits(database: SqliteDatabase, splits: readonly Split[], tasks: readonly ShopTask[]): void {
  const ids = new Set(tasks.map(({ task_id }) => task_id))
  checkSplits(splits, { where: "The splits", exists: (taskId) => ids.has(taskId) })
  const insert = database.prepare("INSERT INTO splits (name, json) VALUES (?, ?)")
  for (const split of splits) insert.run(split.name, JSON.stringify(split))
}
