import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { Json, JsonObject } from "../core/json.ts"
import { replayEntry, storyTime } from "../testing/replay-case.ts"
import { fieldPolicies } from "./policies/index.ts"
import { ScriptClock } from "./script-clock.ts"
import { scriptSource } from "./script-source.ts"
import { replayWorld } from "./worlds/replay.ts"

const { signal } = new AbortController()

function script(rest: JsonObject = {}): JsonObject {
  return {
    schema: "souk.script/1",
    id: "script",
    case_id: "case",
    language: "zh",
    starts_at: storyTime("09:00"),
    ...rest,
  }
}

/** A pack's folder with these scripts and these records in `replay/`. */
function pack(scripts: readonly (Json | string)[], replay: Record<string, readonly Json[]> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "souk-pack-"))
  const text = (lines: readonly (Json | string)[]) =>
    lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n")
  writeFileSync(join(folder, "scripts.jsonl"), text(scripts))
  mkdirSync(join(folder, "replay"))
  for (const [name, entries] of Object.entries(replay))
    writeFileSync(join(folder, "replay", name), `${text(entries)}\n`)
  return folder
}

const load = (folder: string, caseId = "case") => scriptSource(folder).load(caseId, signal)
const json = (value: object) => JSON.parse(JSON.stringify(value)) as JsonObject
const order = (result: JsonObject, rest: JsonObject = {}) =>
  json(
    replayEntry(
      "seller.orders.at",
      { order_id: "o1" },
      { result: { orders: [{ order_id: "o1", ...result }] }, ...rest },
    ),
  )
const lamp = json(
  replayEntry(
    "catalog.detail",
    { item_id: "1", view: "first" },
    { result: { fields: { title: "台灯" }, collection: { screen: "first", observed_at: storyTime("10:00") } } },
  ),
)

describe("reading a pack", () => {
  it("a case is found by its id or its script's, and the folder is read once", async () => {
    const folder = pack([
      script(),
      "",
      script({ id: "b-1", case_id: "b" }),
      script({ id: "b-2", case_id: "b", case_revision: 2 }),
    ])
    const source = scriptSource(folder)
    expect((await source.load("case", signal)).id).toBe("script")
    expect((await source.load("b-2", signal)).case_revision).toBe(2)
    await expect(source.load("b", signal)).rejects.toThrow(/several scripts of case b: name one of b-1, b-2/)
    await expect(source.load("c", signal)).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: expect.stringContaining("no case c"),
    })
    writeFileSync(join(folder, "scripts.jsonl"), "")
    expect((await source.scripts(signal)).map(({ id }) => id)).toEqual(["script", "b-1", "b-2"])
  })

  it("a failed read says which file and which line, with a code", async () => {
    for (const [line, told] of [
      ["{", /scripts\.jsonl:2: not JSON/],
      [script({ id: "x", language: "fr" }), /scripts\.jsonl:2:[\s\S]*language/],
      [
        script({ id: "x", replay: [{ ...lamp, unavailable: { reason: "x" } }] }),
        /scripts\.jsonl:2:[\s\S]*either `result` or/,
      ],
      [script({ id: "x", material: [3] }), /scripts\.jsonl:2:[\s\S]*ids of original messages/],
      [script(), /scripts\.jsonl:2: script script is there twice/],
    ] as const) {
      await expect(load(pack([script(), line]))).rejects.toMatchObject({
        code: "BAD_INPUT",
        message: expect.stringMatching(told),
      })
    }
    const { result: _, ...without } = lamp
    const folder = pack([script()], { "a.jsonl": [lamp], "b.jsonl": [lamp, without] })
    await expect(load(folder)).rejects.toThrow(/b\.jsonl:2:[\s\S]*either `result` or/)
    await expect(load(mkdtempSync(join(tmpdir(), "souk-none-")))).rejects.toMatchObject({ code: "NOT_FOUND" })
    await expect(scriptSource(pack([script()])).load("case", AbortSignal.abort())).rejects.toMatchObject({
      code: "CANCELLED",
    })
  })

  it("a script that rests on material which is not its own is refused", async () => {
    const cases: [JsonObject, RegExp][] = [
      [{ replay: [{ ...lamp, case_id: "other" }] }, /record of catalog\.detail is of case other/],
      [{ replay: [{ ...lamp, shop_id: "other" }], identity: { shop_id: "shop" } }, /is of shop other/],
      [{ material: ["m1", "m9"], original_messages: [original("m1")] }, /message m9 is not among/],
      [{ segments: [{ at: storyTime("09:00"), texts: ["?"], material: ["m9"] }] }, /message m9 is not among/],
    ]
    for (const [rest, told] of cases) {
      await expect(load(pack([script(rest)]))).rejects.toMatchObject({
        code: "REFUSED",
        message: expect.stringMatching(told),
        details: { line: 1 },
      })
    }
    const fine = script({
      material: ["m1"],
      original_messages: [original("m1")],
      replay: [lamp],
      identity: { shop_id: "shop" },
    })
    expect((await load(pack([fine]))).case_id).toBe("case")
  })

  it("records of another shop than the pack's are refused, in scripts and beside them", async () => {
    const read = (folder: string) => scriptSource(folder, { shopId: "mine" }).load("case", signal)
    await expect(read(pack([script({ replay: [lamp] })]))).rejects.toThrow(/scripts\.jsonl:1: .*is of shop shop/)
    await expect(read(pack([script()], { "a.jsonl": [lamp] }))).rejects.toMatchObject({
      code: "REFUSED",
      message: expect.stringMatching(/a\.jsonl:1: .*is of shop shop, not mine/),
    })
  })

  it("with a set, a case outside it is refused", async () => {
    const folder = pack([script(), script({ id: "b-1", case_id: "b" })])
    const source = scriptSource(folder, { set: { name: "train", task_ids: ["b"] } })
    expect((await source.scripts(signal)).map(({ id }) => id)).toEqual(["b-1"])
    await expect(source.load("case", signal)).rejects.toMatchObject({
      code: "REFUSED",
      message: expect.stringContaining("train"),
    })
  })

  it("original messages without a text are given their parts' rendering, in the script's language", async () => {
    const parts = [{ type: "text", text: "看这个" }, { type: "image" }]
    const { original_messages } = await load(
      pack([script({ original_messages: [{ ...original("m1", null), parts }] })]),
    )
    expect(original_messages[0]!.text).toBe("看这个\n[图片]")
    const kept = await load(pack([script({ original_messages: [{ ...original("m1", "as it is"), parts }] })]))
    expect(kept.original_messages[0]!.text).toBe("as it is")
  })

  it("what was recorded for the cases is the seed of a world, cited or not", async () => {
    const folder = pack([script()], { "a.jsonl": [lamp], "b.jsonl": [order({ status: "paid" })] })
    const source = scriptSource(folder)
    const world = replayWorld({ shopId: "shop", policy: fieldPolicies.retail(), seed: await source.replay(signal) })
    const clock = new ScriptClock(storyTime("11:00"))
    const { tools } = await world.mount(await source.load("case", signal), { clock, signal })
    const answer = await tools.call({ id: "1", name: "seller.orders.at", arguments: { order_id: "o1" } }, { signal })
    expect(answer).toMatchObject({ class: "hit", data: { orders: [{ status: "paid" }] } })
  })
})

function original(id: string, text: string | null = "在吗"): JsonObject {
  return {
    id,
    turn: 0,
    sender: "buyer",
    at: storyTime("08:00"),
    origin: "original",
    ...(text !== null && { text }),
  }
}

describe("what records say about a script", () => {
  it("a fact that is only on record was not available to the agent before it asked", async () => {
    const required_facts = [
      { key: "item:1:title", available: true },
      { key: "order:o1:status", available: true },
      { key: "item:2:title", available: true },
      { key: "order:o1:buyer", available: true },
    ]
    const loaded = await load(
      pack([
        script({
          required_facts,
          identity: { customer_id: "b7" },
          replay: [lamp, order({ status: "paid", buyer: "b7" })],
        }),
      ]),
    )
    // The last two: not on record, and told to the agent by the channel itself.
    expect(loaded.required_facts.map(({ available }) => available)).toEqual([false, false, true, true])
  })

  it("required reads are those that give the cited records, unless the script names its own", async () => {
    const replay = [lamp, order({ status: "paid" }), order({ status: "sent" }, { observed_at: storyTime("10:30") })]
    const checks = [{ id: "c", kind: "product_fact", text: "the title", fact_keys: ["item:1:title"] }]
    const title = { command: "catalog.detail", item_id: "1", view: "first" }
    expect((await load(pack([script({ replay, checks })]))).required_reads).toEqual([title])
    const facts = [{ key: "order:o1:status", available: false }]
    expect((await load(pack([script({ replay, required_facts: facts })]))).required_reads).toEqual([
      { command: "seller.orders.at", order_id: "o1" },
    ])
    const own = [{ command: "platform.poi.get", poi_id: "p" }]
    expect((await load(pack([script({ replay, checks, required_reads: own })]))).required_reads).toEqual(own)
    const inCheck = [{ ...checks[0]!, required_reads: own }]
    expect((await load(pack([script({ replay, checks: inCheck })]))).required_reads).toEqual([])
  })

  it("facts of orders can be judged only when every order and field that the script needs is on record", async () => {
    const available = async (rest: JsonObject, replay: Json[] = [lamp, order({ status: "paid", amount: null })]) =>
      (await load(pack([script({ replay, ...rest })]))).order_facts_available
    const fact = (key: string, rest: JsonObject = {}) => ({ required_facts: [{ key, available: false, ...rest }] })
    const check = (rest: JsonObject) => ({ checks: [{ id: "c", kind: "order_fact", text: "the order", ...rest }] })

    expect(await available({})).toBe(true) // no order is needed
    expect(await available({ ...fact("item:1:title") })).toBe(true) // unrelated orders are in nobody's way
    expect(await available(fact("order:o1:status"))).toBe(true)
    expect(await available(fact("status", { order_ref: "o1" }))).toBe(true)
    expect(await available(fact("order:o1:amount"))).toBe(false) // the field is empty
    expect(await available(fact("order:o2:status"))).toBe(false) // no record
    const gone = json(replayEntry("seller.orders.at", { order_id: "o1" }, { unavailable: { reason: "no permission" } }))
    expect(await available(fact("order:o1:status"), [gone])).toBe(false)
    expect(await available({ ...fact("order:o1:status"), order_facts_available: true }, [lamp])).toBe(false)

    expect(await available(check({ fact_keys: ["order:o1:status"] }))).toBe(true)
    expect(await available(check({ fact_keys: ["order:o2:status"] }))).toBe(false)
    expect(await available(check({ required_reads: [{ command: "seller.orders.at", order_id: "o1" }] }))).toBe(true)
    expect(await available(check({ required_reads: [{ command: "seller.orders.at", order_id: "o2" }] }))).toBe(false)
    expect(await available(check({}))).toBe(false) // it does not say which order
  })

  it("a check of a place keeps the place's id, and one that cites an order's record depends on it", async () => {
    const checks = [
      {
        id: "p",
        kind: "destination",
        text: "the place",
        settings: { poi_id: "p1" },
        required_reads: [{ command: "platform.poi.get", poi_id: "p1" }],
      },
      { id: "o", kind: "process", text: "asks", required_reads: [{ command: "seller.orders.at", order_id: "o1" }] },
    ]
    const loaded = await load(pack([script({ checks, replay: [lamp] })]))
    expect(loaded.checks[0]).toMatchObject({ settings: { poi_id: "p1" }, required_reads: [{ poi_id: "p1" }] })
    expect(loaded.checks[1]!.required_reads).toEqual([{ command: "seller.orders.at", order_id: "o1" }])
    expect(loaded.order_facts_available).toBe(false)
    expect(
      (await load(pack([script({ checks, replay: [lamp, order({ status: "paid" })] })]))).order_facts_available,
    ).toBe(true)
  })

  it("a script without records keeps what it says: its facts live in tables", async () => {
    const said = { required_facts: [{ key: "order:o1:status", available: true }], order_facts_available: true }
    expect(await load(pack([script(said)]))).toMatchObject(said)
  })
})
