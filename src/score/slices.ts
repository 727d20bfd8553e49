import type { Summary } from "../core/score.ts"
import { Moments } from "../lib/exact-sum.ts"
import { tInterval, wilsonInterval } from "../lib/intervals.ts"
import type { JobTable } from "./job-table.ts"

type Slice = NonNullable<Summary["slices"]>[string][string]

/** Values of a slice that are told apart; rarer ones are one group. */
const MOST_VALUES = 50
const OTHERS = "(others)"

/** Scored episodes by each of their `labels`; `table` has `reward` and `success` of the same jobs. */
export function slicesOf(labels: JobTable, table: JobTable): NonNullable<Summary["slices"]> {
  return Object.fromEntries(
    labels.labelNames().map((name) => {
      const groups = largest(labels.groups(name))
      return [name, Object.fromEntries(groups.map(([value, rows]) => [value, scoredOf(rows, table)]))]
    }),
  )
}

function largest(groups: Map<string, number[]>): [string, number[]][] {
  if (groups.size <= MOST_VALUES) return [...groups]
  const bySize = [...groups].sort((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1))
  const kept = bySize.slice(0, MOST_VALUES - 1).sort(([a], [b]) => (a < b ? -1 : 1))
  return [...kept, [OTHERS, bySize.slice(MOST_VALUES - 1).flatMap(([, rows]) => rows)]]
}

function scoredOf(rows: readonly number[], table: JobTable): Slice {
  const rewards = new Moments()
  let successes = 0
  for (const row of rows) {
    rewards.add(table.get(row, "reward")!) // only scored episodes have these labels
    successes += table.get(row, "success")!
  }
  const scored = rewards.count
  const mean = rewards.mean!
  const interval = scored > 1 ? tInterval(mean, rewards.standardError!, scored) : undefined
  return {
    scored,
    success_rate: successes / scored,
    success_interval: wilsonInterval(successes, scored)!,
    reward_mean: mean,
    ...(interval && { reward_interval: interval }),
  }
}
