import { z } from "zod"

const count = z.int().nonnegative()
const Interval = z.object({ low: z.number(), high: z.number() })

export const SUMMARY_SCHEMA = "souk.summary/1"

/**
 * The figures of a run. Rates and means are over completed episodes and absent where there are none; `scored` is their denominator,
 * `coverage` says what part of the plan that is. Key names follow `shopsimrl-eval-summary-v2` where it has the figure.
 */
export const Summary = z.looseObject({
  schema: z.literal(SUMMARY_SCHEMA),
  suite: z.string(),
  pack: z.string(), // what measured it, with its version: `shopping@1`
  name: z.string(),
  fingerprint: z.string(),
  counts: z.object({
    requested: count, // jobs of the plan
    recorded: count, // of those, jobs with at least one attempt
    missing: count, // jobs without
    attempts: count, // lines of the trace
    // By the last attempt of each job:
    completed: count,
    failed: count,
    cancelled: count,
    invalid: count,
    scored: count,
    coverage: z.number(), // scored / requested
  }),
  primary: z.object({
    success_rate: z.number().optional(),
    success_interval: Interval.optional(), // Wilson, 95 %
    reward_mean: z.number().optional(),
    reward_sem: z.number().optional(),
    reward_interval: Interval.optional(), // Student's t, 95 %
  }),
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
  }),
  cost: z.object({
    duration_ms_mean: z.number().optional(),
    /** Over all attempts: failed ones were paid for too. */
    tokens: z.record(z.string(), count),
  }),
  /** Error code → jobs whose last attempt failed with it. */
  errors: z.record(z.string(), count),
})
export type Summary = z.infer<typeof Summary>
