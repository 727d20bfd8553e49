import { jsonObjectText, jsonStringText } from "../../../lib/python-json.ts"
import { compareCodePoints } from "../../../lib/python-text.ts"
import { ToolRefusal } from "../../worlds/tables/tool.ts"
import { keyOf, lowered } from "../arguments.ts"
import { orderOf, productOf, userOf } from "../records.ts"
import { orderText, productText, userText, variantText } from "../texts.ts"
import { orderId, type RetailTool, retailTool, userId } from "./schema.ts"

const findByEmail = retailTool({
  name: "find_user_id_by_email",
  kind: "read",
  description: "Finds the id of the customer who has this e-mail address. Capital letters make no difference.",
  parameters: { email: { type: "text", description: "E-mail address of the customer" } },
  run(state, { email }) {
    for (const [id, user] of state.users) {
      if (user.email.toLowerCase() === lowered(email)) return { state, content: id }
    }
    throw new ToolRefusal("User not found")
  },
})

const findByNameAndZip = retailTool({
  name: "find_user_id_by_name_zip",
  kind: "read",
  description:
    "Finds the id of the customer of this name and zip code. Try the e-mail address first; this is for those who are not found by it or do not know it.",
  parameters: {
    first_name: { type: "text", description: "First name" },
    last_name: { type: "text", description: "Last name" },
    zip: { type: "text", description: "Zip code, such as 10001" },
  },
  run(state, { first_name, last_name, zip }) {
    for (const [id, { name, address }] of state.users) {
      if (name.first_name.toLowerCase() !== lowered(first_name)) continue
      if (name.last_name.toLowerCase() !== lowered(last_name)) continue
      if (address.zip === zip) return { state, content: id }
    }
    throw new ToolRefusal("User not found")
  },
})

const userDetails = retailTool({
  name: "get_user_details",
  kind: "read",
  description: "Shows a customer's profile: name, address, payment methods, ids of orders.",
  parameters: { user_id: userId },
  run: (state, { user_id }) => ({ state, content: userText(userOf(state, user_id)) }),
})

const orderDetails = retailTool({
  name: "get_order_details",
  kind: "read",
  description: "Shows an order: status, items, address, shipments, payments.",
  parameters: { order_id: orderId },
  run: (state, { order_id }) => ({ state, content: orderText(orderOf(state, order_id)) }),
})

const productDetails = retailTool({
  name: "get_product_details",
  kind: "read",
  description: "Shows a product with all its variants: options, price, whether there is stock.",
  parameters: { product_id: { type: "text", description: "Id of the product; not the id of one of its items" } },
  run: (state, { product_id }) => ({ state, content: productText(productOf(state, product_id)) }),
})

const itemDetails = retailTool({
  name: "get_item_details",
  kind: "read",
  description: "Shows one item, that is one variant of a product: options, price, whether there is stock.",
  parameters: { item_id: { type: "text", description: "Id of the item; not the id of its product" } },
  run(state, { item_id }) {
    const key = keyOf(item_id)
    for (const { variants } of state.products.values()) {
      const variant = variants.find((candidate) => candidate.item_id === key)
      if (variant !== undefined) return { state, content: variantText(variant) }
    }
    throw new ToolRefusal("Item not found")
  },
})

const productTypes = retailTool({
  name: "list_all_product_types",
  kind: "read",
  description: "Lists all products of the store: name and id.",
  parameters: {},
  run(state) {
    const ids = new Map([...state.products.values()].map(({ name, product_id }) => [name, product_id]))
    const members = [...ids].sort(([a], [b]) => compareCodePoints(a, b))
    return { state, content: jsonObjectText(members.map(([name, id]) => [name, jsonStringText(id)])) }
  },
})

export const readTools: readonly RetailTool[] = [
  findByEmail,
  findByNameAndZip,
  userDetails,
  orderDetails,
  productDetails,
  itemDetails,
  productTypes,
]
