import { expect, it } from "vitest"
import type { JsonObject } from "../../../core/json.ts"
import { replayEntry, storyTime } from "../../../testing/replay-case.ts"
import { scriptedAgent } from "../../agents/scripted.ts"
import { scriptMetricPack } from "../../metric-pack.ts"
import { fieldPolicies } from "../../policies/index.ts"
import { parseCaseRecord } from "../../record.ts"
import { deterministicRole } from "../../role.ts"
import { EvaluationRunner } from "../../runner.ts"
import { Script } from "../../script.ts"
import { channelTarget } from "../../targets/channel.ts"
import { replayWorld } from "../replay.ts"

const order = (id: string, status: string, at: string) =>
  replayEntry("seller.orders.at", { order_id: id }, { result: { orders: [{ order_id: id, status }] }, observed_at: at })
const read = (order_id: string) => ({ call: { name: "seller.orders.at", arguments: { order_id } } })

it("a case of two days reads the facts of each day, and its record says for every call what it was answered with and why", async () => {
  const script = Script.parse({
    schema: "souk.script/1",
    id: "two-days",
    case_id: "case",
    language: "en",
    time_zone: "UTC",
    starts_at: storyTime("11:00"),
    identity: { shop_id: "shop", customer_id: "b7" },
    segments: [
      { at: "2026-03-01T11:00:00Z", texts: ["Where is my order o1?"] },
      { at: "2026-03-02T09:00:00Z", texts: ["And today?"] },
    ],
    required_reads: [{ command: "seller.orders.at", order_id: "o1" }],
    replay: [
      order("o1", "paid", "2026-03-01T10:00:00Z"),
      order("o1", "sent", "2026-03-02T08:00:00Z"),
      order("o1", "returned", "2026-03-03T08:00:00Z"),
    ],
  })
  const play = async () => {
    const agent = scriptedAgent([
      [read("o1"), read("o2"), { say: "It is paid." }],
      [read("o1"), { call: { name: "seller.orders.cancel", arguments: {} } }, { say: "It was sent." }],
    ])
    const { record } = await new EvaluationRunner().run(
      {
        script,
        target: channelTarget({ agent }),
        world: replayWorld({ shopId: "shop", policy: fieldPolicies.retail() }),
        role: deterministicRole,
        metrics: scriptMetricPack,
      },
      { signal: new AbortController().signal },
    )
    return record
  }
  const record = await play()
  expect(parseCaseRecord(JSON.parse(JSON.stringify(record)))).toEqual(record)
  const status = (data: unknown) => ((data as JsonObject | undefined)?.orders as JsonObject[] | undefined)?.[0]?.status
  expect(
    record.tools.map(({ at, class: kind, reason, affects_conclusion, data }) => [
      at,
      kind,
      reason,
      affects_conclusion,
      status(data),
    ]),
  ).toEqual([
    ["2026-03-01T11:00:00.000Z", "hit", "matched", undefined, "paid"],
    ["2026-03-01T11:00:00.000Z", "miss", "arguments_mismatch", false, undefined],
    ["2026-03-02T09:00:00.000Z", "hit", "matched", undefined, "sent"],
    ["2026-03-02T09:00:00.000Z", "passthrough", undefined, undefined, undefined],
  ])
  expect(record.world).toMatchObject({ world: "replay", reads: { hit: 2, miss: 1, passthrough: 1 } })
  expect(JSON.stringify(record)).not.toContain("returned")
  expect((await play()).tools).toEqual(record.tools) // the same on any day
})
