import { jsonListText, jsonObjectText, jsonStringText as string } from "../../lib/python-json.ts"
import { floatText } from "../../lib/python-number.ts"
import type { Address, Order, OrderItem, PaymentMethod, Product, User, Variant } from "./data.ts"

/**
 * Records as an agent of the original reads them: Python's `json.dumps` of its models. Members come in the order of the models, those
 * not set as `null`; prices, amounts and balances always have a point.
 */
export function orderText(order: Order): string {
  const { exchange_items, exchange_price_difference: difference } = order
  return jsonObjectText([
    ["order_id", string(order.order_id)],
    ["user_id", string(order.user_id)],
    ["address", addressText(order.address)],
    ["items", jsonListText(order.items.map(itemText))],
    ["status", string(order.status)],
    [
      "fulfillments",
      jsonListText(
        order.fulfillments.map(({ tracking_id, item_ids }) =>
          jsonObjectText([
            ["tracking_id", strings(tracking_id)],
            ["item_ids", strings(item_ids)],
          ]),
        ),
      ),
    ],
    [
      "payment_history",
      jsonListText(
        order.payment_history.map(({ transaction_type, amount, payment_method_id }) =>
          jsonObjectText([
            ["transaction_type", string(transaction_type)],
            ["amount", floatText(amount)],
            ["payment_method_id", string(payment_method_id)],
          ]),
        ),
      ),
    ],
    ["cancel_reason", optional(order.cancel_reason, string)],
    ["exchange_items", optional(exchange_items, strings)],
    ["exchange_new_items", optional(order.exchange_new_items, strings)],
    ["exchange_payment_method_id", optional(order.exchange_payment_method_id, string)],
    // The sum over no items is Python's whole number 0, the only difference ever shown without a point.
    ["exchange_price_difference", exchange_items?.length === 0 ? "0" : optional(difference, floatText)],
    ["return_items", optional(order.return_items, strings)],
    ["return_payment_method_id", optional(order.return_payment_method_id, string)],
  ])
}

export function userText(user: User): string {
  const { first_name, last_name } = user.name
  return jsonObjectText([
    ["user_id", string(user.user_id)],
    [
      "name",
      jsonObjectText([
        ["first_name", string(first_name)],
        ["last_name", string(last_name)],
      ]),
    ],
    ["address", addressText(user.address)],
    ["email", string(user.email)],
    ["payment_methods", jsonObjectText(user.payment_methods.map((method) => [method.id, methodText(method)]))],
    ["orders", strings(user.orders)],
  ])
}

export function productText({ name, product_id, variants }: Product): string {
  return jsonObjectText([
    ["name", string(name)],
    ["product_id", string(product_id)],
    ["variants", jsonObjectText(variants.map((variant) => [variant.item_id, variantText(variant)]))],
  ])
}

export function variantText({ item_id, options, available, price }: Variant): string {
  return jsonObjectText([
    ["item_id", string(item_id)],
    ["options", optionsText(options)],
    ["available", String(available)],
    ["price", floatText(price)],
  ])
}

function itemText({ name, product_id, item_id, price, options }: OrderItem): string {
  return jsonObjectText([
    ["name", string(name)],
    ["product_id", string(product_id)],
    ["item_id", string(item_id)],
    ["price", floatText(price)],
    ["options", optionsText(options)],
  ])
}

function optionsText(options: Readonly<Record<string, string>>): string {
  return jsonObjectText(Object.entries(options).map(([key, value]) => [key, string(value)]))
}

function addressText(address: Address): string {
  const keys = ["address1", "address2", "city", "country", "state", "zip"] as const
  return jsonObjectText(keys.map((key) => [key, string(address[key])]))
}

function methodText(method: PaymentMethod): string {
  const common: [string, string][] = [
    ["source", string(method.source)],
    ["id", string(method.id)],
  ]
  switch (method.source) {
    case "credit_card":
      return jsonObjectText([...common, ["brand", string(method.brand)], ["last_four", string(method.last_four)]])
    case "gift_card":
      return jsonObjectText([...common, ["balance", floatText(method.balance)]])
    case "paypal":
      return jsonObjectText(common)
    default:
      return method satisfies never
  }
}

function strings(texts: readonly string[]): string {
  return jsonListText(texts.map(string))
}

function optional<Value>(value: Value | undefined, text: (value: Value) => string): string {
  return value === undefined ? "null" : text(value)
}
