import { Random } from "../core/random.ts"
import type { Interval } from "../lib/intervals.ts"
import { quantile } from "./paired.ts"

/** Version of the resampling below, and of its draws. */
export const TASK_BOOTSTRAP_VERSION = "task-bootstrap-1"

export const BOOTSTRAP_SEED = "souk-summary-1"

/** A figure that is a sum over tasks divided by another one: task `i` adds `above[i]` and `below[i]`. */
export interface TaskRatio {
  readonly above: Float64Array
  readonly below: Float64Array
}

/** Draws of tasks that are enough; many tasks need fewer resamples for steady ends. */
const DRAWS = 2e7
const MOST = 10_000
const FEWEST = 1000

/** Resamples for so many tasks. */
export function resamplesFor(tasks: number): number {
  return Math.max(FEWEST, Math.min(MOST, Math.floor(DRAWS / Math.max(1, tasks))))
}

/**
 * Percentile-bootstrap intervals, 95 %, of figures over the same `tasks`: tasks are drawn with replacement, each with all its
 * samples, since samples of a task are alike (Efron & Tibshirani 1993, chapter 13; Davison & Hinkley 1997, section 3.8). Undefined
 * for a figure over fewer than two tasks. Same ratios, same intervals.
 */
export function taskBootstrap(ratios: readonly TaskRatio[], tasks: number): (Interval | undefined)[] {
  const resamples = resamplesFor(tasks)
  const random = new Random("task-bootstrap", BOOTSTRAP_SEED)
  const values = ratios.map(() => new Float64Array(resamples))
  const counted = ratios.map(() => 0)
  // What a task adds stands together: a draw is one place in memory, not one for each figure.
  const width = 2 * ratios.length
  const added = new Float64Array(width * tasks)
  for (const [i, { above, below }] of ratios.entries()) {
    for (let task = 0; task < tasks; task++) {
      added[width * task + 2 * i] = above[task]!
      added[width * task + 2 * i + 1] = below[task]!
    }
  }
  const sums = new Float64Array(width)
  for (let resample = 0; resample < resamples; resample++) {
    sums.fill(0)
    for (let draw = 0; draw < tasks; draw++) {
      const at = width * Math.floor((random.uint32() / 2 ** 32) * tasks)
      for (let i = 0; i < width; i++) sums[i]! += added[at + i]!
    }
    for (let i = 0; i < ratios.length; i++) {
      const below = sums[2 * i + 1]!
      if (below > 0) values[i]![counted[i]!++] = sums[2 * i]! / below
    }
  }
  return ratios.map(({ below }, i) => {
    if (below.reduce((count, weight) => count + (weight > 0 ? 1 : 0), 0) < 2) return undefined
    const sorted = values[i]!.subarray(0, counted[i]!).sort()
    return { low: quantile(sorted, 0.025), high: quantile(sorted, 0.975) }
  })
}
