import { describe, expect, it } from "vitest"
import type { Environment } from "../core/environment.ts"
import { AppError } from "../core/errors.ts"
import { createRecorder, type EpisodeEvent } from "../core/trace.ts"
import { tinyActor, tinyEnvironment, tinySolution } from "../testing/tiny.ts"
import { playEpisode } from "./episode.ts"

const job = { key: "task-000001__sample-000", task_id: "1", sample_id: 0, seed: 10, split: "val" }

async function play({
  environment = tinyEnvironment(),
  actor = tinyActor(tinySolution("1")),
  maxSteps = 30,
  signal = new AbortController().signal,
}: {
  environment?: Environment
  actor?: ReturnType<typeof tinyActor>
  maxSteps?: number
  signal?: AbortSignal
} = {}) {
  const recorder = createRecorder({ suite: "tiny", job, attempt: 1, provenance: {} }, { now: () => 0 })
  const end = await playEpisode(job, { environment, actor, maxSteps }, { emit: recorder.emit, signal })
  return recorder.finish(end)
}

const types = (events: readonly EpisodeEvent[]) => events.map((event) => event.type)

describe("playEpisode", () => {
  it("records the task, then action, feedback and page of every step, and scores the end", async () => {
    const record = await play()
    expect(record).toMatchObject({ status: "completed", end_reason: "purchase", reward: { value: 1 } })
    expect(record.evidence).toMatchObject({ purchase: { asin: "101" }, goal: { secret: "canary-1" } })
    const step = ["action", "feedback", "observation"]
    expect(types(record.events)).toEqual(["episode_start", "observation", ...step, ...step, ...step, ...step])
    expect(record.events.map((event) => event.step)).toEqual([0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4])
  })

  it("ends with action_limit when the steps are used up, zero reward and completed", async () => {
    const record = await play({ maxSteps: 2 })
    expect(record).toMatchObject({ status: "completed", end_reason: "action_limit", reward: { value: 0 } })
    expect(types(record.events).slice(-2)).toEqual(["limit", "observation"])
  })

  it("takes the environment's own end for its limit", async () => {
    const record = await play({ environment: tinyEnvironment({ actionLimit: 3 }) })
    expect(record).toMatchObject({ status: "completed", end_reason: "action_limit" })
    expect(types(record.events)).not.toContain("limit")
  })

  it("lets a malformed reply cost a step and nothing else", async () => {
    const actor = tinyActor([{ type: "protocol_error", code: "tool_call_count" }, ...tinySolution("1")])
    const record = await play({ actor, maxSteps: 5 })
    expect(record).toMatchObject({ status: "completed", end_reason: "purchase" })
    expect(record.events.find((event) => event.type === "action")?.step).toBe(2)
    const shorter = tinyActor([{ type: "protocol_error", code: "tool_call_count" }, ...tinySolution("1")])
    expect(await play({ actor: shorter, maxSteps: 4 })).toMatchObject({ end_reason: "action_limit" })
  })

  it("ends at once with generation_length when a reply was cut off", async () => {
    const actor = tinyActor(["search[tent]", { type: "policy_failure", code: "generation_length" }])
    const record = await play({ actor })
    expect(record).toMatchObject({ status: "completed", end_reason: "generation_length", reward: { value: 0 } })
  })

  it("gives every step its own seed", async () => {
    const seeds: number[] = []
    const actor = tinyActor(tinySolution("1"))
    await play({
      actor: {
        ...actor,
        act: (observation, turn, call) => {
          seeds.push(turn.seed)
          return actor.act(observation, turn, call)
        },
      },
    })
    expect(seeds).toEqual([10, 11, 12, 13])
  })

  it("says in which stage the infrastructure failed, and scores nothing", async () => {
    const gone = new AppError("MODEL_UNAVAILABLE", "no answer", { retryable: true })
    const byModel = await play({ actor: tinyActor(["search[tent]", gone]) })
    expect(byModel).toMatchObject({ status: "failed", end_reason: "error" })
    expect(byModel.error).toEqual({
      stage: "model_step_2",
      code: "MODEL_UNAVAILABLE",
      message: "no answer",
      retryable: true,
    })
    expect(byModel.reward).toBeUndefined()
    expect(byModel.events.at(-1)).toMatchObject({ type: "error", stage: "model_step_2" })

    const environment = { ...tinyEnvironment(), step: () => Promise.reject(new Error("lost")) }
    expect((await play({ environment })).error).toMatchObject({ stage: "environment_step_1", code: "INTERNAL" })
    const closed = { ...tinyEnvironment(), reset: () => Promise.reject(new AppError("NOT_FOUND", "no such task")) }
    expect((await play({ environment: closed })).error).toMatchObject({ stage: "reset", code: "NOT_FOUND" })
  })

  it("fails when the environment does not end as it is told", async () => {
    const tiny = tinyEnvironment()
    const environment: Environment = {
      ...tiny,
      terminate: async (reason, call) => ({ ...(await tiny.terminate(reason, call)), outcome: null }),
    }
    expect(await play({ environment, maxSteps: 1 })).toMatchObject({
      status: "failed",
      error: { stage: "action_limit_termination" },
    })
  })

  it("marks an episode whose reward is no number as invalid, without a score", async () => {
    const tiny = tinyEnvironment()
    const environment: Environment = {
      ...tiny,
      step: async (action, call) => {
        const result = await tiny.step(action, call)
        return result.outcome === null ? result : { ...result, outcome: { ...result.outcome, reward: Number.NaN } }
      },
    }
    const record = await play({ environment })
    expect(record.status).toBe("invalid")
    expect(record.reward).toBeUndefined()
  })

  it("is cancelled, not failed, when its signal is aborted", async () => {
    const stop = new AbortController()
    const tiny = tinyEnvironment()
    const environment: Environment = {
      ...tiny,
      step: (action, call) => {
        stop.abort()
        return tiny.step(action, call)
      },
    }
    expect(await play({ environment, signal: stop.signal })).toMatchObject({
      status: "cancelled",
      end_reason: "cancelled",
    })
  })

  it("keeps the score when only closing fails, and lists what went wrong", async () => {
    const environment: Environment = { ...tinyEnvironment(), close: () => Promise.reject(new Error("still busy")) }
    const record = await play({ environment })
    expect(record).toMatchObject({
      status: "completed",
      reward: { value: 1 },
      error: { stage: "cleanup", cleanup_errors: ["still busy"] },
    })
    const both = await play({ environment, actor: tinyActor([new AppError("MODEL_UNAVAILABLE", "no answer")]) })
    expect(both.error).toMatchObject({ code: "MODEL_UNAVAILABLE", cleanup_errors: ["still busy"] })
  })

  it("shows the actor nothing private", async () => {
    const seen: unknown[] = []
    const actor = tinyActor(tinySolution("1"))
    await play({
      actor: {
        ...actor,
        begin: async (context) => {
          seen.push(context)
        },
        act: (observation, turn, call) => {
          seen.push(observation, turn)
          return actor.act(observation, turn, call)
        },
        observe: (observation) => {
          seen.push(observation)
        },
      },
    })
    expect(seen.length).toBe(13)
    expect(JSON.stringify(seen)).not.toContain("canary")
  })
})
