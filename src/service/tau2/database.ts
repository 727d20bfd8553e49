import { readFileSync } from "node:fs"
import { z } from "zod"
import { AppError, messageOf } from "../../core/errors.ts"
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts"
import { NumberSource, type OrderedJson, parseOrderedJson } from "../../lib/ordered-json.ts"
import type { Shapes } from "../worlds/tables/state.ts"
import { Order, Product, type RetailTables, User } from "./data.ts"
import { publishedOrder } from "./published-order.ts"

/** The database as τ²-bench writes it: `{ products, users, orders }`, each a map from id to record. */
export type RetailDatabase = { readonly [table in keyof RetailTables]: Readonly<Record<string, unknown>> }

/** The database read last: evaluations open the same one again and again, and comparing texts is much quicker than parsing. */
let last: { readonly isPath: boolean; readonly text: string; readonly tables: RetailTables } | undefined

/**
 * Reads a database from a file (`db.json`) or takes it as an object that was parsed already. Only the file tells in which order a
 * product lists its variants: objects put ids below 2³²−1 first. For the published products the order is known and put back.
 * Throws `NOT_FOUND` without a file, `BAD_INPUT` naming the place of what is wrong.
 */
export function readDatabase(source: string | RetailDatabase): RetailTables {
  const isPath = typeof source === "string"
  const text = isPath ? readText(source) : JSON.stringify(source)
  if (last?.isPath === isPath && last.text === text) return last.tables
  const tables = isPath ? parseDatabase(text, source) : tablesOf(source, "The database")
  last = { isPath, text, tables }
  return tables
}

/** {@link readDatabase} of a text; `where` begins messages. Every map keeps its order. */
export function parseDatabase(text: string, where: string): RetailTables {
  let database: OrderedJson
  try {
    database = parseOrderedJson(text)
  } catch (error) {
    throw new AppError("BAD_INPUT", `${where} is not JSON: ${messageOf(error)}`, { cause: error })
  }
  return tablesOf(database, where)
}

/** How rows look in τ²-bench: what `state()` gives and what digests are made of. */
export const RETAIL_SHAPES: Shapes<RetailTables> = {
  products: ({ variants, ...product }) => ({
    ...product,
    variants: Object.fromEntries(variants.map((variant) => [variant.item_id, variant])),
  }),
  users: ({ payment_methods, ...user }) => ({
    ...user,
    payment_methods: Object.fromEntries(payment_methods.map((method) => [method.id, method])),
  }),
}

/** The database that `tables` stand for, without members that are null in the original. A copy. */
export function databaseOf(tables: RetailTables): JsonObject {
  const database: JsonObject = {}
  for (const [name, rows] of Object.entries(tables)) {
    const shape = (RETAIL_SHAPES[name as keyof RetailTables] ?? ((row: object) => row)) as (row: object) => object
    database[name] = Object.fromEntries([...rows].map(([id, row]) => [id, structuredClone(shape(row)) as Json]))
  }
  return database
}

const ROWS = { products: Product, users: User, orders: Order } as const
const KEYS = { products: "product_id", users: "user_id", orders: "order_id" } as const

function tablesOf(database: OrderedJson | RetailDatabase, where: string): RetailTables {
  const tables = new Map(members(database, where))
  const refuse = (why: string) => new AppError("BAD_INPUT", `${where} ${why}`)
  for (const name of tables.keys()) if (!Object.hasOwn(ROWS, name)) throw refuse(`has an unknown table ${name}`)
  const rows = <Row extends object>(name: keyof RetailTables, schema: z.ZodType<Row>): Map<string, Row> => {
    const table = tables.get(name)
    if (table === undefined) throw refuse(`has no ${name}`)
    return new Map(
      members(table, `${where}: ${name}`).map(([id, record]) => {
        const place = `${where}: ${name}/${id}`
        const parsed = schema.safeParse(rowOf(name, record, place))
        if (!parsed.success) throw new AppError("BAD_INPUT", `${place}: ${z.prettifyError(parsed.error)}`)
        const row = parsed.data as Row & Record<string, unknown> // rows are objects
        const key = KEYS[name]
        if (row[key] !== id) throw new AppError("BAD_INPUT", `${place}: its ${key} is ${JSON.stringify(row[key])}`)
        return [id, row]
      }),
    )
  }
  const products = rows("products", Product)
  const read = { products, users: rows("users", User), orders: rows("orders", Order) }
  return database instanceof Map ? read : { ...read, products: publishedOrder(products) }
}

/** A record as a row: maps of ids become lists, null members of orders are left out. */
function rowOf(table: keyof RetailTables, record: unknown, where: string): unknown {
  const row = Object.fromEntries(members(record, where))
  const list = { products: "variants", users: "payment_methods", orders: null }[table]
  if (list !== null) {
    row[list] = members(row[list], `${where}/${list}`).map(([id, entry]) => {
      const value = plain(entry)
      const own = isJsonObject(value) ? (value[list === "variants" ? "item_id" : "id"] ?? null) : null
      if (own !== id) throw new AppError("BAD_INPUT", `${where}/${list}/${id} holds the id ${JSON.stringify(own)}`)
      return value
    })
  }
  return Object.fromEntries(
    Object.entries(row)
      .filter(([, value]) => table !== "orders" || value !== null)
      .map(([key, value]) => [key, plain(value)]),
  )
}

/** The members of a map read in order, or of an object. */
function members(value: unknown, where: string): [string, unknown][] {
  if (value instanceof Map) return [...(value as Map<string, unknown>)]
  if (isJsonObject(value)) return Object.entries(value)
  throw new AppError("BAD_INPUT", `${where}: expected an object`)
}

/** Ordinary JSON of a value that may have been read in order. */
function plain(value: unknown): unknown {
  if (value instanceof NumberSource) return Number(value.text)
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, member]) => [key, plain(member)]))
  if (Array.isArray(value)) return value.map(plain)
  return value
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error
    throw new AppError("NOT_FOUND", `There is no file ${path}; it is db.json of τ²-bench's retail domain`, {
      cause: error,
    })
  }
}
