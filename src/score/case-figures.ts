import { z } from "zod"
import type { Play } from "../core/play.ts"
import { CaseSales, type ColleagueSummary, type SalesSummary } from "../core/sales.ts"
import { Moments } from "../lib/exact-sum.ts"
import { tInterval, wilsonInterval } from "../lib/intervals.ts"

/** What of a case's record is added up here. */
const Seen = z.looseObject({
  sales: CaseSales.optional(),
  human_actions: z.array(z.looseObject({ kind: z.string() })).default([]),
})
type Seen = z.infer<typeof Seen>

interface Kept {
  readonly completed: boolean
  readonly seen: Seen
}

/** Adds up, by the last attempt of each job, what cases say of selling and what colleagues did in them. */
export class CaseFigures {
  readonly #planned: ReadonlySet<string>
  readonly #cases = new Map<string, Kept>()

  constructor(jobs: readonly { readonly key: string }[]) {
    this.#planned = new Set(jobs.map(({ key }) => key))
  }

  add({ header: { episode_id, status }, evidence }: Play): void {
    if (!this.#planned.has(episode_id)) return
    const parsed = Seen.safeParse(evidence.get("case"))
    if (parsed.success) {
      const { sales, human_actions } = parsed.data
      this.#cases.set(episode_id, {
        completed: status === "completed",
        seen: { human_actions, ...(sales && { sales }) },
      })
    } else this.#cases.delete(episode_id)
  }

  /** Undefined where no case before the sale was played to an end. */
  sales(): SalesSummary | undefined {
    const cases = [...this.#cases.values()].flatMap(({ completed, seen: { sales } }) =>
      completed && sales?.phase === "presales" ? [sales] : [],
    )
    return cases.length === 0 ? undefined : salesSummary(cases)
  }

  /** `planned`: cases for which an action was drawn. Undefined where none was. */
  colleagues(planned: number): ColleagueSummary | undefined {
    if (planned === 0) return undefined
    const acted = [...this.#cases.values()].filter(({ seen }) => seen.human_actions.length > 0)
    const kinds: Record<string, number> = {}
    for (const { kind } of acted.flatMap(({ seen }) => seen.human_actions)) kinds[kind] = (kinds[kind] ?? 0) + 1
    const sorted = Object.entries(kinds).sort(([a], [b]) => (a < b ? -1 : 1))
    return { planned, acted: acted.length, kinds: Object.fromEntries(sorted) }
  }
}

function salesSummary(cases: readonly CaseSales[]): SalesSummary {
  const moody = cases.flatMap(({ simulated_deal }) => (simulated_deal === undefined ? [] : [simulated_deal]))
  const deals = moody.filter(Boolean).length
  const paired = cases.flatMap(({ human_comparisons = [] }) =>
    human_comparisons.length > 0 ? [human_comparisons.length] : [],
  )
  const intent = intentOf(cases)
  return {
    cases: cases.length,
    ...(moody.length > 0 && {
      deals: {
        count: deals,
        of: moody.length,
        rate: deals / moody.length,
        interval: { ...wilsonInterval(deals, moody.length)! },
      },
    }),
    ...(intent && { intent }),
    ...(paired.length > 0 && {
      human_comparisons: { cases: paired.length, pairs: paired.reduce((sum, pairs) => sum + pairs, 0) },
    }),
  }
}

function intentOf(cases: readonly CaseSales[]): SalesSummary["intent"] {
  const watched = cases.flatMap(({ purchase_intent = [] }) => (purchase_intent.length > 0 ? [purchase_intent] : []))
  if (watched.length === 0) return undefined
  const unavailable: Record<string, number> = {}
  let observed = 0
  for (const point of watched.flat()) {
    if (point.status === "observed") observed++
    else unavailable[point.reason] = (unavailable[point.reason] ?? 0) + 1
  }
  const ends = watched.map((points) => [points[0], points.at(-1)].map((point) => scoreOf(point)))
  const first = meanOf(ends.flatMap(([score]) => score ?? []))
  const last = meanOf(ends.flatMap(([, score]) => score ?? []))
  const rise = meanOf(ends.flatMap(([from, to]) => (from === undefined || to === undefined ? [] : to - from)))
  return { observed, unavailable, ...(first && { first }), ...(last && { last }), ...(rise && { rise }) }
}

function scoreOf(point: NonNullable<CaseSales["purchase_intent"]>[number] | undefined): number | undefined {
  return point?.status === "observed" ? point.score : undefined
}

function meanOf(values: readonly number[]) {
  if (values.length === 0) return undefined
  const moments = new Moments()
  for (const value of values) moments.add(value)
  const mean = moments.mean!
  const interval = values.length < 2 ? undefined : tInterval(mean, moments.standardError!, values.length)
  return { n: values.length, mean, ...(interval && { interval: { ...interval } }) }
}
