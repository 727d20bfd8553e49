import { z } from "zod"
import { ScriptTime } from "../../core/time.ts"
import type { Shapes } from "../worlds/tables/state.ts"

/** Decimal text: money is never a binary fraction here. */
export const Money = z.strictObject({
  amount: z.string().regex(/^-?\d+(\.\d{1,2})?$/, "expected an amount such as 12.90"),
  currency: z.string().regex(/^[A-Z]{3}$/),
})
export type Money = z.infer<typeof Money>

const Options = z.record(z.string(), z.string())

const Sku = z.strictObject({
  sku_id: z.string().min(1),
  options: Options,
  price: Money,
  stock: z.int().nonnegative(),
  /** When it is expected back, where it is sold out. */
  restock_on: z.string().optional(),
})

export const Product = z.strictObject({
  product_id: z.string().min(1),
  title: z.string().min(1),
  category: z.string(),
  /** What the page says beside price and stock: material, warranty, what is in the box. */
  details: z.record(z.string(), z.string()),
  skus: z.array(Sku).min(1),
})
export type Product = z.infer<typeof Product>

export const Customer = z.strictObject({
  customer_id: z.string().min(1),
  name: z.string(),
  phone: z.string(),
  address: z.string(),
  member_since: z.string(),
})
export type Customer = z.infer<typeof Customer>

const Item = z.strictObject({
  sku_id: z.string(),
  product_id: z.string(),
  title: z.string(),
  options: Options,
  price: Money,
  quantity: z.int().positive(),
})

export const Order = z.strictObject({
  order_id: z.string().min(1),
  customer_id: z.string(),
  status: z.enum(["unpaid", "paid", "shipped", "delivered", "cancelled"]),
  placed_at: ScriptTime,
  shipped_at: ScriptTime.optional(),
  delivered_at: ScriptTime.optional(),
  /** The day it is expected, while it is on its way. */
  expected_on: z.string().optional(),
  carrier: z.string().optional(),
  tracking: z.string().optional(),
  address: z.string(),
  items: z.array(Item).min(1),
  total: Money,
  note: z.string().optional(),
})
export type Order = z.infer<typeof Order>

/** What was asked of the shop and is not an order's own state. */
export const Request = z.strictObject({
  request_id: z.string().min(1),
  kind: z.enum(["return", "exchange", "compensation", "refund"]),
  order_id: z.string(),
  sku_ids: z.array(z.string()).optional(),
  new_sku_id: z.string().optional(),
  amount: Money.optional(),
  reason: z.string(),
})
export type Request = z.infer<typeof Request>

export type DeskTables = {
  readonly products: ReadonlyMap<string, Product>
  readonly customers: ReadonlyMap<string, Customer>
  readonly orders: ReadonlyMap<string, Order>
  readonly requests: ReadonlyMap<string, Request>
}

/**
 * How rows count when states are compared: an agent's own wording of a reason does not, and an address is its letters and digits,
 * however it is punctuated.
 */
export const DESK_SHAPES: Shapes<DeskTables> = {
  requests: ({ reason: _, ...request }) => request,
  orders: ({ address, ...order }) => ({ ...order, address: address.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "") }),
}

/** What the shop's own rules leave to settings of the pack. */
export const DeskSettings = z.strictObject({
  /** Days after delivery in which goods can come back. */
  return_days: z.int().positive().default(7),
  /** What an agent may give without asking, per order. */
  compensation_limit: Money,
})
export type DeskSettings = z.infer<typeof DeskSettings>

/** Cents as a decimal text: `1290` → `12.90`. */
export function moneyOf(cents: number, currency: string): Money {
  const sign = cents < 0 ? "-" : ""
  const whole = Math.floor(Math.abs(cents) / 100)
  return { amount: `${sign}${whole}.${String(Math.abs(cents) % 100).padStart(2, "0")}`, currency }
}

/** The other way round: `12.9` → `1290`. */
export function centsOf({ amount }: Money): number {
  const [whole = "0", fraction = ""] = amount.replace("-", "").split(".")
  const cents = Number(whole) * 100 + Number(fraction.padEnd(2, "0"))
  return amount.startsWith("-") ? -cents : cents
}
