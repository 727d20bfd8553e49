import { readFileSync } from "node:fs"
import { join } from "node:path"
import { z } from "zod"
import { AppError, messageOf } from "../../core/errors.ts"
import type { EvaluationWorld } from "../world.ts"
import { tablesWorld } from "../worlds/tables.ts"
import { Customer, type DeskSettings, type DeskTables, Order, Product } from "./tables.ts"
import { DESK_VERSION, deskTools } from "./tools.ts"

/** The service desk of a store: every case has the store's tables for itself. */
export function deskWorld(tables: DeskTables, settings: DeskSettings): EvaluationWorld {
  return tablesWorld(
    { tables, tools: (clock) => deskTools(settings, () => clock.now()) },
    { identity: { desk: DESK_VERSION, settings } },
  )
}

/** Reads `products.json`, `customers.json` and `orders.json` of a pack's tables. Throws `NOT_FOUND` and `BAD_INPUT` with file and row. */
export function readDeskTables(folder: string): DeskTables {
  const tables: DeskTables = {
    products: readTable(join(folder, "products.json"), Product, "product_id"),
    customers: readTable(join(folder, "customers.json"), Customer, "customer_id"),
    orders: readTable(join(folder, "orders.json"), Order, "order_id"),
    requests: new Map(),
  }
  for (const { order_id, customer_id, items } of tables.orders.values()) {
    const where = `${join(folder, "orders.json")}, ${order_id}`
    if (!tables.customers.has(customer_id))
      throw new AppError("BAD_INPUT", `${where}: there is no customer ${customer_id}`)
    for (const { product_id, sku_id } of items) {
      const known = tables.products.get(product_id)?.skus.some((sku) => sku.sku_id === sku_id)
      if (!known) throw new AppError("BAD_INPUT", `${where}: there is no ${sku_id} of ${product_id}`)
    }
  }
  return tables
}

function readTable<Row>(file: string, schema: z.ZodType<Row>, key: keyof Row & string): ReadonlyMap<string, Row> {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, "utf8"))
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT"
    throw new AppError(missing ? "NOT_FOUND" : "BAD_INPUT", `Cannot read ${file}: ${messageOf(error)}`, {
      cause: error,
    })
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new AppError("BAD_INPUT", `${file}: expected an object from ids to rows`)
  }
  const rows = new Map<string, Row>()
  for (const [id, row] of Object.entries(value)) {
    const parsed = schema.safeParse(row)
    if (!parsed.success) throw new AppError("BAD_INPUT", `${file}, ${id}: ${z.prettifyError(parsed.error)}`)
    if (parsed.data[key] !== id)
      throw new AppError("BAD_INPUT", `${file}, ${id}: ${key} is ${String(parsed.data[key])}`)
    rows.set(id, parsed.data)
  }
  return rows
}
