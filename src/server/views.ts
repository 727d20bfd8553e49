import { z } from "@hono/zod-openapi"
import type { CaseRecord } from "../core/case-record.ts"
import type { Json } from "../core/json.ts"
import type { CaseJudgment } from "../core/judgment.ts"
import type { Manifest, Progress } from "../core/run.ts"
import type { Summary } from "../core/score.ts"
import { type EpisodeRecord, EpisodeStatus } from "../core/trace.ts"
import type { Verdict } from "../core/verdict.ts"
import type { Comparison } from "../score/compare.ts"

/*
 * What the pages about runs are made of: the answers of `/v1/runs…` and `/v1/comparison…`. The UI takes its types from here.
 * Members that a run has no figure for are null, never 0.
 */

const count = z.int().nonnegative()
const AnyObject = z.looseObject({})

/** What is known of a run without opening its episodes. */
export const RunLine = z
  .object({
    name: z.string().meta({ description: "The folder's name." }),
    created_at: z.string().nullable(),
    suite: z.string().nullable(),
    split: z.string().nullable(),
    model: z.string().nullable().meta({ description: "Name of the model or agent that is tried." }),
    fingerprint: z.string().nullable(),
    jobs: count.nullable().meta({ description: "Planned." }),
    state: z.string().nullable().meta({ description: "Of its last invocation: `running`, `finished`, …" }),
    live: z.boolean().meta({ description: "It is being played now: its progress is fresh." }),
    recorded: count.nullable().meta({ description: "Jobs with an attempt, from the summary, else the progress." }),
    primary: AnyObject.nullable().meta({
      description: "As `primary` of the summary: success rate and mean reward with intervals, once there are any.",
    }),
    pass_rate: AnyObject.nullable().meta({
      description: "As `judgment.pass_rate` of the summary, where it was judged.",
    }),
    scored: count.nullable(),
    coverage: z.number().nullable(),
    tokens: count.nullable(),
    money: z.array(z.object({ amount: z.string(), currency: z.string() })),
    errors: count.nullable().meta({ description: "Jobs whose last attempt failed." }),
    warnings: count,
    problem: z.string().nullable().meta({ description: "Why the folder cannot be read." }),
  })
  .meta({ id: "RunLine" })
export type RunLine = z.infer<typeof RunLine>

export const RunList = z.object({ runs: z.array(RunLine) }).meta({ id: "RunList" })
export type RunList = z.infer<typeof RunList>

/** One run: who it is, how far it is, its figures. */
export type RunView = {
  readonly name: string
  readonly created_at: string
  readonly fingerprint: string
  /** Without the list of jobs. */
  readonly plan: {
    readonly [key in keyof Manifest["plan"] as key extends "jobs" ? never : key]: Manifest["plan"][key]
  } & {
    readonly job_count: number
  }
  readonly execution: Manifest["execution"]
  readonly progress: Progress | null
  readonly live: boolean
  readonly summary: Summary | null
  /** Bytes of the trace, and of those how many the index knows. */
  readonly trace: { readonly bytes: number; readonly indexed_bytes: number; readonly damaged_lines: number }
}

/** An episode as a row of the table: the last attempt of its job. Figures that an older record does not have are null. */
export const EpisodeRow = z
  .object({
    episode_id: z.string(),
    task_id: z.string(),
    sample_id: count,
    attempt: count,
    status: EpisodeStatus,
    end_reason: z.string(),
    success: z.boolean().nullable().meta({ description: "Null: not scored." }),
    reward: z.number().nullable(),
    steps: count.nullable().meta({ description: "Steps of the agent; of a conversation, buyer turns." }),
    model_calls: count.nullable(),
    protocol_errors: count.nullable(),
    invalid_actions: count.nullable(),
    tokens: count.nullable(),
    duration_ms: z.number(),
    started_at: z.string(),
    error: z.string().nullable().meta({ description: "Its code." }),
    instruction: z
      .string()
      .meta({ description: "As shown to the agent, or the buyer's first words; at most 200 characters." }),
    category: z.string().nullable(),
    verdict: z.string().nullable().meta({ description: "State of the case's judgment, where it was judged." }),
    failed_checks: z.array(z.string()),
  })
  .meta({ id: "EpisodeRow" })
export type EpisodeRow = z.infer<typeof EpisodeRow>

export const EPISODE_SORTS = [
  "recorded", // the order they were recorded in
  "task",
  "reward",
  "steps",
  "tokens",
  "duration",
  "started_at",
  "status",
] as const

/** Filters of the table; also those of its figures. Lists are separated by commas. */
export const EpisodeFilter = z.object({
  q: z
    .string()
    .max(200)
    .optional()
    .meta({ description: "Words that all occur in id, task, instruction, error or category." }),
  status: z.string().optional(),
  end_reason: z.string().optional(),
  error: z.string().optional(),
  outcome: z.string().optional().meta({ description: "`success`, `failure`, `technical`." }),
  category: z.string().optional(),
  verdict: z.string().optional(),
  check: z.string().optional().meta({ description: "Id of a failed check." }),
})
export type EpisodeFilter = z.infer<typeof EpisodeFilter>

export const EpisodeQuery = EpisodeFilter.extend({
  sort: z.enum(EPISODE_SORTS).default("recorded"),
  order: z.enum(["asc", "desc"]).default("asc"),
  offset: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(0).max(1000).default(100),
})
export type EpisodeQuery = z.input<typeof EpisodeQuery>

/** How far the index is; `indexed_bytes` of `bytes`. */
const IndexState = z.object({ bytes: count, indexed_bytes: count, complete: z.boolean(), damaged_lines: count })

export const EpisodePage = z
  .object({
    total: count.meta({ description: "Episodes in the index." }),
    matched: count.meta({ description: "Of those, what the filter leaves." }),
    offset: count,
    rows: z.array(EpisodeRow),
    index: IndexState,
  })
  .meta({ id: "EpisodePage" })
export type EpisodePage = z.infer<typeof EpisodePage>

/** `edges` has one more member than `counts`; the last bin holds its upper edge. */
const Histogram = z.object({ edges: z.array(z.number()), counts: z.array(count), missing: count })

/** Of the episodes that a filter leaves. Each breakdown leaves its own filter out, so that one can choose another value. */
export const EpisodeFigures = z
  .object({
    matched: count,
    statuses: z.record(z.string(), count),
    end_reasons: z.record(z.string(), count),
    errors: z.record(z.string(), count),
    outcomes: z.record(z.string(), count),
    categories: z.record(z.string(), count),
    verdicts: z.record(z.string(), count),
    checks: z.record(z.string(), count),
    histograms: z.object({
      reward: Histogram,
      steps: Histogram,
      tokens: Histogram,
      duration_ms: Histogram,
    }),
    index: IndexState,
  })
  .meta({ id: "EpisodeFigures" })
export type EpisodeFigures = z.infer<typeof EpisodeFigures>

/**
 * One attempt in full. Without `private=true`, the goal and other members that no model was shown are left out, and `withheld` names
 * them.
 */
export type EpisodeView = {
  readonly run: string
  readonly suite: string
  readonly episode: EpisodeRecord
  /** With `shared=true`: what several events have in common, which these then point at (`shared-values.ts`). */
  readonly shared?: readonly Json[]
  /** All recorded attempts of the job, in order. */
  readonly attempts: readonly { readonly attempt: number; readonly status: string; readonly end_reason: string }[]
  readonly withheld: readonly string[]
  /** Ids before and after it in the order recorded. */
  readonly previous: string | null
  readonly next: string | null
  /** Of a service case: record, verdicts and what they come to; `record` is without hidden facts unless private. */
  readonly case: {
    readonly record: CaseRecord
    readonly judgment: CaseJudgment | null
    readonly verdicts: readonly Verdict[]
  } | null
}

/** What was wanted against what was bought. Private: an operator's. */
export const GoalComparison = z
  .object({
    goal: AnyObject.meta({ description: "As in the episode's evidence." }),
    purchase: AnyObject.nullable(),
    reward_detail: AnyObject.nullable(),
    same_product: z.boolean().nullable().meta({ description: "Null: nothing was bought." }),
    attributes: z.object({
      matched: z.array(z.string()).meta({ description: "Wanted, and there by the rule of the reward." }),
      missing: z.array(z.string()),
      extra: z.array(z.string()).meta({ description: "Of the bought product, and matching no wanted one." }),
    }),
    options: z.object({
      matched: z.array(z.string()),
      missing: z.array(z.string()),
      extra: z.array(z.string()),
    }),
    price: z.object({
      budget: z.object({ minimum: z.number().nullable(), maximum: z.number().nullable() }).nullable(),
      paid: z.number().nullable(),
      within: z.boolean().nullable(),
    }),
  })
  .meta({ id: "GoalComparison" })
export type GoalComparison = z.infer<typeof GoalComparison>

/** Two runs by paired job. `comparison` is without its list of pairs. */
export type ComparisonView = { readonly comparison: Omit<Comparison, "pairs"> }

/** One job on both sides. */
export const JobPair = z
  .object({
    episode_id: z.string(),
    task_id: z.string(),
    instruction: z.string(),
    first: z.object({ reward: z.number(), success: z.boolean(), steps: count.nullable() }),
    second: z.object({ reward: z.number(), success: z.boolean(), steps: count.nullable() }),
  })
  .meta({ id: "JobPair" })
export type JobPair = z.infer<typeof JobPair>

export const PairQuery = z.object({
  first: z.string(),
  second: z.string(),
  flip: z.enum(["all", "gained", "lost", "changed", "same"]).default("all"),
  offset: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(0).max(1000).default(100),
})

export const PairPage = z
  .object({
    matched: count,
    counts: z.object({ all: count, gained: count, lost: count, changed: count, same: count }),
    rows: z.array(JobPair),
    /** Cells of the scatter plot: rewards of both sides, rounded to hundredths, and how many jobs. */
    cells: z.array(z.tuple([z.number(), z.number(), count])),
  })
  .meta({ id: "PairPage" })
export type PairPage = z.infer<typeof PairPage>
