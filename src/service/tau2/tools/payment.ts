import { withRow } from "../../worlds/tables/state.ts"
import { ToolRefusal } from "../../worlds/tables/tool.ts"
import { keyOf } from "../arguments.ts"
import { CANCEL_REASONS, type Payment } from "../data.ts"
import { credited, isShort, methodOf, orderOf } from "../records.ts"
import type { RetailRules } from "../rules.ts"
import { orderText } from "../texts.ts"
import { methodId, orderId, type RetailTool, retailTool } from "./schema.ts"

export function cancelTool(rules: RetailRules): RetailTool {
  return retailTool({
    name: "cancel_pending_order",
    kind: "write",
    description:
      "Cancels a pending order and refunds it: gift cards at once, other methods in 5 to 7 business days. Say what will happen and have it confirmed (yes) before the call.",
    parameters: {
      order_id: orderId,
      reason: { type: "text", description: "Why: no longer needed, or ordered by mistake; no other reason counts" },
    },
    run(state, { order_id, reason }) {
      const order = orderOf(state, order_id)
      if (order.status !== "pending") throw new ToolRefusal("Non-pending order cannot be cancelled")
      const given = keyOf(reason)
      const cancel_reason = CANCEL_REASONS.find((known) => known === given)
      if (cancel_reason === undefined) throw new ToolRefusal("Invalid reason")
      const refunds = rules.refunds(order.payment_history)
      let next = state
      for (const { amount, payment_method_id } of refunds) {
        next = credited(next, order.user_id, payment_method_id, amount)
      }
      const payment_history = [...order.payment_history, ...refunds]
      const cancelled = { ...order, status: "cancelled" as const, payment_history, cancel_reason }
      return { state: withRow(next, "orders", order.order_id, cancelled), content: orderText(cancelled) }
    },
  })
}

export const paymentTool = retailTool({
  name: "modify_pending_order_payment",
  kind: "write",
  description:
    "Pays a pending order by another method and refunds the old one. Say what will change and have it confirmed (yes) before the call.",
  parameters: { order_id: orderId, payment_method_id: methodId },
  run(state, { order_id, payment_method_id }) {
    const order = orderOf(state, order_id)
    if (!order.status.includes("pending")) throw new ToolRefusal("Non-pending order cannot be modified")
    const method = methodOf(state, order.user_id, payment_method_id)
    const [paid, ...more] = order.payment_history
    if (paid === undefined || more.length > 0 || paid.transaction_type !== "payment") {
      throw new ToolRefusal("There should be exactly one payment for a pending order")
    }
    if (paid.payment_method_id === method.id) {
      throw new ToolRefusal("The new payment method should be different from the current one")
    }
    if (isShort(method, paid.amount)) throw new ToolRefusal("Insufficient gift card balance to pay for the order")
    const payment: Payment = { transaction_type: "payment", amount: paid.amount, payment_method_id: method.id }
    const refund: Payment = { ...paid, transaction_type: "refund" }
    const debited = credited(state, order.user_id, method.id, -paid.amount)
    const settled = credited(debited, order.user_id, paid.payment_method_id, paid.amount)
    const changed = { ...order, payment_history: [paid, payment, refund] }
    return { state: withRow(settled, "orders", order.order_id, changed), content: orderText(changed) }
  },
})
