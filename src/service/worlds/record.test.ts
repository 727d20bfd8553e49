import { describe, expect, it } from "vitest"
import { isJsonObject, type JsonObject } from "../../core/json.ts"
import { ScriptTime } from "../../core/time.ts"
import { TINY_RETAIL } from "../../testing/tiny-retail.ts"
import { fieldPolicies } from "../policies/index.ts"
import { ReplayEntry, Script } from "../script.ts"
import { ScriptClock } from "../script-clock.ts"
import { parseDatabase } from "../tau2/database.ts"
import { retailEvaluationWorld } from "../tau2/world.ts"
import type { MountedWorld } from "../world.ts"
import { recordedToolPack, recordWorld } from "./record.ts"
import { replayWorld } from "./replay.ts"

const { signal } = new AbortController()
const script = Script.parse({
  schema: "souk.script/1",
  id: "s1",
  case_id: "c1",
  language: "en",
  identity: { shop_id: "tiny" },
  starts_at: "2026-01-01T09:00:00Z",
})
const time = (hour: string) => ScriptTime.parse(`2026-01-01T${hour}:00:00Z`)
const asker = ({ tools }: MountedWorld) => {
  let calls = 0
  return (name: string, args: JsonObject) => tools.call({ id: `t${++calls}`, name, arguments: args }, { signal })
}
const statusOf = ({ data }: { data?: unknown }) => (isJsonObject(data) ? data.status : undefined)

describe("recording a live world", () => {
  it("writes what was read, in the form that a world on record answers from", async () => {
    const live = retailEvaluationWorld(parseDatabase(TINY_RETAIL, "tiny"), "fixed")
    const lines: string[] = []
    const world = recordWorld(live, { shopId: "tiny", onEntry: (entry) => lines.push(JSON.stringify(entry)) })
    expect(world.identity()).toEqual(live.identity())

    const clock = new ScriptClock(script.starts_at)
    const mounted = await world.mount(script, { clock, signal })
    const ask = asker(mounted)
    clock.advanceTo(time("10"))
    await ask("get_order_details", { order_id: "#W1" })
    await ask("get_order_details", { order_id: "nothing" })
    await ask("find_user_id_by_email", { email: "ann.lee@example.com" })
    clock.advanceTo(time("12"))
    await ask("cancel_pending_order", { order_id: "#W1", reason: "no longer needed" })
    await ask("get_order_details", { order_id: "#W1" })
    expect(mounted.evidence?.()).toMatchObject({ changes: [{ table: "orders", id: "#W1" }] })
    await mounted.unmount()
    const entries = lines.map((line) => ReplayEntry.parse(JSON.parse(line)))
    expect(entries.map(({ command, observed_at }) => [command, observed_at])).toEqual([
      ["get_order_details", time("10")],
      ["find_user_id_by_email", time("10")],
      ["get_order_details", time("12")],
    ])

    const replayed = replayWorld({
      shopId: "tiny",
      policy: fieldPolicies.retail(),
      seed: entries,
      tools: recordedToolPack("tiny", mounted.tools.schemas),
    })
    const later = new ScriptClock(script.starts_at)
    const again = asker(await replayed.mount(script, { clock: later, signal }))
    const order = { order_id: "#W1" }
    expect(await again("get_order_details", order)).toMatchObject({ class: "miss", reason: "not_yet_available" })
    later.advanceTo(time("11"))
    expect(statusOf(await again("get_order_details", order))).toBe("pending")
    expect((await again("find_user_id_by_email", { email: "ann.lee@example.com" })).data).toMatchObject({
      result: "ann_lee_1",
    })
    later.advanceTo(time("13"))
    expect(statusOf(await again("get_order_details", order))).toBe("cancelled")
    expect(await again("get_order_details", { order_id: "nothing" })).toMatchObject({ reason: "arguments_mismatch" })
  })

  it("at one time of the story the last read wins", async () => {
    const entries: ReplayEntry[] = []
    const live = retailEvaluationWorld(parseDatabase(TINY_RETAIL, "tiny"), "fixed")
    const world = recordWorld(live, { shopId: "tiny", onEntry: (entry) => entries.push(entry) })
    const clock = new ScriptClock(script.starts_at)
    const mounted = await world.mount(script, { clock, signal })
    const ask = asker(mounted)
    await ask("get_order_details", { order_id: "#W3" })
    await ask("cancel_pending_order", { order_id: "#W3", reason: "no longer needed" })
    await ask("get_order_details", { order_id: "#W3" })
    const tools = recordedToolPack("tiny", mounted.tools.schemas)
    const replayed = replayWorld({ shopId: "tiny", policy: fieldPolicies.retail(), seed: entries, tools })
    const again = asker(await replayed.mount(script, { clock, signal }))
    expect(statusOf(await again("get_order_details", { order_id: "#W3" }))).toBe("cancelled")
  })
})
