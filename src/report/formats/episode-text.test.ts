import { describe, expect, it } from "vitest"
import type { EpisodeRecord } from "../../core/trace.ts"
import { episodeText } from "./episode-text.ts"

const RESULTS = {
  page_type: "search_results",
  products: Array.from({ length: 15 }, (_, i) => ({
    rank: i + 1,
    title: `Tent ${i}`,
    asin: `${i}`,
    price: i === 1 ? null : "9.50",
  })),
}

const record: EpisodeRecord = {
  schema: "souk.episode/1",
  suite: "shopping",
  episode_id: "task-000001__sample-000",
  job: { key: "task-000001__sample-000", task_id: "1", sample_id: 0, seed: 7, split: "val" },
  attempt: 1,
  status: "completed",
  end_reason: "purchase",
  started_at: "",
  ended_at: "",
  duration_ms: 20,
  provenance: {},
  usage: { model_calls: 2 },
  reward: { value: 0.5, detail: { r_type: 1, r_att: 0.5, explanation: { text: 'Attribute "light": not met.' } } },
  messages: [],
  events: [
    { type: "episode_start", instruction: "A light tent.", persona: { age: 30 }, info: {} },
    { type: "observation", step: 0, text: "Page: search\n", state: {} },
    {
      type: "model_call",
      step: 1,
      outcome: "protocol_error",
      code: "tool_call_count",
      message: "two calls",
      tools: [],
      latency_ms: 1,
      reasoning: "first\nthen",
    },
    {
      type: "model_call",
      step: 2,
      outcome: "reply",
      tools: [],
      latency_ms: 1,
      tool_calls: [{ id: "1", type: "function", function: { name: "search", arguments: '{"query":"tent"}' } }],
    },
    { type: "action", step: 2, action: "search[tent]" },
    {
      type: "feedback",
      step: 2,
      feedback: { action: "search[tent]", valid: true, reason: "executed", message: "Search done" },
    },
    {
      type: "observation",
      step: 2,
      text: `Page: results\n${RESULTS.products.map((p) => `${p.rank}. ${p.title}\n   Price: ${p.price}`).join("\n")}\n`,
      state: RESULTS,
    },
    {
      type: "feedback",
      step: 3,
      feedback: { action: "x", valid: false, reason: "unavailable_action", message: "No such thing" },
    },
    {
      type: "observation",
      step: 3,
      text: `Page: results\n${RESULTS.products.map((p) => `${p.rank}. ${p.title}\n   Price: ${p.price}`).join("\n")}\n\nNo such thing\n`,
      state: RESULTS,
    },
    { type: "from_the_future" } as unknown as EpisodeRecord["events"][number],
  ],
  evidence: {
    goal: { name: "Light tent", asin: "4", attributes: ["light"], goal_options: [], price_upper: null },
    purchase: { name: "Tent 3", asin: "3", attributes: [], options: { size: "large" }, price: 9.5 },
  },
}

describe("episodeText", () => {
  const text = episodeText(record)

  it("tells the episode step by step", () => {
    expect(text).toContain("completed, ended by purchase · reward 0.5 · 2 model calls · 20 ms")
    expect(text).toContain('A light tent.\nProfile: {"age":30}')
    expect(text).toContain("  ~ first\n    then\n✗ protocol error tool_call_count: two calls")
    expect(text).toContain(
      '→ search {"query":"tent"}\n\n✓ Search done\n\n  │ Page: results\n  │ 1. Tent 0  [0]  9.50\n  │ 2. Tent 1  [1]  no price\n',
    )
    expect(text).toContain("  │ 10. Tent 9  [9]  9.50\n  │ … 5 more products (--full)")
    expect(text).toContain("✗ No such thing (unavailable_action)\n\n  │ (the same page)")
    expect(text).toContain("· from_the_future")
  })

  it("sets purchase against goal, which it calls private, and explains the reward", () => {
    const outcome = text.slice(text.indexOf("── Outcome"))
    expect(outcome).toMatch(/^── Outcome \(private: the agent never saw the goal\)/)
    expect(outcome).toContain("Wanted   Light tent  [4]\n         attributes: light · options: none · any price")
    expect(outcome).toContain("Bought   Tent 3  [3]\n         attributes: none · options: size=large · price 9.5")
    expect(outcome).toContain('Attribute "light": not met.\nr_type 1 · r_att 0.5')
  })

  it("shows whole pages when all is asked for", () => {
    const full = episodeText(record, { full: true })
    expect(full).toContain("  │ 15. Tent 14\n  │    Price: 9.50")
    expect(full).not.toContain("--full")
  })

  it("says of a failed episode where it broke, and that it is not scored", () => {
    const { reward: _, ...rest } = record
    const failed = episodeText({
      ...rest,
      status: "failed",
      end_reason: "error",
      evidence: {},
      events: [{ type: "error", stage: "reset", code: "NOT_FOUND", message: "no task", retryable: false }],
    })
    expect(failed).toContain("failed, ended by error · not scored")
    expect(failed).toContain("── Error at reset")
    expect(failed).toContain("NOT_FOUND: no task")
    expect(failed).not.toContain("Outcome")
  })

  it("tells what was asked of a shopper, what they said, and what that gave away", () => {
    const answer = { question: "What is your budget?", answer: "My budget: $20.", facts: ["budget"], drafts: 2 }
    const text = episodeText({
      ...record,
      events: [
        { type: "shopper", step: 1, kind: "answer", ...answer, faults: ["leak"] },
        {
          type: "feedback",
          step: 1,
          feedback: { action: "ask[…]", valid: true, reason: "answered", message: answer.answer },
        },
        {
          type: "shopper",
          step: 2,
          kind: "decline",
          question: "click[buy now]",
          answer: "Not this.",
          facts: [],
          drafts: 1,
          faults: [],
        },
      ],
    })
    expect(text).toContain("Shopper: “My budget: $20.”\n  (told budget; 2 drafts, faults: leak)")
    expect(text).toContain("Shopper declines: “Not this.”")
    expect(text.match(/My budget/g)).toHaveLength(1)
  })
})
