import { describe, expect, it } from "vitest"
import type { ConversationMessage } from "../core/conversation.ts"
import { ConversationMessage as Message } from "../core/conversation.ts"
import { manualClock } from "../lib/clock.ts"
import { echoAgent, tinyMetrics, tinyScript, tinyWorld, turnAgent } from "../testing/tiny-service.ts"
import { parseCaseRecord } from "./record.ts"
import { deterministicRole } from "./role.ts"
import { EvaluationRunner } from "./runner.ts"
import { humanComparisons } from "./sales.ts"
import { channelTarget } from "./targets/channel.ts"

const AT = "2026-02-01T09:00:00+08:00"

/** Messages from lines such as `buyer: Hello`; ids count from `prefix`1, turns with the buyer's words. */
function conversation(prefix: string, lines: readonly string[]): ConversationMessage[] {
  let turn = 0
  return lines.map((line, index) => {
    const [sender, text] = line.split(": ")
    if (sender === "buyer") turn += 1
    return Message.parse({ id: `${prefix}${index + 1}`, turn, sender, at: AT, text, origin: "original" })
  })
}

const HISTORY = [
  "buyer: Is it in stock?", // o1
  "human_native: Yes, seven left.",
  "buyer: And the price?", // o3
  "human_native: One moment.",
  "human_native: 80 yuan.",
  "buyer: Is it in stock?", // o6
  "agent: Five left by now.",
  "buyer: Thanks", // o8, unanswered
]

async function play(texts: readonly string[], more: Record<string, unknown> = {}, agent = echoAgent()) {
  const hostClock = manualClock()
  const { record } = await new EvaluationRunner({}, { hostClock }).run(
    {
      script: tinyScript(texts, { phase: "presales", original_messages: conversation("o", HISTORY), ...more }),
      target: channelTarget({ agent, hostClock }),
      world: tinyWorld(),
      role: deterministicRole,
      metrics: tinyMetrics,
    },
    { signal: new AbortController().signal },
  )
  return record
}

describe("comparisons with the human's answers", () => {
  it("the buyer's words are paired, to the letter, with the same words then and all that answered them", async () => {
    const { sales, messages } = await play(["And the price?", "and the price?"])
    expect(sales?.human_comparisons).toEqual([
      {
        turn: 1,
        buyer_message_id: messages[0]!.id,
        original_message_id: "o3",
        human_reply_ids: ["o4", "o5"],
        agent_message_ids: [messages[1]!.id],
      },
    ])
  })

  it("a sentence that the buyer repeats matches its next occurrence in the history", async () => {
    const { sales } = await play(["Is it in stock?", "And the price?", "Is it in stock?", "Is it in stock?"])
    expect(
      sales?.human_comparisons?.map(({ turn, original_message_id, human_reply_ids }) => [
        turn,
        original_message_id,
        human_reply_ids,
      ]),
    ).toEqual([
      [1, "o1", ["o2"]],
      [2, "o3", ["o4", "o5"]],
      [3, "o6", ["o7"]],
    ])
  })

  it("words that no human answered have no pair", async () => {
    expect((await play(["Thanks"])).sales?.human_comparisons).toEqual([])
  })

  it("turns that the agent left without an answer, or failed in, stay in the record and have no pair", async () => {
    const silent = turnAgent(async (batch, desk) => {
      const text = batch.at(-1)?.text
      if (text === "Is it in stock?") return
      if (text === "Thanks") throw new Error("the model is gone")
      await desk.send("80.")
    })
    const record = await play(["Is it in stock?", "And the price?", "Thanks"], {}, silent)
    expect(record.turns.map(({ ended }) => ended)).toEqual(["answered", "answered", "error"])
    expect(record.sales?.human_comparisons?.map(({ turn }) => turn)).toEqual([2])
  })

  it("private words and what the agent failed to deliver are no answers", () => {
    const original = conversation("o", ["buyer: One", "human_native: Yes"])
    const [said, answer] = conversation("m", ["buyer: One", "agent: Re: One"])
    const pairs = (more: Partial<ConversationMessage>) => humanComparisons(original, [said!, { ...answer!, ...more }])
    expect(pairs({})).toHaveLength(1)
    expect(pairs({ channel: "private" })).toEqual([])
    expect(pairs({ delivery: "failed" })).toEqual([])
  })
})

describe("what a record says about selling", () => {
  it("a case after the sale has neither a deal nor comparisons", async () => {
    expect((await play(["And the price?"], { phase: "other" })).sales).toEqual({ phase: "other" })
  })

  it("is refused where the messages contradict it", async () => {
    const record = await play(["And the price?"])
    const [comparison] = record.sales!.human_comparisons!
    const point = { status: "observed", turn: 1, buyer_message_id: record.messages[0]!.id, at: record.messages[0]!.at }
    const withSales = (sales: object) => () => parseCaseRecord({ ...record, sales: { phase: "presales", ...sales } })
    expect(withSales({ human_comparisons: [comparison], purchase_intent: [{ ...point, score: 0.4 }] })).not.toThrow()
    for (const [sales, message] of [
      [{ phase: "other", simulated_deal: false }, /not before the sale/],
      [{ human_comparisons: [{ ...comparison, original_message_id: "o99" }] }, /messages that are not there/],
      [{ human_comparisons: [{ ...comparison, turn: 2 }] }, /messages that are not there/],
      [{ purchase_intent: [{ ...point, turn: 2, score: 0.4 }] }, /no words of the buyer/],
      [{ purchase_intent: [point, point].map((one) => ({ ...one, score: 0.4 })) }, /two purchase intents/],
      [{ purchase_intent: [{ ...point, score: 1.2 }] }, /score/],
      [{ purchase_intent: [{ ...point, status: "unavailable", reason: "cancelled", score: 0.4 }] }, /score/],
    ] as const) {
      expect(withSales(sales), JSON.stringify(sales)).toThrow(message)
    }
  })
})
