import type { Manifest } from "../core/run.ts"
import type { Summary } from "../core/score.ts"
import { costBlocks } from "./costs.ts"
import type { Block, Chart, Document, Language } from "./document.ts"
import { decimal, duration, percent, threeDigits } from "./figures.ts"
import { componentLabel, measureLabel } from "./measures.ts"
import { RUN_WORDS } from "./run-words.ts"
import { shopperBlocks } from "./shopper.ts"
import { summaryFigures } from "./summary.ts"
import { summaryWarnings } from "./warnings.ts"

/** Bars of one chart; more are in the table below it only. */
const CHART_BARS = 20

/**
 * A run to be read by others: its figures with what they are over, how episodes ended, what differs between kinds
 * of tasks, what went wrong, and what was played. What the summary does not have is left out.
 */
export function runDocument(manifest: Manifest, summary: Summary, language: Language = "en"): Document {
  const words = RUN_WORDS[language]
  return {
    language,
    title: manifest.name,
    blocks: [
      { type: "text", text: words.over },
      ...summaryWarnings(summary, language).map((text): Block => ({ type: "callout", tone: "warning", text })),
      summaryFigures(summary, language, { beside: "tables" }),
      ...primaryChart(summary, language),
      ...passBlocks(summary, language),
      ...endingBlocks(summary, language),
      ...sliceBlocks(summary, language),
      ...behaviorBlocks(summary, language),
      ...latencyBlocks(summary, language),
      ...shopperBlocks(summary, language),
      ...costBlocks(summary, language),
      ...errorBlocks(summary, language),
      ...planBlock(manifest, language),
    ],
  }
}

/** Success, reward and its parts: all from 0 to 1. */
function primaryChart({ primary, reward_components }: Summary, language: Language): Chart[] {
  const words = RUN_WORDS[language]
  const bars: Chart["bars"][number][] = []
  if (primary.success_rate !== undefined) {
    const interval = primary.success_task_interval ?? primary.success_interval
    const { success_rate: value } = primary
    bars.push({ label: words.success, value, text: percent(value), ...(interval && { interval }) })
  }
  if (primary.reward_mean !== undefined) {
    const interval = primary.reward_task_interval ?? primary.reward_interval
    const { reward_mean: value } = primary
    bars.push({ label: words.reward, value, text: decimal(value), ...(interval && { interval }) })
  }
  for (const [name, value] of Object.entries(reward_components)) {
    bars.push({ label: componentLabel(name, language), value, text: decimal(value) })
  }
  return bars.length === 0 ? [] : [{ type: "chart", caption: words.chart, from: 0, to: 1, bars }]
}

export function passBlocks({ pass = [] }: Summary, language: Language): Block[] {
  if (pass.length === 0) return []
  const words = RUN_WORDS[language]
  return [
    { type: "heading", text: words.repeated },
    {
      type: "table",
      caption: words.passCaption,
      columns: numbered("k", [words.tasks, "pass@k", words.interval, "pass^k", words.interval]),
      rows: pass.map(({ k, tasks, pass_at_k, pass_at_k_interval, pass_hat_k, pass_hat_k_interval }) => [
        String(k),
        String(tasks),
        percent(pass_at_k),
        range(pass_at_k_interval, percent, language),
        percent(pass_hat_k),
        range(pass_hat_k_interval, percent, language),
      ]),
    },
  ]
}

function endingBlocks({ behavior, counts }: Summary, language: Language): Block[] {
  const words = RUN_WORDS[language]
  const reasons = largestFirst(behavior.termination_reasons)
  if (reasons.length === 0) return []
  return [
    { type: "heading", text: words.endings },
    {
      type: "table",
      caption: words.endingsCaption(counts.completed),
      columns: numbered(words.endedBy, [words.episodes, words.share]),
      rows: reasons.map(([reason, count]) => [
        inWords(reason, words.kinds),
        String(count),
        percent(count / counts.completed),
      ]),
    },
  ]
}

function sliceBlocks({ slices = {} }: Summary, language: Language): Block[] {
  const words = RUN_WORDS[language]
  return Object.entries(slices).flatMap(([name, values]): Block[] => {
    const rows = Object.entries(values)
    if (rows.length < 2) return [] // one kind is all of them
    const caption = words.sliceCaption(words.slices[name] ?? name)
    const label = (kind: string) => (name === "domain" ? kind : inWords(kind, words.kinds))
    const bars = rows.map(([kind, { success_rate: value, success_interval: interval }]) => ({
      label: label(kind),
      value,
      interval,
      text: percent(value),
    }))
    return [
      { type: "heading", text: caption },
      ...(bars.length <= CHART_BARS
        ? [{ type: "chart", caption: words.sliceChart, from: 0, to: 1, bars } as const]
        : []),
      {
        type: "table",
        caption: words.sliceTable,
        columns: numbered(words.slices[name] ?? name, [
          words.scored,
          words.success,
          words.interval,
          words.reward,
          words.interval,
        ]),
        rows: rows.map(([kind, { scored, success_rate, success_interval, reward_mean, reward_interval }]) => [
          label(kind),
          String(scored),
          percent(success_rate),
          range(success_interval, percent, language),
          decimal(reward_mean),
          range(reward_interval, decimal, language),
        ]),
      },
    ]
  })
}

/** `names`: what a suite calls its measures. */
export function behaviorBlocks(
  { behavior }: Summary,
  language: Language,
  names: Readonly<Record<string, string>> = {},
): Block[] {
  const words = RUN_WORDS[language]
  const measures = Object.entries(behavior.measures ?? {})
  if (measures.length === 0) return []
  return [
    { type: "heading", text: words.behavior },
    {
      type: "table",
      caption: words.behaviorCaption,
      columns: numbered(words.measure, [words.episodes, words.mean, words.median, "p90"]),
      rows: measures.map(([name, { n, mean, median, p90 }]) => [
        names[name] ?? measureLabel(name, language),
        String(n),
        ...[mean, median, p90].map(threeDigits),
      ]),
    },
  ]
}

export function latencyBlocks({ latency = {} }: Summary, language: Language): Block[] {
  const words = RUN_WORDS[language]
  const rows = (["model_call", "first_token", "episode"] as const).flatMap((kind) => {
    const found = latency[kind]
    if (found === undefined || found.p99 === 0) return [] // a built-in model takes no time
    return [[words[kind], String(found.n), ...[found.p50, found.p90, found.p99].map(duration)]]
  })
  if (rows.length === 0) return []
  return [
    { type: "heading", text: words.latency },
    {
      type: "table",
      caption: words.latencyCaption,
      columns: numbered(words.kind, [words.number, "p50", "p90", "p99"]),
      rows,
    },
  ]
}

export function errorBlocks({ errors, counts }: Summary, language: Language): Block[] {
  const words = RUN_WORDS[language]
  const codes = largestFirst(errors)
  if (codes.length === 0) return []
  return [
    { type: "heading", text: words.errors },
    {
      type: "table",
      caption: words.errorsCaption(counts.failed),
      columns: numbered(words.code, [words.episodes]),
      rows: codes.map(([code, count]) => [code, String(count)]),
    },
  ]
}

/** What was played; `more`: what a suite says of its parts, where it does. */
export function planBlock(
  { plan, fingerprint, created_at }: Manifest,
  language: Language,
  more: readonly (readonly [string, unknown])[] = [],
): Block[] {
  const words = RUN_WORDS[language]
  const { split, sampling, model, environment, limits, suite } = plan
  const role = split.role === null ? "" : ` (${split.role})`
  const rows = [
    [words.suite, inWords(suite, words.kinds)],
    [words.split, `${split.name}${role}`],
    [words.tasks, String(new Set(plan.jobs.map(({ task_id }) => task_id)).size)],
    [words.repeats, String(sampling.repeats)],
    [words.seed, String(sampling.seed)],
    ...more.flatMap(([label, value]) => named(label, value)),
    ...named(words.model, model.model ?? model.provider),
    ...named(words.rules, environment.rules),
    [words.maxSteps, String(limits.max_steps)],
    [words.created, created_at],
    [words.fingerprint, fingerprint],
  ]
  const columns = [{ label: words.member }, { label: words.value }]
  return [
    { type: "heading", text: words.played },
    { type: "table", caption: words.playedCaption, columns, rows },
  ]
}

/** A row, where a plan of this suite says anything of it. */
function named(label: string, value: unknown): string[][] {
  return typeof value === "string" ? [[label, value]] : []
}

export function numbered(first: string, others: readonly string[]): { label: string; numeric?: boolean }[] {
  return [{ label: first }, ...others.map((label) => ({ label, numeric: true }))]
}

export function range(
  interval: { readonly low: number; readonly high: number } | undefined,
  write: (value: number) => string,
  language: Language,
): string {
  if (interval === undefined) return "–"
  return RUN_WORDS[language].range(write(interval.low).replace(" %", ""), write(interval.high))
}

/** A name of ours as it is read; a name without words of its own, with spaces. */
function inWords(name: string, words: Readonly<Record<string, string>>): string {
  return words[name] ?? (/^[a-z_]+$/.test(name) ? name.replaceAll("_", " ") : name)
}

function largestFirst(counts: Readonly<Record<string, number>>): [string, number][] {
  return Object.entries(counts).sort((a, b) => b[1] - a[1])
}
