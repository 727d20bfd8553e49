import type { Json } from "../../core/json.ts"
import { roundToCents } from "../../lib/python-round.ts"
import { withRow } from "../worlds/tables/state.ts"
import { ToolRefusal } from "../worlds/tables/tool.ts"
import { keyOf } from "./arguments.ts"
import type { Order, PaymentMethod, Product, RetailTables, User, Variant } from "./data.ts"

/** Look-ups, by exact id; each refuses in the original's words. */
export function orderOf(state: RetailTables, id: Json): Order {
  return found(state.orders, id, "Order not found")
}

export function userOf(state: RetailTables, id: Json): User {
  return found(state.users, id, "User not found")
}

export function productOf(state: RetailTables, id: Json): Product {
  return found(state.products, id, "Product not found")
}

/** A variant of this product, not of any other. */
export function variantOf(product: Product, id: Json): Variant {
  const key = keyOf(id)
  const variant = key === undefined ? undefined : product.variants.find(({ item_id }) => item_id === key)
  if (variant === undefined) throw new ToolRefusal("Variant not found")
  return variant
}

/** A payment method on the profile of the order's user. */
export function methodOf(state: RetailTables, userId: string, id: Json): PaymentMethod {
  const user = userOf(state, userId)
  const key = keyOf(id)
  const method = key === undefined ? undefined : user.payment_methods.find((candidate) => candidate.id === key)
  if (method === undefined) throw new ToolRefusal("Payment method not found")
  return method
}

/** Whether a gift card cannot cover `amount`; other methods always can. */
export function isShort(method: PaymentMethod, amount: number): boolean {
  return method.source === "gift_card" && method.balance < amount
}

/** `state` after the method got `amount` (below zero: paid it). Only gift cards have a balance, which is kept in whole cents. */
export function credited(state: RetailTables, userId: string, methodId: string, amount: number): RetailTables {
  const method = methodOf(state, userId, methodId)
  if (method.source !== "gift_card") return state
  const user = userOf(state, userId)
  const changed = { ...method, balance: roundToCents(method.balance + amount) }
  const payment_methods = user.payment_methods.map((candidate) => (candidate === method ? changed : candidate))
  return withRow(state, "users", userId, { ...user, payment_methods })
}

function found<Row>(rows: ReadonlyMap<string, Row>, id: Json, otherwise: string): Row {
  const key = keyOf(id)
  const row = key === undefined ? undefined : rows.get(key)
  if (row === undefined) throw new ToolRefusal(otherwise)
  return row
}
