import { describe, expect, it } from "vitest"
import { Summary } from "../core/score.ts"
import type { EpisodeEvent, EpisodeRecord } from "../core/trace.ts"
import { Aggregate } from "./aggregate.ts"

function episode(changes: Partial<EpisodeRecord>): EpisodeRecord {
  return {
    schema: "souk.episode/1",
    suite: "shopping",
    episode_id: "e",
    job: { key: "e", task_id: "1", sample_id: 0, seed: 1, split: "val" },
    attempt: 1,
    status: "completed",
    end_reason: "purchase",
    started_at: "",
    ended_at: "",
    duration_ms: 1000,
    provenance: {},
    usage: { model_calls: 0 },
    messages: [],
    events: [],
    evidence: {},
    ...changes,
  }
}

function bought(r_strict: number, r_type: number, events: EpisodeEvent[] = []): EpisodeRecord {
  const detail = {
    r_strict,
    r_type,
    r_success: r_strict === 1 ? 1 : 0,
    price_upper: 50,
    termination_reason: "purchase",
  }
  return episode({ reward: { value: r_strict, detail }, events })
}

const call = (outcome: "reply" | "protocol_error" | "policy_failure"): EpisodeEvent => ({
  type: "model_call",
  outcome,
  tools: [],
  latency_ms: 1,
})
const feedback = (valid: boolean): EpisodeEvent => ({
  type: "feedback",
  feedback: { action: "a", valid, reason: "r", message: "m" },
})

const run = { suite: "shopping", name: "test", fingerprint: "f" }

describe("Aggregate", () => {
  const episodes = [
    bought(1, 1, [call("reply"), feedback(true), call("reply"), feedback(true)]),
    bought(0.5, 1, [call("protocol_error"), call("reply"), feedback(false), call("reply"), feedback(true)]),
    bought(0, 0.1, [call("reply"), feedback(true)]),
    episode({
      end_reason: "generation_length",
      reward: { value: 0, detail: { r_strict: 0, r_type: 0, r_success: 0 } },
      events: [call("policy_failure")],
      duration_ms: 3000,
    }),
    episode({
      status: "failed",
      end_reason: "error",
      error: { stage: "reset", code: "MODEL_UNAVAILABLE", message: "", retryable: true },
      events: [call("reply")],
    }),
    episode({ status: "cancelled", end_reason: "cancelled" }),
  ]

  const summarize = (records: readonly EpisodeRecord[], requested: number) => {
    const aggregate = new Aggregate()
    for (const record of records) aggregate.add(record)
    return aggregate.summary(run, { requested, attempts: records.length, tokens: {} })
  }

  it("gives the figures worked out by hand", () => {
    const summary = summarize(episodes, 8)
    expect(Summary.parse(summary)).toEqual(summary)
    expect(summary.counts).toEqual({
      requested: 8,
      recorded: 6,
      missing: 2,
      attempts: 6,
      completed: 4,
      failed: 1,
      cancelled: 1,
      invalid: 0,
      scored: 4,
      coverage: 0.5,
    })
    const { success_rate, success_interval, reward_mean, reward_sem, reward_interval } = summary.primary
    expect(success_rate).toBe(0.25)
    expect(success_interval!.low).toBeCloseTo(0.0456, 4) // Wilson, 1 of 4
    expect(success_interval!.high).toBeCloseTo(0.6994, 4)
    expect(reward_mean).toBe(0.375) // (1 + 0.5 + 0 + 0) / 4
    expect(reward_sem).toBeCloseTo(0.239357, 6) // sd 0.478714 / 2
    expect(reward_interval!.low).toBeCloseTo(0.375 - 3.182446 * 0.239357, 5)
    expect(reward_interval!.high).toBeCloseTo(0.375 + 3.182446 * 0.239357, 5)
    expect(summary.reward_components).toEqual({ r_strict: 0.375, r_success: 0.25, r_type: 0.525 })
    expect(summary.behavior).toEqual({
      steps_mean: 1.75, // 2 + 3 + 1 + 1
      model_steps: 7,
      protocol_errors: 1,
      protocol_error_rate: 1 / 7,
      policy_failures: 1,
      policy_failure_rate: 1 / 7,
      total_actions: 5,
      invalid_actions: 1,
      invalid_action_rate: 0.2,
      termination_reasons: { generation_length: 1, purchase: 3 },
    })
    expect(summary.cost.duration_ms_mean).toBe(1500)
    expect(summary.errors).toEqual({ MODEL_UNAVAILABLE: 1 })
  })

  it("is the same in any order", () => {
    const many = Array.from({ length: 50 }, (_, index) => bought(1 / (index + 3), 0.1 * index))
    expect(summarize([...many].reverse(), 50)).toEqual(summarize(many, 50))
  })

  it("leaves out what there is none of, instead of calling it zero", () => {
    const summary = summarize([episodes[4]!], 1)
    expect(summary.primary).toEqual({})
    expect(summary.behavior.steps_mean).toBeUndefined()
    expect(summary.counts.coverage).toBe(0)
    expect(JSON.stringify(summary)).not.toContain("null")
    const one = summarize([episodes[0]!], 1)
    expect(one.primary.reward_mean).toBe(1)
    expect(one.primary.reward_sem).toBeUndefined()
  })
})
