import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { fingerprint } from "../../core/fingerprint.ts"
import type { JsonObject } from "../../core/json.ts"
import { retailWrites } from "../../testing/retail-calls.ts"
import { TINY_RETAIL } from "../../testing/tiny-retail.ts"
import { databaseOf, parseDatabase } from "./database.ts"
import { brokenInvariants } from "./invariants.ts"
import { retailWorld, tau2Retail } from "./retail.ts"

const tables = parseDatabase(TINY_RETAIL, "the tiny store")
const [strict, fixed] = [retailWorld(tables, "strict"), retailWorld(tables, "fixed")]
const open = (mode: "strict" | "fixed" = "strict") => (mode === "strict" ? strict : fixed).fork()

type Order = { items: { item_id: string; price: number }[]; payment_history: JsonObject[]; status: string }
const order = (world: ReturnType<typeof open>, id: string) =>
  world.state.orders.get(id) as unknown as Order & JsonObject
const balance = (world: ReturnType<typeof open>, user: string) => {
  const method = world.state.users.get(user)!.payment_methods.find(({ source }) => source === "gift_card")
  return method?.source === "gift_card" ? method.balance : Number.NaN
}

describe("what the agent reads", () => {
  it("is Python's JSON: ASCII, the models' order of members, nulls, a point in every float", () => {
    expect(open().call("get_order_details", { order_id: "#W5" }).content).toBe(
      '{"order_id": "#W5", "user_id": "bo_kim_2", "address": {"address1": "2 Oak Street", "address2": "Suite 2", "city": "Austin", "country": "USA", "state": "TX", "zip": "73301"}, "items": [{"name": "Lamp", "product_id": "1000000002", "item_id": "1000000021", "price": 80.05, "options": {"light": "warm"}}], "status": "processed", "fulfillments": [], "payment_history": [{"transaction_type": "payment", "amount": 80.05, "payment_method_id": "paypal_2"}], "cancel_reason": null, "exchange_items": null, "exchange_new_items": null, "exchange_payment_method_id": null, "exchange_price_difference": null, "return_items": null, "return_payment_method_id": null}',
    )
    expect(open().call("get_user_details", { user_id: "ann_lee_1" }).content).toBe(
      '{"user_id": "ann_lee_1", "name": {"first_name": "Ann", "last_name": "Lee"}, "address": {"address1": "1 Elm Street", "address2": "", "city": "Z\\u00fcrich", "country": "USA", "state": "NY", "zip": "10001"}, "email": "ann.lee@example.com", "payment_methods": {"gift_card_1": {"source": "gift_card", "id": "gift_card_1", "balance": 100.0}, "paypal_1": {"source": "paypal", "id": "paypal_1"}, "credit_card_1": {"source": "credit_card", "id": "credit_card_1", "brand": "visa", "last_four": "0001"}}, "orders": ["#W1", "#W2", "#W3"]}',
    )
  })

  it("lists variants in the order of the file, whatever their ids look like", () => {
    const { content } = open().call("get_product_details", { product_id: "9000000001" })
    expect([...content.matchAll(/"item_id": "(\d+)"/g)].map((match) => match[1])).toEqual([
      "9000000011",
      "1000000012",
      "5000000013",
      "1000000014",
    ])
    expect(content).toContain('"price": 12.0}')
  })

  it("lists products by name", () => {
    expect(open().call("list_all_product_types", {}).content).toBe('{"Lamp": "1000000002", "Mug": "9000000001"}')
  })

  it("shows the difference of an exchange of nothing as a whole number, and any other with a point", () => {
    const exchange = (ids: string[]) =>
      open().call("exchange_delivered_order_items", {
        order_id: "#W2",
        item_ids: ids,
        new_item_ids: ids,
        payment_method_id: "paypal_1",
      }).content
    expect(exchange([])).toContain('"exchange_price_difference": 0, ')
    expect(exchange(["9000000011"])).toContain('"exchange_price_difference": 0.0, ')
  })
})

describe("checks", () => {
  it.each<[string, JsonObject, string]>([
    ["get_order_details", { order_id: "W5" }, "Order not found"],
    ["get_order_details", { order_id: 5 }, "Order not found"],
    ["get_order_details", { order_id: "__proto__" }, "Order not found"],
    ["get_product_details", { product_id: "constructor" }, "Product not found"],
    ["get_item_details", { item_id: "9000000001" }, "Item not found"],
    ["find_user_id_by_email", { email: " ann.lee@example.com" }, "User not found"],
    ["find_user_id_by_name_zip", { first_name: "Ann", last_name: "Lee", zip: 10001 }, "User not found"],
    ["get_order_details", { order_id: ["#W5"] }, "unhashable type: 'list'"],
    ["get_order_details", {}, "RetailTools.get_order_details() missing 1 required positional argument: 'order_id'"],
    [
      "find_user_id_by_name_zip",
      {},
      "RetailTools.find_user_id_by_name_zip() missing 3 required positional arguments: 'first_name', 'last_name', and 'zip'",
    ],
    [
      "list_all_product_types",
      { all: true },
      "RetailTools.list_all_product_types() got an unexpected keyword argument 'all'",
    ],
    ["think", { thought: "" }, "Tool 'think' not found."],
    ["calculate", { expression: "1e3" }, "Invalid characters in expression"],
    ["cancel_pending_order", { order_id: "#W5", reason: "x" }, "Non-pending order cannot be cancelled"],
    ["cancel_pending_order", { order_id: "#W1", reason: "No longer needed" }, "Invalid reason"],
  ])("%s %j: %s", (tool, args, message) => {
    const world = open()
    expect(world.call(tool, args)).toMatchObject({ ok: false, content: `Error: ${message}`, changed: false })
    expect(world.digest()).toBe(strict.digest())
  })

  it("an item may be named as often as the order has it", () => {
    const give = (...item_ids: string[]) =>
      open().call("return_delivered_order_items", { order_id: "#W2", item_ids, payment_method_id: "gift_card_1" })
        .content
    expect(give("9000000011", "9000000011")).toContain('"return_items": ["9000000011", "9000000011"]')
    expect(give("9000000011", "9000000011", "9000000011")).toBe("Error: Some item not found")
    expect(
      open().call("return_delivered_order_items", { order_id: "#W2", item_ids: [], payment_method_id: "paypal_1" })
        .content,
    ).toBe("Error: Payment method should be the original payment method")
  })

  it("an address with a part that is no text is refused whole", () => {
    const world = open()
    const address = { address1: "1", address2: "", city: "A", state: "TX", country: "USA", zip: 73301 }
    expect(world.call("modify_user_address", { user_id: "bo_kim_2", ...address }).content).toMatch(
      /^Error: 1 validation error for UserAddress\nzip\n/,
    )
    expect(world.digest()).toBe(strict.digest())
    expect(world.call("modify_user_address", { user_id: "bo_kim_2", ...address, zip: "73301" }).ok).toBe(true)
  })
})

const twoItems = {
  order_id: "#W1",
  item_ids: ["9000000011", "1000000021"],
  new_item_ids: ["5000000013", "1000000022"],
  payment_method_id: "gift_card_1",
}

describe("strict: as the original, faults included", () => {
  it("after a change of items every changed row carries the price and options of the last one", () => {
    const world = open()
    expect(world.call("modify_pending_order_items", twoItems).ok).toBe(true)
    expect(order(world, "#W1").items.map(({ item_id, price }) => [item_id, price])).toEqual([
      ["5000000013", 75.4],
      ["1000000012", 12],
      ["1000000022", 75.4],
    ])
    expect(order(world, "#W1").payment_history[1]).toMatchObject({
      transaction_type: "payment",
      amount: 0.5500000000000096,
    })
    expect(balance(world, "ann_lee_1")).toBe(99.45)
  })

  it("an order whose payment was changed is refunded three times when it is cancelled", () => {
    const world = open()
    expect(world.call("modify_pending_order_payment", { order_id: "#W3", payment_method_id: "paypal_1" }).ok).toBe(true)
    expect(world.call("cancel_pending_order", { order_id: "#W3", reason: "no longer needed" }).ok).toBe(true)
    expect(order(world, "#W3").payment_history).toHaveLength(6)
    expect(balance(world, "ann_lee_1")).toBe(326.2) // 100 + 3 × 75.4
  })

  it("an exchange sorts its lists apart", () => {
    const world = open()
    world.call("exchange_delivered_order_items", {
      order_id: "#W2",
      item_ids: ["9000000011", "9000000011"],
      new_item_ids: ["5000000013", "1000000012"],
      payment_method_id: "paypal_1",
    })
    expect(order(world, "#W2")).toMatchObject({
      exchange_new_items: ["1000000012", "5000000013"],
      exchange_price_difference: 7.1,
    })
  })
})

describe("fixed: the books are right", () => {
  it("every changed row carries its own variant, amounts are cents", () => {
    const world = open("fixed")
    expect(world.call("modify_pending_order_items", twoItems).ok).toBe(true)
    expect(order(world, "#W1").items.map(({ item_id, price }) => [item_id, price])).toEqual([
      ["5000000013", 15.3],
      ["1000000012", 12],
      ["1000000022", 75.4],
    ])
    expect(order(world, "#W1").payment_history[1]).toMatchObject({ transaction_type: "payment", amount: 0.55 })
  })

  it("a cancelled order gives back what was paid, to whom paid it", () => {
    const world = open("fixed")
    world.call("modify_pending_order_payment", { order_id: "#W3", payment_method_id: "paypal_1" })
    world.call("cancel_pending_order", { order_id: "#W3", reason: "no longer needed" })
    expect(order(world, "#W3").payment_history.slice(3)).toEqual([
      { transaction_type: "refund", amount: 75.4, payment_method_id: "paypal_1" },
    ])
    expect(balance(world, "ann_lee_1")).toBe(175.4)
  })

  const writes = fc.array(retailWrites(tables), { minLength: 1, maxLength: 12 })

  it("totals balance, refunds never exceed payments and gift cards move by their rows, after any calls", () => {
    fc.assert(
      fc.property(writes, (calls) => {
        const world = open("fixed")
        for (const { tool, args } of calls) {
          world.call(tool, args)
          expect(brokenInvariants(tables, world.state)).toEqual([])
        }
      }),
      { numRuns: 400 },
    )
  })

  it("the order in which items are named makes no difference", () => {
    const reversed = (args: JsonObject) =>
      Object.fromEntries(
        Object.entries(args).map(([key, value]) => [key, Array.isArray(value) ? [...value].reverse() : value]),
      )
    fc.assert(
      fc.property(writes, (calls) => {
        const [world, other] = [open("fixed"), open("fixed")]
        for (const { tool, args } of calls) {
          expect(world.call(tool, args).ok).toBe(other.call(tool, reversed(args)).ok)
        }
        expect(world.digest()).toBe(other.digest())
      }),
      { numRuns: 400 },
    )
  })

  it("the checks see that strict keeps none of this", () => {
    const world = open()
    world.call("modify_pending_order_items", twoItems)
    world.call("modify_pending_order_payment", { order_id: "#W3", payment_method_id: "paypal_1" })
    world.call("cancel_pending_order", { order_id: "#W3", reason: "no longer needed" })
    const broken = brokenInvariants(tables, world.state).map(({ invariant, place }) => `${place} ${invariant}`)
    expect(broken).toEqual([
      "orders/#W1 totals_unbalanced",
      "orders/#W3 totals_unbalanced",
      "orders/#W3 refunds_exceed_payments",
    ])
  })
})

describe("erroneous calls", () => {
  it.each(["strict", "fixed"] as const)("change nothing, whatever the arguments are (%s)", (mode) => {
    const tools = open(mode).schemas.map((schema) => schema.function)
    const value = fc.oneof(
      {
        weight: 3,
        arbitrary: fc.constantFrom(
          "#W1",
          "#W2",
          "#W3",
          "ann_lee_1",
          "gift_card_1",
          "paypal_2",
          "9000000011",
          "no longer needed",
        ),
      },
      { weight: 1, arbitrary: fc.array(fc.constantFrom("9000000011", "1000000012", "5000000013"), { maxLength: 3 }) },
      { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
    )
    const call = fc
      .constantFrom(...tools)
      .chain(({ name, parameters }) =>
        fc.tuple(
          fc.constant(name),
          fc.record(Object.fromEntries((parameters.required as string[]).map((key) => [key, value]))),
          fc.dictionary(fc.constantFrom("extra", "order_id", "self"), value, { maxKeys: 1 }),
        ),
      )
    const shown = (world: ReturnType<typeof open>) => fingerprint(databaseOf(world.state))
    let refused = 0
    fc.assert(
      fc.property(fc.array(call, { minLength: 1, maxLength: 6 }), (calls) => {
        const world = open(mode)
        for (const [tool, args, extra] of calls) {
          const before = shown(world)
          const { ok, content } = world.call(tool, { ...args, ...extra } as JsonObject)
          if (ok) continue
          refused++
          expect(content).toMatch(/^Error: /)
          expect(shown(world)).toBe(before)
        }
      }),
      { numRuns: 500 },
    )
    expect(refused).toBeGreaterThan(500)
  })
})

describe("the front door", () => {
  const db = JSON.parse(TINY_RETAIL)

  it("takes what JSON.parse made of the file, and does not change it", () => {
    const retail = tau2Retail({ db, mode: "strict" })
    expect(retail.call("cancel_pending_order", { order_id: "#W1", reason: "ordered by mistake" }).ok).toBe(true)
    expect(db).toEqual(JSON.parse(TINY_RETAIL))
    expect(retail.state()).toMatchObject({
      orders: { "#W1": { status: "cancelled", cancel_reason: "ordered by mistake" } },
    })
    expect(Object.keys(retail.state())).toEqual(["products", "users", "orders"])
  })

  it("opened again it starts anew, and sees what its caller has changed since", () => {
    const own = structuredClone(db)
    const first = tau2Retail({ db: own })
    first.call("cancel_pending_order", { order_id: "#W1", reason: "ordered by mistake" })
    expect(tau2Retail({ db: own }).digest()).toBe(fingerprint(db))
    own.orders["#W1"].status = "processed"
    expect(tau2Retail({ db: own }).digest()).toBe(fingerprint(own))
    expect(tau2Retail({ db }).digest()).toBe(fingerprint(db))
  })

  it("digests what it shows, and gives copies", () => {
    const retail = tau2Retail({ db })
    expect(retail.digest()).toBe(fingerprint(db))
    expect(retail.digest()).toBe(fingerprint(retail.state()))
    ;(retail.state().orders as JsonObject)["#W1"] = null
    expect(retail.digest()).toBe(fingerprint(db))
    const fork = retail.fork()
    fork.call("cancel_pending_order", { order_id: "#W1", reason: "ordered by mistake" })
    expect(fork.digest()).not.toBe(retail.digest())
    expect(fork.difference().map(({ table, id }) => `${table}/${id}`)).toEqual(["orders/#W1"])
  })

  it("refuses what is no such database, with the place", () => {
    expect(() => tau2Retail({ db: { ...db, more: {} } as never })).toThrow("The database has an unknown table more")
    expect(() => tau2Retail({ db: { products: {}, users: {} } as never })).toThrow("has no orders")
    const wrong = structuredClone(db)
    wrong.orders["#W1"].items[0].price = "10"
    expect(() => tau2Retail({ db: wrong })).toThrow(/orders\/#W1: .*price|items\[0\]\.price/s)
    expect(() => tau2Retail({ db: "/nowhere/db.json" })).toThrow(/There is no file/)
    expect(() => tau2Retail({ db, mode: "loose" as never })).toThrow("mode must be strict or fixed")
    expect(tau2Retail({ db }).call("get_order_details", null as never)).toMatchObject({ ok: false })
  })

  it("offers all sixteen tools to a model", () => {
    const { schemas } = tau2Retail({ db })
    expect(schemas).toHaveLength(16)
    for (const { function: tool } of schemas) {
      expect(tool.description.length).toBeGreaterThan(20)
      expect(tool.parameters).toMatchObject({
        type: "object",
        required: Object.keys(tool.parameters.properties as object),
      })
    }
  })
})
