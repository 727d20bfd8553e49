import type { Manifest } from "../core/run.ts"
import type { Summary } from "../core/score.ts"
import type { Block, Chart, Document, Language } from "./document.ts"
import { decimal, percent } from "./figures.ts"
import { measureLabel } from "./measures.ts"
import { summaryFigures } from "./summary.ts"

/** A run of the shopping suite to be read by others: what was played, its figures, how episodes ended, what went wrong. */
export function runDocument(manifest: Manifest, summary: Summary, language: Language = "en"): Document {
  const words = WORDS[language]
  const chart = primaryChart(summary, language)
  return {
    language,
    title: manifest.name,
    blocks: [
      { type: "text", text: words.over },
      ...warnings(summary, language),
      summaryFigures(summary, language),
      ...(chart === undefined ? [] : [chart]),
      ...endings(summary, language),
      ...errors(summary, language),
      { type: "heading", text: words.played },
      planTable(manifest, language),
    ],
  }
}

/** What keeps the figures from saying much. */
function warnings({ counts }: Summary, language: Language): Block[] {
  const words = WORDS[language]
  if (counts.scored === counts.requested) return []
  return [
    { type: "callout", tone: "warning", text: words.incomplete(counts.requested - counts.scored, counts.requested) },
  ]
}

/** Success, reward and its parts: all from 0 to 1. */
function primaryChart({ primary, reward_components }: Summary, language: Language): Chart | undefined {
  const words = WORDS[language]
  const bars: Chart["bars"][number][] = []
  if (primary.success_rate !== undefined) {
    const { success_rate: value, success_interval: interval } = primary
    bars.push({ label: words.success, value, text: percent(value), ...(interval && { interval }) })
  }
  if (primary.reward_mean !== undefined) {
    const { reward_mean: value, reward_interval: interval } = primary
    bars.push({ label: words.reward, value, text: decimal(value), ...(interval && { interval }) })
  }
  for (const [name, value] of Object.entries(reward_components)) {
    bars.push({ label: measureLabel(name, language), value, text: decimal(value) })
  }
  return bars.length === 0 ? undefined : { type: "chart", caption: words.chart, from: 0, to: 1, bars }
}

function endings({ behavior, counts }: Summary, language: Language): Block[] {
  const words = WORDS[language]
  const reasons = Object.entries(behavior.termination_reasons).sort((a, b) => b[1] - a[1])
  if (reasons.length === 0) return []
  return [
    { type: "heading", text: words.endings },
    {
      type: "table",
      caption: words.endingsCaption(counts.completed),
      columns: [
        { label: words.endedBy },
        { label: words.episodes, numeric: true },
        { label: words.share, numeric: true },
      ],
      rows: reasons.map(([reason, count]) => [reason, String(count), percent(count / counts.completed)]),
    },
  ]
}

function errors({ errors, counts }: Summary, language: Language): Block[] {
  const words = WORDS[language]
  const codes = Object.entries(errors).sort((a, b) => b[1] - a[1])
  if (codes.length === 0) return []
  return [
    { type: "heading", text: words.errors },
    {
      type: "table",
      caption: words.errorsCaption(counts.failed),
      columns: [{ label: words.code }, { label: words.episodes, numeric: true }],
      rows: codes.map(([code, count]) => [code, String(count)]),
    },
  ]
}

function planTable({ plan, fingerprint, created_at }: Manifest, language: Language): Block {
  const words = WORDS[language]
  const { split, sampling, model, environment, limits, suite } = plan
  const role = split.role === null ? "" : ` (${split.role})`
  return {
    type: "table",
    caption: words.playedCaption,
    columns: [{ label: words.member }, { label: words.value }],
    rows: [
      [words.suite, suite],
      [words.split, `${split.name}${role}`],
      [words.tasks, String(new Set(plan.jobs.map(({ task_id }) => task_id)).size)],
      [words.repeats, String(sampling.repeats)],
      [words.seed, String(sampling.seed)],
      [words.model, String(model.model ?? model.provider ?? "–")],
      [words.rules, String(environment.rules ?? "–")],
      [words.maxSteps, String(limits.max_steps)],
      [words.created, created_at],
      [words.fingerprint, fingerprint],
    ],
  }
}

const WORDS = {
  en: {
    over: "Figures are over the last attempt of each planned episode; rates and means over completed episodes only.",
    incomplete: (missing: number, all: number) =>
      `${missing} of ${all} planned episodes are not scored; the figures say nothing of them.`,
    success: "success",
    reward: "reward",
    chart: "Means with 95 % intervals",
    endings: "How episodes ended",
    endingsCaption: (all: number) => `Of ${all} completed episodes`,
    endedBy: "ended by",
    episodes: "episodes",
    share: "share",
    errors: "Errors",
    errorsCaption: (all: number) => `Of ${all} failed episodes, which are not scored`,
    code: "code",
    played: "What was played",
    playedCaption: "From the run's manifest",
    member: "member",
    value: "value",
    suite: "suite",
    split: "split",
    tasks: "tasks",
    repeats: "repeats",
    seed: "seed",
    model: "model",
    rules: "rules",
    maxSteps: "steps at most",
    created: "created",
    fingerprint: "fingerprint",
  },
  zh: {
    over: "各项数字只看每次计划的最后一次尝试；比率与均值只计已完成的。",
    incomplete: (missing: number, all: number) => `计划的 ${all} 次中有 ${missing} 次没有得分，以下数字不包含它们。`,
    success: "成功率",
    reward: "奖励",
    chart: "均值与 95 % 区间",
    endings: "结束方式",
    endingsCaption: (all: number) => `共 ${all} 次完成`,
    endedBy: "结束方式",
    episodes: "次数",
    share: "占比",
    errors: "错误",
    errorsCaption: (all: number) => `共 ${all} 次失败，不计分`,
    code: "代码",
    played: "运行内容",
    playedCaption: "取自运行的清单",
    member: "项",
    value: "值",
    suite: "任务族",
    split: "划分",
    tasks: "任务",
    repeats: "重复",
    seed: "种子",
    model: "模型",
    rules: "规则",
    maxSteps: "最多步数",
    created: "创建时间",
    fingerprint: "指纹",
  },
} as const
