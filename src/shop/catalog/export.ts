import { applyJsonDifference } from "../../lib/json-difference.ts"
import { type OrderedJson, orderedJsonText, parseOrderedJson } from "../../lib/ordered-json.ts"
import { openDatabase, type SqliteDatabase } from "../../lib/sqlite.ts"
import type { Catalog } from "../catalog.ts"
import type { Product } from "../product.ts"
import { shopSimulatorForm } from "../sources/shopsimulator-form.ts"
import type { ShopTask } from "../task.ts"
import { CATALOG_KIND } from "./file.ts"

/**
 * The raw form of a catalog as the text of one JSON array, product by product: whatever the source file said of the products that
 * were kept, number spellings included, and the ids its tasks were given. Importing it makes a catalog with the same content hash,
 * given the same `language`. Products and tasks that were excluded or skipped are not in it.
 *
 * @example await pipeline(Readable.from(exportCatalog(catalog, { format: "shopsimulator" })), createWriteStream("raw.json"))
 */
export function* exportCatalog(
  catalog: Pick<Catalog, "path">,
  { format: _ }: { format: "shopsimulator" } = { format: "shopsimulator" },
): Generator<string> {
  const database = openDatabase(catalog.path, CATALOG_KIND, "catalog")
  try {
    let separator = "[\n"
    for (const row of productRows(database)) {
      const product = JSON.parse(row.json) as Product // written from a checked record
      yield `${separator}${orderedJsonText(row.raw(product))}`
      separator = ",\n"
    }
    yield separator === "[\n" ? "[]\n" : "\n]\n"
  } finally {
    database.close()
  }
}

interface Row {
  readonly document: number
  readonly json: string
  readonly source_product_index: number
  readonly instruction_count: number
  readonly difference: string | null
}

/** Every product as it is stored, in catalog order; `raw` gives the raw record of the product that was parsed from `json`. */
export function* productRows(
  database: SqliteDatabase,
): Generator<{ document: number; json: string; raw: (product: Product) => OrderedJson }> {
  const rows = database.prepare<unknown[], Row>(
    `SELECT document, json, source_product_index, instruction_count, difference
     FROM products JOIN extras USING (document) WHERE document > ? ORDER BY document LIMIT 200`,
  )
  const tasks = database.prepare<unknown[], { position: number; json: string }>(
    "SELECT position, json FROM tasks WHERE document = ?",
  )
  let last = -1
  for (let batch = rows.all(last); batch.length > 0; batch = rows.all(last)) {
    for (const { document, json, source_product_index, instruction_count, difference } of batch) {
      const raw = (product: Product): OrderedJson => {
        const byPosition = new Map<number, ShopTask>()
        for (const task of tasks.all(document)) byPosition.set(task.position, JSON.parse(task.json))
        const taskAt = (position: number) => byPosition.get(position)
        const form = shopSimulatorForm(product, { source_product_index, instruction_count, taskAt })
        return applyJsonDifference(form, difference === null ? undefined : parseOrderedJson(difference))
      }
      yield { document, json, raw }
      last = document
    }
  }
}
