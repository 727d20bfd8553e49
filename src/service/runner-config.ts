import { z } from "zod"
import { AppError } from "../core/errors.ts"

/** Milliseconds of a limit: a second to ten minutes. */
const LimitMs = z.int().min(1000).max(600_000)

export const RunnerConfig = z.strictObject({
  /** The buyer's messages in one case; using them up ends it like any other. */
  maxBuyerMessages: z.int().min(1).max(10_000).default(150),
  /** How long the answer to one buyer message is waited for. The agent may go on; what it says then comes with the next step. */
  responseTimeoutMs: LimitMs.default(120_000),
  /** How long the buyer's side may take for one action. */
  buyerStepTimeoutMs: LimitMs.default(120_000),
  /** Only for reports: how soon a first reply should come. */
  firstReplyTargetMs: LimitMs.default(30_000),
  /** Of money in records and estimates. */
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, "expected three letters, such as CNY")
    .default("CNY"),
  /** How many of a run's cases have a colleague act in them. */
  humanActionSampleSize: z.int().min(0).max(10_000).default(3),
  /** So many host or transport failures in a row with one code stop the starting of cases. */
  systemicFailureLimit: z.int().min(1).max(1000).default(3),
})
export type RunnerConfig = z.infer<typeof RunnerConfig>

/** Fills in the defaults. Throws `BAD_INPUT` naming each key that is wrong. */
export function parseRunnerConfig(config: z.input<typeof RunnerConfig>): RunnerConfig {
  const parsed = RunnerConfig.safeParse(config)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "config"}: ${message}`)
  throw new AppError("BAD_INPUT", `The runner's settings are not usable: ${problems.join("; ")}`)
}
