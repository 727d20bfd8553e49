import { z } from "zod"
import type { CaseRecord } from "./case-record.ts"
import type { Job } from "./task.ts"
import { Exclusion, type Verdict } from "./verdict.ts"

const count = z.int().nonnegative()

/** What all verdicts of one case come to. A line of `scores/cases.jsonl`. */
export const CaseJudgment = z.looseObject({
  case_id: z.string(),
  episode_id: z.string(),
  category: z.string().nullable(),
  language: z.enum(["zh", "en"]),
  /** `excluded`: a fault that is not the agent's; `not_judged`: no check applied; `not_scored`: the episode failed or was cancelled. */
  state: z.enum(["passed", "failed", "excluded", "not_judged", "not_scored"]),
  exclusion: Exclusion.optional(),
  /** Only of `not_scored`: what became of the episode. */
  status: z.enum(["failed", "cancelled"]).optional(),
  /** Weight of passed checks over weight of passed and failed ones; absent where there is none. */
  share: z.number().optional(),
  /** Verdicts by state. */
  verdicts: z.object({ pass: count, fail: count, not_applicable: count, unjudgeable: count }),
  failed: z.array(
    z.looseObject({ check_id: z.string(), judge: z.string(), code: z.string().optional(), blocking: z.boolean() }),
  ),
})
export type CaseJudgment = z.infer<typeof CaseJudgment>

/** A share with its denominator. `rate` and `interval` (Wilson, 95 %) are absent without observations. */
export const JudgedRate = z.object({
  passed: count,
  of: count,
  rate: z.number().optional(),
  interval: z.object({ low: z.number(), high: z.number() }).optional(),
})
export type JudgedRate = z.infer<typeof JudgedRate>

/** Answers of a judge that asks somebody, to one check: verdicts by state, and those that are none by why. */
const AskedCheck = z.object({
  pass: count,
  fail: count,
  not_applicable: count,
  abstained: count,
  evidence_not_found: count, // most draws quoted what is not there
  no_majority: count,
  judge_faults: count,
  divided: count, // verdicts and others of which not all draws said the same
})
export type AskedCheck = z.infer<typeof AskedCheck>

/** What a judge that asks a model says of its judging, `judge_reports` of {@link JudgmentSummary}. Members that came later are optional. */
export const ModelJudgeReport = z.looseObject({
  model: z.looseObject({ model: z.string().optional() }),
  rubrics: z.array(z.looseObject({ name: z.string(), version: z.number(), language: z.string() })),
  draws: count,
  cases: count,
  flagged: count, // cases with words to the judge
  asked: count, // answers wanted
  abstained: count,
  no_majority: count,
  judge_faults: count,
  usage: z.looseObject({ model_calls: count }),
  cost: z.looseObject({ currency: z.string(), amount: z.number() }).optional(),
  by_check: z.record(z.string(), AskedCheck).optional(),
})
export type ModelJudgeReport = z.infer<typeof ModelJudgeReport>

/** The figures of a judged run. */
export const JudgmentSummary = z.looseObject({
  judges: z.array(z.string()),
  pass_threshold: z.number(),
  cases: count,
  /** Passed cases among those that were judged. */
  pass_rate: JudgedRate,
  excluded: z.object({ environment_incomplete: count, invalid_buyer: count, no_observation: count }),
  not_judged: count,
  not_scored: count,
  /** The same by what became of the episodes. */
  not_scored_by: z.object({ failed: count, cancelled: count }).optional(),
  by_category: z.record(z.string(), JudgedRate),
  /** Passed verdicts among passed and failed ones, of cases that count. */
  by_check: z.record(z.string(), JudgedRate),
  /** Code of a failed verdict → how many. */
  codes: z.record(z.string(), count),
  /** Judge → whom it asked, what that took and what came of it beside verdicts; only of judges that ask somebody. */
  judge_reports: z.record(z.string(), z.record(z.string(), z.json())).optional(),
})
export type JudgmentSummary = z.infer<typeof JudgmentSummary>

/** A case that counts and in which checks failed: what was seen, and the verdicts on them. */
export interface FailedCase {
  readonly job: Job
  readonly judgment: CaseJudgment
  readonly record: CaseRecord
  readonly verdicts: readonly Verdict[]
}

/** Failed checks to be read, case by case, of all there are. */
export interface FailedCases {
  readonly cases: readonly FailedCase[]
  /** In the cases that are here, and in all. */
  readonly shown: { readonly cases: number; readonly checks: number }
  readonly all: { readonly cases: number; readonly checks: number }
}
