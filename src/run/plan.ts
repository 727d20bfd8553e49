import { AppError } from "../core/errors.ts"
import { FINGERPRINT_VERSION } from "../core/fingerprint.ts"
import { episodeSeed, hashRanked, RANDOM_VERSION } from "../core/random.ts"
import { PLAN_SCHEMA, type Plan } from "../core/run.ts"
import type { RunSpec } from "../core/run-spec.ts"
import { type Job, jobKey, type Split } from "../core/task.ts"
import { EPISODE_SCHEMA } from "../core/trace.ts"

/** Version of how `sample_size` tasks are drawn from a split. */
const SAMPLING_VERSION = "hash-ranked-1"

/**
 * The jobs of a run, in order: the split's tasks, or `sampleSize` of them in the order of their hashes under `seed`, each repeated.
 * A sample is the beginning of every larger sample. Throws `BAD_INPUT` for a sample larger than the split.
 */
export function planJobs(
  split: Split,
  { seed, sampleSize = null, repeats = 1 }: { seed: number; sampleSize?: number | null; repeats?: number },
): Job[] {
  if (sampleSize !== null && sampleSize > split.task_ids.length) {
    throw new AppError(
      "BAD_INPUT",
      `tasks.sample_size is ${sampleSize}, but split ${split.name} has ${split.task_ids.length} tasks`,
    )
  }
  const tasks = sampleSize === null ? split.task_ids : hashRanked(split.task_ids, seed, (id) => id).slice(0, sampleSize)
  return tasks.flatMap((task_id) =>
    Array.from({ length: repeats }, (_, sample_id): Job => {
      const key = jobKey(task_id, sample_id)
      return { key, task_id, sample_id, seed: episodeSeed(seed, task_id, sample_id), split: split.name }
    }),
  )
}

/** What of an experiment, of whatever suite, decides its jobs. */
interface Planned {
  readonly suite: string
  readonly experiment: Pick<RunSpec["experiment"], "seed">
  readonly tasks: Pick<RunSpec["tasks"], "sample_size" | "repeats">
}

/** Everything that may change the results of `spec`; hashing it gives the run's fingerprint. */
export function planRun(
  spec: Planned,
  split: Split,
  parts: Pick<Plan, "environment" | "model" | "agent" | "limits">,
): Plan {
  const { experiment, tasks, suite } = spec
  const { name, role, task_ids, task_ids_sha256 } = split
  return {
    schema: PLAN_SCHEMA,
    suite,
    split: { name, role, task_count: task_ids.length, task_ids_sha256 },
    sampling: {
      version: SAMPLING_VERSION,
      seed: experiment.seed,
      sample_size: tasks.sample_size,
      repeats: tasks.repeats,
    },
    jobs: planJobs(split, { seed: experiment.seed, sampleSize: tasks.sample_size, repeats: tasks.repeats }),
    ...parts,
    versions: { random: RANDOM_VERSION, fingerprint: FINGERPRINT_VERSION, episode: EPISODE_SCHEMA },
  }
}
