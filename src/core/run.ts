import { z } from "zod"
import { isJsonObject, type JsonObject } from "./json.ts"
import { Usage } from "./model.ts"
import { Job, Split } from "./task.ts"

const json = z.custom<JsonObject>(isJsonObject, "expected an object")
const count = z.int().nonnegative()

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

/** What a rate limiter is doing. Shared by all requests to one provider account. */
const LimiterProgress = z.object({
  in_flight: count,
  waiting: count,
  window: count, // requests in flight that are allowed at most
  requests_per_s: z.number().nullable(), // null: not paced
  cooling_ms: z.number(), // until requests are sent again; 0 when they are
  granted: count,
  refused: count,
  waited_ms: z.number(), // of all requests together
})

export const PROGRESS_SCHEMA = "souk.progress/1"

/** How far a run is. `progress.json` is replaced while the run goes on, at most once a second. */
export const Progress = z.looseObject({
  schema: z.literal(PROGRESS_SCHEMA),
  state: z.enum(["running", "stopping", "finished", "interrupted", "stopped"]),
  pid: z.int(),
  started_at: z.string(),
  updated_at: z.string(),
  planned: count, // jobs of the run
  already_complete: count, // when this invocation began
  owed: count, // jobs this invocation plays
  completed: count, // of those
  failed: count,
  cancelled: count,
  retried: count.optional(), // attempts that failed and were, or will be, made again; not among `failed`
  /** Why the breaker stopped the run. */
  stopped: z.looseObject({ code: z.string(), message: z.string() }).optional(),
  in_flight: z.array(z.looseObject({ key: z.string(), step: count, started_at: z.string() })),
  /** Over this invocation's completed episodes; absent before the first one. */
  reward_mean: z.number().optional(),
  success_rate: z.number().optional(),
  usage: z.looseObject({ model_calls: count, ...Usage.shape }),
  /** What `usage` costs, by the experiment's price table. */
  cost: z.looseObject({ currency: z.string(), amount: z.number() }).optional(),
  limiter: LimiterProgress.optional(),
  errors: z.record(z.string(), count), // code → episodes
  elapsed_ms: z.number(),
  remaining_ms: z.number().optional(), // guessed from the rate so far
})
export type Progress = z.infer<typeof Progress>
