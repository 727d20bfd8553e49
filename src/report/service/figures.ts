import type { JudgedRate } from "../../core/judgment.ts"
import type { Summary } from "../../core/score.ts"
import { otherCostRows, tokensRow } from "../costs.ts"
import type { Figures, Language } from "../document.ts"
import { decimal, duration, percent } from "../figures.ts"
import { buyerRow } from "./buyer.ts"
import { modelJudgeRows } from "./model-judge.ts"
import { salesRows } from "./sales.ts"
import { named, SERVICE_WORDS, type ServiceWords } from "./words.ts"

type Row = Figures["rows"][number]

/**
 * A service run's key figures, each with its denominator and interval. What there is none of is left out; with `beside: "tables"`, also
 * what a report has whole tables of.
 */
export function serviceFigures(
  summary: Summary,
  language: Language,
  { beside }: { readonly beside: "nothing" | "tables" },
): Figures {
  const words = SERVICE_WORDS[language]
  const alone = beside === "nothing"
  const rows = [casesRow(summary, words), ...passRows(summary, words)]
  if (alone) rows.push(...kindRows(summary, words))
  const { counts, behavior, cost, errors, first_replies, latency, judgment } = summary
  if (alone && judgment !== undefined && Object.keys(judgment.codes).length > 0) {
    rows.push({ label: words.failures, value: counted(judgment.codes, words.reasons) })
  }
  if (first_replies !== undefined) rows.push(firstReplyRow(first_replies, words))
  rows.push(...buyerRow(summary, language), ...salesRows(summary, language))
  if (alone) rows.push(...modelJudgeRows(summary, language))
  if (behavior.steps_mean !== undefined) {
    const faults = [
      ...(behavior.protocol_errors > 0 ? [`${words.protocolErrors} ${behavior.protocol_errors}`] : []),
      ...(behavior.policy_failures > 0 ? [`${words.policyFailures} ${behavior.policy_failures}`] : []),
    ]
    const value = words.aCase(decimal(behavior.steps_mean, 1))
    rows.push({ label: words.turns, value, ...(faults.length > 0 && { note: faults.join(words.comma) }) })
    rows.push({
      label: words.tools,
      value: String(behavior.total_actions),
      note: `${words.refused} ${behavior.invalid_actions}`,
    })
    if (alone) rows.push({ label: words.endedBy, value: counted(behavior.termination_reasons, words.endings) })
  }
  if (cost.duration_ms_mean !== undefined) {
    rows.push({ label: words.time, value: words.aCase(duration(cost.duration_ms_mean)) })
  }
  const calls = latency?.model_call
  if (calls !== undefined && calls.p99 > 0 && alone) {
    const [p50, p90, p99] = [calls.p50, calls.p90, calls.p99].map(duration)
    rows.push({ label: words.latency, value: words.percentiles(p50!, p90!, p99!), note: words.calls(calls.n) })
  }
  if (Object.keys(cost.tokens).length > 0) rows.push(tokensRow(cost.tokens, { language, alone }))
  const money = (cost.money ?? []).map(({ amount, currency }) => `${amount} ${currency}`)
  if (money.length > 0) {
    const { recorded = 0, priced = 0 } = cost.money_attempts ?? {}
    const note = words.ofAttempts(recorded + priced, counts.attempts)
    rows.push({ label: words.cost, value: money.join(" · "), note })
  }
  if (alone) rows.push(...otherCostRows(summary, language))
  if (Object.keys(errors).length > 0 && alone) rows.push({ label: words.errors, value: counted(errors, {}) })
  return { type: "figures", rows }
}

/** How many count, and what became of the others: each of the exclusions by its own name. */
function casesRow(summary: Summary, words: ServiceWords): Row {
  const { counts } = summary
  const others = denominators(summary)
    .filter(([state, count]) => count > 0 && state !== "passed" && state !== "failed")
    .map(([state, count]) => `${words.states[state][0]} ${count}`)
  const notes = [...others, ...(counts.attempts > counts.recorded ? [`${counts.attempts} ${words.attempts}`] : [])]
  const value = words.judged(summary.judgment?.pass_rate.of ?? 0, counts.requested)
  return { label: words.cases, value, ...(notes.length > 0 && { note: notes.join(words.comma) }) }
}

export type CaseState = keyof ServiceWords["states"]

/** What became of every planned case; the counts add up to those that were requested. */
export function denominators(summary: Summary): [CaseState, number][] {
  const states = judgedStates(summary)
  const told = states.reduce((sum, [, count]) => sum + count, 0)
  const rest = summary.counts.requested - told // what was played since the last judging
  return rest > 0 ? [...states, ["unjudged", rest]] : states
}

function judgedStates({ counts, judgment }: Summary): [CaseState, number][] {
  const { missing } = counts
  if (judgment === undefined) {
    const { failed, cancelled } = counts
    return [
      ["broke", failed],
      ["cancelled", cancelled],
      ["missing", missing],
    ]
  }
  const { pass_rate, excluded, not_judged, not_scored, not_scored_by } = judgment
  return [
    ["passed", pass_rate.passed],
    ["failed", pass_rate.of - pass_rate.passed],
    ["environment_incomplete", excluded.environment_incomplete],
    ["invalid_buyer", excluded.invalid_buyer],
    ["no_observation", excluded.no_observation],
    ["not_judged", not_judged],
    ["broke", not_scored_by?.failed ?? not_scored],
    ["cancelled", not_scored_by?.cancelled ?? 0],
    ["missing", missing],
  ]
}

function passRows({ judgment, primary, pass }: Summary, words: ServiceWords): Row[] {
  const { rate, interval: wilson, passed, of } = judgment?.pass_rate ?? { passed: 0, of: 0 }
  if (rate === undefined || wilson === undefined) return []
  const { low, high } = primary.success_task_interval ?? wilson
  const byCase = primary.success_task_interval === undefined ? "" : words.byCase
  const interval = words.interval(percent(low).replace(" %", ""), percent(high)) + byCase
  const rows: Row[] = [
    { label: words.passRate, value: percent(rate), note: `${words.of(passed, of)}${words.and}${interval}` },
  ]
  const most = pass?.at(-1)
  if (most !== undefined && most.k > 1) {
    const note = `pass@${most.k} ${percent(most.pass_at_k)}${words.and}${words.scripts(most.tasks)}`
    rows.push({ label: `pass^${most.k}`, value: percent(most.pass_hat_k), note })
  }
  if (primary.reward_mean !== undefined) {
    const interval = primary.reward_task_interval ?? primary.reward_interval
    const note = interval && words.interval(percent(interval.low).replace(" %", ""), percent(interval.high))
    rows.push({
      label: words.share,
      value: words.shareValue(percent(primary.reward_mean)),
      ...(note !== undefined && { note }),
    })
  }
  return rows
}

/** Kinds that are read at a glance. */
const SHOWN_KINDS = 12

function kindRows({ judgment, slices = {} }: Summary, words: ServiceWords): Row[] {
  const rows: Row[] = []
  const push = (name: string, parts: readonly string[]): void => {
    if (parts.length < 2 || parts.length > SHOWN_KINDS) return
    rows.push({ label: words.by(named(words.slices, name)), value: parts.join(" · ") })
  }
  push("category", rates(judgment?.by_category ?? {}, words))
  for (const [name, values] of Object.entries(slices)) {
    if (name === "category") continue
    const parts = Object.entries(values).map(
      ([value, { success_rate, scored }]) => `${value} ${words.of(Math.round(success_rate * scored), scored)}`,
    )
    push(name, parts)
  }
  return rows
}

function rates(of: Readonly<Record<string, JudgedRate>>, words: ServiceWords): string[] {
  return Object.entries(of).map(
    ([name, { passed, of }]) => `${name === "" ? words.none : name} ${words.of(passed, of)}`,
  )
}

function firstReplyRow(replies: NonNullable<Summary["first_replies"]>, words: ServiceWords): Row {
  const { samples, over_goal, unanswered, incomplete, longest_ms, goal_ms } = replies
  const parts = [
    ...(over_goal > 0 ? [`${words.over_goal} ${over_goal}`] : []),
    ...(unanswered > 0 ? [`${words.unanswered} ${unanswered}`] : []),
    ...(longest_ms === null ? [] : [words.longest(duration(longest_ms))]),
  ]
  return {
    label: words.firstReply,
    value: words.inTime(samples - over_goal - incomplete, samples, duration(goal_ms)),
    ...(parts.length > 0 && { note: parts.join(words.comma) }),
  }
}

/** Largest first. */
function counted(counts: Readonly<Record<string, number>>, names: Readonly<Record<string, string>>): string {
  const entries = Object.entries(counts).sort((a, b) => b[1] - a[1])
  return entries.map(([name, count]) => `${names[name] ?? name} ${count}`).join(" · ")
}
