import type { Summary } from "../core/score.ts"
import type { ShopperFigures } from "../core/shopper.ts"
import { otherCostRows, tokensRow } from "./costs.ts"
import type { Figures, Language } from "./document.ts"
import { decimal, duration, percent } from "./figures.ts"
import { blocksText } from "./formats/text.ts"
import { componentLabel } from "./measures.ts"
import { serviceFigures } from "./service/figures.ts"
import { summaryWarnings } from "./warnings.ts"

/** A run's figures for a terminal: what they are over, their intervals, and what went wrong. */
export function summaryText(summary: Summary): string {
  const warnings = summaryWarnings(summary, "en").map((text) => ({ type: "callout", tone: "warning", text }) as const)
  const figures =
    summary.suite === "service" ? serviceFigures(summary, "en", { beside: "nothing" }) : summaryFigures(summary, "en")
  return blocksText([figures, ...warnings], "en")
}

/**
 * A run's key figures, each with its denominator and interval. What there is none of is left out; with `beside: "tables"`, also what a
 * report has whole tables of.
 */
export function summaryFigures(
  summary: Summary,
  language: Language,
  { beside = "nothing" }: { readonly beside?: "nothing" | "tables" } = {},
): Figures {
  const alone = beside === "nothing"
  const words = WORDS[language]
  const { counts, primary, behavior, cost, reward_components, errors } = summary
  const rows: Figures["rows"][number][] = [{ label: words.episodes, ...episodes(counts, language) }]
  if (primary.success_rate !== undefined && primary.success_interval !== undefined) {
    const successes = Math.round(primary.success_rate * counts.scored)
    const { low, high } = primary.success_task_interval ?? primary.success_interval
    const byTask = primary.success_task_interval === undefined ? "" : words.byTask
    const interval = words.interval(percent(low).replace(" %", ""), percent(high)) + byTask
    rows.push({
      label: words.success,
      value: percent(primary.success_rate),
      note: words.of(successes, counts.scored) + words.and + interval,
    })
  }
  if (primary.reward_mean !== undefined) {
    const interval = primary.reward_task_interval ?? primary.reward_interval
    const byTask = primary.reward_task_interval === undefined ? "" : words.byTask
    rows.push({
      label: words.reward,
      value: decimal(primary.reward_mean),
      ...(interval && { note: words.interval(decimal(interval.low), decimal(interval.high)) + byTask }),
    })
  }
  const pass = summary.pass?.at(-1)
  if (pass !== undefined && pass.k > 1 && alone) {
    rows.push({
      label: `pass@${pass.k}`,
      value: percent(pass.pass_at_k),
      note: `pass^${pass.k} ${percent(pass.pass_hat_k)}${words.and}${words.tasks(pass.tasks)}`,
    })
  }
  const components = Object.entries(reward_components).map(([name, mean]) => {
    return `${alone ? name : componentLabel(name, language)} ${decimal(mean)}`
  })
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
      note: `${words.refused} ${withRate(behavior.invalid_actions, behavior.invalid_action_rate)}`,
    })
    if (alone) rows.push({ label: words.endedBy, value: counted(behavior.termination_reasons) })
  }
  if (alone) rows.push(...movesRow(summary, language))
  if (summary.shopper !== undefined) rows.push(shopperRow(summary.shopper, language))
  if (cost.duration_ms_mean !== undefined) {
    rows.push({ label: words.time, value: words.anEpisode(duration(cost.duration_ms_mean)) })
  }
  const calls = summary.latency?.model_call
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
  if (alone) rows.push(...otherCostRows(summary, language), ...sliceRows(summary, language))
  if (Object.keys(errors).length > 0 && alone) rows.push({ label: words.errors, value: counted(errors) })
  return { type: "figures", rows }
}

const MOVES = ["searches", "product_opens", "backtracks", "option_selections", "option_changes"] as const

/** Means an episode of what is done in a shop. */
function movesRow({ behavior: { measures = {} } }: Summary, language: Language): Figures["rows"] {
  const words = WORDS[language]
  const means = MOVES.flatMap((name) => {
    const spread = measures[name]
    return spread === undefined || spread.mean === 0 ? [] : [`${words[name]} ${decimal(spread.mean, 1)}`]
  })
  return means.length === 0 ? [] : [{ label: words.moves, value: words.anEpisode(means.join(" · ")) }]
}

/** What was said with the shopper, and their faults: those are not the agent's. */
function shopperRow(shopper: ShopperFigures, language: Language): Figures["rows"][number] {
  const words = WORDS[language]
  const faults = (["leaks", "empty", "contradictions"] as const).map((kind) => {
    const { count, interval } = shopper[kind]
    return `${words[kind]} ${words.ofDrafts(count, shopper.drafts, percent(interval.low), percent(interval.high))}`
  })
  const value = words.exchanges(shopper.answers, shopper.declines)
  return { label: words.shopper, value, note: faults.join(words.comma) }
}

/** Slices that are read at a glance. How episodes ended has a line of its own. */
const SHOWN_VALUES = 12

function sliceRows({ slices = {} }: Summary, language: Language): Figures["rows"] {
  const words = WORDS[language]
  return Object.entries(slices).flatMap(([name, values]) => {
    const entries = Object.entries(values)
    if (name === "termination" || entries.length < 2 || entries.length > SHOWN_VALUES) return []
    const parts = entries.map(([value, { success_rate, scored }]) => {
      return `${value} ${words.of(Math.round(success_rate * scored), scored)}`
    })
    return [{ label: words.by(name), value: parts.join(" · ") }]
  })
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
    refused: "invalid",
    endedBy: "Ended by",
    byTask: ", by task",
    moves: "Moves",
    searches: "searches",
    product_opens: "products opened",
    backtracks: "ways back",
    option_selections: "options chosen",
    option_changes: "changed",
    shopper: "Shopper",
    exchanges: (answers: number, declines: number) => `${answers} answers, ${declines} purchases declined`,
    leaks: "leaks",
    empty: "empty",
    contradictions: "contradictions",
    ofDrafts: (count: number, all: number, low: string, high: string) =>
      `${count} of ${all} drafts (${low} to ${high})`,
    time: "Time",
    latency: "Model calls",
    percentiles: (p50: string, p90: string, p99: string) =>
      `half within ${p50}, 90 % within ${p90}, 99 % within ${p99}`,
    calls: (calls: number) => `${calls} calls`,
    by: (slice: string) => `By ${slice}`,
    tasks: (count: number) => `${count} tasks`,
    cost: "Cost",
    ofAttempts: (known: number, all: number) => `of ${known} of ${all} attempts`,
    errors: "Errors",
  },
  zh: {
    episodes: "回合",
    scored: (scored: number, of: number, share: string) => `计划 ${of} 个，已计分 ${scored} 个（${share}）`,
    failed: "次失败",
    cancelled: "次取消",
    invalid: "次无效",
    missing: "次缺失",
    attempts: "次尝试",
    success: "成功率",
    of: (count: number, all: number) => `${all} 个中 ${count} 个`,
    and: "；",
    comma: "，",
    interval: (low: string, high: string) => `95 % 区间 ${low} 至 ${high}`,
    reward: "奖励",
    components: "奖励分项",
    steps: "步数",
    anEpisode: (value: string) => `每回合 ${value}`,
    protocolErrors: "协议错误",
    policyFailures: "回复截断",
    actions: "动作",
    refused: "无效",
    endedBy: "结束方式",
    byTask: "（按任务）",
    moves: "操作",
    searches: "搜索",
    product_opens: "打开商品",
    backtracks: "返回",
    option_selections: "选择规格",
    option_changes: "改选",
    shopper: "顾客",
    exchanges: (answers: number, declines: number) => `回答 ${answers} 次，拒绝购买 ${declines} 次`,
    leaks: "泄露",
    empty: "空白",
    contradictions: "矛盾",
    ofDrafts: (count: number, all: number, low: string, high: string) =>
      `${all} 份草稿中 ${count} 份（${low} 至 ${high}）`,
    time: "用时",
    latency: "模型调用",
    percentiles: (p50: string, p90: string, p99: string) => `半数在 ${p50} 内，90 % 在 ${p90} 内，99 % 在 ${p99} 内`,
    calls: (calls: number) => `${calls} 次调用`,
    by: (slice: string) => `按 ${slice}`,
    tasks: (count: number) => `${count} 个任务`,
    cost: "费用",
    ofAttempts: (known: number, all: number) => `${all} 次尝试中 ${known} 次的费用`,
    errors: "错误",
  },
} as const
