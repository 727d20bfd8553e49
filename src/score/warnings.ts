import type { Summary } from "../core/score.ts"

type Warning = NonNullable<Summary["warnings"]>[number]

/** Fewer tasks than this make rough intervals, and say little about tasks one has not played. */
const FEW_TASKS = 30
const Z_95 = 1.96
/** More faults a draft than this make the shopper doubtful. */
const SHOPPER_FAULTS = 0.05

/** What to mind when reading a summary, made of the summary itself. */
export function warningsOf({
  counts,
  primary,
  cost,
  settings,
  shopper,
}: Pick<Summary, "counts" | "primary" | "cost" | "settings" | "shopper">): Warning[] {
  const warnings: Warning[] = []
  const warn = (code: string, message: string, more: Pick<Warning, "episodes"> = {}) =>
    warnings.push({ code, message, ...more })
  const { scored, requested } = counts
  if (scored < requested) {
    const why = (["failed", "cancelled", "invalid", "missing"] as const).filter((key) => counts[key] > 0)
    const list = why.map((key) => `${counts[key]} ${key}`).join(", ")
    warn(
      "incomplete_coverage",
      `${requested - scored} of ${requested} episodes are not scored${list === "" ? "" : ` (${list})`}: figures are of the others, which may be easier or harder`,
    )
  }
  if (scored === 0) return warnings
  if (primary.reward_mean === 0) {
    warn(
      "all_rewards_zero",
      "every reward is 0: read an episode before trusting this; prompt, tools or parser may be at fault",
    )
  }
  const tasks = counts.tasks ?? scored
  if (tasks < FEW_TASKS) warn("few_tasks", `${tasks} ${tasks === 1 ? "task is" : "tasks are"} few: intervals are rough`)
  const interval = primary.success_task_interval ?? primary.success_interval
  const difference = settings?.difference
  if (interval !== undefined && difference !== undefined && interval.high - interval.low > difference) {
    const rate = primary.success_rate!
    const share = Math.min(0.9, Math.max(0.1, rate)) // near the ends an estimate of the spread is worth little
    const needed = Math.ceil((4 * Z_95 ** 2 * share * (1 - share)) / difference ** 2)
    const isByTask = primary.success_task_interval !== undefined
    const advice = isByTask ? "; more tasks narrow it" : `; about ${needed} episodes would do`
    warn(
      "wide_interval",
      `the success rate's interval is ${points(interval.high - interval.low)} points wide, more than the ${points(difference)} looked for${advice}`,
      isByTask ? {} : { episodes: needed },
    )
  }
  if (shopper !== undefined) {
    const faults = shopper.leaks.count + shopper.empty.count + shopper.contradictions.count
    if (faults > SHOPPER_FAULTS * shopper.drafts) {
      const told = `${faults} faults in ${shopper.drafts} drafts, ${shopper.withheld} of ${shopper.answers + shopper.declines} answers withheld`
      warn("shopper_faults", `the shopper was not true to its role (${told}): figures say less of the agent`)
    }
  }
  const unknown = cost.money_attempts?.unknown ?? 0
  if (unknown > 0)
    warn("cost_incomplete", `the cost of ${unknown} of ${counts.attempts} attempts is not known and not in the sum`)
  return warnings
}

function points(share: number): string {
  return (share * 100).toFixed(1)
}
