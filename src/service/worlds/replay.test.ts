import { describe, expect, it } from "vitest"
import { isJsonObject } from "../../core/json.ts"
import { replayCase, replayEntry, storyTime } from "../../testing/replay-case.ts"
import { fieldPolicies } from "../policies/index.ts"
import { ReplayEntry, Script } from "../script.ts"
import { ScriptClock } from "../script-clock.ts"
import { toolDefinitions } from "../tool-pack.ts"
import { commerceV1 } from "../tool-packs/commerce.ts"
import { replayWorld } from "./replay.ts"

const order = (id: string, status: string, rest = {}) =>
  replayEntry("seller.orders.at", { order_id: id }, { result: { orders: [{ order_id: id, status }] }, ...rest })
const price = (value: number, time: string, rest = {}) =>
  replayEntry(
    "seller.snapshot.get",
    { item_id: "1", include_price: true },
    { result: { price: value }, observed_at: storyTime(time), ...rest },
  )
const parcel = (given: object, rest = {}) =>
  replayEntry("platform.logistics.get", { order_id: "o1", ...given }, { result: { events: ["sent"] }, ...rest })

describe("which record answers", () => {
  it("the latest record that is not later than the asked time and the story's time answers", async () => {
    const { call, clock } = await replayCase([
      order("o1", "paid"),
      order("o1", "sent", { observed_at: storyTime("12:00") }),
    ])
    const status = async (at?: string) => {
      const { content, reason } = await call("seller.orders.at", { order_id: "o1", ...(at && { at: storyTime(at) }) })
      return reason === "matched" ? /"status":"(\w+)"/.exec(content)?.[1] : reason
    }
    expect(await status()).toBe("paid")
    expect(await status("13:00")).toBe("paid") // the story is not there yet
    expect(await status("09:00")).toBe("not_yet_available")
    clock.advanceTo(storyTime("12:30"))
    expect(await status()).toBe("sent")
    expect(await status("11:59")).toBe("paid")
  })

  it("a record of exactly the asked time answers, and no end of validity takes it away", async () => {
    const entries = [order("o1", "paid", { observed_at: storyTime("11:00"), valid_through: storyTime("10:30") })]
    expect(await (await replayCase(entries)).call("seller.orders.at", { order_id: "o1" })).toMatchObject({
      class: "hit",
      reason: "matched",
    })
  })

  it("a record is told from when it is valid, whenever it was observed", async () => {
    const late = { observed_at: "2026-05-01T00:00:00Z", valid_from: storyTime("10:30") }
    const { call } = await replayCase([order("o1", "paid", late)])
    expect((await call("seller.orders.at", { order_id: "o1" })).reason).toBe("matched")
    expect((await call("seller.orders.at", { order_id: "o1", at: storyTime("10:29") })).reason).toBe(
      "not_yet_available",
    )
  })

  it("all arguments but the time match strictly", async () => {
    const { call } = await replayCase([order("o1", "paid"), parcel({})])
    for (const args of [{}, { order_id: "o2" }, { order_id: "o1", buyer_id: "b" }, { order_id: "o1 " }]) {
      expect((await call("seller.orders.at", args)).reason).toBe("arguments_mismatch")
    }
    // A record's own `at` is no argument either.
    const withAt = await replayCase([parcel({ at: storyTime("09:00") })])
    expect((await withAt.call("platform.logistics.get", { order_id: "o1" })).reason).toBe("matched")
  })

  it("a snapshot of several partitions answers for some of them, and not for one it lacks", async () => {
    const args = { item_id: "1", include_price: true, include_inventory: true }
    const { call, data } = await replayCase([
      replayEntry("seller.snapshot.get", args, { result: { price: 9, stock: 4, promotions: ["-10%"] } }),
    ])
    expect(await data("seller.snapshot.get", { item_id: "1", include_price: true })).toMatchObject({
      fields: { price: 9 },
    })
    expect((await data("seller.snapshot.get", { item_id: "1", include_price: true })).fields).not.toHaveProperty(
      "stock",
    )
    expect((await call("seller.snapshot.get", { ...args, include_promotions: false })).reason).toBe("matched")
    expect((await call("seller.snapshot.get", { ...args, include_promotions: true })).reason).toBe("arguments_mismatch")
    expect((await call("seller.snapshot.get", { item_id: "2", include_price: true })).reason).toBe("arguments_mismatch")
  })

  it("only entries of the same shop and the same case are told", async () => {
    for (const other of [{ shop_id: "another" }, { case_id: "another" }]) {
      const { call } = await replayCase([order("o1", "paid", other)], { seed: [order("o1", "paid", other)] })
      expect((await call("seller.orders.at", { order_id: "o1" })).reason).toBe("order_not_collected")
    }
    await expect(replayCase([], { script: { identity: { shop_id: "another" } } })).rejects.toThrow(/is of shop another/)
  })

  it("records of another revision of the case are not told", async () => {
    const { call } = await replayCase(
      [order("o1", "old", { case_revision: 1 }), order("o2", "new", { case_revision: 2 })],
      {
        script: { case_revision: 2 },
      },
    )
    expect((await call("seller.orders.at", { order_id: "o1" })).reason).toBe("arguments_mismatch")
    expect((await call("seller.orders.at", { order_id: "o2" })).reason).toBe("matched")
  })

  it("the world's entries and the script's own are told together, the script's first", async () => {
    const { call } = await replayCase([order("o1", "paid")], { seed: [order("o1", "old"), order("o2", "sent")] })
    expect((await call("seller.orders.at", { order_id: "o1" })).content).toContain("paid")
    expect((await call("seller.orders.at", { order_id: "o2" })).content).toContain("sent")
  })
})

describe("what is not on record", () => {
  it("an order that was not collected, or was asked for otherwise, is a miss that warns: the buyer may have one", async () => {
    const warning = /does not show that the buyer has no order/
    const none = await (await replayCase([])).call("seller.orders.at", { order_id: "o1" })
    expect(none).toMatchObject({ ok: true, class: "miss", reason: "order_not_collected" })
    expect(none.content).toMatch(warning)

    const { call } = await replayCase([
      order("o1", "paid"),
      order("o9", "", { unavailable: { reason: "no permission" } }),
    ])
    const other = await call("seller.orders.at", { order_id: "o2" })
    expect(other).toMatchObject({ class: "miss", reason: "arguments_mismatch", data: { orders: [] } })
    for (const args of [{ order_id: "o2" }, { order_id: "o1", at: storyTime("08:00") }, { order_id: "o9" }]) {
      const { content, data } = await call("seller.orders.at", args)
      expect(content).toMatch(warning)
      expect(isJsonObject(data!) && data.unavailable_fields).toContain("status")
    }
  })

  it("a miss gives production's empty answer with its reason, and its text is its data", async () => {
    const { call } = await replayCase([
      price(9, "12:00"),
      parcel({}, { result: undefined, unavailable: { reason: "timeout" } }),
    ])
    const cases = [
      ["catalog.detail", { item_id: "1", view: "first" }, "no_command_record", { fields: {} }],
      ["seller.snapshot.get", { item_id: "2", include_price: true }, "arguments_mismatch", { fields: {} }],
      ["seller.snapshot.get", { item_id: "1", include_price: true }, "not_yet_available", { fields: {} }],
      ["platform.logistics.get", { order_id: "o1" }, "record_unavailable", { events: [] }],
      ["platform.refund.get", { order_id: "o1" }, "no_command_record", { refunds: [] }],
    ] as const
    for (const [name, args, reason, empty] of cases) {
      const answer = await call(name, args)
      expect(answer).toMatchObject({
        ok: true,
        class: "miss",
        reason,
        data: { ...empty, evaluationReplay: { reason } },
      })
      expect(JSON.parse(answer.content)).toEqual(answer.data)
    }
  })

  it("only a missed required read affects the conclusion; where nothing is required, every missed read of the shop does", async () => {
    const required = [{ command: "catalog.detail", item_id: "1", view: "first" }]
    const missed = async (options: object, name: string, args: object) => {
      const { call } = await replayCase([], options)
      return (await call(name, { ...args })).affects_conclusion
    }
    const [detail, other] = [
      ["catalog.detail", { item_id: "1", view: "first" }],
      ["seller.snapshot.get", { item_id: "1" }],
    ] as const
    for (const options of [{ requiredReads: required }, { script: { required_reads: required } }]) {
      expect(await missed(options, ...detail)).toBe(true)
      expect(await missed(options, "catalog.detail", { item_id: "1", view: "second" })).toBe(false)
      expect(await missed(options, "catalog.detail", { item_id: "2", view: "first" })).toBe(false)
      expect(await missed(options, ...other)).toBe(false)
    }
    const check = { id: "c", kind: "product_fact", text: "the price", required_reads: required }
    expect(await missed({ script: { checks: [check] } }, ...other)).toBe(false)
    expect(await missed({}, ...detail)).toBe(true)
    expect(await missed({}, ...other)).toBe(true)
  })

  it("a missed read of the platform affects the conclusion only when it is required", async () => {
    const required = [{ command: "platform.poi.get", poi_id: "p1" }]
    const { call } = await replayCase([], { requiredReads: required })
    expect((await call("platform.poi.get", { poi_id: "p1" })).affects_conclusion).toBe(true)
    expect((await call("platform.poi.get", { poi_id: "p2" })).affects_conclusion).toBe(false)
    const free = await replayCase([])
    expect((await free.call("platform.poi.get", { poi_id: "p1" })).affects_conclusion).toBe(false)
  })

  it("a hit never affects the conclusion", async () => {
    const { call } = await replayCase([order("o1", "paid")])
    expect(await call("seller.orders.at", { order_id: "o1" })).not.toHaveProperty("affects_conclusion")
  })
})

describe("calls that production would not read", () => {
  it("a call with wrong arguments, or of no tool, is refused and is no miss", async () => {
    const { call } = await replayCase([order("o1", "paid")])
    for (const [name, args, told] of [
      ["seller.orders.list", {}, /no tool seller\.orders\.list.*seller\.orders\.at/],
      ["catalog.detail", { item_id: 1, view: "first" }, /item_id/],
      ["catalog.detail", { item_id: "1" }, /view/],
      ["catalog.detail", { item_id: "1", view: "first", color: "red" }, /color/],
      ["seller.orders.at", { order_id: "o1", at: "yesterday" }, /at: expected an instant/],
    ] as const) {
      const answer = await call(name, { ...args })
      expect(answer).toMatchObject({ ok: false, class: "passthrough" })
      expect(answer).not.toHaveProperty("reason")
      expect(answer.content).toMatch(told)
    }
  })

  it("names, arguments and schemas of the tools are the pack's, in the case's language", async () => {
    const { mounted } = await replayCase([], { script: { language: "zh" } })
    expect(mounted.tools.schemas).toEqual(toolDefinitions(commerceV1, "zh"))
    expect(commerceV1.tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["seller.snapshot.get", "seller.items.search", "seller.orders.at", "catalog.detail"]),
    )
  })
})

describe("the world around the reads", () => {
  it("leaves counts and hashes for judges, without arguments or results", async () => {
    const { call, mounted } = await replayCase([order("o1", "secret status")])
    await call("seller.orders.at", { order_id: "o1" })
    await call("seller.orders.at", { order_id: "o2-private" })
    await call("nothing", {})
    const evidence = mounted.evidence!()
    expect(evidence).toMatchObject({
      world: "replay",
      reads: { hit: 1, miss: 1, passthrough: 1, matched: 1, arguments_mismatch: 1, affects_conclusion: 1 },
    })
    expect(JSON.stringify(evidence)).not.toMatch(/secret|private/)
    await mounted.unmount()
    await expect(call("seller.orders.at", { order_id: "o1" })).rejects.toThrow(/is over/)
  })

  it("is identified by all that may change its answers", () => {
    const identity = (options: object) =>
      replayWorld({ shopId: "shop", policy: fieldPolicies.retail(), ...options }).identity()
    const plain = identity({})
    expect(identity({})).toEqual(plain)
    for (const other of [
      { shopId: "another" },
      { policy: fieldPolicies.travel() },
      { seed: [order("o1", "paid")] },
      { requiredReads: [{ command: "catalog.detail" }] },
      { tools: { ...commerceV1, tools: commerceV1.tools.slice(1) } },
    ]) {
      expect(identity(other)).not.toEqual(plain)
    }
  })

  it("refuses tools whose parameters are no JSON Schema, before any case is played", () => {
    const [first, ...rest] = commerceV1.tools
    const tools = { ...commerceV1, tools: [{ ...first!, parameters: { type: "nonsense" } }, ...rest] }
    expect(() => replayWorld({ shopId: "shop", policy: fieldPolicies.retail(), tools })).toThrow(/not a JSON Schema/)
  })

  it("refuses records of calls that its tools do not take: nothing could ever find them", async () => {
    const wrong = [
      [
        replayEntry("seller.order.at", { order_id: "o1" }, { result: {} }),
        /seller\.order\.at: commerce-v1 has no such tool/,
      ],
      [
        replayEntry("catalog.detail", { item_id: 88, view: "first" }, { result: {} }),
        /case case is of catalog\.detail: item_id/,
      ],
    ] as const
    for (const [entry, told] of wrong) {
      expect(() => replayWorld({ shopId: "shop", policy: fieldPolicies.retail(), seed: [entry] })).toThrow(told)
      await expect(replayCase([entry])).rejects.toThrow(told)
    }
  })

  it("answers a stopped caller with nothing", async () => {
    const stopped = AbortSignal.abort()
    const world = replayWorld({ shopId: "shop", policy: fieldPolicies.retail() })
    const script = Script.parse({
      schema: "souk.script/1",
      id: "s",
      case_id: "case",
      language: "zh",
      starts_at: storyTime("00:00"),
    })
    const clock = new ScriptClock(script.starts_at)
    await expect(world.mount(script, { clock, signal: stopped })).rejects.toThrow(/Cancelled/)
    const { mounted } = await replayCase([])
    await expect(
      mounted.tools.call({ id: "1", name: "seller.orders.at", arguments: {} }, { signal: stopped }),
    ).rejects.toThrow(/Cancelled/)
  })

  it("entries keep their times in one form, so that zones do not change what answers", async () => {
    const entry = ReplayEntry.parse({ ...order("o1", "paid"), observed_at: "2026-03-01T19:00:00+08:00" })
    expect(entry.observed_at).toBe(storyTime("11:00"))
    const { call } = await replayCase([entry])
    expect((await call("seller.orders.at", { order_id: "o1", at: "2026-03-01T12:00:00+01:00" })).reason).toBe("matched")
  })
})
