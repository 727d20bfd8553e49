import { describe, expect, it } from "vitest"
import { playOf } from "../core/play.ts"
import type { Price } from "../core/run-spec.ts"
import { Summary } from "../core/score.ts"
import type { EpisodeEvent, EpisodeRecord } from "../core/trace.ts"
import { Aggregate } from "./aggregate.ts"
import { measurePlay, SHOPPING_PACK } from "./packs/shopping.ts"

const SHOPPING = { name: SHOPPING_PACK, measure: measurePlay }

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

/** The summary of `records`, each of another task, of a run with that many jobs. */
function summarize(records: readonly EpisodeRecord[], requested: number) {
  const jobs = Array.from({ length: requested }, (_, index) => ({ key: `e${index}`, task_id: `${index}` }))
  const aggregate = new Aggregate(jobs, SHOPPING)
  for (const [index, record] of records.entries()) aggregate.add(playOf({ ...record, episode_id: `e${index}` }))
  return aggregate.summary(run)
}

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
      tasks: 4,
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
    const { measures, ...behavior } = summary.behavior
    expect(measures!.valid_actions).toEqual({ n: 4, mean: 1, median: 1, p90: expect.closeTo(1.7, 12) })
    expect(behavior).toEqual({
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
      outcomes: { success: 1, failure: 3, technical: 2 },
    })
    expect(summary.latency).toEqual({
      model_call: { n: 8, p50: 1, p90: 1, p99: 1 }, // of failed attempts too
      episode: { n: 4, p50: 1000, p90: 3000, p99: 3000 },
    })
    expect(summary.slices!.termination!.generation_length).toMatchObject({ scored: 1, success_rate: 0 })
    expect(summary).not.toHaveProperty("pass")
    expect(summary).not.toHaveProperty("statistics")
    expect(summary.cost.duration_ms_mean).toBe(1500)
    expect(summary.errors).toEqual({ MODEL_UNAVAILABLE: 1 })
  })

  it("is the same in any order", () => {
    const many = Array.from({ length: 50 }, (_, index) => bought(1 / (index + 3), 0.1 * index))
    expect(summarize([...many].reverse(), 50)).toEqual(summarize(many, 50))
    const jobs = many.map((_, index) => ({ key: `e${index}`, task_id: `${index}` }))
    const [there, back] = [new Aggregate(jobs, SHOPPING), new Aggregate(jobs, SHOPPING)]
    const plays = many.map((record, index) => playOf({ ...record, episode_id: `e${index}` }))
    for (const play of plays) there.add(play)
    for (const play of plays.reverse()) back.add(play)
    expect(back.summary(run)).toEqual(there.summary(run))
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

describe("Aggregate of several attempts and samples", () => {
  it("counts a job by its last attempt, and pays for all", () => {
    const price: Price = {
      currency: "EUR",
      input_per_million: 1,
      cached_input_per_million: null,
      output_per_million: 10,
    }
    const aggregate = new Aggregate([{ key: "e", task_id: "1" }], SHOPPING, { price })
    const used = { model_calls: 1, prompt_tokens: 500_000, completion_tokens: 50_000 }
    const failed = episode({
      status: "failed",
      error: { stage: "reset", code: "MODEL_UNAVAILABLE", message: "", retryable: true },
      usage: { model_calls: 1 },
    })
    aggregate.add(playOf(failed))
    aggregate.add(playOf({ ...bought(0.5, 1, [call("reply"), feedback(true)]), usage: used }))
    aggregate.add(playOf({ ...bought(1, 1), usage: used, cost: { amount: "0.30", currency: "USD" } }))
    aggregate.add(playOf({ ...bought(1, 1), episode_id: "of another run" }))
    const summary = aggregate.summary(run)
    expect(summary.counts).toMatchObject({ attempts: 3, recorded: 1, completed: 1, failed: 0, scored: 1 })
    expect(summary.errors).toEqual({})
    expect(summary.primary.reward_mean).toBe(1)
    expect(summary.behavior.model_steps).toBe(0) // nothing is left of the attempt before
    expect(summary.cost).toMatchObject({
      tokens: { prompt_tokens: 1_000_000, completion_tokens: 100_000 },
      money: [
        { amount: "1", currency: "EUR" },
        { amount: "0.3", currency: "USD" },
      ],
      money_attempts: { recorded: 1, priced: 1, unknown: 1 },
    })
    expect(summary.warnings!.map(({ code }) => code)).toContain("cost_incomplete")
  })

  it("tells repeats apart from tasks", () => {
    // Of four samples each: task 0 succeeds in all, task 1 in two, task 2 in none; task 3 has two scored ones, one of them good.
    const outcomes = [
      [1, 1, 1, 1],
      [1, 0, 1, 0],
      [0, 0, 0, 0],
      [1, 0],
    ]
    const jobs = outcomes.flatMap((_, task) =>
      [0, 1, 2, 3].map((sample) => ({ key: `${task}-${sample}`, task_id: `${task}` })),
    )
    const aggregate = new Aggregate(jobs, SHOPPING)
    for (const [task, samples] of outcomes.entries()) {
      for (const [sample, r_strict] of samples.entries())
        aggregate.add(playOf({ ...bought(r_strict, 1), episode_id: `${task}-${sample}` }))
    }
    const summary = aggregate.summary(run)
    expect(Summary.parse(summary)).toEqual(summary)
    expect(summary.counts).toMatchObject({ tasks: 4, scored: 14, requested: 16 })
    expect(summary.pass!.map(({ k, tasks, pass_at_k, pass_hat_k }) => [k, tasks, pass_at_k, pass_hat_k])).toEqual([
      [1, 4, 0.5, 0.5],
      [2, 4, (1 + 5 / 6 + 0 + 1) / 4, (1 + 1 / 6 + 0 + 0) / 4],
      [3, 3, 2 / 3, 1 / 3],
      [4, 3, 2 / 3, 1 / 3],
    ])
    const { success_interval, success_task_interval, reward_task_interval } = summary.primary
    expect(reward_task_interval).toEqual(success_task_interval)
    // Samples of a task are alike, so the interval by task is the wider one.
    const width = ({ low, high }: { low: number; high: number }) => high - low
    expect(width(success_task_interval!)).toBeGreaterThan(width(success_interval!))
    expect(summary.statistics).toEqual({ bootstrap: "task-bootstrap-1", seed: "souk-summary-1", resamples: 10_000 })
    expect(aggregate.summary(run)).toEqual(summary)
  })

  it("warns of what makes figures say less than they seem to", () => {
    const codes = (records: readonly EpisodeRecord[], requested: number) =>
      summarize(records, requested).warnings!.map(({ code }) => code)
    const good = (count: number) => Array.from({ length: count }, () => bought(1, 1))
    expect(codes(good(40), 40)).toEqual([])
    expect(codes(good(40), 41)).toEqual(["incomplete_coverage"])
    expect(
      codes(
        Array.from({ length: 40 }, () => bought(0, 0)),
        40,
      ),
    ).toEqual(["all_rewards_zero"])
    expect(codes([...good(20), bought(0, 0)], 21)).toEqual(["few_tasks", "wide_interval"])
    expect(codes([], 3)).toEqual(["incomplete_coverage"])
  })
})
