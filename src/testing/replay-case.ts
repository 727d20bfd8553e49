import type { ReadRef } from "../core/case-record.ts"
import { isJsonObject, type JsonObject } from "../core/json.ts"
import { ScriptTime } from "../core/time.ts"
import { fieldPolicies } from "../service/policies/index.ts"
import { ReplayEntry, Script } from "../service/script.ts"
import { ScriptClock } from "../service/script-clock.ts"
import type { ToolAnswer } from "../service/tools.ts"
import type { MountedWorld } from "../service/world.ts"
import { type ReplayWorldOptions, replayWorld } from "../service/worlds/replay.ts"

/** An instant of the day that small stories play on: `10:30` in UTC. */
export function storyTime(time: string): ScriptTime {
  return ScriptTime.parse(`2026-03-01T${time}:00Z`)
}

/** An entry of the small case, observed at 10:00 unless told otherwise. */
export function replayEntry(command: string, args: JsonObject, rest: JsonObject = {}): ReplayEntry {
  return ReplayEntry.parse({
    shop_id: "shop",
    case_id: "case",
    command,
    arguments: args,
    observed_at: storyTime("10:00"),
    ...rest,
  })
}

export interface ReplayCase {
  readonly mounted: MountedWorld
  readonly clock: ScriptClock
  call(name: string, args: JsonObject): Promise<ToolAnswer>
  /** The data of an answer that must have some. */
  data(name: string, args: JsonObject): Promise<JsonObject>
}

/** The small case (`shop`, `case`, in English) with these entries on record, its story at `now`. */
export async function replayCase(
  entries: readonly ReplayEntry[],
  {
    now = "11:00",
    script = {},
    policy = fieldPolicies.retail(),
    ...options
  }: { now?: string; script?: JsonObject; requiredReads?: readonly ReadRef[] } & Partial<ReplayWorldOptions> = {},
): Promise<ReplayCase> {
  const clock = new ScriptClock(storyTime("00:00"))
  clock.advanceTo(storyTime(now))
  const world = replayWorld({ shopId: "shop", policy, ...options })
  const parsed = Script.parse({
    schema: "souk.script/1",
    id: "script",
    case_id: "case",
    language: "en",
    starts_at: storyTime("00:00"),
    replay: entries,
    ...script,
  })
  const { signal } = new AbortController()
  const mounted = await world.mount(parsed, { clock, signal })
  let calls = 0
  const call = (name: string, args: JsonObject) =>
    mounted.tools.call({ id: `call-${++calls}`, name, arguments: args }, { signal })
  return {
    mounted,
    clock,
    call,
    async data(name, args) {
      const { data } = await call(name, args)
      if (data === undefined || !isJsonObject(data)) throw new Error(`${name} gave no data`)
      return data
    },
  }
}
