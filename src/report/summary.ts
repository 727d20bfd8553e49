import type { Summary } from "../core/score.ts"
import type { Figures, Language } from "./document.ts"
import { decimal, duration, percent } from "./figures.ts"
import { figuresText } from "./formats/text.ts"

/** A run's figures for a terminal: what they are over, their intervals, and what went wrong. */
export function summaryText(summary: Summary): string {
  return figuresText(summaryFigures(summary, "en"))
}

/** A run's key figures, each with its denominator and interval. What there is none of is left out. */
export function summaryFigures(summary: Summary, language: Language): Figures {
  const words = WORDS[language]
  const { counts, primary, behavior, cost, reward_components, errors } = summary
  const rows: Figures["rows"][number][] = [{ label: words.episodes, ...episodes(counts, language) }]
  if (primary.success_rate !== undefined && primary.success_interval !== undefined) {
    const successes = Math.round(primary.success_rate * counts.scored)
    const { low, high } = primary.success_interval
    rows.push({
      label: words.success,
      value: percent(primary.success_rate),
      note:
        words.of(successes, counts.scored) + words.and + words.interval(percent(low).replace(" %", ""), percent(high)),
    })
  }
  if (primary.reward_mean !== undefined) {
    const { reward_interval: interval } = primary
    rows.push({
      label: words.reward,
      value: decimal(primary.reward_mean),
      ...(interval && { note: words.interval(decimal(interval.low), decimal(interval.high)) }),
    })
  }
  const components = Object.entries(reward_components).map(([name, mean]) => `${name} ${decimal(mean)}`)
  if (components.length > 0) rows.push({ label: words.components, value: components.join(" · ") })
  if (behavior.steps_mean !== undefined) {
    const { protocol_errors, protocol_error_rate, policy_failures, policy_failure_rate } = behavior
    const faults = [
      `${words.protocolErrors} ${withRate(protocol_errors, protocol_error_rate)}`,
      `${words.policyFailures} ${withRate(policy_failures, policy_failure_rate)}`,
    ]
    rows.push({
      label: words.steps,
      value: words.anEpisode(decimal(behavior.steps_mean, 1)),
      note: faults.join(words.comma),
    })
    rows.push({
      label: words.actions,
      value: String(behavior.total_actions),
      note: `${words.invalid} ${withRate(behavior.invalid_actions, behavior.invalid_action_rate)}`,
    })
    rows.push({ label: words.endedBy, value: counted(behavior.termination_reasons) })
  }
  if (cost.duration_ms_mean !== undefined) {
    rows.push({ label: words.time, value: words.anEpisode(duration(cost.duration_ms_mean)) })
  }
  if (Object.keys(cost.tokens).length > 0) rows.push({ label: words.tokens, value: counted(cost.tokens) })
  if (Object.keys(errors).length > 0) rows.push({ label: words.errors, value: counted(errors) })
  return { type: "figures", rows }
}

function episodes(counts: Summary["counts"], language: Language): { value: string; note?: string } {
  const words = WORDS[language]
  const others = (["failed", "cancelled", "invalid", "missing"] as const)
    .filter((key) => counts[key] > 0)
    .map((key) => `${counts[key]} ${words[key]}`)
  const attempts = counts.attempts > counts.recorded ? [`${counts.attempts} ${words.attempts}`] : []
  const notes = [...others, ...attempts]
  const value = words.scored(counts.scored, counts.requested, percent(counts.coverage))
  return notes.length === 0 ? { value } : { value, note: notes.join(words.comma) }
}

function withRate(count: number, rate: number | undefined): string {
  return rate === undefined || count === 0 ? `${count}` : `${count} (${percent(rate)})`
}

/** Largest first. */
function counted(counts: Readonly<Record<string, number>>): string {
  const entries = Object.entries(counts).sort((a, b) => b[1] - a[1])
  return entries.map(([name, count]) => `${name} ${count}`).join(" · ")
}

const WORDS = {
  en: {
    episodes: "Episodes",
    scored: (scored: number, of: number, share: string) => `${scored} of ${of} scored (${share})`,
    failed: "failed",
    cancelled: "cancelled",
    invalid: "invalid",
    missing: "missing",
    attempts: "attempts",
    success: "Success",
    of: (count: number, all: number) => `${count} of ${all}`,
    and: "; ",
    comma: ", ",
    interval: (low: string, high: string) => `95 % interval ${low} to ${high}`,
    reward: "Reward",
    components: "Components",
    steps: "Steps",
    anEpisode: (value: string) => `${value} an episode`,
    protocolErrors: "protocol errors",
    policyFailures: "policy failures",
    actions: "Actions",
    endedBy: "Ended by",
    time: "Time",
    tokens: "Tokens",
    errors: "Errors",
  },
  zh: {
    episodes: "次数",
    scored: (scored: number, of: number, share: string) => `${of} 次中 ${scored} 次有得分（${share}）`,
    failed: "次失败",
    cancelled: "次取消",
    invalid: "次无效",
    missing: "次缺失",
    attempts: "次尝试",
    success: "成功率",
    of: (count: number, all: number) => `${all} 次中 ${count} 次`,
    and: "；",
    comma: "，",
    interval: (low: string, high: string) => `95 % 区间 ${low} 至 ${high}`,
    reward: "奖励",
    components: "奖励分项",
    steps: "步数",
    anEpisode: (value: string) => `每次 ${value}`,
    protocolErrors: "协议错误",
    policyFailures: "回复截断",
    actions: "动作",
    endedBy: "结束方式",
    time: "用时",
    tokens: "词元",
    errors: "错误",
  },
} as const
