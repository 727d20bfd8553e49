import { z } from "zod"
import { isJsonObject, type JsonObject } from "./json.ts"
import { Usage } from "./model.ts"
import { Job, Split } from "./task.ts"

const json = z.custom<JsonObject>(isJsonObject, "expected an object")
const count = z.int().nonnegative()

/** What an experiment file says, with defaults filled in. Relative paths are relative to the file. */
export const RunSpec = z.strictObject({
  suite: z.literal("shopping").default("shopping"),
  experiment: z.strictObject({
    /** Also the run folder's name below `output_dir`: what is not a letter, digit, `.`, `_` or `-` becomes a hyphen. */
    name: z
      .string()
      .transform((name) => name.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[-.]+|[-.]+$/g, ""))
      .refine((name) => name !== "", "needs a Latin letter or digit, since it names a folder"),
    output_dir: z.string().min(1).default("runs"),
    /** Decides sampling and, with task and sample, every episode's seed. */
    seed: z.int().nonnegative().default(20260828),
    concurrency: z.int().min(1).max(10_000).default(1),
    /** Off: a folder that holds episodes already is refused. */
    resume: z.boolean().default(true),
  }),
  tasks: z.strictObject({
    /** A split of `split_file` or, without one, of the catalog; `all` is every task of the catalog. */
    split: z.string().min(1),
    split_file: z.string().min(1).nullable().default(null),
    sample_size: z.int().min(1).nullable().default(null),
    repeats: z.int().min(1).max(1000).default(1),
  }),
  environment: z.strictObject({
    /** A catalog file, or `bundled:zh`, `bundled:en`. */
    catalog: z.string().min(1),
    rules: z.enum(["souk", "v8"]).default("souk"),
    /** null: as the split says, else without. */
    persona: z.boolean().nullable().default(null),
    interaction_mode: z.enum(["single_turn", "multi_turn"]).default("single_turn"),
  }),
  runtime: z.strictObject({ max_steps: z.int().min(1).max(1000).default(30) }).prefault({}),
  prompt: z
    .strictObject({
      system_prompt: z.string().min(1).nullable().default(null),
      system_prompt_file: z.string().min(1).nullable().default(null),
      /** null: the language of the pages. */
      language: z.enum(["zh", "en"]).nullable().default(null),
    })
    .refine((prompt) => prompt.system_prompt === null || prompt.system_prompt_file === null, {
      message: "give either system_prompt or system_prompt_file",
    })
    .prefault({}),
  model: z.strictObject({
    name: z.string().min(1),
    /** How reports call it; null: `name`. */
    id: z.string().min(1).nullable().default(null),
    /** Only of `scripted`: one action per turn, such as `search[tent]`. */
    replies: z.array(z.string().min(1)).min(1).optional(),
  }),
})
export type RunSpec = z.infer<typeof RunSpec>

export const PLAN_SCHEMA = "souk.plan/1"

/** All that may change results, and nothing else: its fingerprint is the run's. */
export const Plan = z.looseObject({
  schema: z.literal(PLAN_SCHEMA),
  suite: z.string(),
  split: z.looseObject({
    name: z.string(),
    role: Split.shape.role,
    task_count: count,
    task_ids_sha256: z.string(),
  }),
  sampling: z.looseObject({ version: z.string(), seed: count, sample_size: count.nullable(), repeats: count }),
  jobs: z.array(Job),
  /** Identities of the parts, as they describe themselves. */
  environment: json,
  model: json,
  agent: json,
  limits: z.looseObject({ max_steps: count }),
  versions: z.record(z.string(), z.string()),
})
export type Plan = z.infer<typeof Plan>

export const RUN_SCHEMA = "souk.run/1"

/** A run's identity card, written once. */
export const Manifest = z.looseObject({
  schema: z.literal(RUN_SCHEMA),
  name: z.string(),
  created_at: z.string(),
  fingerprint: z.string(), // of `plan`
  fingerprint_version: z.string(),
  plan: Plan,
  /** How it was run: versions of the software, and settings that do not change results. */
  execution: json,
})
export type Manifest = z.infer<typeof Manifest>

export const PROGRESS_SCHEMA = "souk.progress/1"

/** How far a run is. `progress.json` is replaced while the run goes on, at most once a second. */
export const Progress = z.looseObject({
  schema: z.literal(PROGRESS_SCHEMA),
  state: z.enum(["running", "stopping", "finished", "interrupted"]),
  pid: z.int(),
  started_at: z.string(),
  updated_at: z.string(),
  planned: count, // jobs of the run
  already_complete: count, // when this invocation began
  owed: count, // jobs this invocation plays
  completed: count, // of those
  failed: count,
  cancelled: count,
  in_flight: z.array(z.looseObject({ key: z.string(), step: count, started_at: z.string() })),
  /** Over this invocation's completed episodes; absent before the first one. */
  reward_mean: z.number().optional(),
  success_rate: z.number().optional(),
  usage: z.looseObject({ model_calls: count, ...Usage.shape }),
  errors: z.record(z.string(), count), // code → episodes
  elapsed_ms: z.number(),
  remaining_ms: z.number().optional(), // guessed from the rate so far
})
export type Progress = z.infer<typeof Progress>
