import { describe, expect, it } from "vitest"
import type { Summary } from "../core/score.ts"
import { summaryText } from "./summary.ts"

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
        "Episodes    8 of 10 scored (80.0 %)  1 failed, 1 missing, 11 attempts",
        "Success     25.0 %  2 of 8; 95 % interval 7.2 to 59.1 %",
        "Reward      0.400  95 % interval 0.164 to 0.636",
        "Components  r_att 0.500",
        "Steps       6.3 an episode  protocol errors 2 (4.0 %), policy failures 0",
        "Actions     48  invalid 0",
        "Ended by    purchase 7 · action_limit 1",
        "Time        3.4 s an episode",
        "Tokens      prompt_tokens 1200",
        "Errors      MODEL_UNAVAILABLE 1",
      ].join("\n"),
    )
  })

  it("tells repeats, moves, latencies, cost, slices and warnings where there are any", () => {
    const scored = { success_rate: 0.5, success_interval: { low: 0.1, high: 0.9 }, reward_mean: 0.5 }
    const full: Summary = {
      ...summary,
      primary: {
        ...summary.primary,
        success_task_interval: { low: 0.1, high: 0.5 },
        reward_task_interval: { low: 0.2, high: 0.6 },
      },
      pass: [
        { k: 1, tasks: 4, pass_at_k: 0.25, pass_hat_k: 0.25 },
        { k: 2, tasks: 3, pass_at_k: 0.5, pass_hat_k: 0.125 },
      ],
      behavior: {
        ...summary.behavior,
        measures: {
          searches: { n: 8, mean: 2.5, median: 2, p90: 4 },
          backtracks: { n: 8, mean: 0, median: 0, p90: 0 },
        },
      },
      latency: { model_call: { n: 50, p50: 120, p90: 900, p99: 2400 } },
      cost: {
        ...summary.cost,
        money: [
          { amount: "0.12", currency: "CNY" },
          { amount: "1.5", currency: "USD" },
        ],
        money_attempts: { recorded: 3, priced: 7, unknown: 1 },
      },
      slices: {
        difficulty: { easy: { ...scored, scored: 6 }, hard: { ...scored, success_rate: 0, scored: 2 } },
        persona: { none: { ...scored, scored: 8 } },
      },
      warnings: [{ code: "few_tasks", message: "4 tasks are few: intervals are rough" }],
    }
    const lines = summaryText(full).split("\n")
    for (const line of [
      "Success        25.0 %  2 of 8; 95 % interval 10.0 to 50.0 %, by task",
      "Reward         0.400  95 % interval 0.200 to 0.600, by task",
      "pass@2         50.0 %  pass^2 12.5 %; 3 tasks",
      "Moves          searches 2.5 an episode",
      "Model calls    half within 120 ms, 90 % within 900 ms, 99 % within 2.4 s  50 calls",
      "Cost           0.12 CNY · 1.5 USD  of 10 of 11 attempts",
      "By difficulty  easy 3 of 6 · hard 0 of 2",
    ]) {
      expect(lines).toContain(line)
    }
    expect(lines.some((line) => line.startsWith("By persona"))).toBe(false)
    expect(lines.at(-1)).toBe("Warning: 4 tasks are few: intervals are rough.")
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
    expect(summaryText(nothing)).toBe("Episodes  0 of 10 scored (0.0 %)  9 failed, 1 missing")
  })
})
