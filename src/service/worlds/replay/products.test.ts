import { describe, expect, it } from "vitest"
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts"
import { replayCase, replayEntry, storyTime } from "../../../testing/replay-case.ts"
import { fieldPolicies } from "../../policies/index.ts"
import { Script } from "../../script.ts"

const COLLECTED_AT = "2026-06-30T08:00:00.000Z"

/** A page's record as a collector writes it: read long after the story, told from 10:00 of it on. */
function page(
  view: string,
  fields: JsonObject,
  { item = "1", args = {}, rest = {} }: { item?: string; args?: JsonObject; rest?: JsonObject } = {},
) {
  return replayEntry(
    "catalog.detail",
    { item_id: item, view, ...args },
    {
      observed_at: COLLECTED_AT,
      valid_from: storyTime("10:00"),
      result: { fields, collection: { screen: view, observed_at: COLLECTED_AT }, ...rest },
    },
  )
}

function snapshot(time: string, result: JsonObject, args: JsonObject = {}) {
  return replayEntry("seller.snapshot.get", { item_id: "1", ...args }, { observed_at: storyTime(time), result })
}

const first = { item_id: "1", view: "first" }
const travel = { policy: fieldPolicies.travel() }

function told(data: JsonObject): JsonObject {
  if (!isJsonObject(data.fields as Json)) throw new Error("no fields")
  return data.fields as JsonObject
}

function sourcesOf(data: JsonObject): Json | undefined {
  return isJsonObject(data.evaluationReplay!) ? data.evaluationReplay.sources : undefined
}

describe("stable fields", () => {
  it("stable fields come from the view's collected record, labelled with when it was really collected; price and calendar in it are left out", async () => {
    const raw = {
      title: "Yunnan, 6 days",
      price: 2999,
      calendar: { "2026-05-01": 3199 },
      skus: [{ sku_id: "a", name: "adult", price: 2999, seats: 4, price_calendar: [1] }],
    }
    const { data } = await replayCase([page("first", raw)], travel)
    const answer = await data("catalog.detail", first)
    expect(told(answer)).toEqual({ title: "Yunnan, 6 days", sku_specs: [{ sku_id: "a", name: "adult" }] })
    expect(sourcesOf(answer)).toMatchObject({
      title: { source: "collection", at: COLLECTED_AT, label: "as collected" },
      sku_specs: { source: "collection", at: COLLECTED_AT },
    })
    expect(JSON.stringify(answer)).not.toMatch(/2999|3199|"seats"/)
  })

  it("stable fields belong to their view alone", async () => {
    const raw = {
      title: "Yunnan",
      itinerary: [{ day: 1, text: "Kunming" }],
      cost: { included: ["hotel"], excluded: ["flights"] },
    }
    const { data } = await replayCase([page("first", raw), page("second", raw)], travel)
    expect(Object.keys(told(await data("catalog.detail", first)))).toEqual(["title"])
    expect(told(await data("catalog.detail", { item_id: "1", view: "second" }))).toEqual({
      itinerary: [{ day: 1, text: "Kunming" }],
      cost_included: ["hotel"],
      cost_excluded: ["flights"],
    })
  })

  it("a snapshot of the time knows title, category, images and delisting better, and no other stable field", async () => {
    const { data } = await replayCase([
      page("first", { title: "New name", category: "Lamps", brand: "Lumo" }),
      snapshot("10:10", { title: "Old name", category: null, brand: "Elsewhere", delisted_at: "2026-02-28" }),
      snapshot("12:00", { title: "Not yet" }),
    ])
    const answer = await data("catalog.detail", first)
    expect(told(answer)).toEqual({ title: "Old name", category: "Lamps", delisted_at: "2026-02-28", brand: "Lumo" })
    expect(sourcesOf(answer)).toMatchObject({
      title: { source: "history", at: storyTime("10:10") },
      category: { source: "collection", at: COLLECTED_AT },
      brand: { source: "collection", at: COLLECTED_AT },
    })
  })

  it("a record that does not say when it was collected, or is of another view, gives none", async () => {
    const undated = replayEntry("catalog.detail", first, { result: { fields: { title: "Lamp" } } })
    const otherView = replayEntry("catalog.detail", first, {
      result: { fields: { title: "Lamp" }, collection: { screen: "second", observed_at: COLLECTED_AT } },
    })
    for (const entry of [undated, otherView]) {
      const { call } = await replayCase([entry])
      expect(await call("catalog.detail", first)).toMatchObject({
        class: "miss",
        reason: "record_unavailable",
        data: { fields: {}, notice: "no record at that time" },
      })
      expect((await call("seller.items.search", { query: "lamp" })).class).toBe("miss")
    }
  })

  it("views that are not collected have no record, whatever is in the files", async () => {
    const { call } = await replayCase([page("third", { title: "Lamp" }), page("sku", { title: "Lamp" })])
    for (const view of ["third", "sku"]) {
      expect(await call("catalog.detail", { item_id: "1", view })).toMatchObject({
        class: "miss",
        reason: "no_command_record",
        data: { fields: {}, notice: "no record at that time" },
      })
    }
  })
})

describe("what is not told", () => {
  it("fields that the policy does not name, bodies of mixed content and hidden fields are not told; a body within a stable field is", async () => {
    const raw = {
      title: "Lamp",
      body: "<p>everything</p>",
      warehouse: "north",
      cost_price: 3,
      attributes: { watt: 5, supplier: "Secret Ltd", internalNotes: "push it" },
    }
    const { data } = await replayCase([
      page("first", raw),
      page("second", { body: "mixed", detail: { body: "kept: part of the details", price: 3 } }),
      snapshot("10:10", { ...raw, stock: { north: 4, Supplier: "Secret Ltd" } }, { include_inventory: true }),
    ])
    expect(told(await data("catalog.detail", first))).toEqual({
      title: "Lamp",
      attributes: { watt: 5 },
      stock: { north: 4 },
    })
    expect(told(await data("catalog.detail", { item_id: "1", view: "second" }))).toMatchObject({
      detail: { body: "kept: part of the details" },
    })
    const answer = await data("seller.snapshot.get", { item_id: "1", include_inventory: true })
    expect(told(answer)).toEqual({ title: "Lamp", stock: { north: 4 } })
  })

  it("a snapshot of nothing but ids and nulls is no fact, and finds nothing", async () => {
    const empty = {
      item_id: "1",
      title: " ",
      price: null,
      stock: [],
      category: { category_id: "9" },
      images: [{ id: "7" }],
    }
    const { call, data } = await replayCase([
      page("second", { detail: "Bright." }),
      snapshot("10:10", { title: "Lamp", price: 9 }, { include_price: true }),
      snapshot("10:20", empty, { include_price: true }),
    ])
    expect(await call("seller.snapshot.get", { item_id: "1", include_price: true })).toMatchObject({
      class: "miss",
      reason: "record_unavailable",
      data: { fields: {} },
    })
    expect(told(await data("catalog.detail", { item_id: "1", view: "second" }))).toEqual({
      detail: "Bright.",
      price: 9,
    })
    const bare = await replayCase([snapshot("10:20", { ...empty, item: { title: null } })])
    expect(await bare.call("seller.items.search", { query: "lamp" })).toMatchObject({
      class: "miss",
      data: { items: [] },
    })
  })

  it("numbers of zero and a plain no are facts", async () => {
    const { data } = await replayCase([
      snapshot("10:10", { stock: 0, promotions: false }, { include_inventory: true, include_promotions: true }),
    ])
    expect(
      told(await data("seller.snapshot.get", { item_id: "1", include_inventory: true, include_promotions: true })),
    ).toEqual({
      stock: 0,
      promotions: false,
    })
  })
})

describe("dynamic fields", () => {
  it("dynamic fields come from the latest snapshot that speaks of them, each with its own time, and never from a page", async () => {
    const { data } = await replayCase([
      page("first", { title: "Lamp", price: 1, promotions: ["now"] }),
      snapshot("10:00", { price: 8, promotions: ["-10%"] }, { include_price: true, include_promotions: true }),
      snapshot("10:10", { price: 9 }, { include_price: true }),
      snapshot("10:20", { stock: 5, promotions: [] }, { include_inventory: true, include_promotions: true }),
    ])
    const answer = await data("catalog.detail", first)
    expect(told(answer)).toEqual({ title: "Lamp", price: 9, stock: 5 })
    expect(sourcesOf(answer)).toMatchObject({
      price: { source: "history", at: storyTime("10:10"), label: "as of then" },
      stock: { source: "history", at: storyTime("10:20") },
    })
  })

  it("what cannot be had is absent and said to have no record at that time", async () => {
    const { data } = await replayCase([page("first", { title: "Lamp", stock: 12 })])
    const answer = await data("catalog.detail", first)
    expect(told(answer)).not.toHaveProperty("stock")
    expect(answer.notice).toMatch(/^no record at that time: .*price, stock, promotions/)
    const zh = await replayCase([page("first", { title: "台灯" })], { script: { language: "zh" } })
    expect((await zh.data("catalog.detail", first)).notice).toMatch(/^该时间没有记录: .*价格, 库存/)
  })

  it("another option's facts are never told for this one", async () => {
    const { call, data } = await replayCase([
      page("first", { title: "Lamp, red" }, { args: { sku_id: "red" } }),
      snapshot("10:10", { price: 9 }, { sku_id: "blue", include_price: true }),
      snapshot("10:20", { price: 7 }, { include_price: true }),
    ])
    expect(told(await data("catalog.detail", { ...first, sku_id: "red" }))).toEqual({ title: "Lamp, red" })
    expect((await call("catalog.detail", { ...first, sku_id: "blue" })).reason).toBe("arguments_mismatch")
    const query = { item_id: "1", sku_id: "red", include_price: true }
    expect((await call("seller.snapshot.get", query)).reason).toBe("arguments_mismatch")
  })
})

describe("estimates", () => {
  const estimate = (date: string, value: number, rest: JsonObject = {}) => ({
    kind: "inventoryEstimate",
    date,
    value,
    method: "collected seats plus orders since",
    limitations: ["refunds are not counted"],
    inputs: [{ seats_at_collection: 12 }],
    ...rest,
  })
  const seats = { include_inventory: true }

  it("an estimate stands in for seats that are missing on its own date, labelled, with method and limits; other dates stay absent", async () => {
    const derived = [estimate("2026-05-01", 3), estimate("2026-05-02", 9)]
    const { data } = await replayCase(
      [
        page("first", { title: "Yunnan" }, { rest: { derived } }),
        snapshot(
          "10:30",
          {
            remaining_seats: [
              { date: "2026-05-02", seats: 6 },
              { date: "2026-05-03", seats: null },
            ],
          },
          seats,
        ),
      ],
      travel,
    )
    const answer = await data("catalog.detail", first)
    expect(told(answer).inventory_estimate).toEqual([
      {
        date: "2026-05-01",
        value: 3,
        method: "collected seats plus orders since",
        limitations: ["refunds are not counted"],
      },
    ])
    expect(sourcesOf(answer)).toMatchObject({
      inventory_estimate: {
        source: "derived",
        at: storyTime("10:00"),
        label: expect.stringMatching(/worked out from orders/),
      },
      remaining_seats: { source: "history", at: storyTime("10:30") },
    })
    expect(JSON.stringify(answer)).not.toContain("seats_at_collection")
    expect(told(await data("seller.snapshot.get", { item_id: "1", ...seats }))).toHaveProperty("inventory_estimate")
  })

  it("an estimate is told only where nothing is recorded, with method and limitations, of the time and of the option", async () => {
    const shown = async (derived: JsonObject[], snapshots: ReturnType<typeof snapshot>[] = []) => {
      const { data } = await replayCase(
        [page("first", { title: "Yunnan" }, { rest: { derived } }), ...snapshots],
        travel,
      )
      return told(await data("catalog.detail", first)).inventory_estimate
    }
    expect(await shown([estimate("2026-05-01", 3)])).toHaveLength(1)
    expect(await shown([estimate("2026-05-01", 3)], [snapshot("10:30", { remaining_seats: 5 }, seats)])).toBeUndefined()
    expect(await shown([estimate("2026-05-01", 3, { sku_id: "adult" })])).toBeUndefined()
    expect(await shown([{ ...estimate("2026-05-01", 3), method: "" }])).toBeUndefined()
    expect(await shown([estimate("2026-05-01", 3, { kind: "priceEstimate" })])).toBeUndefined()
    const later = { ...snapshot("10:40", { derived: [estimate("2026-05-01", 2)] }, seats) }
    expect(await shown([estimate("2026-05-01", 3)], [later])).toMatchObject([{ value: 2 }])
    const tooLate = snapshot("11:40", { derived: [estimate("2026-05-01", 2)] }, seats)
    expect(await shown([estimate("2026-05-01", 3)], [tooLate])).toMatchObject([{ value: 3 }])
  })

  it("a figure without days stands in for stock that is wholly missing", async () => {
    const { date: _, ...whole } = estimate("", 40)
    const entries = [page("first", { title: "Lamp" }, { rest: { derived: [whole] } })]
    expect(told(await (await replayCase(entries)).data("catalog.detail", first)).inventory_estimate).toMatchObject([
      { value: 40 },
    ])
    const { data } = await replayCase([...entries, snapshot("10:30", { stock: 2 }, seats)])
    expect(told(await data("catalog.detail", first))).not.toHaveProperty("inventory_estimate")
  })
})

describe("search", () => {
  const entries = [
    page("first", { item: { title: "Desk LAMP, red" } }),
    page("first", { title: "Floor lamp" }, { item: "2" }),
    page("first", { title: "Chair" }, { item: "3" }),
    replayEntry(
      "seller.items.search",
      { query: "lamp" },
      { result: { items: [{ product: { item_id: "4", title: "Lamp of theirs" } }] } },
    ),
  ]
  const found = (data: JsonObject) => (data.items as JsonObject[]).map(({ item_id }) => item_id)

  it("a search compares titles of the case's products only, wrapped ones too, and says how little that is", async () => {
    const { data } = await replayCase(entries)
    const answer = await data("seller.items.search", { query: "lamp" })
    expect(found(answer)).toEqual(["1", "2", "4"])
    expect(answer).toMatchObject({ total: 3, scope: expect.stringMatching(/collected for this case only/) })
    expect((answer.items as JsonObject[])[0]).toEqual({ item_id: "1", title: "Desk LAMP, red" })
    expect(sourcesOf(answer)).toMatchObject({
      1: { source: "collection", at: COLLECTED_AT, label: "as collected" },
      4: { source: "history", at: storyTime("10:00") },
    })
    expect(found(await data("seller.items.search", { query: "ＬＡＭＰ red" }))).toEqual(["1"])
    const few = await data("seller.items.search", { query: "lamp", limit: 2 })
    expect([found(few), few.total]).toEqual([["1", "2"], 3])
  })

  it("a title outside the case finds nothing, and the answer still says where it looked", async () => {
    const { call } = await replayCase(entries)
    expect(await call("seller.items.search", { query: "sofa" })).toMatchObject({
      class: "miss",
      reason: "arguments_mismatch",
      data: { items: [], total: 0, scope: expect.stringMatching(/collected for this case only/) },
    })
    expect((await call("seller.items.search", { query: " " })).class).toBe("miss")
    expect(await (await replayCase([])).call("seller.items.search", { query: "sofa" })).toMatchObject({
      reason: "no_command_record",
      data: { items: [], scope: expect.any(String) },
    })
  })

  it("a search compares the titles of the time", async () => {
    const { call, data } = await replayCase([
      ...entries,
      snapshot("10:30", { title: "Bench" }),
      snapshot("12:00", { title: "Stool" }),
    ])
    expect(found(await data("seller.items.search", { query: "bench" }))).toEqual(["1"])
    expect(found(await data("seller.items.search", { query: "lamp" }))).toEqual(["2", "4"])
    expect(found(await data("seller.items.search", { query: "desk", at: storyTime("10:15") }))).toEqual(["1"])
    expect((await call("seller.items.search", { query: "stool" })).reason).toBe("not_yet_available")
  })
})

it("a page's record keeps its fields and its collection through a script's JSON", () => {
  const entry = page(
    "first",
    { title: "Lamp" },
    { rest: { collection: { screen: "first", observed_at: COLLECTED_AT, sku_id: "red" } } },
  )
  const script = {
    schema: "souk.script/1",
    id: "s",
    case_id: "case",
    language: "en",
    starts_at: storyTime("09:00"),
    replay: [entry],
  }
  const read = Script.parse(JSON.parse(JSON.stringify(Script.parse(script))))
  expect(read.replay[0]!.result).toEqual({
    fields: { title: "Lamp" },
    collection: { screen: "first", observed_at: COLLECTED_AT, sku_id: "red" },
  })
})
