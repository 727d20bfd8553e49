import { describe, expect, it } from "vitest"
import { openConversation } from "../../channel/conversation.ts"
import type { ScriptTime } from "../../core/time.ts"
import type { Emit } from "../../core/trace.ts"
import { type ManualClock, manualClock } from "../../lib/clock.ts"
import { echoAgent, storyTime, tinyMetrics, tinyScript, tinyWorld, turnAgent } from "../../testing/tiny-service.ts"
import { messageLine } from "../agents/words.ts"
import type { ContextProvider } from "../context.ts"
import { deterministicRole, type EvaluationRole } from "../role.ts"
import { EvaluationRunner } from "../runner.ts"
import type { ServiceAgent } from "../service-agent.ts"
import type { ReplyObservation } from "../target.ts"
import { channelTarget } from "../targets/channel.ts"
import type { InsightAnalyzer } from "./analyzer.ts"
import { BuyingInsights, type BuyingInsightsOptions } from "./insights.ts"
import { purchaseIntentObserver } from "./observer.ts"

/** Gives these estimates, one a batch; an error is thrown. Counts what it was asked. */
function estimates(...given: readonly (number | Error | Promise<number>)[]) {
  const asked: string[][] = []
  const analyzer: InsightAnalyzer = {
    identity: () => ({ analyzer: "given" }),
    async analyze({ words }) {
      const next = given[asked.length]
      asked.push(words.map(({ text }) => text))
      if (next instanceof Error) throw next
      return { intent: (await next) ?? 0, cues: ["price"] }
    },
  }
  return { analyzer, asked }
}

type Happening = Parameters<Emit>[0]

interface Played {
  readonly agent?: ServiceAgent
  readonly context?: ContextProvider
  readonly role?: EvaluationRole<unknown>
  readonly script?: Record<string, unknown>
  readonly signal?: AbortSignal
  readonly hostClock?: ManualClock
  readonly told?: Happening[]
}

async function play(insights: BuyingInsights, texts: readonly string[], played: Played = {}) {
  const { agent = echoAgent(), hostClock = manualClock(), told } = played
  const { record } = await new EvaluationRunner({ responseTimeoutMs: 5000 }, { hostClock }).run(
    {
      script: tinyScript(texts, { phase: "presales", ...played.script }),
      target: channelTarget({ agent, hostClock, context: played.context ?? insights }),
      world: tinyWorld(),
      role: played.role ?? deterministicRole,
      metrics: tinyMetrics,
      purchaseIntent: purchaseIntentObserver(insights),
    },
    {
      signal: played.signal ?? new AbortController().signal,
      ...(told && { emit: (happening) => told.push(happening) }),
    },
  )
  return record
}
const made = (analyzer: InsightAnalyzer, more: Partial<BuyingInsightsOptions> = {}) =>
  new BuyingInsights({ analyzer, ...more })
const brief = (record: Awaited<ReturnType<typeof play>>) =>
  record.sales?.purchase_intent?.map((point) => (point.status === "observed" ? point.score : point.reason))

describe("telling the agent", () => {
  it("the annotation is a private note that comes with the buyer's words; the buyer's side never sees it", async () => {
    const batches: string[][] = []
    const agent = turnAgent(async (batch, desk) => {
      batches.push(batch.map(({ sender, channel, text }) => `${sender} ${channel}: ${text}`))
      await desk.send("80.")
    })
    const seen: (ReplyObservation | undefined)[] = []
    const role: EvaluationRole<unknown> = {
      identity: () => ({}),
      async *actions() {
        seen.push(yield { kind: "send", text: "The price?" })
        yield { kind: "end", outcome: "goal_reached" }
      },
    }
    const record = await play(made(estimates(0.41).analyzer), [], { agent, role, script: { segments: [] } })
    const note = "How near the customer seems to buying, for you alone: medium, 0.41, by price."
    expect(batches).toEqual([[`system private: ${note}`, "buyer conversation: The price?"]])
    expect(record.messages.map(({ sender, channel }) => `${sender} ${channel}`)).toEqual([
      "buyer conversation",
      "system private",
      "agent conversation",
    ])
    expect(messageLine(record.messages[1]!, "en")).toMatch(/^\(a note of the system, to you only/)
    expect(seen[0]?.messages.map(({ sender }) => sender)).toEqual(["buyer", "agent"])
  })

  it("switched off, the analysis is made and nothing is told", async () => {
    const { analyzer, asked } = estimates(0.2, 0.3)
    const record = await play(made(analyzer, { injection: "off" }), ["One", "Two"])
    expect(record.messages.map(({ sender }) => sender)).toEqual(["buyer", "agent", "buyer", "agent"])
    expect([asked, brief(record)]).toEqual([
      [["One"], ["Two"]],
      [0.2, 0.3],
    ])
  })

  it("only the fields of the deployment are told, in the script's language", async () => {
    const insights = made(estimates(0.7).analyzer, { fields: ["tier"] })
    const record = await play(insights, ["有货吗"], { script: { language: "zh" } })
    expect(record.messages[1]?.text).toBe("顾客此刻的购买意向，仅供参考，不要向顾客提起：高。")
  })

  it("a note that cannot be made keeps no words from the agent, and viewers hear why", async () => {
    const context: ContextProvider = {
      identity: () => ({}),
      note: async () => {
        throw new Error("no note today")
      },
    }
    const told: Happening[] = []
    const record = await play(made(estimates().analyzer), ["One"], { context, told })
    expect(record.messages.map(({ text }) => text)).toEqual(["One", "Re: One"])
    expect(told.find(({ type }) => type === "error")).toMatchObject({ stage: "context", message: "no note today" })
  })
})

describe("observing purchase intent", () => {
  it("each of the buyer's messages has a point: its id, turn, time and the estimate before it was answered", async () => {
    const segments = [
      { at: "2026-03-01T09:00:00+08:00", texts: ["One"] },
      { at: "2026-03-01T10:30:00+08:00", texts: ["Two"] },
    ]
    const record = await play(made(estimates(0.25, 0.75).analyzer), [], { script: { segments } })
    const [first, second] = record.messages.filter(({ sender }) => sender === "buyer")
    expect(record.sales?.purchase_intent).toEqual([
      {
        status: "observed",
        turn: 1,
        buyer_message_id: first?.id,
        at: storyTime("2026-03-01 09:00"),
        score: 0.25,
      },
      {
        status: "observed",
        turn: 2,
        buyer_message_id: second?.id,
        at: storyTime("2026-03-01 10:30"),
        score: 0.75,
      },
    ])
  })

  it("analyses belong to messages by identity: equal words at one time, in one batch or in two, are kept apart", async () => {
    const insights = made(estimates(0.2, 0.9).analyzer)
    const now = "2026-03-01T01:00:00.000Z" as ScriptTime
    const open = (id: string) => openConversation({ id, clock: manualClock(), now: () => now })
    const [conversation, other] = [await open("c-1"), await open("c-2")]
    const reader = purchaseIntentObserver(insights).observe({ conversation })
    const elsewhere = purchaseIntentObserver(insights).observe({ conversation: other })
    const { signal } = new AbortController()
    const take = () =>
      conversation.take(signal, { note: (batch) => insights.note({ conversation, language: "en", batch }, signal) })
    const say = (turn: number) => conversation.receive({ sender: "buyer", turn, text: "And?" })
    const batch = [await say(1), await say(2)]
    await take()
    const later = await say(3)
    await take()
    const unread = await say(4)
    const read = reader.read([...batch, later, unread])
    expect(read).toMatchObject([
      { buyer_message_id: batch[0]!.id, turn: 1, status: "observed", score: 0.2 },
      { buyer_message_id: batch[1]!.id, turn: 2, status: "observed", score: 0.2 },
      { buyer_message_id: later.id, turn: 3, status: "observed", score: 0.9 },
      { buyer_message_id: unread.id, turn: 4, status: "unavailable", reason: "result_missing" },
    ])
    await other.receive({ sender: "buyer", turn: 1, text: "And?" }) // has the same id there
    expect(elsewhere.read([batch[0]!])).toMatchObject([{ status: "unavailable", reason: "result_missing" }])
    reader.close()
    expect(reader.read([later])).toMatchObject([{ status: "unavailable", reason: "result_missing" }])
  })

  it("an analysis that fails after a good one is unavailable with its reason, and carries no score over", async () => {
    const record = await play(made(estimates(0.8, new Error("busy"), Number.NaN, 0.1).analyzer), ["1", "2", "3", "4"])
    expect(brief(record)).toEqual([0.8, "analysis_failed", "analysis_failed", 0.1])
    expect(record.sales?.purchase_intent?.[1]).not.toHaveProperty("score")
    expect(record.messages.filter(({ sender }) => sender === "agent")).toHaveLength(4)
  })

  it("an analysis that is switched off is unavailable as such, and asks nobody", async () => {
    const { analyzer, asked } = estimates(0.8)
    const record = await play(made(analyzer, { analysis: false }), ["One"])
    expect([brief(record), asked]).toEqual([["analysis_disabled"], []])
  })

  it("a case that is stopped during an analysis leaves it cancelled", async () => {
    const stop = new AbortController()
    const { analyzer } = estimates(0.8, new Promise<number>(() => {}))
    const slow: InsightAnalyzer = {
      ...analyzer,
      analyze(request, signal) {
        if (request.words[0]?.text === "Two") queueMicrotask(() => stop.abort())
        return analyzer.analyze(request, signal)
      },
    }
    const record = await play(made(slow), ["One", "Two"], { signal: stop.signal })
    expect(record.end_reason).toBe("cancelled")
    expect(brief(record)).toEqual([0.8, "cancelled"])
  })

  it("an analysis that takes too long has failed, and the agent gets the words without it", async () => {
    const hostClock = manualClock()
    const hanging: InsightAnalyzer = {
      identity: () => ({}),
      analyze: () => {
        queueMicrotask(() => hostClock.advance(1000))
        return new Promise(() => {})
      },
    }
    const record = await play(made(hanging, { timeoutMs: 1000, hostClock }), ["One"], { hostClock })
    expect(record.messages.map(({ text }) => text)).toEqual(["One", "Re: One"])
    expect(brief(record)).toEqual(["analysis_failed"])
  })

  it("a point stays observed when the agent fails afterwards", async () => {
    const agent = turnAgent(async () => {
      throw new Error("the model is gone")
    })
    const record = await play(made(estimates(0.6).analyzer), ["One"], { agent })
    expect([record.end_reason, brief(record)]).toEqual(["error", [0.6]])
  })

  it("the observer asks for no analysis: without one that somebody made, nothing is known", async () => {
    const { analyzer, asked } = estimates(0.6)
    const insights = made(analyzer)
    const silent: ContextProvider = { identity: () => ({}), note: async () => undefined }
    const record = await play(insights, ["One"], { context: silent })
    expect([brief(record), asked, insights.injection]).toEqual([["result_missing"], [], "on"])
  })

  it("a case after the sale has no purchase intent, and one that nobody observes neither", async () => {
    const record = await play(made(estimates(0.6).analyzer), ["One"], { script: { phase: "other" } })
    expect(record.sales).toEqual({ phase: "other" })
  })
})
