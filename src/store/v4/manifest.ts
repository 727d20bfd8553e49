import { readFileSync } from "node:fs"
import { z } from "zod"
import { AppError, messageOf } from "../../core/errors.ts"
import { FINGERPRINT_VERSION, fingerprint } from "../../core/fingerprint.ts"
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts"
import { Manifest, PLAN_SCHEMA, type Plan, RUN_SCHEMA } from "../../core/run.ts"
import { type Job, jobKey, taskIdsSha256, taskIdValues } from "../../core/task.ts"
import { EPISODE_SCHEMA } from "../../core/trace.ts"

const V4_MANIFEST = "shopsimrl-run-manifest-v1"
/** As the reference calls a pipeline that it did not run itself. */
const PIPELINE = "souk"

const V4Job = z.looseObject({
  task_id: z.union([z.int().nonnegative(), z.string().min(1)]),
  sample_id: z.int().nonnegative(),
  seed: z.int().nonnegative(),
  split: z.string(),
  episode_id: z.string().optional(),
})

const V4Manifest = z.looseObject({
  schema_version: z.literal(V4_MANIFEST),
  created_at: z.string().optional(),
  plan: z.looseObject({ jobs: z.array(V4Job) }),
})

/** A v4 run's manifest, and its summary where the file has both: `{ manifest, summary }`. */
export interface V4Run {
  readonly manifest: z.infer<typeof V4Manifest>
  readonly summary: JsonObject | undefined
}

/** Throws `NOT_FOUND`, and `BAD_INPUT` for a file that is not such a manifest. */
export function readV4Run(path: string): V4Run {
  let text: string
  try {
    text = readFileSync(path, "utf8")
  } catch (error) {
    throw new AppError("NOT_FOUND", `Cannot read the manifest ${path}: ${messageOf(error)}`, { cause: error })
  }
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch (error) {
    throw new AppError("BAD_INPUT", `${path} is not JSON: ${messageOf(error)}`, { cause: error })
  }
  const both = isJsonObject(value) && isJsonObject(value.manifest) ? value : { manifest: value }
  const parsed = V4Manifest.safeParse(both.manifest)
  if (!parsed.success) {
    throw new AppError("BAD_INPUT", `${path} is not a manifest ${V4_MANIFEST}:\n${z.prettifyError(parsed.error)}`)
  }
  return { manifest: parsed.data, summary: isJsonObject(both.summary) ? both.summary : undefined }
}

/** What the lines of an import say about their run. */
export interface Seen {
  readonly jobs: readonly Job[]
  /** The `provenance` of a line. */
  readonly identities: JsonObject
  readonly firstStart: string
  /** Most steps of an episode. */
  readonly steps: number
}

/**
 * The identity card of an imported run. `manifest` is what came with the lines; without one the run's jobs are those that were
 * played. How tasks were drawn is not known: `sampling.version` says so.
 */
export function importedManifest(seen: Seen, from: JsonObject, { name, run }: { name: string; run?: V4Run }): Manifest {
  const imported: JsonObject = { ...from, ...(run && (run as unknown as JsonObject)) }
  const own = isJsonObject(run?.manifest.souk) ? Manifest.safeParse(run.manifest.souk.manifest) : undefined
  if (own?.success) return { ...own.data, imported }
  const { environment, model, prompt, skills, runtime } = seen.identities
  const { max_steps, action_protocol } = isJsonObject(runtime) ? runtime : {}
  const jobs = run === undefined ? [...seen.jobs] : run.manifest.plan.jobs.map(jobOf)
  const taskIds = [...new Set(jobs.map(({ task_id }) => task_id))]
  const splits = [...new Set(jobs.map(({ split }) => split))]
  const plan: Plan = {
    schema: PLAN_SCHEMA,
    suite: "shopping",
    split: {
      name: splits.join("+"),
      role: null,
      task_count: taskIds.length,
      task_ids_sha256: taskIdsSha256(taskIds),
    },
    sampling: {
      version: "imported",
      seed: 0,
      sample_size: null,
      repeats: Math.max(1, ...jobs.map((job) => job.sample_id + 1)),
    },
    jobs,
    environment: isJsonObject(environment) ? environment : {},
    model: isJsonObject(model) ? model : {},
    agent: {
      ...(action_protocol !== undefined && { action_protocol }),
      ...(prompt !== undefined && { prompt }),
      ...(skills !== undefined && { skills }),
    },
    limits: { max_steps: typeof max_steps === "number" && Number.isInteger(max_steps) ? max_steps : seen.steps },
    versions: { fingerprint: FINGERPRINT_VERSION, episode: EPISODE_SCHEMA },
  }
  return {
    schema: RUN_SCHEMA,
    name: experimentName(run) ?? name,
    created_at: run?.manifest.created_at ?? seen.firstStart,
    fingerprint: fingerprint(plan as Json),
    fingerprint_version: FINGERPRINT_VERSION,
    plan,
    execution: {},
    imported,
  }
}

function experimentName(run: V4Run | undefined): string | undefined {
  const experiment = run?.manifest.plan.experiment
  const name = isJsonObject(experiment) ? experiment.name : experiment
  return typeof name === "string" && name !== "" ? name : undefined
}

function jobOf({ task_id, sample_id, seed, split, episode_id }: z.infer<typeof V4Job>): Job {
  const id = String(task_id)
  return { key: episode_id ?? jobKey(id, sample_id), task_id: id, sample_id, seed, split }
}

/** A run's manifest in the v4 form; one that was imported as it came. */
export function v4Manifest(manifest: Manifest): JsonObject {
  const { imported } = manifest
  if (isJsonObject(imported) && isJsonObject(imported.manifest)) return imported.manifest
  const { name, created_at, plan, execution } = manifest
  const { prompt = {}, skills = {}, action_protocol } = plan.agent
  const { model_id = name } = execution
  return {
    schema_version: V4_MANIFEST,
    created_at,
    plan_fingerprint: manifest.fingerprint,
    plan: {
      pipeline_version: PIPELINE,
      experiment: name,
      model_id,
      model: plan.model,
      task_split: { name: plan.split.name, task_count: plan.split.task_count },
      jobs: plan.jobs.map(({ key, task_id, sample_id, seed, split }) => ({
        task_id: taskIdValues([task_id])[0]!,
        sample_id,
        seed,
        split,
        ...(key !== jobKey(task_id, sample_id) && { episode_id: key }),
      })),
      environment: plan.environment,
      runtime: { max_steps: plan.limits.max_steps, ...(action_protocol !== undefined && { action_protocol }) },
      prompt,
      skills,
    },
    souk: { manifest: manifest as unknown as JsonObject },
  }
}
