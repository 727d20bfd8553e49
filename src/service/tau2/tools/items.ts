import { isDeepStrictEqual } from "node:util"
import type { Json } from "../../../core/json.ts"
import { formattedText } from "../../../lib/python-json.ts"
import { roundToCents } from "../../../lib/python-round.ts"
import { compareCodePoints } from "../../../lib/python-text.ts"
import { withRow } from "../../worlds/tables/state.ts"
import { ToolRefusal } from "../../worlds/tables/tool.ts"
import { iterated, typeName } from "../arguments.ts"
import type { Order, Payment, RetailTables } from "../data.ts"
import { credited, isShort, methodOf, orderOf, productOf, variantOf } from "../records.ts"
import type { ItemChange, RetailRules } from "../rules.ts"
import { orderText } from "../texts.ts"
import { methodId, orderId, type Parameter, type RetailTool, retailTool } from "./schema.ts"

const itemIds: Parameter = { type: "texts", description: "Ids of items in the order; one id for each piece" }
const newItemIds: Parameter = {
  type: "texts",
  description: "Ids of the items to have instead, place by place: another variant of the same product each",
}

export function modifyItemsTool(rules: RetailRules): RetailTool {
  return retailTool({
    name: "modify_pending_order_items",
    kind: "write",
    description:
      "Changes items of a pending order to other variants of the same products. It can be done once, and nothing else can be changed afterwards: collect all changes, say what they are and have them confirmed (yes) before the call.",
    parameters: { order_id: orderId, item_ids: itemIds, new_item_ids: newItemIds, payment_method_id: methodId },
    run(state, { order_id, item_ids, new_item_ids, payment_method_id }) {
      const order = orderOf(state, order_id)
      if (order.status !== "pending") throw new ToolRefusal("Non-pending order cannot be modified")
      const changes = changesOf(state, order, item_ids, new_item_ids, {
        missing: (id) => `${id} not found`,
        lengths: "The number of items to be exchanged should match",
        sameItem: "The new item id should be different from the old item id",
      })
      const difference = rules.difference(order.items, changes)
      const method = methodOf(state, order.user_id, payment_method_id)
      if (isShort(method, difference)) {
        throw new ToolRefusal("Insufficient gift card balance to pay for the new item")
      }
      const row: Payment = {
        transaction_type: difference > 0 ? "payment" : "refund",
        amount: Math.abs(difference),
        payment_method_id: method.id,
      }
      const changed: Order = {
        ...order,
        items: rules.changed(order.items, changes),
        status: "pending (item modified)",
        payment_history: [...order.payment_history, row],
      }
      const settled = credited(state, order.user_id, method.id, -difference)
      return { state: withRow(settled, "orders", order.order_id, changed), content: orderText(changed) }
    },
  })
}

export function exchangeTool(rules: RetailRules): RetailTool {
  return retailTool({
    name: "exchange_delivered_order_items",
    kind: "write",
    description:
      "Requests the exchange of items of a delivered order for other variants of the same products. An order can be returned from or exchanged once: collect all items, say what will happen and have it confirmed (yes) before the call.",
    parameters: { order_id: orderId, item_ids: itemIds, new_item_ids: newItemIds, payment_method_id: methodId },
    run(state, { order_id, item_ids, new_item_ids, payment_method_id }) {
      const order = orderOf(state, order_id)
      if (order.status !== "delivered") throw new ToolRefusal("Non-delivered order cannot be exchanged")
      const changes = changesOf(state, order, item_ids, new_item_ids, {
        missing: (id) => `Number of ${id} not found.`,
        lengths: "The number of items to be exchanged should match.",
      })
      const difference = roundToCents(rules.difference(order.items, changes))
      const method = methodOf(state, order.user_id, payment_method_id)
      if (isShort(method, difference)) {
        throw new ToolRefusal("Insufficient gift card balance to pay for the price difference")
      }
      const { items, newItems } = rules.exchangeLists(changes)
      const changed: Order = {
        ...order,
        status: "exchange requested",
        exchange_items: items,
        exchange_new_items: newItems,
        exchange_payment_method_id: method.id,
        exchange_price_difference: difference,
      }
      return { state: withRow(state, "orders", order.order_id, changed), content: orderText(changed) }
    },
  })
}

export const returnTool = retailTool({
  name: "return_delivered_order_items",
  kind: "write",
  description:
    "Requests the return of items of a delivered order; how to send them comes by e-mail. An order can be returned from or exchanged once: say what will happen and have it confirmed (yes) before the call.",
  parameters: {
    order_id: orderId,
    item_ids: itemIds,
    payment_method_id: {
      type: "text",
      description: "Where the refund goes: the original payment method or a gift card",
    },
  },
  run(state, { order_id, item_ids, payment_method_id }) {
    const order = orderOf(state, order_id)
    if (order.status !== "delivered") throw new ToolRefusal("Non-delivered order cannot be returned")
    const method = methodOf(state, order.user_id, payment_method_id)
    if (method.source !== "gift_card") {
      const [paid] = order.payment_history
      if (paid === undefined) throw new ToolRefusal("list index out of range")
      if (paid.payment_method_id !== method.id) {
        throw new ToolRefusal("Payment method should be the original payment method")
      }
    }
    const ids = requested(order, item_ids, () => "Some item not found")
    const changed: Order = {
      ...order,
      status: "return requested",
      return_items: ids.sort(compareCodePoints),
      return_payment_method_id: method.id,
    }
    return { state: withRow(state, "orders", order.order_id, changed), content: orderText(changed) }
  },
})

/** What a tool says where the checks it shares with another fail. */
interface ChangeTexts {
  readonly missing: (id: string) => string
  readonly lengths: string
  /** Left out: the same item again is accepted. */
  readonly sameItem?: string
}

/** The changes that two lists ask for, checked in the original's order: old items, lengths, then pair by pair. */
function changesOf(
  state: RetailTables,
  order: Order,
  itemIds: Json,
  newItemIds: Json,
  texts: ChangeTexts,
): ItemChange[] {
  const old = requested(order, itemIds, texts.missing)
  if (typeof newItemIds !== "object" && typeof newItemIds !== "string") {
    throw new ToolRefusal(`object of type '${typeName(newItemIds)}' has no len()`)
  }
  const fresh = newItemIds === null ? null : iterated(newItemIds)
  if (fresh === null) throw new ToolRefusal("object of type 'NoneType' has no len()")
  if (old.length !== fresh.length) throw new ToolRefusal(texts.lengths)
  return old.map((oldId, index) => {
    const newId = fresh[index] ?? null
    if (texts.sameItem !== undefined && newId === oldId) throw new ToolRefusal(texts.sameItem)
    const item = order.items.find(({ item_id }) => item_id === oldId)!
    const variant = variantOf(productOf(state, item.product_id), newId)
    if (!variant.available) throw new ToolRefusal(`New item ${variant.item_id} not found or available`)
    return { oldId, variant }
  })
}

/** The ids in `itemIds`, none of them more often than the order has it. */
function requested(order: Order, itemIds: Json, missing: (id: string) => string): string[] {
  const asked = iterated(itemIds)
  if (!Array.isArray(itemIds) && typeof itemIds !== "string" && asked.length > 0) {
    throw new ToolRefusal("'dict' object has no attribute 'count'")
  }
  return asked.map((id) => {
    const wanted = asked.filter((other) => isDeepStrictEqual(other, id)).length
    if (wanted > order.items.filter(({ item_id }) => item_id === id).length) {
      throw new ToolRefusal(missing(formattedText(id)))
    }
    return id as string // it equals the id of an item
  })
}
