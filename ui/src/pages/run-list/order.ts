import type { RunLine } from "../../../../src/server/views.ts"
import type { Sorting } from "../../components/table.tsx"

type Wish = { readonly q: string; readonly suite: string; readonly state: string }

/** The runs that a search and the filters leave. All words of `q` must occur in name, model or split. */
export function matching(runs: readonly RunLine[], { q, suite, state }: Wish): RunLine[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  return runs.filter((run) => {
    if (suite !== "" && run.suite !== suite) return false
    if (state === "live" ? !run.live : state === "broken" ? run.problem === null : state !== "" && run.state !== state)
      return false
    const text = `${run.name} ${run.model ?? ""} ${run.split ?? ""}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

/** Success of a run: of judged cases, else of scored episodes. */
export function successOf(run: RunLine): { rate: number; range: { low: number; high: number } | null } | null {
  const judged = run.pass_rate as { rate?: number; interval?: { low: number; high: number } } | null
  if (judged?.rate !== undefined) return { rate: judged.rate, range: judged.interval ?? null }
  const primary = run.primary as { success_rate?: number; success_interval?: { low: number; high: number } } | null
  if (primary?.success_rate === undefined) return null
  return { rate: primary.success_rate, range: primary.success_interval ?? null }
}

/** Mean reward of a run, with its interval. */
export function rewardOf(run: RunLine): { mean: number; range: { low: number; high: number } | null } | null {
  const primary = run.primary as { reward_mean?: number; reward_interval?: { low: number; high: number } } | null
  if (primary?.reward_mean === undefined) return null
  return { mean: primary.reward_mean, range: primary.reward_interval ?? null }
}

const KEYS: { readonly [by: string]: (run: RunLine) => string | number | null } = {
  name: (run) => run.name.toLowerCase(),
  model: (run) => run.model?.toLowerCase() ?? null,
  split: (run) => run.split?.toLowerCase() ?? null,
  success: (run) => successOf(run)?.rate ?? null,
  reward: (run) => rewardOf(run)?.mean ?? null,
  scored: (run) => run.scored,
  cost: (run) => run.tokens,
  errors: (run) => run.errors,
  created: (run) => run.created_at,
}

/** Sorted; runs without the figure stand last, either way. */
export function sortRuns(runs: readonly RunLine[], { by, order }: Sorting): RunLine[] {
  const key = KEYS[by] ?? KEYS.created!
  const sign = order === "asc" ? 1 : -1
  return runs
    .map((run) => [run, key(run)] as const)
    .sort(([a, x], [b, y]) => {
      if (x === y) return a.name < b.name ? -1 : 1
      if (x === null || y === null) return x === null ? 1 : -1
      return x < y ? -sign : sign
    })
    .map(([run]) => run)
}
