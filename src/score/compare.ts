import { AppError } from "../core/errors.ts"
import { canonicalJson } from "../core/fingerprint.ts"
import { isJsonObject, type Json } from "../core/json.ts"
import type { Manifest, Plan } from "../core/run.ts"
import { readPlays } from "../store/plays.ts"
import { readManifest } from "../store/read.ts"
import { packOf } from "./packs/pack.ts"
import { PAIRED_VERSION, type PairedDifference, pairedDifference } from "./paired.ts"
import { pairFault, type SalesPair, salesMeasures, salesPairOf } from "./sales-pair.ts"
import { resamplesFor } from "./task-bootstrap.ts"

const COMPARISON_SCHEMA = "souk.comparison/1"

/** One task on both sides: means over its paired samples. */
export interface TaskPair {
  readonly task_id: string
  readonly samples: number
  readonly first: { readonly reward: number; readonly success: number }
  readonly second: { readonly reward: number; readonly success: number }
}

/** What a job came to on one side. */
export interface JobScore {
  readonly reward: number
  readonly success: boolean
  readonly steps: number
}

/** One job that both sides have scored. */
export interface ScoredPair {
  readonly episode_id: string
  readonly task_id: string
  readonly first: JobScore
  readonly second: JobScore
}

/** Two runs on the same jobs. Differences are second minus first. */
export interface Comparison {
  readonly schema: typeof COMPARISON_SCHEMA
  readonly statistics: string
  readonly first: { readonly name: string; readonly fingerprint: string }
  readonly second: { readonly name: string; readonly fingerprint: string }
  /** Of runs that say they are the two sides of one pair: on which one the agent was told of the buyer. */
  readonly sales_pair?: SalesPair
  /** Members of the plans that differ, as paths with both values: what is being compared. */
  readonly differences: readonly { readonly path: string; readonly first: Json; readonly second: Json }[]
  readonly jobs: {
    readonly shared: number
    readonly paired: number // scored on both sides
    readonly only_first: number // scored on one side only, or planned there only
    readonly only_second: number
    readonly neither: number
  }
  readonly tasks: number
  /** Measure → means of both sides over the paired tasks, and what their difference says. */
  readonly measures: { readonly [name: string]: { readonly first: number; readonly second: number } & PairedDifference }
  /** Tasks whose every paired sample failed on one side and succeeded on the other; others that changed are in between. */
  readonly flips: {
    readonly gained: readonly string[]
    readonly lost: readonly string[]
    readonly mixed: readonly string[]
  }
  readonly pairs: readonly TaskPair[]
  readonly warnings: readonly ComparisonWarning[]
}

/** What to mind when reading the figures: in words, and as facts for other words. */
type ComparisonWarning = { readonly message: string } & (
  | { readonly code: "different_conditions"; readonly members: readonly string[] }
  | { readonly code: "not_a_pair"; readonly members: readonly string[] }
  | { readonly code: "jobs_not_shared"; readonly shared: number; readonly planned: number }
  | { readonly code: "jobs_not_scored"; readonly left_out: number }
  | { readonly code: "few_tasks"; readonly tasks: number }
)

export interface CompareOptions {
  readonly seed?: string
  /** As for intervals by task when left out: 10,000, and fewer for more than 2000 tasks. */
  readonly resamples?: number
  /** Compare although the tasks, the shop or the limits differ; a warning says so. */
  readonly allowDifferent?: boolean
}

/** Members of a plan that must be equal: otherwise the two runs did not face the same thing. */
const MUST_AGREE = ["suite", "environment", "limits", "split.task_ids_sha256"] as const

/**
 * Compares two run folders by paired job (task and sample), on jobs that both have scored. Repeats of a task are averaged first, and
 * tasks are what is resampled. Throws `REFUSED` when the runs did not play the same tasks in the same shop under the same limits,
 * and when there is no pair.
 */
export async function compare(
  firstFolder: string,
  secondFolder: string,
  options: CompareOptions = {},
): Promise<Comparison> {
  return (await compareJobs(firstFolder, secondFolder, options)).comparison
}

/** As {@link compare}, with every paired job, in the order of the first plan. */
export async function compareJobs(
  firstFolder: string,
  secondFolder: string,
  { seed = "souk-compare-1", resamples, allowDifferent = false }: CompareOptions = {},
): Promise<{ readonly comparison: Comparison; readonly jobs: readonly ScoredPair[] }> {
  const manifests = [readManifest(firstFolder), readManifest(secondFolder)] as const
  const [first, second] = manifests
  const differences = planDifferences(first.plan, second.plan)
  const clash = differences.filter(({ path }) =>
    MUST_AGREE.some((member) => path === member || path.startsWith(`${member}.`)),
  )
  if (clash.length > 0 && !allowDifferent) {
    const list = clash.map(({ path, first, second }) => `${path}: ${short(first)} / ${short(second)}`).join("; ")
    throw new AppError(
      "REFUSED",
      `The runs did not face the same thing (${list}); --allow-different compares them all the same`,
    )
  }
  const scores = [await readScores(firstFolder, first), await readScores(secondFolder, second)] as const
  const keys = new Map(second.plan.jobs.map((job) => [job.key, job]))
  const shared = first.plan.jobs.filter((job) => keys.has(job.key))
  const paired = shared.filter((job) => scores[0].has(job.key) && scores[1].has(job.key))
  if (paired.length === 0) {
    const hint = first.plan.suite === "service" ? ". Cases are scored by their verdicts: judge both runs first" : ""
    throw new AppError("REFUSED", `The runs have no job that both have scored; there is nothing to compare${hint}`)
  }

  const tasks = new Map<string, string[]>()
  for (const { task_id, key } of paired) {
    const keys = tasks.get(task_id)
    if (keys === undefined) tasks.set(task_id, [key])
    else keys.push(key)
  }
  const sides = [...tasks].map(([taskId, jobs]) => ({
    taskId,
    jobs,
    first: averageOf(jobs.map((key) => scores[0].get(key)!)),
    second: averageOf(jobs.map((key) => scores[1].get(key)!)),
  }))

  const names = new Set(sides.flatMap(({ first, second }) => [...first.keys()].filter((name) => second.has(name))))
  const measures: Record<string, Comparison["measures"][string]> = {}
  for (const name of names) {
    const both = sides.filter(({ first, second }) => first.has(name) && second.has(name))
    const a = both.map(({ first }) => first.get(name)!)
    const b = both.map(({ second }) => second.get(name)!)
    const difference = pairedDifference(
      b.map((value, i) => value - a[i]!),
      { seed: `${seed}:${name}`, resamples: resamples ?? resamplesFor(both.length) },
    )
    measures[name] = { first: mean(a), second: mean(b), ...difference }
  }

  const salesPair = salesPairOf(first, second)
  const fault = salesPair && pairFault(salesPair, differences)
  const pairs: TaskPair[] = sides.map(({ taskId, jobs, first, second }) => ({
    task_id: taskId,
    samples: jobs.length,
    first: { reward: first.get("reward")!, success: first.get("success")! },
    second: { reward: second.get("reward")!, success: second.get("success")! },
  }))
  const changed = (test: (pair: TaskPair) => boolean) => pairs.filter(test).map(({ task_id }) => task_id)
  const one = (have: ReadonlyMap<string, unknown>, lack: ReadonlyMap<string, unknown>) =>
    [...have.keys()].filter((key) => !lack.has(key)).length
  const comparison: Comparison = {
    schema: COMPARISON_SCHEMA,
    statistics: PAIRED_VERSION,
    first: { name: first.name, fingerprint: first.fingerprint },
    second: { name: second.name, fingerprint: second.fingerprint },
    ...(salesPair !== undefined && { sales_pair: salesPair }),
    differences,
    jobs: {
      shared: shared.length,
      paired: paired.length,
      only_first: one(scores[0], scores[1]),
      only_second: one(scores[1], scores[0]),
      neither: shared.filter((job) => !scores[0].has(job.key) && !scores[1].has(job.key)).length,
    },
    tasks: tasks.size,
    measures,
    flips: {
      gained: changed(({ first, second }) => first.success === 0 && second.success === 1),
      lost: changed(({ first, second }) => first.success === 1 && second.success === 0),
      mixed: changed(({ first, second }) => {
        return first.success !== second.success && Math.abs(first.success - second.success) < 1
      }),
    },
    pairs,
    warnings: [
      ...(fault === undefined ? [] : [{ code: "not_a_pair" as const, ...fault }]),
      ...warningsOf({ clash, shared: shared.length, paired: paired.length, tasks: tasks.size, manifests }),
    ],
  }
  const jobs = paired.map(({ key, task_id }): ScoredPair => {
    return { episode_id: key, task_id, first: scoreOf(scores[0].get(key)!), second: scoreOf(scores[1].get(key)!) }
  })
  return { comparison, jobs }
}

type Measures = ReadonlyMap<string, number>

function scoreOf(measures: Measures): JobScore {
  return {
    reward: measures.get("reward")!,
    success: measures.get("success") === 1,
    steps: measures.get("steps")!,
  }
}

/** Job → measures of its scored episode. Failed and unscored ones are absent, never zero. */
async function readScores(folder: string, manifest: Manifest): Promise<Map<string, Measures>> {
  const planned = new Set(manifest.plan.jobs.map((job) => job.key))
  const scores = new Map<string, Measures>()
  const { measure } = await packOf(folder, manifest.plan)
  for await (const { play } of readPlays(folder)) {
    const { header } = play
    if (!planned.has(header.episode_id)) continue
    const { reward, success, components, steps, protocolErrors, invalidActions } = measure(play)
    scores.delete(header.episode_id) // the last attempt counts
    if (reward === undefined || success === undefined) continue
    const tokens = header.usage.total_tokens
    scores.set(
      header.episode_id,
      new Map<string, number>([
        ["reward", reward],
        ["success", success ? 1 : 0],
        ["steps", steps],
        ["protocol_errors", protocolErrors],
        ["invalid_actions", invalidActions],
        ...(typeof tokens !== "number" ? [] : [["tokens", tokens] as const]),
        ["duration_ms", header.duration_ms],
        ...components,
        ...(manifest.plan.suite === "service" ? salesMeasures(play) : []),
      ]),
    )
  }
  return scores
}

/** Means of every measure that all of the samples have. */
function averageOf(samples: readonly Measures[]): Map<string, number> {
  const names = [...samples[0]!.keys()].filter((name) => samples.every((sample) => sample.has(name)))
  return new Map(names.map((name) => [name, mean(samples.map((sample) => sample.get(name)!))]))
}

function mean(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0) / values.length
}

/** Where two plans differ, but for their lists of jobs. */
function planDifferences(first: Plan, second: Plan): Comparison["differences"] {
  const found: { path: string; first: Json; second: Json }[] = []
  const walk = (a: Json | undefined, b: Json | undefined, path: string) => {
    if (path === "jobs") return
    if (a !== undefined && b !== undefined && canonicalJson(a) === canonicalJson(b)) return
    if (isJsonObject(a) && isJsonObject(b)) {
      for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
        walk(a[key], b[key], path === "" ? key : `${path}.${key}`)
      }
      return
    }
    found.push({ path, first: a ?? null, second: b ?? null })
  }
  walk(first as unknown as Json, second as unknown as Json, "")
  return found
}

function warningsOf({
  clash,
  shared,
  paired,
  tasks,
  manifests: [first, second],
}: {
  clash: Comparison["differences"]
  shared: number
  paired: number
  tasks: number
  manifests: readonly [Manifest, Manifest]
}): ComparisonWarning[] {
  const planned = Math.max(first.plan.jobs.length, second.plan.jobs.length)
  const members = clash.map(({ path }) => path)
  const leftOut = shared - paired
  const warnings: ComparisonWarning[] = []
  if (clash.length > 0) {
    const message = `the runs did not face the same thing: ${members.join(", ")} differ`
    warnings.push({ code: "different_conditions", message, members })
  }
  if (shared < planned) {
    const message = `only ${shared} of ${planned} planned jobs are in both plans`
    warnings.push({ code: "jobs_not_shared", message, shared, planned })
  }
  if (leftOut > 0) {
    const message = `${leftOut} shared jobs are not scored on both sides and left out`
    warnings.push({ code: "jobs_not_scored", message, left_out: leftOut })
  }
  if (tasks < 30) {
    warnings.push({ code: "few_tasks", message: `${tasks} tasks are few: intervals are rough`, tasks })
  }
  return warnings
}

function short(value: Json): string {
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}
