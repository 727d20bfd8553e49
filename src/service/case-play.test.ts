import { describe, expect, it } from "vitest"
import type { ConversationMessage } from "../core/conversation.ts"
import { AppError } from "../core/errors.ts"
import { manualClock } from "../lib/clock.ts"
import { echoAgent, tinyMetrics, tinyScript, tinyWorld, turnAgent } from "../testing/tiny-service.ts"
import { EvaluationCaseFailure } from "./failure.ts"
import { parseCaseRecord } from "./record.ts"
import { deterministicRole, type EvaluationRole } from "./role.ts"
import { type EvaluationRequest, EvaluationRunner } from "./runner.ts"
import type { ServiceAgent } from "./service-agent.ts"
import type { EvaluationTarget } from "./target.ts"
import { type ChannelBinding, type ChannelTargetOptions, channelTarget } from "./targets/channel.ts"
import type { EvaluationWorld } from "./world.ts"

const signal = new AbortController().signal

function play(
  agent: ServiceAgent,
  more: Partial<EvaluationRequest<ChannelBinding>> = {},
  target: Partial<ChannelTargetOptions> = {},
) {
  const hostClock = manualClock(5000)
  return new EvaluationRunner({}, { hostClock }).run(
    {
      script: tinyScript(["One", "Two"]),
      target: channelTarget({ agent, hostClock, ...target }),
      world: tinyWorld(),
      role: deterministicRole,
      metrics: tinyMetrics,
      ...more,
    },
    { signal },
  )
}

const asFile = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

describe("records as they come out, letter for letter", () => {
  it("a case that spans two days, with tool calls, a fact to check and the original conversation", async () => {
    const world = tinyWorld({
      get_stock: () => ({ ok: true, content: '{"stock":3}', data: { stock: 3 }, class: "hit", reason: "matched" }),
    })
    const agent = turnAgent(async (batch, desk) => {
      const answer = await desk.tools.call(
        { id: "call-1", name: "get_stock", arguments: { sku: "88" } },
        { signal: desk.signal },
      )
      await desk.send(`We have ${answer.content}, since you ask: ${batch[0]?.text}`)
    })
    const script = tinyScript([], {
      language: "zh",
      category: "presales",
      phase: "presales",
      identity: { customer_id: "k-1" },
      segments: [
        { at: "2026-03-01T21:00:00+08:00", texts: ["还有货吗？"] },
        { at: "2026-03-02T09:30:00+08:00", texts: ["那今天呢？"] },
      ],
      original_messages: [{ id: "o1", turn: 1, sender: "buyer", at: "2025-11-11T10:00:00+08:00", text: "还有货吗？" }],
      checks: [{ id: "k1", kind: "product_fact", text: "States the stock as it is", fact_keys: ["item:88:stock"] }],
      required_facts: [{ key: "item:88:stock", available: false }],
    })
    const { record, first_replies } = await play(agent, { script, world })
    expect(parseCaseRecord(record)).toEqual(record)
    await expect(asFile({ case: record, first_replies })).toMatchFileSnapshot("../../test/golden/cases/two-days.json")
  })

  it("a case of an unusable buyer, empty", async () => {
    const role: EvaluationRole = {
      identity: () => ({}),
      async *actions() {
        yield { kind: "invalid", reason: "it can not be decided whether the buyer may know this" }
      },
    }
    const { record, first_replies } = await play(echoAgent(), { role })
    await expect(asFile({ case: record, first_replies })).toMatchFileSnapshot(
      "../../test/golden/cases/invalid-buyer.json",
    )
  })
})

describe("what a record is made of", () => {
  it("metrics see the finished timeline, and turns that were not played leave nothing in it", async () => {
    let timeline: readonly ConversationMessage[] = []
    const handsOff = turnAgent(async (_, desk) => {
      await desk.handOff("always")
    })
    const { record } = await play(handsOff, {
      metrics: {
        name: "test@1",
        judgeInputs: (script, played) => {
          timeline = played
          return tinyMetrics.judgeInputs(script, played)
        },
      },
    })
    expect(timeline.map(({ text }) => text)).toEqual(["One"])
    expect(record.turns).toEqual([{ turn: 1, ended: "handed_off" }])
  })

  it("holds neither a score nor a verdict nor anything private of the script", async () => {
    const script = tinyScript(["One"], { goal: "SECRET-GOAL", buyer: { card: "SECRET-CARD" } })
    const { record } = await play(echoAgent(), { script })
    expect(JSON.stringify(record)).not.toContain("SECRET")
    expect(Object.keys(record).filter((key) => /score|verdict|reward|probab/.test(key))).toEqual([])
  })

  it("tokens are counted by party", async () => {
    const { record } = await play(echoAgent())
    expect(record.usage).toEqual({ agent: { model_calls: 2, total_tokens: 20 } })
  })

  it("only a case before the sale says whether the buyer came to buy", async () => {
    const role: EvaluationRole = { ...deterministicRole, outcome: () => ({ simulated_deal: true }) }
    const of = async (phase?: string) =>
      (await play(echoAgent(), { role, script: tinyScript(["One"], phase === undefined ? {} : { phase }) })).record
        .sales
    expect([await of("presales"), await of("other"), await of()]).toEqual([
      { phase: "presales", simulated_deal: true, human_comparisons: [] },
      { phase: "other" },
      undefined,
    ])
  })

  it("a fault of the world is not the agent's: the case ends in error and names the world", async () => {
    const world: EvaluationWorld = {
      identity: () => ({}),
      mount: async () => ({
        tools: {
          schemas: [],
          call: async () => {
            throw new AppError("ENVIRONMENT_UNAVAILABLE", "the tables are gone")
          },
        },
        unmount: async () => {},
      }),
    }
    const agent = turnAgent(async (_, desk) => {
      await desk.tools.call({ id: "t", name: "x", arguments: {} }, { signal: desk.signal }).catch(() => {})
      await desk.send("Let me see")
    })
    const { record } = await play(agent, { world })
    expect(record).toMatchObject({ end_reason: "error", error: { stage: "world", code: "ENVIRONMENT_UNAVAILABLE" } })
    expect(record.tools).toEqual([])
  })

  it("an answer that got lost is kept as unknown, is not sent again, is no first reply, and the buyer does not see it", async () => {
    let sends = 0
    const agent = turnAgent(async (_, desk) => {
      await desk.send("Lost").catch((error: AppError) => expect(error.code).toBe("DELIVERY_UNKNOWN"))
    })
    const seen: unknown[] = []
    const role: EvaluationRole = {
      identity: () => ({}),
      async *actions() {
        seen.push((yield { kind: "send", text: "One" })?.messages.map(({ text }) => text))
        yield { kind: "end", outcome: "abandoned" }
      },
    }
    const deliver = async () => {
      sends += 1
      return "unknown" as const
    }
    const { record, first_replies } = await play(agent, { role }, { deliver })
    expect(record.messages.map(({ text, delivery }) => [text, delivery])).toEqual([
      ["One", "sent"],
      ["Lost", "unknown"],
    ])
    expect(sends).toBe(1)
    expect(seen).toEqual([["One"]])
    expect(first_replies).toMatchObject([{ turn: 1, delivered_ms: null }])
  })

  it("metrics that break leave no record, but all that was seen", async () => {
    const metrics = {
      name: "broken@1",
      judgeInputs: () => {
        throw new Error("no such rubric")
      },
    }
    const failure = await play(echoAgent(), { metrics }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(EvaluationCaseFailure)
    expect(failure).toMatchObject({ stage: "record", result: undefined, evidence: { turns: [{}, {}] } })
    expect((failure as EvaluationCaseFailure).evidence.messages).toHaveLength(4)
  })

  it("nothing is printed, whatever a customer writes and whatever fails", async () => {
    const printed: string[] = []
    const streams = [process.stdout, process.stderr]
    const writes = streams.map((stream) => stream.write)
    for (const stream of streams)
      stream.write = ((chunk: unknown) => printed.push(String(chunk)) > 0) as typeof stream.write
    try {
      const agent = turnAgent(async (batch) => {
        throw new Error(`cannot answer ${batch[0]?.text} with key sk-123`)
      })
      await play(agent, { script: tinyScript(["Call me: 13800138000"]) })
    } finally {
      for (const [index, stream] of streams.entries()) stream.write = writes[index]!
    }
    expect(printed.join("")).not.toMatch(/13800138000|sk-123/)
  })
})

describe("what the runner is given", () => {
  it("a script by name, from a source", async () => {
    const script = tinyScript(["One"], { case_id: "c-9" })
    const hostClock = manualClock()
    const source = {
      load: async (caseId: string) => {
        if (caseId !== "c-9") throw new AppError("NOT_FOUND", `There is no case ${caseId}`)
        return script
      },
    }
    const adapters = {
      target: channelTarget({ agent: echoAgent(), hostClock }),
      world: tinyWorld(),
      role: deterministicRole,
      metrics: tinyMetrics,
    }
    const runner = new EvaluationRunner({}, { hostClock })
    expect((await runner.runFrom(source, "c-9", adapters, { signal })).record.case_id).toBe("c-9")
    await expect(runner.runFrom(source, "c-8", adapters, { signal })).rejects.toMatchObject({ code: "NOT_FOUND" })
  })

  it("the target's binding reaches the world and the role", async () => {
    const seen: unknown[] = []
    const world: EvaluationWorld<ChannelBinding> = {
      identity: () => ({}),
      mount: async (script, setup) => ({
        ...(await tinyWorld().mount(script, setup)),
        bound: ({ conversation }) => seen.push(["world", conversation.id]),
      }),
    }
    const role: EvaluationRole<ChannelBinding> = {
      identity: () => ({}),
      async *actions(_script, _signal, { conversation }) {
        seen.push(["role", conversation.id])
        yield { kind: "send", text: "One" }
      },
    }
    await play(echoAgent(), { world, role })
    expect(seen).toEqual([
      ["world", "c-1"],
      ["role", "c-1"],
    ])
  })

  it("each case has a session of its own, and a case that is played again has another", async () => {
    const hostClock = manualClock()
    const names: string[] = []
    const target = channelTarget({ agent: echoAgent(), hostClock, onConversation: ({ id }) => names.push(id) })
    const runner = new EvaluationRunner({}, { hostClock })
    for (const case_id of ["a", "b", "a"]) {
      const script = tinyScript(["One"], { case_id })
      await runner.run(
        { script, target, world: tinyWorld(), role: deterministicRole, metrics: tinyMetrics },
        { signal },
      )
    }
    expect(names).toEqual(["a", "b", "a~2"])
  })

  it("a target without any conversation of a chat reuses the runner, its record and its limits", async () => {
    const hostClock = manualClock()
    const library: EvaluationTarget<{ readonly shelf: string }> = {
      identity: () => ({ target: "library" }),
      async open({ clock }) {
        let count = 0
        const message = (sender: "buyer" | "agent", turn: number, text: string): ConversationMessage => {
          count += 1
          return {
            id: `q${count}`,
            turn,
            sender,
            at: clock.now(),
            text,
            channel: "conversation",
            origin: "simulated",
            delivery: "sent",
          }
        }
        let turn = 0
        return {
          binding: { shelf: "returns" },
          async advance(to) {
            clock.advanceTo(to)
          },
          async send(text) {
            turn += 1
            const messages = [message("buyer", turn, text), message("agent", turn, `Found: ${text}`)]
            return { turn, ended: "answered", messages }
          },
          close: async () => null,
          usage: () => ({}),
        }
      },
    }
    const told: string[] = []
    const { record } = await new EvaluationRunner({ maxBuyerMessages: 1 }, { hostClock }).run(
      {
        script: tinyScript(["A", "B"]),
        target: library,
        world: tinyWorld(),
        role: deterministicRole,
        metrics: tinyMetrics,
      },
      { signal, emit: ({ type }) => told.push(type) },
    )
    expect(record.messages.map(({ text }) => text)).toEqual(["A", "Found: A"])
    expect(record.end_reason).toBe("message_limit")
    expect(told.filter((type) => type === "message")).toHaveLength(2)
  })

  const wrong: [string, object][] = [
    ["responseTimeoutMs", { responseTimeoutMs: 999 }],
    ["buyerStepTimeoutMs", { buyerStepTimeoutMs: 600_001 }],
    ["firstReplyTargetMs", { firstReplyTargetMs: 1000.5 }],
    ["maxBuyerMessages", { maxBuyerMessages: 0 }],
    ["humanActionSampleSize", { humanActionSampleSize: -1 }],
    ["currency", { currency: "yuan" }],
    ["systemicFailureLimit", { systemicFailureLimit: 0 }],
    ["responseTimeout", { responseTimeout: 5 }],
  ]
  it.each(wrong)("a setting that is not usable is named: %s", (key, config) => {
    expect(() => new EvaluationRunner(config)).toThrow(new RegExp(key))
  })

  it("the settings have the published defaults", () => {
    expect(new EvaluationRunner().config).toEqual({
      maxBuyerMessages: 150,
      responseTimeoutMs: 120_000,
      buyerStepTimeoutMs: 120_000,
      firstReplyTargetMs: 30_000,
      currency: "CNY",
      humanActionSampleSize: 3,
      systemicFailureLimit: 3,
    })
  })
})
