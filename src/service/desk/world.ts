import { z } from "zod"
import { AppError } from "../../core/errors.ts"
import { readRows } from "../pack/folder.ts"
import type { Pack } from "../pack.ts"
import type { EvaluationWorld } from "../world.ts"
import { tablesWorld } from "../worlds/tables.ts"
import { Customer, DESK_SHAPES, DeskSettings, type DeskTables, Order, Product } from "./tables.ts"
import { DESK_VERSION, deskTools } from "./tools.ts"

/** How a pack's `world.tools` names these tools. */
export const SERVICE_DESK = "service-desk"

/** The service desk of a store: every case has the store's tables for itself. */
export function deskWorld(tables: DeskTables, settings: DeskSettings): EvaluationWorld {
  return tablesWorld(
    { tables, tools: (clock) => deskTools(settings, () => clock.now()), shapes: DESK_SHAPES },
    { identity: { desk: DESK_VERSION, settings } },
  )
}

/** The settings of the desk, which a pack keeps as `settings.desk`. Throws `BAD_INPUT`. */
export function deskSettings({ folder, manifest }: Pack): DeskSettings {
  const parsed = DeskSettings.safeParse(manifest.settings.desk)
  if (parsed.success) return parsed.data
  throw new AppError("BAD_INPUT", `${folder}: settings.desk of pack.json:\n${z.prettifyError(parsed.error)}`)
}

/** The tables of a desk's pack. Throws `BAD_INPUT` naming file and line, or the order that names what is not there. */
export async function readDeskTables(pack: Pack, signal: AbortSignal): Promise<DeskTables> {
  const tables: DeskTables = {
    products: await readRows(pack, "products", Product, signal),
    customers: await readRows(pack, "customers", Customer, signal),
    orders: await readRows(pack, "orders", Order, signal),
    requests: new Map(),
  }
  for (const { order_id, customer_id, items } of tables.orders.values()) {
    const refuse = (what: string) => new AppError("BAD_INPUT", `${pack.folder}: order ${order_id}: there is no ${what}`)
    if (!tables.customers.has(customer_id)) throw refuse(`customer ${customer_id}`)
    for (const { product_id, sku_id } of items) {
      const known = tables.products.get(product_id)?.skus.some((sku) => sku.sku_id === sku_id)
      if (!known) throw refuse(`${sku_id} of product ${product_id}`)
    }
  }
  return tables
}
