import { z } from "zod"
import { BuyerSummary } from "./buyer.ts"
import { FirstReplySummary } from "./first-reply.ts"
import { JudgmentSummary } from "./judgment.ts"
import { ColleagueSummary, SalesSummary } from "./sales.ts"
import { ShopperFigures } from "./shopper.ts"

const count = z.int().nonnegative()
const Interval = z.object({ low: z.number(), high: z.number() })

/** A rate and a mean over `scored` episodes, with intervals over episodes: Wilson's and Student's, 95 %. */
const Scored = z.object({
  scored: count,
  success_rate: z.number(),
  success_interval: Interval,
  reward_mean: z.number(),
  reward_interval: Interval.optional(),
})

/** How a measure is spread over the `n` episodes that have it. */
const Spread = z.object({ n: count, mean: z.number(), median: z.number(), p90: z.number() })

/** Milliseconds; the smallest that at least that share does not exceed, to three significant digits. */
const Latency = z.object({ n: count, p50: z.number(), p90: z.number(), p99: z.number() })

/** Of one party beside the agent, over all attempts in which its model was asked. */
const PartyCost = z.object({
  attempts: count,
  model_calls: count.optional(), // absent where nobody counts them
  tokens: z.record(z.string(), count),
  money: z.array(z.object({ amount: z.string(), currency: z.string() })).optional(),
  money_attempts: z.object({ recorded: count, priced: count, unknown: count }).optional(),
})

export const SUMMARY_SCHEMA = "souk.summary/1"

/**
 * The figures of a run. Rates and means are over completed episodes and absent where there are none; `scored` is their denominator,
 * `coverage` says what part of the plan that is. Key names follow `shopsimrl-eval-summary-v2` where it has the figure. Whole
 * groups that are optional came later: older summaries do not have them.
 */
export const Summary = z.looseObject({
  schema: z.literal(SUMMARY_SCHEMA),
  suite: z.string(),
  pack: z.string(), // what measured it, with its version: `shopping@2`
  name: z.string(),
  fingerprint: z.string(),
  counts: z.object({
    requested: count, // jobs of the plan, or what was said instead
    recorded: count, // jobs with at least one attempt
    missing: count, // requested ones without
    attempts: count, // lines of the trace
    // By the last attempt of each job:
    completed: count,
    failed: count,
    cancelled: count,
    invalid: count,
    scored: count,
    coverage: z.number(), // scored / requested
    tasks: count.optional(), // with a scored episode
  }),
  primary: z.object({
    success_rate: z.number().optional(),
    success_interval: Interval.optional(), // Wilson, 95 %: over episodes
    success_task_interval: Interval.optional(), // bootstrap by task, 95 %: there when tasks are repeated
    reward_mean: z.number().optional(),
    reward_sem: z.number().optional(),
    reward_interval: Interval.optional(), // Student's t, 95 %: over episodes
    reward_task_interval: Interval.optional(), // bootstrap by task
  }),
  /** There when tasks are repeated: means over the `tasks` that have at least `k` scored samples, with bootstrap intervals by task. */
  pass: z
    .array(
      z.object({
        k: count,
        tasks: count,
        pass_at_k: z.number(), // any of k samples succeeds
        pass_at_k_interval: Interval.optional(),
        pass_hat_k: z.number(), // all of them do
        pass_hat_k_interval: Interval.optional(),
      }),
    )
    .optional(),
  /** Mean of each component of the reward. */
  reward_components: z.record(z.string(), z.number()),
  behavior: z.object({
    steps_mean: z.number().optional(),
    model_steps: count,
    protocol_errors: count,
    protocol_error_rate: z.number().optional(), // per model step
    policy_failures: count,
    policy_failure_rate: z.number().optional(), // per model step
    total_actions: count,
    invalid_actions: count,
    invalid_action_rate: z.number().optional(), // per action
    termination_reasons: z.record(z.string(), count),
    /** Jobs by how they ended: succeeded, scored without success, not scored (failed, cancelled, invalid). */
    outcomes: z.object({ success: count, failure: count, technical: count }).optional(),
    tokens_per_turn: z.number().optional(), // all generated tokens / all turns, of episodes that count them in every turn
    /** What the pack measures of each completed episode, by name. */
    measures: z.record(z.string(), Spread).optional(),
  }),
  /** `model_call` and `first_token`: of every call on record. `episode`: of completed episodes. */
  latency: z
    .object({
      model_call: Latency.optional(),
      first_token: Latency.optional(),
      episode: Latency.optional(),
    })
    .optional(),
  cost: z.object({
    duration_ms_mean: z.number().optional(),
    /** Over all attempts: failed ones were paid for too. */
    tokens: z.record(z.string(), count),
    /** Over all attempts whose cost is known: as recorded, else by the price table. Currencies are never added to each other. */
    money: z.array(z.object({ amount: z.string(), currency: z.string() })).optional(),
    /** Attempts by where their cost is known from. */
    money_attempts: z.object({ recorded: count, priced: count, unknown: count }).optional(),
    /** What our own side's models took, by party (`buyer`, `shopper`): in none of the figures above. Judges' are in `judgment`. */
    parties: z.record(z.string(), PartyCost).optional(),
  }),
  /** Slice → value → the scored episodes with it. Slices that no trace tells of are absent. */
  slices: z.record(z.string(), z.record(z.string(), Scored)).optional(),
  /** Error code → jobs whose last attempt failed with it. */
  errors: z.record(z.string(), count),
  /** What the warnings go by. */
  settings: z.object({ difference: z.number(), requested: count.optional() }).optional(),
  /** How bootstrap intervals were made, where there are any. */
  statistics: z.object({ bootstrap: z.string(), seed: z.string(), resamples: count }).optional(),
  /** `episodes`: of a wide interval, how many would do. */
  warnings: z.array(z.object({ code: z.string(), message: z.string(), episodes: count.optional() })).optional(),
  /** Of a service run that was judged: passed and failed cases, exclusions, checks. */
  judgment: JudgmentSummary.optional(),
  /** Of a service run with simulated buyers: how true they were to their cards. */
  buyer: BuyerSummary.optional(),
  /** Of a service run with cases before the sale: deals and purchase intent. No part of the score. */
  sales: SalesSummary.optional(),
  /** Of a service run in which colleagues acted. */
  colleagues: ColleagueSummary.optional(),
  /** Of a service run: how soon buyers were answered, over the last attempt of each job, whatever became of it, against `goal_ms`. */
  first_replies: FirstReplySummary.extend({ goal_ms: z.number() }).optional(),
  /** Where the agent could ask a shopper: how that one did. */
  shopper: ShopperFigures.optional(),
})
export type Summary = z.infer<typeof Summary>
