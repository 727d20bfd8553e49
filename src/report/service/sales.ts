import type { SalesSummary } from "../../core/sales.ts"
import type { Summary } from "../../core/score.ts"
import type { Block, Figures, Language } from "../document.ts"
import { decimal, percent } from "../figures.ts"
import { numbered, range } from "../run.ts"

type Row = Figures["rows"][number]
type Intent = NonNullable<SalesSummary["intent"]>

/** Deals and purchase intent of a run, in a line each; what nobody observed is left out. */
export function salesRows({ sales, colleagues }: Summary, language: Language): Row[] {
  const words = WORDS[language]
  const rows: Row[] = []
  const { deals, intent } = sales ?? {}
  if (deals !== undefined) {
    const value = words.dealsOf(deals.count, deals.of)
    rows.push({ label: words.deals, value, note: words.intervalNote(range(deals.interval, percent, language)) })
  }
  if (intent?.last !== undefined) {
    const { first, last } = intent
    const value = first === undefined ? decimal(last.mean) : `${decimal(first.mean)} → ${decimal(last.mean)}`
    rows.push({ label: words.intent, value, note: words.intentNote(last.n) })
  }
  if (colleagues !== undefined) {
    rows.push({ label: words.colleagues, value: words.acted(colleagues.acted, colleagues.planned) })
  }
  return rows
}

/** The same as sections. */
export function salesBlocks({ sales, colleagues }: Summary, language: Language): Block[] {
  const words = WORDS[language]
  const blocks: Block[] = []
  if (sales !== undefined && (sales.deals !== undefined || sales.intent !== undefined || sales.human_comparisons)) {
    blocks.push({ type: "heading", text: words.heading }, { type: "text", text: words.about(sales.cases) })
    if (sales.deals !== undefined) blocks.push(dealsTable(sales.deals, language))
    if (sales.intent !== undefined) blocks.push(...intentBlocks(sales.intent, language))
    if (sales.human_comparisons !== undefined) {
      const { cases, pairs } = sales.human_comparisons
      blocks.push({ type: "text", text: words.compared(cases, pairs) })
    }
  }
  if (colleagues !== undefined) {
    const { planned, acted, kinds } = colleagues
    blocks.push(
      { type: "heading", text: words.colleagues },
      { type: "text", text: words.actedText(acted, planned) },
      ...(Object.keys(kinds).length === 0
        ? []
        : [
            {
              type: "table",
              caption: words.kindsCaption,
              columns: numbered(words.kind, [words.number]),
              rows: Object.entries(kinds).map(([kind, count]) => [words.kinds[kind] ?? kind, String(count)]),
            } as const,
          ]),
    )
  }
  return blocks
}

function dealsTable({ count, of, rate, interval }: NonNullable<SalesSummary["deals"]>, language: Language): Block {
  const words = WORDS[language]
  return {
    type: "table",
    caption: words.dealsCaption,
    columns: numbered(words.what, [words.number, words.of, words.share, words.interval]),
    rows: [[words.deals, String(count), String(of), percent(rate), range(interval, percent, language)]],
  }
}

function intentBlocks({ observed, unavailable, first, last, rise }: Intent, language: Language): Block[] {
  const words = WORDS[language]
  const means = [
    [words.first, first],
    [words.last, last],
    [words.rise, rise],
  ] as const
  const gaps = Object.entries(unavailable).map(([reason, count]) => `${words.gaps[reason] ?? reason} ${count}`)
  return [
    {
      type: "table",
      caption: words.intentCaption,
      columns: numbered(words.intent, [words.casesColumn, words.mean, words.interval]),
      rows: means.flatMap(([label, mean]) =>
        mean === undefined
          ? []
          : [[label, String(mean.n), decimal(mean.mean), range(mean.interval, (value) => decimal(value), language)]],
      ),
    },
    { type: "text", text: words.observed(observed, gaps) },
  ]
}

const WORDS = {
  en: {
    heading: "Selling",
    about: (cases: number) =>
      `${cases} ${cases === 1 ? "case" : "cases"} before the sale, played to an end with a usable buyer. Deals and intent are what the buyer seemed to want; the score counts neither, but where a script has a check of kind sales.`,
    deals: "Simulated deals",
    dealsOf: (count: number, of: number) => `${count} of ${of}`,
    dealsCaption: "Cases in which the simulated buyer came to buy at any time",
    intervalNote: (interval: string) => `95 % interval ${interval}`,
    intent: "Purchase intent",
    intentNote: (cases: number) => `of 0 to 1, first to last words, mean of ${cases} cases`,
    intentCaption:
      "How near to buying the buyer seemed, of 0 to 1, by the case's first and last words; intervals are Student's",
    first: "first words",
    last: "last words",
    rise: "last less first",
    observed: (observed: number, gaps: readonly string[]) =>
      `${observed} messages of buyers have an estimate${gaps.length === 0 ? "." : `; without one: ${gaps.join(", ")}.`}`,
    gaps: {
      analysis_disabled: "analysis switched off",
      result_missing: "not analysed",
      cancelled: "stopped first",
      analysis_failed: "analysis failed",
    } as Readonly<Record<string, string>>,
    compared: (cases: number, pairs: number) =>
      `${pairs} answers in ${cases} ${cases === 1 ? "case" : "cases"} stand beside a human's answer to the same words.`,
    colleagues: "Colleagues",
    acted: (acted: number, planned: number) => `acted in ${acted} of ${planned} cases for which it was drawn`,
    actedText: (acted: number, planned: number) =>
      `A colleague's action was drawn for ${planned} ${planned === 1 ? "case" : "cases"}; in ${acted} it came to it.`,
    kindsCaption: "What colleagues did",
    kind: "kind",
    kinds: {} as Readonly<Record<string, string>>,
    what: "what",
    number: "number",
    of: "of",
    share: "share",
    interval: "95 % interval",
    casesColumn: "cases",
    mean: "mean",
  },
  zh: {
    heading: "销售",
    about: (cases: number) =>
      `售前用例 ${cases} 个，均运行到底且买家有效。成交与购买意向说的是买家的意愿；除非剧本有 sales 检查项，都不计入得分。`,
    deals: "模拟成交",
    dealsOf: (count: number, of: number) => `${of} 个中 ${count} 个`,
    dealsCaption: "模拟买家曾经想要下单的用例",
    intervalNote: (interval: string) => `95 % 区间 ${interval}`,
    intent: "购买意向",
    intentNote: (cases: number) => `0 至 1，首句到末句，${cases} 个用例的均值`,
    intentCaption: "买家离购买有多近，0 至 1，按用例的首句与末句；区间为 Student 区间",
    first: "首句",
    last: "末句",
    rise: "末句减首句",
    observed: (observed: number, gaps: readonly string[]) =>
      `${observed} 条买家消息有估计值${gaps.length === 0 ? "。" : `；没有的：${gaps.join("，")}。`}`,
    gaps: {
      analysis_disabled: "分析关闭",
      result_missing: "未经分析",
      cancelled: "先被停止",
      analysis_failed: "分析失败",
    } as Readonly<Record<string, string>>,
    compared: (cases: number, pairs: number) => `${cases} 个用例中的 ${pairs} 个回答，可与人工对同一句话的回答对照。`,
    colleagues: "同事",
    acted: (acted: number, planned: number) => `抽到的 ${planned} 个用例中 ${acted} 个有动作`,
    actedText: (acted: number, planned: number) => `抽到同事动作的用例有 ${planned} 个，其中 ${acted} 个真正发生。`,
    kindsCaption: "同事做了什么",
    kind: "动作",
    kinds: {
      answer: "代为回答",
      correction: "更正",
      stop: "叫停",
      proposal: "提议",
      violation: "违规",
    } as Readonly<Record<string, string>>,
    what: "内容",
    number: "次数",
    of: "总数",
    share: "占比",
    interval: "95 % 区间",
    casesColumn: "用例",
    mean: "均值",
  },
} as const
