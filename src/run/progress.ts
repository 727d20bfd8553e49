import { costOf } from "../core/cost.ts"
import { addUsage } from "../core/model.ts"
import { PROGRESS_SCHEMA, type Progress } from "../core/run.ts"
import type { Price } from "../core/run-spec.ts"
import type { Job } from "../core/task.ts"
import type { EpisodeRecord } from "../core/trace.ts"
import type { Clock } from "../lib/clock.ts"
import type { Stopped } from "./breaker.ts"

/** Counts what happens during one invocation of a run. */
export interface ProgressCounter {
  started(job: Job): void
  stepped(job: Job, step: number): void
  /** `again`: it failed and will be played again now. */
  ended(record: EpisodeRecord, how?: { readonly again: boolean }): void
  stopping(reason?: Stopped): void
  /** As of now; `state` overrides what it is in. */
  snapshot(state?: Progress["state"]): Progress
}

/** `planned` jobs of the run, of which `alreadyComplete` are done and `owed` are to be played now. */
export function countProgress(
  { planned, alreadyComplete, owed }: { planned: number; alreadyComplete: number; owed: number },
  clock: Clock,
  { price, limiter }: { readonly price?: Price; readonly limiter?: () => NonNullable<Progress["limiter"]> } = {},
): ProgressCounter {
  const startedAt = clock.now()
  const inFlight = new Map<string, { step: number; started_at: string }>()
  const errors = new Map<string, number>()
  const usage: Progress["usage"] = { model_calls: 0 }
  const ended = { completed: 0, failed: 0, cancelled: 0 }
  let current: Progress["state"] = "running"
  let stopped: Stopped | undefined
  let retried = 0
  let rewards = 0
  let scored = 0
  let successes = 0
  let judged = 0 // scored by a suite that tells success from failure

  return {
    started(job) {
      inFlight.set(job.key, { step: 0, started_at: new Date(clock.now()).toISOString() })
    },
    stepped(job, step) {
      const episode = inFlight.get(job.key)
      if (episode !== undefined) episode.step = step
    },
    ended(record, { again } = { again: false }) {
      inFlight.delete(record.episode_id)
      if (again) retried++
      else ended[record.status === "invalid" ? "completed" : record.status]++
      if (record.error !== undefined && record.status !== "completed") {
        errors.set(record.error.code, (errors.get(record.error.code) ?? 0) + 1)
      }
      usage.model_calls += record.usage.model_calls
      addUsage(usage, record.usage)
      if (record.status !== "completed" || record.reward === undefined) return
      scored++
      rewards += record.reward.value
      if (typeof record.reward.detail.r_success !== "number") return
      judged++
      if (record.reward.detail.r_success === 1) successes++
    },
    stopping(reason) {
      stopped = reason
      current = "stopping"
    },
    snapshot(state = current) {
      const now = clock.now()
      const elapsed_ms = Math.round(now - startedAt)
      const played = ended.completed + ended.failed + ended.cancelled
      return {
        schema: PROGRESS_SCHEMA,
        state,
        pid: process.pid,
        started_at: new Date(startedAt).toISOString(),
        updated_at: new Date(now).toISOString(),
        planned,
        already_complete: alreadyComplete,
        owed,
        ...ended,
        retried,
        ...(stopped !== undefined && { stopped: { ...stopped } }),
        in_flight: [...inFlight].map(([key, episode]) => ({ key, ...episode })),
        ...(scored > 0 && { reward_mean: rewards / scored }),
        ...(judged > 0 && { success_rate: successes / judged }),
        usage: { ...usage },
        ...(price !== undefined && { cost: costOf(usage, price) }),
        ...(limiter !== undefined && { limiter: limiter() }),
        errors: Object.fromEntries(errors),
        elapsed_ms,
        ...(played > 0 && { remaining_ms: Math.round((elapsed_ms / played) * (owed - played)) }),
      }
    },
  }
}
