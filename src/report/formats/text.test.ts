import { describe, expect, it } from "vitest"
import type { Summary } from "../../core/score.ts"
import type { EpisodeRecord } from "../../core/trace.ts"
import { episodeText } from "./episode-text.ts"
import { duration, summaryText } from "./summary-text.ts"

const summary: Summary = {
  schema: "souk.summary/1",
  suite: "shopping",
  pack: "shopping@1",
  name: "test",
  fingerprint: "f",
  counts: {
    requested: 10,
    recorded: 9,
    missing: 1,
    attempts: 11,
    completed: 8,
    failed: 1,
    cancelled: 0,
    invalid: 0,
    scored: 8,
    coverage: 0.8,
  },
  primary: {
    success_rate: 0.25,
    success_interval: { low: 0.0716, high: 0.5907 },
    reward_mean: 0.4,
    reward_sem: 0.1,
    reward_interval: { low: 0.1636, high: 0.6364 },
  },
  reward_components: { r_att: 0.5 },
  behavior: {
    steps_mean: 6.25,
    model_steps: 50,
    protocol_errors: 2,
    protocol_error_rate: 0.04,
    policy_failures: 0,
    policy_failure_rate: 0,
    total_actions: 48,
    invalid_actions: 0,
    invalid_action_rate: 0,
    termination_reasons: { action_limit: 1, purchase: 7 },
  },
  cost: { duration_ms_mean: 3400, tokens: { prompt_tokens: 1200 } },
  errors: { MODEL_UNAVAILABLE: 1 },
}

describe("summaryText", () => {
  it("says what figures are over, and their intervals", () => {
    expect(summaryText(summary)).toBe(
      [
        "Episodes    8 of 10 scored (80.0 %); 1 failed, 1 missing, 11 attempts",
        "Success     25.0 %  2 of 8; 95 % interval 7.2 to 59.1 %",
        "Reward      0.400  95 % interval 0.164 to 0.636",
        "Components  r_att 0.500",
        "Steps       6.3 an episode; protocol errors 2 (4.0 %), policy failures 0",
        "Actions     48, invalid 0",
        "Ended by    purchase 7 · action_limit 1",
        "Time        3.4 s an episode",
        "Tokens      prompt_tokens 1200",
        "Errors      MODEL_UNAVAILABLE 1",
      ].join("\n"),
    )
  })

  it("leaves out what there is none of", () => {
    const nothing: Summary = {
      ...summary,
      counts: { ...summary.counts, completed: 0, scored: 0, coverage: 0, failed: 9, attempts: 9 },
      primary: {},
      reward_components: {},
      behavior: {
        model_steps: 0,
        protocol_errors: 0,
        policy_failures: 0,
        total_actions: 0,
        invalid_actions: 0,
        termination_reasons: {},
      },
      cost: { tokens: {} },
      errors: {},
    }
    expect(summaryText(nothing)).toBe("Episodes  0 of 10 scored (0.0 %); 9 failed, 1 missing")
  })
})

describe("duration", () => {
  it("is in the unit that reads best", () => {
    expect([0.42, 12.4, 3400, 125_000].map(duration)).toEqual(["0.4 ms", "12 ms", "3.4 s", "2 min 5 s"])
  })
})

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
})
