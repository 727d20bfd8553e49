import { z } from "zod"
import { sha256Hex } from "../../core/fingerprint.ts"
import type { Json } from "../../core/json.ts"
import type { ScriptTime } from "../../core/time.ts"
import { withRow } from "../worlds/tables/state.ts"
import { type TableTool, type ToolOutcome, ToolRefusal, tableTool } from "../worlds/tables/tool.ts"
import {
  centsOf,
  type DeskSettings,
  type DeskTables,
  moneyOf,
  type Order,
  type Product,
  type Request,
} from "./tables.ts"

/** Version of what the tools do and say. */
export const DESK_VERSION = "souk-service-desk-1"

const MOST_HITS = 5
const DAY_MS = 86_400_000
const id = (meaning: string) => z.string().min(1).describe(meaning)

/** Made once: every case has tools of its own, and a schema takes longer to write than a case to play. */
const PARAMETERS = {
  search_products: z.object({ query: id("words to look for") }),
  get_product: z.object({ product_id: id("as search_products gave it") }),
  get_customer: z.object({ customer_id: id("as the channel names it") }),
  list_orders: z.object({ customer_id: id("as the channel names it") }),
  get_order: z.object({ order_id: id("such as the customer names it") }),
  cancel_order: z.object({ order_id: id("the order"), reason: id("in the customer's words") }),
  change_address: z.object({ order_id: id("the order"), address: id("the whole new address with name and phone") }),
  change_item: z.object({ order_id: id("the order"), sku_id: id("in the order"), new_sku_id: id("wanted instead") }),
  request_return: z.object({
    order_id: id("the order"),
    sku_ids: z.array(z.string().min(1)).min(1).describe("what comes back"),
    reason: id("in the customer's words"),
  }),
  request_exchange: z.object({
    order_id: id("the order"),
    sku_id: id("in the order"),
    new_sku_id: id("wanted instead"),
    reason: id("in the customer's words"),
  }),
  give_compensation: z.object({
    order_id: id("the order"),
    amount: z
      .string()
      .regex(/^\d+(\.\d{1,2})?$/)
      .describe("decimal, in the store's currency"),
    reason: id("what went wrong"),
  }),
  open_ticket: z.object({
    order_id: z.string().min(1).optional().describe("where it is about one"),
    summary: id("what the colleague has to know"),
  }),
}

/**
 * The tools of a store's service desk. They enforce what the shop's system enforces (an order that has left cannot be cancelled) and
 * nothing of what only the policy asks for: whose order it is, and whether the customer agreed, is the agent's to see to.
 */
export function deskTools(settings: DeskSettings, now: () => ScriptTime): TableTool<DeskTables>[] {
  return [
    deskTool({
      name: "search_products",
      kind: "read",
      description: "Finds products of this store by words of their title or category.",
      parameters: PARAMETERS.search_products,
      run: (state, { query }) => {
        const words = wordsOf(query)
        const found = [...state.products.values()]
          .map((product) => ({ product, score: matches(product, words) }))
          .filter(({ score }) => score > 0)
          .sort((a, b) => b.score - a.score || (a.product.product_id < b.product.product_id ? -1 : 1))
          .slice(0, MOST_HITS)
        return answer(state, { products: found.map(({ product }) => brief(product)) })
      },
    }),
    deskTool({
      name: "get_product",
      kind: "read",
      description: "One product with its details, and price and stock of each variant (sku).",
      parameters: PARAMETERS.get_product,
      run: (state, { product_id }) => answer(state, productOf(state, product_id) as unknown as Json),
    }),
    deskTool({
      name: "get_customer",
      kind: "read",
      description: "A customer's details.",
      parameters: PARAMETERS.get_customer,
      run: (state, { customer_id }) => {
        const customer = state.customers.get(customer_id)
        if (customer === undefined) throw new ToolRefusal(`There is no customer ${customer_id}`)
        return answer(state, { ...customer })
      },
    }),
    deskTool({
      name: "list_orders",
      kind: "read",
      description: "A customer's orders, newest first.",
      parameters: PARAMETERS.list_orders,
      run: (state, { customer_id }) => {
        const orders = [...state.orders.values()]
          .filter((order) => order.customer_id === customer_id)
          .sort((a, b) => (a.placed_at < b.placed_at ? 1 : -1))
        const rows = orders.map(({ order_id, status, placed_at, total, items }) => ({
          order_id,
          status,
          placed_at,
          total,
          titles: items.map(({ title }) => title),
        }))
        return answer(state, { orders: rows })
      },
    }),
    deskTool({
      name: "get_order",
      kind: "read",
      description: "One order: whose it is, what is in it, where it is.",
      parameters: PARAMETERS.get_order,
      run: (state, { order_id }) => answer(state, orderOf(state, order_id) as unknown as Json),
    }),
    deskTool({
      name: "cancel_order",
      kind: "write",
      description: "Cancels an order that has not been shipped, and refunds what was paid.",
      parameters: PARAMETERS.cancel_order,
      run: (state, { order_id, reason }) => {
        const order = orderOf(state, order_id)
        if (order.status !== "paid" && order.status !== "unpaid") {
          throw new ToolRefusal(
            `Order ${order.order_id} is ${order.status}: only an order that has not been shipped can be cancelled`,
          )
        }
        const cancelled = withRow(state, "orders", order.order_id, { ...order, status: "cancelled" as const })
        if (order.status === "unpaid") return answer(cancelled, { order_id: order.order_id, status: "cancelled" })
        return requested(
          cancelled,
          { kind: "refund", order_id: order.order_id, amount: order.total, reason: reason },
          { order_id: order.order_id, status: "cancelled" },
        )
      },
    }),
    deskTool({
      name: "change_address",
      kind: "write",
      description: "Changes where an order goes, before it is shipped.",
      parameters: PARAMETERS.change_address,
      run: (state, { order_id, address }) => {
        const order = orderOf(state, order_id)
        if (order.status !== "paid" && order.status !== "unpaid") {
          throw new ToolRefusal(`Order ${order.order_id} is ${order.status}: its address cannot be changed any more`)
        }
        const changed = { ...order, address: address }
        return answer(withRow(state, "orders", order.order_id, changed), changed as unknown as Json)
      },
    }),
    deskTool({
      name: "change_item",
      kind: "write",
      description: "Swaps a variant of an order that has not been shipped for another variant of the same product.",
      parameters: PARAMETERS.change_item,
      run: (state, { order_id, sku_id, new_sku_id }) => {
        const order = orderOf(state, order_id)
        if (order.status !== "paid" && order.status !== "unpaid") {
          throw new ToolRefusal(`Order ${order.order_id} is ${order.status}: it cannot be changed any more`)
        }
        const { item, sku } = swap(state, order, sku_id, new_sku_id)
        const items = order.items.map((kept) =>
          kept === item ? { ...item, sku_id: sku.sku_id, options: sku.options, price: sku.price } : kept,
        )
        const changed = { ...order, items, total: totalOf(items, order.total.currency) }
        return answer(withRow(state, "orders", order.order_id, changed), changed as unknown as Json)
      },
    }),
    deskTool({
      name: "request_return",
      kind: "write",
      description: `Opens a return for goods of a delivered order, within ${settings.return_days} days of delivery. The refund follows when they arrive.`,
      parameters: PARAMETERS.request_return,
      run: (state, { order_id, sku_ids, reason }) => {
        const order = returnable(state, order_id, settings, now())
        const cents = sku_ids.map((sku_id) => {
          const item = order.items.find((bought) => bought.sku_id === sku_id)
          if (item === undefined) throw new ToolRefusal(`Order ${order.order_id} has no ${sku_id}`)
          return centsOf(item.price) * item.quantity
        })
        const amount = moneyOf(
          cents.reduce((sum, part) => sum + part, 0),
          order.total.currency,
        )
        return requested(state, {
          kind: "return",
          order_id: order.order_id,
          sku_ids,
          amount,
          reason: reason,
        })
      },
    }),
    deskTool({
      name: "request_exchange",
      kind: "write",
      description: `Opens an exchange of one variant of a delivered order for another of the same product, within ${settings.return_days} days of delivery.`,
      parameters: PARAMETERS.request_exchange,
      run: (state, { order_id, sku_id, new_sku_id, reason }) => {
        const order = returnable(state, order_id, settings, now())
        const { item, sku } = swap(state, order, sku_id, new_sku_id)
        return requested(state, {
          kind: "exchange",
          order_id: order.order_id,
          sku_ids: [item.sku_id],
          new_sku_id: sku.sku_id,
          amount: moneyOf(centsOf(sku.price) - centsOf(item.price), order.total.currency),
          reason: reason,
        })
      },
    }),
    deskTool({
      name: "give_compensation",
      kind: "write",
      description: "Credits an order's customer with an amount for trouble that they had.",
      parameters: PARAMETERS.give_compensation,
      run: (state, { order_id, amount, reason }) => {
        const order = orderOf(state, order_id)
        const given = moneyOf(centsOf({ amount: amount, currency: "" }), order.total.currency)
        return requested(state, {
          kind: "compensation",
          order_id: order.order_id,
          amount: given,
          reason: reason,
        })
      },
    }),
    deskTool({
      name: "open_ticket",
      kind: "generic", // it is a call that judges look at, and no state of the store
      description: "Leaves a case to a human colleague, who answers later.",
      parameters: PARAMETERS.open_ticket,
      run: (state, { order_id, summary }) => {
        const order = order_id === undefined ? {} : { order_id: orderOf(state, order_id).order_id }
        return answer(state, { ticket_id: `T${sha256Hex(summary).slice(0, 6).toUpperCase()}`, ...order, summary })
      },
    }),
  ]
}

function deskTool<Shape extends z.ZodRawShape>(tool: Parameters<typeof tableTool<DeskTables, Shape>>[0]) {
  return tableTool<DeskTables, Shape>(tool)
}

function answer(state: DeskTables, data: Json): ToolOutcome<DeskTables> {
  return { state, content: JSON.stringify(data), data }
}

function requested(
  state: DeskTables,
  request: Omit<Request, "request_id">,
  more: { readonly [key: string]: Json } = {},
): ToolOutcome<DeskTables> {
  const kept: Request = { request_id: `R${String(state.requests.size + 1).padStart(4, "0")}`, ...request }
  return answer(withRow(state, "requests", kept.request_id, kept), {
    ...more,
    ...(kept as unknown as { [key: string]: Json }),
  })
}

function orderOf(state: DeskTables, orderId: string): Order {
  const order = state.orders.get(orderId)
  if (order === undefined) throw new ToolRefusal(`There is no order ${orderId}`)
  return order
}

function productOf(state: DeskTables, productId: string): Product {
  const product = state.products.get(productId)
  if (product === undefined) throw new ToolRefusal(`There is no product ${productId}`)
  return product
}

function returnable(state: DeskTables, orderId: string, { return_days }: DeskSettings, now: ScriptTime): Order {
  const order = orderOf(state, orderId)
  if (order.status !== "delivered" || order.delivered_at === undefined) {
    throw new ToolRefusal(`Order ${orderId} is ${order.status}: only delivered goods can come back`)
  }
  if (Date.parse(now) > Date.parse(order.delivered_at) + return_days * DAY_MS) {
    throw new ToolRefusal(`Order ${orderId} was delivered more than ${return_days} days ago`)
  }
  const open = [...state.requests.values()].some(
    ({ kind, order_id }) => order_id === orderId && (kind === "return" || kind === "exchange"),
  )
  if (open) throw new ToolRefusal(`Order ${orderId} has a return or exchange under way already`)
  return order
}

/** The item of an order and the variant of the same product that is to take its place. */
function swap(state: DeskTables, order: Order, skuId: string, newSkuId: string) {
  const item = order.items.find((bought) => bought.sku_id === skuId)
  if (item === undefined) throw new ToolRefusal(`Order ${order.order_id} has no ${skuId}`)
  const sku = productOf(state, item.product_id).skus.find((variant) => variant.sku_id === newSkuId)
  if (sku === undefined) throw new ToolRefusal(`${newSkuId} is no variant of ${item.product_id}`)
  if (newSkuId === skuId) throw new ToolRefusal(`${newSkuId} is what the order has already`)
  if (sku.stock < item.quantity) throw new ToolRefusal(`${newSkuId} is sold out`)
  return { item, sku }
}

function totalOf(items: Order["items"], currency: string) {
  return moneyOf(
    items.reduce((sum, { price, quantity }) => sum + centsOf(price) * quantity, 0),
    currency,
  )
}

function brief({ product_id, title, category, skus }: Product) {
  const cents = skus.map(({ price }) => centsOf(price)).sort((a, b) => a - b)
  const { currency } = skus[0]!.price
  return {
    product_id,
    title,
    category,
    price_from: moneyOf(cents[0]!, currency),
    price_to: moneyOf(cents.at(-1)!, currency),
    in_stock: skus.some(({ stock }) => stock > 0),
  }
}

/** Words of Latin text; of Chinese text, pairs of neighbouring characters. */
function wordsOf(text: string): string[] {
  const lower = text.normalize("NFKC").toLowerCase()
  const latin = lower.match(/[a-z0-9]+/g) ?? []
  const han = (lower.match(/\p{Script=Han}+/gu) ?? []).flatMap((run) => {
    const letters = [...run]
    return letters.length === 1 ? letters : letters.slice(1).map((letter, index) => letters[index]! + letter)
  })
  return [...new Set([...latin, ...han])]
}

function matches({ title, category }: Product, words: readonly string[]): number {
  const known = new Set(wordsOf(`${title} ${category}`))
  return words.filter((word) => known.has(word) || known.has(word.replace(/s$/, "")) || known.has(`${word}s`)).length
}
