import type { Interval } from "../lib/intervals.ts"

/** One thing that two raters answered: the first is the judge, the second people. */
export interface RatedPair {
  readonly check_id: string
  readonly judge: string
  readonly people: string
}

export interface Agreement {
  /** Pairs that were compared. */
  readonly pairs: number
  /** Share of pairs with the same answer; absent without pairs. */
  readonly observed?: number
  /** The share that chance alone would give, going by how often each rater gives each answer. */
  readonly expected?: number
  /** Cohen's kappa; absent where chance alone would always agree. */
  readonly kappa?: number
  /** 95 %, from the large-sample standard error; absent for fewer than two pairs. */
  readonly interval?: Interval
  /** People's answer → the judge's answer → pairs. */
  readonly confusion: Readonly<Record<string, Readonly<Record<string, number>>>>
}

const Z_95 = 1.959963984540054

/**
 * How far two raters agree beyond chance: Cohen's kappa (Cohen 1960), with the large-sample standard error of Fleiss, Cohen and Everitt
 * (1969). Pairs are taken as independent, which several checks of one case are not quite: read the interval as a lower bound of doubt.
 */
export function agreementOf(pairs: readonly RatedPair[]): Agreement {
  const answers = [...new Set(pairs.flatMap(({ judge, people }) => [judge, people]))].sort()
  const confusion: Record<string, Record<string, number>> = {}
  for (const { judge, people } of pairs) {
    const row = confusion[people] ?? {}
    confusion[people] = row
    row[judge] = (row[judge] ?? 0) + 1
  }
  const n = pairs.length
  if (n === 0) return { pairs: 0, confusion }
  const share = (people: string, judge: string) => (confusion[people]?.[judge] ?? 0) / n
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  const ofPeople = new Map(answers.map((answer) => [answer, sum(answers.map((judge) => share(answer, judge)))]))
  const ofJudge = new Map(answers.map((answer) => [answer, sum(answers.map((people) => share(people, answer)))]))
  const people = (answer: string) => ofPeople.get(answer) ?? 0
  const judge = (answer: string) => ofJudge.get(answer) ?? 0
  const observed = sum(answers.map((answer) => share(answer, answer)))
  const expected = sum(answers.map((answer) => people(answer) * judge(answer)))
  const base = { pairs: n, observed, expected, confusion }
  if (1 - expected < 1e-12) return base
  const kappa = (observed - expected) / (1 - expected)
  const agreeing = sum(
    answers.map((answer) => share(answer, answer) * (1 - (people(answer) + judge(answer)) * (1 - kappa)) ** 2),
  )
  const differing = sum(
    answers.flatMap((i) => answers.filter((j) => j !== i).map((j) => share(i, j) * (judge(i) + people(j)) ** 2)),
  )
  const variance =
    (agreeing + (1 - kappa) ** 2 * differing - (kappa - expected * (1 - kappa)) ** 2) / (n * (1 - expected) ** 2)
  const half = Z_95 * Math.sqrt(Math.max(0, variance))
  return {
    ...base,
    kappa,
    ...(n > 1 && { interval: { low: Math.max(-1, kappa - half), high: Math.min(1, kappa + half) } }),
  }
}

/** Agreement over all pairs, and over those of each check. */
export function agreementByCheck(pairs: readonly RatedPair[]): {
  readonly all: Agreement
  readonly by_check: Readonly<Record<string, Agreement>>
} {
  const checks = [...new Set(pairs.map(({ check_id }) => check_id))].sort()
  const by_check = checks.map((check) => [check, agreementOf(pairs.filter(({ check_id }) => check_id === check))])
  return { all: agreementOf(pairs), by_check: Object.fromEntries(by_check) }
}
