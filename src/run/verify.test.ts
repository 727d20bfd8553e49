import { describe, expect, it } from "vitest"
import type { Environment } from "../core/environment.ts"
import { AppError } from "../core/errors.ts"
import { createRecorder, type EpisodeRecord } from "../core/trace.ts"
import { tinyActor, tinyEnvironment, tinySolution } from "../testing/tiny.ts"
import { playEpisode } from "./episode.ts"
import { verifyEpisodes } from "./verify.ts"

type Moves = Parameters<typeof tinyActor>[0]

async function played(moves: Moves, { taskId = "1", actionLimit = 30, maxSteps = 9 } = {}): Promise<EpisodeRecord> {
  const job = { key: `task-${taskId}`, task_id: taskId, sample_id: 0, seed: 1, split: "val" }
  let now = 0
  const recorder = createRecorder({ suite: "shopping", job, attempt: 1, provenance: {} }, { now: () => now++ })
  const parts = { environment: tinyEnvironment({ actionLimit }), actor: tinyActor(moves), maxSteps }
  const signal = new AbortController().signal
  return recorder.finish(await playEpisode(job, parts, { emit: recorder.emit, signal }))
}

/** An episode whose last reply had no room: the runner's word for the end is another than the environment's. */
async function overflowed(): Promise<EpisodeRecord> {
  const record = await played(["search[tent]", { type: "policy_failure", code: "context_overflow" }])
  expect(record.end_reason).toBe("context_overflow")
  const at = record.events.findIndex(({ type }) => type === "limit")
  const code = { outcome: "policy_failure", code: "context_overflow" } as const
  record.events.splice(at, 0, { type: "model_call", step: 2, ...code, tools: [], latency_ms: 1 })
  return record
}

async function* each(...records: EpisodeRecord[]): AsyncGenerator<EpisodeRecord> {
  yield* records
}

const verify = (record: EpisodeRecord, environment: () => Environment = () => tinyEnvironment()) =>
  verifyEpisodes(each(record), environment)

/** The record with one member changed, deep inside. */
function changed(record: EpisodeRecord, change: (copy: EpisodeRecord) => void): EpisodeRecord {
  const copy = structuredClone(record)
  change(copy)
  return copy
}

describe("verifyEpisodes", () => {
  it("confirms episodes however they ended", async () => {
    const brokenModel = new AppError("MODEL_UNAVAILABLE", "gone")
    const records = [
      await played(tinySolution("1")),
      await played(tinySolution("2"), { taskId: "2" }),
      await played(["search[tent]", "click[nowhere]"], { maxSteps: 2 }), // ended from outside
      await played(["search[tent]", { type: "policy_failure", code: "generation_length" }]),
      await played(["search[tent]", { type: "protocol_error", code: "empty_response" }, "click[101]"], { maxSteps: 3 }),
      await overflowed(),
      await played(["search[tent]", brokenModel]), // failed: confirmed as far as it went
    ]
    const seen: [number, number][] = []
    const result = await verifyEpisodes(each(...records), () => tinyEnvironment(), {
      onEpisode: (done, bad) => seen.push([done, bad]),
    })
    expect(result).toEqual({ episodes: 7, verified: 7, different: 0, empty: 0, actions: 15, differences: [] })
    expect(seen.at(-1)).toEqual([7, 0])
    const limited = await played(["search[tent]", "click[101]", "click[102]"], { actionLimit: 2 })
    expect(limited.end_reason).toBe("action_limit")
    expect(await verify(limited, () => tinyEnvironment({ actionLimit: 2 }))).toMatchObject({ verified: 1 })
  })

  it("names the first difference: episode, step, place, and both sides", async () => {
    const record = await played(tinySolution("1"))
    const at = (type: string, step: number) =>
      record.events.findIndex((event) => event.type === type && event.step === step)
    const cases: [EpisodeRecord, object][] = [
      [
        changed(record, ({ events }) => Object.assign(events[0]!, { instruction: "A blue tent." })),
        { step: 0, path: "start.instruction", expected: "A blue tent.", found: "A red tent, large, please." },
      ],
      [
        changed(record, ({ events }) => {
          const page = events[at("observation", 1)]
          if (page?.type === "observation") (page.state.products as { price: number }[])[2]!.price = 16
        }),
        { step: 1, path: "observation.state.products[2].price", expected: 16, found: 15 },
      ],
      [
        changed(record, ({ events }) => {
          const event = events[at("feedback", 2)]
          if (event?.type === "feedback") event.feedback.valid = false
        }),
        { step: 2, path: "feedback.valid", expected: false, found: true },
      ],
      [
        changed(record, ({ events }) => {
          const action = events[at("action", 3)]
          if (action?.type === "action") action.action = "click[size=small]"
        }),
        { step: 3, path: "feedback.action", expected: "click[size=large]", found: "click[size=small]" },
      ],
      [
        changed(record, ({ reward }) => Object.assign(reward!, { value: 0.5 })),
        { step: 4, path: "outcome.reward", expected: 0.5, found: 1 },
      ],
      [
        changed(record, ({ evidence }) => Object.assign(evidence.goal as object, { asin: "102" })),
        { step: 4, path: "outcome.goal.asin", expected: "102", found: "101" },
      ],
      [
        changed(record, (copy) => Object.assign(copy, { end_reason: "action_limit" })),
        { step: 4, path: "outcome.termination_reason", expected: "action_limit", found: "purchase" },
      ],
    ]
    for (const [wrong, difference] of cases) {
      const result = await verify(wrong)
      expect(result).toMatchObject({ episodes: 1, verified: 0, different: 1 })
      expect(result.differences).toEqual([{ episode_id: "task-1", attempt: 1, ...difference }])
    }
  })

  it("finds what is missing, on either side", async () => {
    const record = await played(tinySolution("1"))
    const without = (type: string) =>
      changed(record, (copy) => {
        copy.events.splice(
          copy.events.findLastIndex((event) => event.type === type),
          1,
        )
      })
    const first = async (wrong: EpisodeRecord) => (await verify(wrong)).differences[0]
    expect(await first(without("action"))).toMatchObject({ step: 4, path: "feedback" })
    expect(await first(without("observation"))).toMatchObject({
      step: 4,
      path: "outcome",
      found: { text: expect.any(String) },
    })
    const more = changed(record, ({ events }) => events.push({ type: "action", step: 5, action: "click[101]" }))
    expect(await first(more)).toMatchObject({ step: 5, path: "outcome", found: expect.stringContaining("over") })
    const elsewhere = changed(record, ({ job }) => Object.assign(job, { task_id: "9" }))
    expect(await first(elsewhere)).toMatchObject({
      step: 0,
      path: "start",
      found: expect.stringContaining("no task 9"),
    })
  })

  it("asks nothing of what was left out, or never began", async () => {
    const record = await played(tinySolution("1"))
    const shown = changed(record, (copy) => {
      delete copy.evidence.goal
      delete copy.reward!.detail.r_option
      copy.left_out = ["goal"]
    })
    expect(await verify(shown)).toMatchObject({ verified: 1 })
    expect(await verify({ ...record, status: "failed", events: [] })).toMatchObject({
      episodes: 1,
      verified: 0,
      empty: 1,
    })
  })

  it("does not take a broken environment for a difference", async () => {
    const broken: Environment = {
      ...tinyEnvironment(),
      reset: () => Promise.reject(new AppError("ENVIRONMENT_UNAVAILABLE", "gone")),
    }
    await expect(verify(await played(tinySolution("1")), () => broken)).rejects.toMatchObject({
      code: "ENVIRONMENT_UNAVAILABLE",
    })
  })
})
