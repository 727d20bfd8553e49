import { z } from "zod"

/**
 * The database of τ²-bench retail as rows of tables. Numbers are doubles. Maps whose keys are ids are lists here, in the order of the
 * source, because objects move ids that look like array indices to the front; `database.ts` turns them into maps again.
 */
export const Address = z.object({
  address1: z.string(),
  address2: z.string(),
  city: z.string(),
  country: z.string(),
  state: z.string(),
  zip: z.string(),
})
export type Address = z.infer<typeof Address>

const Options = z.record(z.string(), z.string())

export const Variant = z.object({
  item_id: z.string(),
  options: Options,
  available: z.boolean(),
  price: z.number(),
})
export type Variant = z.infer<typeof Variant>

export const Product = z.object({ name: z.string(), product_id: z.string(), variants: z.array(Variant) })
export type Product = z.infer<typeof Product>

export const PaymentMethod = z.discriminatedUnion("source", [
  z.object({ source: z.literal("credit_card"), id: z.string(), brand: z.string(), last_four: z.string() }),
  z.object({ source: z.literal("paypal"), id: z.string() }),
  z.object({ source: z.literal("gift_card"), id: z.string(), balance: z.number() }),
])
export type PaymentMethod = z.infer<typeof PaymentMethod>

export const User = z.object({
  user_id: z.string(),
  name: z.object({ first_name: z.string(), last_name: z.string() }),
  address: Address,
  email: z.string(),
  payment_methods: z.array(PaymentMethod),
  orders: z.array(z.string()),
})
export type User = z.infer<typeof User>

const OrderItem = z.object({
  name: z.string(),
  product_id: z.string(),
  item_id: z.string(),
  price: z.number(),
  options: Options,
})
export type OrderItem = z.infer<typeof OrderItem>

const Payment = z.object({
  transaction_type: z.enum(["payment", "refund"]),
  amount: z.number(),
  payment_method_id: z.string(),
})
export type Payment = z.infer<typeof Payment>

const OrderStatus = z.enum([
  "processed",
  "pending",
  "pending (item modified)",
  "delivered",
  "cancelled",
  "exchange requested",
  "return requested",
])

export const CANCEL_REASONS = ["no longer needed", "ordered by mistake"] as const

/** The members at the end are there only once they are set. */
export const Order = z.object({
  order_id: z.string(),
  user_id: z.string(),
  address: Address,
  items: z.array(OrderItem),
  status: OrderStatus,
  fulfillments: z.array(z.object({ tracking_id: z.array(z.string()), item_ids: z.array(z.string()) })),
  payment_history: z.array(Payment),
  cancel_reason: z.enum(CANCEL_REASONS).exactOptional(),
  exchange_items: z.array(z.string()).exactOptional(),
  exchange_new_items: z.array(z.string()).exactOptional(),
  exchange_payment_method_id: z.string().exactOptional(),
  exchange_price_difference: z.number().exactOptional(),
  return_items: z.array(z.string()).exactOptional(),
  return_payment_method_id: z.string().exactOptional(),
})
export type Order = z.infer<typeof Order>

/** Rows by id, in the order of the source. */
export type RetailTables = {
  readonly orders: ReadonlyMap<string, Order>
  readonly products: ReadonlyMap<string, Product>
  readonly users: ReadonlyMap<string, User>
}
