import fc from "fast-check"
import type { JsonObject } from "../core/json.ts"
import type { RetailTables } from "../service/tau2/data.ts"

export interface RetailCall {
  readonly tool: string
  readonly args: JsonObject
}

/** Calls of writing tools on orders of `tables`: most of them possible, some wrong in the ways that agents are wrong. */
export function retailWrites(tables: RetailTables): fc.Arbitrary<RetailCall> {
  const products = tables.products
  return fc.constantFrom(...tables.orders.values()).chain((order) => {
    const methods = tables.users.get(order.user_id)!.payment_methods.map(({ id }) => id)
    const order_id = order.order_id
    const payment_method_id = fc.constantFrom(...methods, ...methods, "credit_card_0")
    const changes = fc.shuffledSubarray(order.items).chain((items) =>
      fc.record({
        item_ids: fc.constant(items.map(({ item_id }) => item_id)),
        new_item_ids: fc.tuple(
          ...items.map(({ product_id }) =>
            fc.constantFrom(...products.get(product_id)!.variants.map(({ item_id }) => item_id)),
          ),
        ),
      }),
    )
    const withChanges = (tool: string) =>
      fc
        .tuple(changes, payment_method_id)
        .map(([lists, method]) => ({ tool, args: { order_id, ...lists, payment_method_id: method } }))
    return fc.oneof(
      { weight: 4, arbitrary: withChanges("modify_pending_order_items") },
      { weight: 2, arbitrary: withChanges("exchange_delivered_order_items") },
      {
        weight: 3,
        arbitrary: payment_method_id.map((method) => ({
          tool: "modify_pending_order_payment",
          args: { order_id, payment_method_id: method },
        })),
      },
      {
        weight: 2,
        arbitrary: fc
          .constantFrom("no longer needed", "ordered by mistake", "bored")
          .map((reason) => ({ tool: "cancel_pending_order", args: { order_id, reason } })),
      },
      {
        weight: 1,
        arbitrary: fc.tuple(changes, payment_method_id).map(([{ item_ids }, method]) => ({
          tool: "return_delivered_order_items",
          args: { order_id, item_ids, payment_method_id: method },
        })),
      },
    )
  })
}
