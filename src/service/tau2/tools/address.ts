import type { Json } from "../../../core/json.ts"
import { withRow } from "../../worlds/tables/state.ts"
import { ToolRefusal } from "../../worlds/tables/tool.ts"
import { typeName } from "../arguments.ts"
import type { Address } from "../data.ts"
import { orderOf, userOf } from "../records.ts"
import { orderText, userText } from "../texts.ts"
import { addressParameters, orderId, type RetailArguments, type RetailTool, retailTool, userId } from "./schema.ts"

const orderAddress = retailTool({
  name: "modify_pending_order_address",
  kind: "write",
  description:
    "Changes where a pending order is shipped to. Say what will change and have it confirmed (yes) before the call.",
  parameters: { order_id: orderId, ...addressParameters },
  run(state, { order_id, ...parts }) {
    const order = orderOf(state, order_id)
    if (!order.status.includes("pending")) throw new ToolRefusal("Non-pending order cannot be modified")
    const changed = { ...order, address: addressOf(parts) }
    return { state: withRow(state, "orders", order.order_id, changed), content: orderText(changed) }
  },
})

const userAddress = retailTool({
  name: "modify_user_address",
  kind: "write",
  description:
    "Changes a customer's default address; orders keep theirs. Say what will change and have it confirmed (yes) before the call.",
  parameters: { user_id: userId, ...addressParameters },
  run(state, { user_id, ...parts }) {
    const user = userOf(state, user_id)
    const changed = { ...user, address: addressOf(parts) }
    return { state: withRow(state, "users", user.user_id, changed), content: userText(changed) }
  },
})

/** The only place where types are checked: the original builds a model of its address, which takes texts alone. */
function addressOf(parts: RetailArguments<keyof Address>): Address {
  const { address1, address2, city, country, state, zip } = parts
  const wrong = Object.entries({ address1, address2, city, country, state, zip }).filter(([, part]) => !isText(part))
  if (wrong.length > 0) {
    const faults = wrong.map(
      ([name, part]) => `${name}\n  Input should be a valid string [input_type=${typeName(part)}]`,
    )
    throw new ToolRefusal(
      `${wrong.length} validation error${wrong.length === 1 ? "" : "s"} for UserAddress\n${faults.join("\n")}`,
    )
  }
  return { address1, address2, city, country, state, zip } as Address // all texts, as was seen above
}

/** Texts with half a surrogate pair are none to the original. */
function isText(value: Json): boolean {
  return typeof value === "string" && !/\p{Surrogate}/u.test(value)
}

export const addressTools: readonly RetailTool[] = [orderAddress, userAddress]
