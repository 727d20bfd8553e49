import fc from "fast-check"
import { expect, it } from "vitest"
import type { ToolDefinition } from "../../core/message.ts"
import type { EpisodeEvent } from "../../core/trace.ts"
import { scriptedModel } from "../../models/scripted.ts"
import { tinyScript, tinyWorld } from "../../testing/tiny-service.ts"
import { scriptMetricPack } from "../metric-pack.ts"
import { deterministicRole } from "../role.ts"
import { EvaluationRunner } from "../runner.ts"
import { channelTarget } from "../targets/channel.ts"
import { chatAgent } from "./chat.ts"
import { offeredTools } from "./tool-names.ts"

const tool = (name: string): ToolDefinition => ({
  type: "function",
  function: { name, description: name, parameters: { type: "object", properties: {} } },
})
const named = (names: readonly string[], reserved?: readonly string[]) =>
  offeredTools(names.map(tool), reserved).definitions.map((offered) => offered.function.name)

it("names that endpoints take stay, others are spelled with what they take", () => {
  expect(named(["get_order", "seller.snapshot.get", "查库存", "a b"])).toEqual([
    "get_order",
    "seller_snapshot_get",
    "___",
    "a_b",
  ])
})

it("no two tools are called the same, and a name that was fine is not taken from its owner", () => {
  expect(named(["a.b", "a:b", "a_b"])).toEqual(["a_b_2", "a_b_3", "a_b"])
  expect(named(["send_message"], ["send_message"])).toEqual(["send_message_2"])
  const long = "x".repeat(70)
  expect(named([long, `${long}y`])).toEqual(["x".repeat(64), `${"x".repeat(62)}_2`])
})

it("every tool has a name of its own that endpoints take, and a call of it reaches the tool", () => {
  const names = fc.uniqueArray(fc.oneof(fc.string({ unit: "grapheme" }), fc.stringMatching(/^[a._-]{0,70}$/)))
  fc.assert(
    fc.property(names, (tools) => {
      const offered = offeredTools(tools.map(tool), ["send_message"])
      const called = offered.definitions.map((definition) => definition.function.name)
      expect(new Set(called).size).toBe(tools.length)
      for (const [index, name] of called.entries()) {
        expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
        expect(name).not.toBe("send_message")
        expect(offered.real(name)).toBe(tools[index])
      }
    }),
  )
  expect(offeredTools([tool("a.b")]).real("a.b")).toBe("a.b") // a model that says the world's own name is understood
})

it.each(["Be kind.", null])(
  "a model (policy: %s) is offered names that it can call, and the record keeps the world's own",
  async (policy) => {
    const told: string[][] = []
    const model = scriptedModel(({ tools = [] }, index) => {
      told.push(tools.map((offered) => offered.function.name))
      return index === 0 ? { tool: "seller_snapshot_get", arguments: { item_id: "88" } } : { text: "It is there." }
    })
    const asked: string[] = []
    const world = tinyWorld({
      "seller.snapshot.get": () => {
        asked.push("seller.snapshot.get")
        return { ok: true, content: "{}", class: "hit" }
      },
    })
    const events: EpisodeEvent[] = []
    const target = channelTarget({ agent: chatAgent({ open: () => model, policy }) })
    const { record } = await new EvaluationRunner().run(
      { script: tinyScript(["Is it there?"]), target, world, role: deterministicRole, metrics: scriptMetricPack },
      { signal: new AbortController().signal, emit: (event) => events.push(event as EpisodeEvent) },
    )
    expect(told[0]).toContain("seller_snapshot_get")
    expect(asked).toEqual(["seller.snapshot.get"])
    expect(record.tools).toMatchObject([{ name: "seller.snapshot.get", arguments: { item_id: "88" }, ok: true }])
    expect(record.messages.at(-1)?.text).toBe("It is there.")
    const call = events.find((event) => event.type === "model_call") // as the model was sent it
    expect(call).toMatchObject({ tool_calls: [{ function: { name: "seller_snapshot_get" } }] })
  },
)
