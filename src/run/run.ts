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
import { createBreaker, type Stopped } from "./breaker.ts"
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
  /** Plays only jobs with these keys, or of tasks with these ids. */
  readonly only?: readonly string[]
  /** Plays only jobs that have failed or were cancelled, none that were never played. */
  readonly retryFailed?: boolean
  /** Attempts at a job in this invocation, where it fails for a reason that may pass by itself. */
  readonly attempts?: number
  /** So many failures in a row for one reason stop the run; null: never. */
  readonly stopAfter?: number | null
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
 * Plays what a run owes: jobs of its plan without a finished episode on record, failed and cancelled ones again as new attempts.
 * What fails for a reason that may pass by itself is played again at the end, `attempts` times in all. Every episode is recorded as
 * it ends. Resolves with the last progress: `finished` when all that was to be played now was played, `interrupted` when `signal`
 * stopped it, `stopped` when the breaker did. When an episode cannot be recorded, those in flight are cancelled at once, since they
 * could not be recorded either, and it rejects.
 */
export async function playOwed(suite: Suite, store: RunStore, options: PlayOptions = {}): Promise<Progress> {
  const { signal, graceMs = 10_000, concurrency = 1, attempts = 1, stopAfter = null, clock = systemClock } = options
  const { price, onProgress, onEpisode } = options
  const { jobs } = store.manifest.plan
  const owed = jobs.filter((job) => !isDone(store.jobs.get(job.key)))
  const now = chosen(owed, store, options)
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

  const breaker = createBreaker(stopAfter)
  let tripped: Stopped | null = null
  const starting = new AbortController() // ends the starting of episodes
  const halt = new AbortController() // ends episodes in flight
  setMaxListeners(0, halt.signal) // each of them listens, more than once
  let grace: NodeJS.Timeout | undefined
  const stop = () => {
    if (starting.signal.aborted) return
    counter.stopping(tripped ?? undefined)
    starting.abort(signal?.reason)
    grace = setTimeout(() => halt.abort(signal?.reason), graceMs)
  }
  if (signal?.aborted) stop()
  else signal?.addEventListener("abort", stop, { once: true })
  publish()
  let fault: unknown // met by the timer, where nobody could catch it
  const timer = setInterval(() => {
    try {
      publish()
    } catch (error) {
      const unwritten = error instanceof AppError && error.code === "STORE_UNWRITABLE"
      if (!unwritten) fault = error // of progress, only the last must be written
    }
  }, PROGRESS_EVERY_MS)
  try {
    let wave = now
    for (let attempt = 1; wave.length > 0; attempt++) {
      const failed: Job[] = []
      await forEachLimited(
        wave,
        concurrency,
        async (job) => {
          const record = await playJob(suite, store, job, { signal: halt.signal, clock, counter })
          try {
            await store.append(record)
          } catch (error) {
            starting.abort(error)
            halt.abort(error)
            throw error
          }
          const passing = record.status === "failed" && record.error?.retryable === true
          const again = passing && attempt < attempts && !starting.signal.aborted
          if (again) failed.push(job)
          counter.ended(record, { again })
          tripped ??= breaker.ended(record)
          if (tripped !== null) stop()
          onEpisode?.(record, counter.snapshot())
        },
        starting.signal,
      )
      wave = failed
    }
    if (fault !== undefined) throw fault
    return publish("finished")
  } catch (error) {
    if (!(error instanceof AppError && error.code === "CANCELLED" && starting.signal.aborted)) throw error
    return publish(tripped === null ? "interrupted" : "stopped")
  } finally {
    clearInterval(timer)
    clearTimeout(grace)
    signal?.removeEventListener("abort", stop)
  }
}

/** Of the jobs that are owed, those that this invocation is to play. */
function chosen(
  owed: readonly Job[],
  store: RunStore,
  { limit, only, retryFailed = false }: PlayOptions,
): readonly Job[] {
  const { jobs } = store.manifest.plan
  const unknown = only?.find((name) => !jobs.some((job) => isNamed(job, name)))
  if (unknown !== undefined) {
    throw new AppError(
      "NOT_FOUND",
      `The run has no job or task ${JSON.stringify(unknown)}; its first one is ${jobs[0]?.key}`,
    )
  }
  const wanted = owed.filter(
    (job) =>
      (only === undefined || only.some((name) => isNamed(job, name))) && (!retryFailed || store.jobs.has(job.key)),
  )
  return limit === undefined ? wanted : wanted.slice(0, limit)
}

function isNamed({ key, task_id }: Job, name: string): boolean {
  return name === key || name === task_id
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
