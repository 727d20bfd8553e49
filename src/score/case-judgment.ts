import type { CaseRecord } from "../core/case-record.ts"
import type { CaseJudgment, JudgedRate, JudgmentSummary } from "../core/judgment.ts"
import type { EpisodeStatus } from "../core/trace.ts"
import type { Exclusion, Verdict } from "../core/verdict.ts"
import { wilsonInterval } from "../lib/intervals.ts"

/** Where a pack says nothing else. */
export const PASS_THRESHOLD = 0.8

/**
 * Why a case counts for nothing; undefined: it counts. Our own buyer's fault comes first, then that nothing was said, then that the
 * world had nothing where a verdict needed something.
 */
export function exclusionOf(
  record: Pick<CaseRecord, "buyer_invalid_reason" | "messages" | "tools">,
  verdicts: readonly Verdict[],
): Exclusion | undefined {
  if (record.buyer_invalid_reason !== undefined) return "invalid_buyer"
  if (record.messages.length === 0) return "no_observation"
  const missed = record.tools.some((tool) => tool.class === "miss" && tool.affects_conclusion === true)
  return missed || verdicts.some(({ gate }) => gate === "closed_environment") ? "environment_incomplete" : undefined
}

/**
 * A case passes when no blocking check fails and passed checks have at least `threshold` of the weight of passed and failed ones. Checks
 * that do not apply or cannot be judged weigh nothing; a case with no others is not judged.
 */
export function judgeCase(
  episode: { readonly episode_id: string; readonly status: EpisodeStatus },
  record: CaseRecord,
  verdicts: readonly Verdict[],
  threshold: number = PASS_THRESHOLD,
): CaseJudgment {
  const counts = { pass: 0, fail: 0, not_applicable: 0, unjudgeable: 0 }
  for (const { state } of verdicts) counts[state]++
  const passed = weightOf(verdicts.filter(({ state }) => state === "pass"))
  const failures = verdicts.filter(({ state }) => state === "fail")
  const total = passed + weightOf(failures)
  const exclusion = exclusionOf(record, verdicts)
  const { case_id, category, language } = record
  const state = stateOf()
  return {
    case_id,
    episode_id: episode.episode_id,
    category,
    language,
    state,
    ...(exclusion !== undefined && { exclusion }),
    ...(state === "not_scored" && { status: episode.status === "cancelled" ? "cancelled" : "failed" }),
    ...(total > 0 && { share: passed / total }),
    verdicts: counts,
    failed: failures.map(({ check_id, judge, code, blocking }) => ({
      check_id,
      judge,
      ...(code !== undefined && { code }),
      blocking,
    })),
  }

  function stateOf(): CaseJudgment["state"] {
    if (exclusion === "invalid_buyer" || exclusion === "no_observation") return "excluded"
    if (episode.status === "failed" || episode.status === "cancelled") return "not_scored"
    if (exclusion !== undefined) return "excluded"
    if (total === 0) return "not_judged"
    const blocked = failures.some(({ blocking }) => blocking)
    return !blocked && passed / total >= threshold - 1e-9 ? "passed" : "failed"
  }
}

function weightOf(verdicts: readonly Verdict[]): number {
  return verdicts.reduce((sum, { weight }) => sum + weight, 0)
}

/** Adds up a run, case by case. */
export class JudgmentTally {
  readonly #judges: readonly string[]
  readonly #threshold: number
  readonly #excluded = { environment_incomplete: 0, invalid_buyer: 0, no_observation: 0 }
  readonly #categories = new Map<string, Count>()
  readonly #checks = new Map<string, Count>()
  readonly #codes = new Map<string, number>()
  readonly #all: Count = { passed: 0, of: 0 }
  #cases = 0
  #notJudged = 0
  readonly #notScored = { failed: 0, cancelled: 0 }

  constructor(judges: readonly string[], threshold: number) {
    this.#judges = judges
    this.#threshold = threshold
  }

  add(judgment: CaseJudgment, verdicts: readonly Verdict[]): void {
    this.#cases++
    if (judgment.state === "excluded") {
      if (judgment.exclusion !== undefined) this.#excluded[judgment.exclusion]++
      return
    }
    if (judgment.state === "not_scored") this.#notScored[judgment.status ?? "failed"]++
    if (judgment.state === "not_judged") this.#notJudged++
    if (judgment.state !== "passed" && judgment.state !== "failed") return
    const passed = judgment.state === "passed"
    count(this.#all, passed)
    count(entry(this.#categories, judgment.category ?? ""), passed)
    for (const { state, check_id, code } of verdicts) {
      if (state !== "pass" && state !== "fail") continue
      count(entry(this.#checks, check_id), state === "pass")
      if (state === "fail" && code !== undefined) this.#codes.set(code, (this.#codes.get(code) ?? 0) + 1)
    }
  }

  summary(): JudgmentSummary {
    return {
      judges: [...this.#judges],
      pass_threshold: this.#threshold,
      cases: this.#cases,
      pass_rate: rateOf(this.#all),
      excluded: { ...this.#excluded },
      not_judged: this.#notJudged,
      not_scored: this.#notScored.failed + this.#notScored.cancelled,
      not_scored_by: { ...this.#notScored },
      by_category: rates(this.#categories),
      by_check: rates(this.#checks),
      codes: Object.fromEntries(
        [...this.#codes].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)), // whatever order cases came in
      ),
    }
  }
}

interface Count {
  passed: number
  of: number
}

function count(into: Count, passed: boolean): void {
  into.of++
  if (passed) into.passed++
}

function entry(map: Map<string, Count>, key: string): Count {
  const known = map.get(key) ?? { passed: 0, of: 0 }
  map.set(key, known)
  return known
}

function rates(map: ReadonlyMap<string, Count>): Record<string, JudgedRate> {
  return Object.fromEntries(
    [...map].sort(([one], [other]) => (one < other ? -1 : 1)).map(([key, value]) => [key, rateOf(value)]),
  )
}

function rateOf({ passed, of }: Count): JudgedRate {
  const interval = wilsonInterval(passed, of)
  return { passed, of, ...(interval !== undefined && { rate: passed / of, interval: { ...interval } }) }
}
