import type { Summary } from "../core/score.ts"
import type { Job } from "../core/task.ts"
import type { Interval } from "../lib/intervals.ts"
import type { JobTable } from "./job-table.ts"
import { passAtK, passHatK, toldK } from "./pass.ts"
import {
  BOOTSTRAP_SEED,
  resamplesFor,
  TASK_BOOTSTRAP_VERSION,
  type TaskRatio,
  taskBootstrap,
} from "./task-bootstrap.ts"

/** What several samples of a task say beyond their mean. Everything but `tasks` is absent where no task was to be repeated. */
export interface RepeatedTasks {
  /** With a scored sample. */
  readonly tasks: number
  readonly success?: Interval
  readonly reward?: Interval
  readonly pass?: NonNullable<Summary["pass"]>
  readonly statistics?: NonNullable<Summary["statistics"]>
}

/** From the columns `reward` and `success` of the scored jobs. */
export function repeatedTasks(jobs: readonly Pick<Job, "task_id">[], table: JobTable): RepeatedTasks {
  const planned = new Map<string, number>()
  const samples: { task: string; reward: number; success: number }[] = []
  for (const [row, { task_id }] of jobs.entries()) {
    planned.set(task_id, (planned.get(task_id) ?? 0) + 1)
    const reward = table.get(row, "reward")
    if (reward !== undefined) samples.push({ task: task_id, reward, success: table.get(row, "success")! })
  }
  const numbers = new Map<string, number>() // task → its number among those with a scored sample
  for (const { task } of samples) if (!numbers.has(task)) numbers.set(task, numbers.size)
  const tasks = numbers.size
  const repeats = [...planned.values()].reduce((most, count) => Math.max(most, count), 0)
  if (repeats < 2 || tasks === 0) return { tasks }

  const scored = new Float64Array(tasks)
  const successes = new Float64Array(tasks)
  const rewards = new Float64Array(tasks)
  for (const { task, reward, success } of samples) {
    const number = numbers.get(task)!
    scored[number]!++
    successes[number]! += success
    rewards[number]! += reward
  }
  const most = scored.reduce((high, count) => Math.max(high, count), 0)
  const passes = toldK(repeats)
    .filter((k) => k <= most)
    .map((k) => ({ k, any: passRatio(passAtK, k, scored, successes), all: passRatio(passHatK, k, scored, successes) }))
  const ratios = [
    { above: successes, below: scored },
    { above: rewards, below: scored },
    ...passes.flatMap(({ any, all }) => [any, all]),
  ]
  const [success, reward, ...intervals] = taskBootstrap(ratios, tasks)
  return {
    tasks,
    ...(success && { success }),
    ...(reward && { reward }),
    pass: passes.map(({ k, any, all }, i) => {
      const [anyInterval, allInterval] = [intervals[2 * i], intervals[2 * i + 1]]
      return {
        k,
        tasks: total(any.below),
        pass_at_k: total(any.above) / total(any.below),
        ...(anyInterval && { pass_at_k_interval: anyInterval }),
        pass_hat_k: total(all.above) / total(all.below),
        ...(allInterval && { pass_hat_k_interval: allInterval }),
      }
    }),
    statistics: { bootstrap: TASK_BOOTSTRAP_VERSION, seed: BOOTSTRAP_SEED, resamples: resamplesFor(tasks) },
  }
}

/** A mean over the tasks with at least `k` scored samples. */
function passRatio(estimate: typeof passAtK, k: number, scored: Float64Array, successes: Float64Array): TaskRatio {
  const chances = Array.from(scored, (samples, task) => estimate({ samples, successes: successes[task]! }, k))
  return {
    above: Float64Array.from(chances, (chance) => chance ?? 0),
    below: Float64Array.from(chances, (chance) => (chance === undefined ? 0 : 1)),
  }
}

function total(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0)
}
