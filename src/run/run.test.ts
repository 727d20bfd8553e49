import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import type { Actor } from "../core/actor.ts"
import { AppError } from "../core/errors.ts"
import { type Plan, Progress } from "../core/run.ts"
import type { Suite } from "../core/suite.ts"
import { type Job, jobKey } from "../core/task.ts"
import type { EpisodeRecord } from "../core/trace.ts"
import { countingClock } from "../lib/clock.ts"
import { openRunFolder } from "../store/run-folder.ts"
import { TINY_TASKS, tinyActor, tinyEnvironment, tinySolution } from "../testing/tiny.ts"
import { playEpisode } from "./episode.ts"
import { manifestOf, type PlayOptions, playOwed } from "./run.ts"

const root = mkdtempSync(join(tmpdir(), "souk-run-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let folders = 0

const jobs = TINY_TASKS.flatMap((task_id) =>
  [0, 1, 2, 3].map(
    (sample_id): Job => ({ key: jobKey(task_id, sample_id), task_id, sample_id, seed: 1, split: "all" }),
  ),
)
const plan: Plan = {
  schema: "souk.plan/1",
  suite: "tiny",
  split: { name: "all", role: null, task_count: 3, task_ids_sha256: "0" },
  sampling: { version: "1", seed: 1, sample_size: null, repeats: 4 },
  jobs,
  environment: {},
  model: {},
  agent: {},
  limits: { max_steps: 30 },
  versions: {},
}

/** The tiny shop with an actor that knows the solution, unless told otherwise. */
function tinySuite(
  actorFor: (job: Job) => Actor = (job) => tinyActor(tinySolution(job.task_id)),
): Suite & { played: string[] } {
  const played: string[] = []
  return {
    name: "tiny",
    played,
    play: (job, call) => {
      played.push(job.key)
      return playEpisode(job, { environment: tinyEnvironment(), actor: actorFor(job), maxSteps: 30 }, call)
    },
    close: async () => {},
  }
}

async function playIn(folder: string, suite: Suite, options: PlayOptions = {}) {
  const store = await openRunFolder(folder, manifestOf("tiny", plan, {}, 0))
  try {
    const progress = await playOwed(suite, store, options)
    const records: EpisodeRecord[] = []
    for await (const record of store.episodes({ attempts: "all" })) records.push(record)
    return { progress, records }
  } finally {
    await store.close()
  }
}

const newFolder = () => join(root, `run-${folders++}`)

describe("playOwed", () => {
  it("plays every job of the plan once and records it", async () => {
    const { progress, records } = await playIn(newFolder(), tinySuite(), { concurrency: 4 })
    expect(records.map((record) => record.episode_id).sort()).toEqual(jobs.map((job) => job.key).sort())
    expect(progress).toMatchObject({
      state: "finished",
      planned: 12,
      owed: 12,
      completed: 12,
      success_rate: 1,
      in_flight: [],
    })
    expect(() => Progress.parse(progress)).not.toThrow()
  })

  it("never plays again what is complete, and plays failed episodes again as new attempts", async () => {
    const folder = newFolder()
    const flaky = tinySuite((job) =>
      job.sample_id === 2
        ? tinyActor([new AppError("MODEL_UNAVAILABLE", "gone")])
        : tinyActor(tinySolution(job.task_id)),
    )
    const first = await playIn(folder, flaky, { concurrency: 3 })
    expect(first.progress).toMatchObject({ completed: 9, failed: 3, errors: { MODEL_UNAVAILABLE: 3 } })
    const healthy = tinySuite()
    const second = await playIn(folder, healthy)
    expect(healthy.played).toEqual(jobs.filter((job) => job.sample_id === 2).map((job) => job.key))
    expect(second.progress).toMatchObject({ already_complete: 9, owed: 3, completed: 3 })
    expect(second.records.slice(-3).map((record) => record.attempt)).toEqual([2, 2, 2])
    const third = tinySuite()
    await playIn(folder, third)
    expect(third.played).toEqual([])
  })

  it("plays no more than asked for, and the rest next time", async () => {
    const folder = newFolder()
    expect((await playIn(folder, tinySuite(), { limit: 5 })).progress).toMatchObject({
      owed: 5,
      completed: 5,
      planned: 12,
    })
    const rest = tinySuite()
    await playIn(folder, rest)
    expect(rest.played).toEqual(jobs.slice(5).map((job) => job.key))
  })

  it("writes the same bytes for the same plan, when the clock is the same", async () => {
    const bytes = async () => {
      const folder = newFolder()
      await playIn(folder, tinySuite(), { clock: countingClock(0) })
      return readFileSync(join(folder, "traces.jsonl"), "utf8")
    }
    expect(await bytes()).toBe(await bytes())
  })

  it("when stopped starts nothing more, and lets what is in flight end", async () => {
    const folder = newFolder()
    const stop = new AbortController()
    const suite = tinySuite()
    const { progress, records } = await playIn(folder, suite, {
      concurrency: 2,
      signal: stop.signal,
      onEpisode: (_, { completed }) => {
        if (completed === 3) stop.abort()
      },
    })
    expect(progress.state).toBe("interrupted")
    expect(records.length).toBe(suite.played.length)
    expect(records.length).toBeLessThan(6)
    expect(records.every((record) => record.status === "completed")).toBe(true)
    const rest = tinySuite()
    await playIn(folder, rest)
    expect([...suite.played, ...rest.played].sort()).toEqual(jobs.map((job) => job.key).sort())
  })

  it("cancels what does not end within the grace time, and records that", async () => {
    const stop = new AbortController()
    const waiting = tinySuite(() => ({
      ...tinyActor([]),
      act: (_observation, _turn, { signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(new AppError("CANCELLED", "stopped")))
          stop.abort()
        }),
    }))
    const folder = newFolder()
    const { progress, records } = await playIn(folder, waiting, { signal: stop.signal, graceMs: 20 })
    expect(progress).toMatchObject({ state: "interrupted", cancelled: 1 })
    expect(records).toMatchObject([{ status: "cancelled", end_reason: "cancelled" }])
    expect((await playIn(folder, tinySuite())).progress).toMatchObject({ owed: 12, completed: 12 })
  })

  it("cancels what is in flight at once when an episode cannot be recorded, since no other could be either", async () => {
    const first = jobs[0]!.key
    const endless = tinySuite((job) =>
      job.key === first
        ? tinyActor(tinySolution(job.task_id))
        : {
            ...tinyActor([]),
            act: (_observation, _turn, { signal }) =>
              new Promise((_, reject) => {
                signal.addEventListener("abort", () => reject(new AppError("CANCELLED", "stopped")))
              }),
          },
    )
    const store = await openRunFolder(newFolder(), manifestOf("tiny", plan, {}, 0))
    const append = async () => {
      throw new AppError("STORE_UNWRITABLE", "no space left")
    }
    const played = playOwed(endless, { ...store, append }, { concurrency: 3, graceMs: 60_000 })
    await expect(played).rejects.toMatchObject({ code: "STORE_UNWRITABLE", message: "no space left" })
    expect(endless.played.length).toBe(3)
    await store.close()
  })

  it("records a fault of the suite itself as a failed episode, and goes on", async () => {
    const suite: Suite = {
      name: "broken",
      play: async (job, call) => {
        if (job.sample_id === 0) throw new Error("a bug")
        return tinySuite().play(job, call)
      },
      close: async () => {},
    }
    const { records } = await playIn(newFolder(), suite)
    const failed = records.filter((record) => record.status === "failed")
    expect(failed.map((record) => record.error?.stage)).toEqual(["runner", "runner", "runner"])
    expect(records.length).toBe(12)
  })

  const gone = () => new AppError("MODEL_UNAVAILABLE", "gone", { retryable: true, details: { code: "server_error" } })

  it("plays again what failed for a reason that may pass, at the end and so often as told, and counts every attempt", async () => {
    const tries = new Map<string, number>()
    const flaky = tinySuite((job) => {
      const before = tries.get(job.key) ?? 0
      tries.set(job.key, before + 1)
      const passes = job.sample_id === 2 ? before >= 1 : job.sample_id !== 3
      return tinyActor(passes ? tinySolution(job.task_id) : [gone()])
    })
    const { progress, records } = await playIn(newFolder(), flaky, { attempts: 3, concurrency: 2 })
    expect(progress).toMatchObject({
      state: "finished",
      completed: 9,
      failed: 3,
      retried: 9,
      errors: { MODEL_UNAVAILABLE: 12 },
    })
    expect(records.length).toBe(6 + 3 * 2 + 3 * 3)
    expect(flaky.played.slice(0, 12)).toEqual(jobs.map(({ key }) => key))
    expect(
      records
        .filter(({ job }) => job.sample_id === 3)
        .map(({ attempt }) => attempt)
        .sort(),
    ).toEqual([1, 1, 1, 2, 2, 2, 3, 3, 3])
    expect(records.find(({ status }) => status === "failed")!.error).toMatchObject({ kind: "server_error" })
  })

  it("stops when the first episodes all die of one error, or get no usable reply at all", async () => {
    const refused = new AppError("MODEL_REJECTED", "HTTP 401", { details: { code: "unauthorized" } })
    const folder = newFolder()
    const dead = await playIn(
      folder,
      tinySuite(() => tinyActor([refused])),
      { stopAfter: 10 },
    )
    expect(dead.records.length).toBe(5)
    expect(dead.progress).toMatchObject({
      state: "stopped",
      failed: 5,
      stopped: {
        code: "unauthorized",
        message: expect.stringMatching(/first 5 episodes all failed.*HTTP 401.*api_key_env/),
      },
    })
    expect((await playIn(folder, tinySuite())).progress).toMatchObject({ state: "finished", owed: 12, completed: 12 })
    const patient = await playIn(
      newFolder(),
      tinySuite(() => tinyActor([refused])),
    )
    expect(patient.progress).toMatchObject({ state: "finished", failed: 12 })
  })

  it("stops after many failures of one kind in a row, not for failures of several kinds", async () => {
    const play = (kind: (index: number) => string) => {
      let index = 0
      return playIn(
        newFolder(),
        tinySuite((job) => {
          const n = index++
          if (n < 2) return tinyActor(tinySolution(job.task_id))
          return tinyActor([new AppError("MODEL_UNAVAILABLE", "no", { details: { code: kind(n) } })])
        }),
        { stopAfter: 6 },
      )
    }
    const same = await play(() => "server_error")
    expect(same.records.length).toBe(8)
    expect(same.progress).toMatchObject({ state: "stopped", stopped: { code: "server_error" } })
    expect((await play((n) => (n % 2 ? "server_error" : "broken_stream"))).progress.state).toBe("finished")
  })

  it("plays only what is named, or only what has failed", async () => {
    const folder = newFolder()
    const first = jobs[0]!
    const named = tinySuite((job) => (job.sample_id === 1 ? tinyActor([gone()]) : tinyActor(tinySolution(job.task_id))))
    await playIn(folder, named, { only: [first.task_id, jobs[7]!.key] })
    expect(named.played).toEqual([...jobs.slice(0, 4), jobs[7]!].map(({ key }) => key))
    const again = tinySuite()
    expect((await playIn(folder, again, { retryFailed: true })).progress).toMatchObject({ owed: 1, completed: 1 })
    expect(again.played).toEqual([jobs[1]!.key])
    await expect(playIn(folder, tinySuite(), { only: ["nobody"] })).rejects.toMatchObject({ code: "NOT_FOUND" })
  })
})
