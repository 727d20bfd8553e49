import type { FailedCases, JudgedRate } from "../core/judgment.ts"
import type { Manifest } from "../core/run.ts"
import type { Summary } from "../core/score.ts"
import { costBlocks } from "./costs.ts"
import type { Block, Chart, Document, Language } from "./document.ts"
import { duration, percent } from "./figures.ts"
import { behaviorBlocks, errorBlocks, latencyBlocks, numbered, passBlocks, planBlock, range } from "./run.ts"
import { buyerBlocks } from "./service/buyer.ts"
import { failedBlocks } from "./service/failed.ts"
import { denominators, serviceFigures } from "./service/figures.ts"
import { modelJudgeBlocks } from "./service/model-judge.ts"
import { salesBlocks } from "./service/sales.ts"
import { named, SERVICE_WORDS } from "./service/words.ts"
import { summaryWarnings } from "./warnings.ts"

/** Bars of one chart; more are in the table below it only. */
const CHART_BARS = 20
/** Rows of the table of checks. */
const CHECKS = 60

/**
 * A service run to be read by others: how many cases passed, what became of the others, which kinds and which checks fail, how soon
 * buyers were answered, and each failed check with what was said. `failed`: undefined where nobody judged the run. What the summary does not
 * have is left out.
 */
export function serviceDocument(
  manifest: Manifest,
  summary: Summary,
  failed: FailedCases | undefined,
  language: Language = "en",
): Document {
  const words = SERVICE_WORDS[language]
  const unjudged: Block[] =
    summary.judgment === undefined ? [{ type: "callout", tone: "warning", text: words.notJudged }] : []
  return {
    language,
    title: manifest.name,
    blocks: [
      { type: "text", text: words.over },
      ...unjudged,
      ...summaryWarnings(summary, language).map((text): Block => ({ type: "callout", tone: "warning", text })),
      serviceFigures(summary, language, { beside: "tables" }),
      ...rateChart(summary, language),
      ...stateBlocks(summary, language),
      ...categoryBlocks(summary, language),
      ...sliceBlocks(summary, language),
      ...checkBlocks(summary, language),
      ...modelJudgeBlocks(summary, language),
      ...passBlocks(summary, language),
      ...salesBlocks(summary, language),
      ...firstReplyBlocks(summary, language),
      ...endingBlocks(summary, language),
      ...behaviorBlocks(summary, language, words.measures),
      ...latencyBlocks(summary, language),
      ...buyerBlocks(summary, language),
      ...costBlocks(summary, language),
      ...errorBlocks(summary, language),
      ...(failed === undefined ? [] : failedBlocks(failed, language)),
      ...planBlock(manifest, language, identities(manifest, language)),
    ],
  }
}

function rateChart({ judgment }: Summary, language: Language): Chart[] {
  if (judgment === undefined) return []
  const words = SERVICE_WORDS[language]
  const categories = Object.entries(judgment.by_category)
  const rates: [string, JudgedRate][] = [
    [words.all, judgment.pass_rate],
    ...(categories.length > 1 && categories.length < CHART_BARS ? categories : []),
  ]
  const bars = rates.flatMap(([name, { rate, interval, passed, of }]): Chart["bars"][number][] => {
    if (rate === undefined || interval === undefined) return []
    const label = name === "" ? words.none : name
    return [{ label, value: rate, interval, text: `${percent(rate)} (${words.of(passed, of)})` }]
  })
  return bars.length === 0 ? [] : [{ type: "chart", caption: words.chart, from: 0, to: 1, bars }]
}

function stateBlocks(summary: Summary, language: Language): Block[] {
  const words = SERVICE_WORDS[language]
  const rows = denominators(summary).map(([state, count]) => {
    const [name, why] = words.states[state]
    return [name, String(count), why]
  })
  return [
    { type: "heading", text: words.denominators },
    {
      type: "table",
      caption: words.denominatorsCaption(summary.counts.requested),
      columns: [{ label: words.became }, { label: words.counted, numeric: true }, { label: words.why }],
      rows,
    },
  ]
}

function categoryBlocks({ judgment }: Summary, language: Language): Block[] {
  const words = SERVICE_WORDS[language]
  const rates = Object.entries(judgment?.by_category ?? {})
  if (rates.length < 2) return [] // one kind is all of them
  return [
    { type: "heading", text: words.byCategory },
    rateTable(words.byCategoryCaption, words.category, rates, language),
  ]
}

function sliceBlocks({ slices = {} }: Summary, language: Language): Block[] {
  const words = SERVICE_WORDS[language]
  return Object.entries(slices).flatMap(([name, values]): Block[] => {
    const entries = Object.entries(values)
    if (name === "category" || entries.length < 2) return []
    const label = named(words.slices, name)
    const rates = entries.map(([value, { scored: of, success_rate, success_interval }]): [string, JudgedRate] => {
      return [value, { passed: Math.round(success_rate * of), of, rate: success_rate, interval: success_interval }]
    })
    return [{ type: "heading", text: words.by(label) }, rateTable(words.bySliceCaption, label, rates, language)]
  })
}

function checkBlocks({ judgment }: Summary, language: Language): Block[] {
  if (judgment === undefined) return []
  const words = SERVICE_WORDS[language]
  const all = Object.entries(judgment.by_check)
  const shown =
    all.length <= CHECKS ? all : all.toSorted(([, a], [, b]) => (a.rate ?? 1) - (b.rate ?? 1)).slice(0, CHECKS)
  const codes = Object.entries(judgment.codes)
  const blocks: Block[] = []
  if (all.length > 0) {
    blocks.push(
      { type: "heading", text: words.byCheck },
      rateTable(words.byCheckCaption(judgment.judges.join(words.comma)), words.check, shown, language),
    )
  }
  if (shown.length < all.length) blocks.push({ type: "text", text: words.byCheckRest(all.length - shown.length) })
  if (codes.length > 0) {
    blocks.push({
      type: "table",
      caption: words.codesCaption,
      columns: numbered(words.code, [words.number]),
      rows: codes.map(([code, count]) => [words.reasons[code] ?? code, String(count)]),
    })
  }
  return blocks
}

function rateTable(
  caption: string,
  first: string,
  rates: readonly (readonly [string, JudgedRate])[],
  language: Language,
): Block {
  const words = SERVICE_WORDS[language]
  return {
    type: "table",
    caption,
    columns: numbered(first, [words.judgedColumn, words.passed, words.rate, words.intervalColumn]),
    rows: rates.map(([name, { passed, of, rate, interval }]) => [
      name === "" ? words.none : name,
      String(of),
      String(passed),
      rate === undefined ? "–" : percent(rate),
      range(interval, percent, language),
    ]),
  }
}

function firstReplyBlocks({ first_replies }: Summary, language: Language): Block[] {
  if (first_replies === undefined) return []
  const words = SERVICE_WORDS[language]
  const { samples, over_goal, unanswered, incomplete, longest_ms, goal_ms } = first_replies
  return [
    { type: "heading", text: words.firstReplies },
    {
      type: "table",
      caption: words.firstRepliesCaption(duration(goal_ms)),
      columns: numbered(words.member, [words.value]),
      rows: [
        [words.measured, String(samples)],
        [words.over_goal, String(over_goal)],
        [words.unanswered, String(unanswered)],
        [words.incomplete, String(incomplete)],
        [words.longestRow, longest_ms === null ? "–" : duration(longest_ms)],
      ],
    },
  ]
}

function endingBlocks({ behavior, counts }: Summary, language: Language): Block[] {
  const words = SERVICE_WORDS[language]
  const reasons = Object.entries(behavior.termination_reasons).sort((a, b) => b[1] - a[1])
  if (reasons.length === 0) return []
  return [
    { type: "heading", text: words.endingsHeading },
    {
      type: "table",
      caption: words.endingsCaption(counts.completed),
      columns: numbered(words.endedBy, [words.counted]),
      rows: reasons.map(([reason, count]) => [named(words.endings, reason), String(count)]),
    },
  ]
}

/** What a service run's plan and manifest say of its parts. */
function identities({ plan, execution }: Manifest, language: Language): (readonly [string, unknown])[] {
  const words = SERVICE_WORDS[language]
  const { environment } = plan
  const part = (value: unknown, key: string) => (value as Readonly<Record<string, unknown>> | undefined)?.[key]
  return [
    [words.pack, environment.pack],
    [words.language, environment.language],
    [words.agent, execution.model_id],
    [words.world, part(environment.world, "world")],
    [words.buyer, part(environment.role, "role")],
  ]
}
