import { setMaxListeners } from "node:events"
import { AppError, messageOf } from "../core/errors.ts"
import { FINGERPRINT_VERSION, fingerprint } from "../core/fingerprint.ts"
import type { Json, JsonObject } from "../core/json.ts"
import { type Manifest, type Plan, type Progress, RUN_SCHEMA } from "../core/run.ts"
import type { Price } from "../core/run-spec.ts"
import type { Suite } from "../core/suite.ts"
import type { Job } from "../core/task.ts"
import { createRecorder, type EpisodeEnd, type EpisodeRecord } from "../core/trace.ts"
import { type Clock, systemClock } from "../lib/clock.ts"
import { forEachLimited } from "../lib/limit.ts"
import { isDone, type RunStore } from "../store/store.ts"
import { countProgress, type ProgressCounter } from "./progress.ts"

export interface PlayOptions {
  /** Aborting it stops the run: no new episodes; those in flight have `graceMs` to end and are cancelled then. All are recorded. */
  readonly signal?: AbortSignal
  readonly graceMs?: number
  /** Episodes in flight. */
  readonly concurrency?: number
  /** For the cost that progress shows. */
  readonly price?: Price
  /** Plays no more than this many episodes now; what is left is owed to a later invocation. */
  readonly limit?: number
  readonly clock?: Clock
  /** Told once a second, and at the end. */
  readonly onProgress?: (progress: Progress) => void
  /** Told of every episode that has been recorded. */
  readonly onEpisode?: (record: EpisodeRecord, progress: Progress) => void
}

const PROGRESS_EVERY_MS = 1000

/** A run's identity card for `plan`. `createdAt`: milliseconds since the epoch. */
export function manifestOf(name: string, plan: Plan, execution: JsonObject, createdAt: number): Manifest {
  return {
    schema: RUN_SCHEMA,
    name,
    created_at: new Date(createdAt).toISOString(),
    fingerprint: fingerprint(plan as Json),
    fingerprint_version: FINGERPRINT_VERSION,
    plan,
    execution,
  }
}

/**
 * Plays what a run owes: jobs of its plan without a finished episode on record, failed and cancelled ones again as new attempts,
 * each at most once. Every episode is recorded as it ends. Resolves with the last progress: `finished` when all that was to be
 * played now was played, `interrupted` when `signal` stopped it. Rejects when an episode cannot be recorded.
 */
export async function playOwed(suite: Suite, store: RunStore, options: PlayOptions = {}): Promise<Progress> {
  const {
    signal,
    graceMs = 10_000,
    concurrency = 1,
    limit,
    price,
    clock = systemClock,
    onProgress,
    onEpisode,
  } = options
  const { jobs } = store.manifest.plan
  const owed = jobs.filter((job) => !isDone(store.jobs.get(job.key)))
  const now = limit === undefined ? owed : owed.slice(0, limit)
  const counter = countProgress(
    { planned: jobs.length, alreadyComplete: jobs.length - owed.length, owed: now.length },
    clock,
    { ...(price !== undefined && { price }), ...(suite.limiter !== undefined && { limiter: () => suite.limiter!() }) },
  )
  const publish = (state?: Progress["state"]) => {
    const progress = counter.snapshot(state)
    store.writeProgress(progress)
    onProgress?.(progress)
    return progress
  }

  const halt = new AbortController() // ends episodes in flight
  setMaxListeners(0, halt.signal) // each of them listens, more than once
  let grace: NodeJS.Timeout | undefined
  const stop = () => {
    counter.stopping()
    grace = setTimeout(() => halt.abort(signal?.reason), graceMs)
  }
  if (signal?.aborted) stop()
  else signal?.addEventListener("abort", stop, { once: true })
  publish()
  let unwritten: unknown // a fault met by the timer, where nobody could catch it
  const timer = setInterval(() => {
    try {
      publish()
    } catch (error) {
      unwritten = error
    }
  }, PROGRESS_EVERY_MS)
  try {
    await forEachLimited(
      now,
      concurrency,
      async (job) => {
        const record = await playJob(suite, store, job, { signal: halt.signal, clock, counter })
        await store.append(record)
        counter.ended(record)
        onEpisode?.(record, counter.snapshot())
      },
      signal,
    )
    if (unwritten !== undefined) throw unwritten
    return publish("finished")
  } catch (error) {
    if (error instanceof AppError && error.code === "CANCELLED" && signal?.aborted) return publish("interrupted")
    throw error
  } finally {
    clearInterval(timer)
    clearTimeout(grace)
    signal?.removeEventListener("abort", stop)
  }
}

async function playJob(
  suite: Suite,
  store: RunStore,
  job: Job,
  { signal, clock, counter }: { signal: AbortSignal; clock: Clock; counter: ProgressCounter },
): Promise<EpisodeRecord> {
  counter.started(job)
  const recorder = createRecorder(
    {
      suite: suite.name,
      job,
      attempt: (store.jobs.get(job.key)?.attempts ?? 0) + 1,
      provenance: { run: store.manifest.fingerprint },
    },
    {
      now: () => Math.round(clock.now()),
      onEvent: (event) => {
        if (event.step !== undefined) counter.stepped(job, event.step)
      },
    },
  )
  let end: EpisodeEnd
  try {
    end = await suite.play(job, { emit: recorder.emit, signal })
  } catch (error) {
    const fault = { stage: "runner", code: "INTERNAL", message: messageOf(error), retryable: false }
    recorder.emit({ type: "error", ...fault })
    end = { status: "failed", end_reason: "error", error: fault, evidence: {} }
  }
  return recorder.finish(end)
}
