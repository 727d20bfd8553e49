import { ModelJudgeReport } from "../../core/judgment.ts"
import type { Summary } from "../../core/score.ts"
import type { Block, Figures, Language } from "../document.ts"
import { numbered } from "../run.ts"

type Row = Figures["rows"][number]

/** Verdicts and the lack of them, in the order of the table's columns. */
const COLUMNS = [
  "pass",
  "fail",
  "not_applicable",
  "abstained",
  "evidence_not_found",
  "no_majority",
  "judge_faults",
  "divided",
] as const

/** What judges that ask a model could not say, in a line each. */
export function modelJudgeRows(summary: Summary, language: Language): Row[] {
  const words = WORDS[language]
  return reports(summary).map(([judge, { asked, cases, abstained, no_majority, judge_faults, flagged }]) => {
    const parts = [
      `${words.columns.abstained} ${abstained}`,
      `${words.columns.no_majority} ${no_majority}`,
      `${words.columns.judge_faults} ${judge_faults}`,
      ...(flagged > 0 ? [words.flaggedShort(flagged)] : []),
    ]
    return { label: words.judge(judge), value: words.asked(asked, cases), note: parts.join(words.comma) }
  })
}

/** Judges that ask a model: what they said of each check, where their draws differed, and what they could not say. */
export function modelJudgeBlocks(summary: Summary, language: Language): Block[] {
  const words = WORDS[language]
  return reports(summary).flatMap(([judge, report]): Block[] => {
    const { model, rubrics, draws, asked, cases, flagged, by_check } = report
    const named = rubrics.map(({ name, version, language }) => `${name}@${version} (${language})`).join(words.comma)
    return [
      { type: "heading", text: words.heading(judge) },
      { type: "text", text: words.about(model.model ?? "?", draws, asked, cases) },
      ...(named === "" ? [] : [{ type: "text", text: words.rubrics(named) } as const]),
      ...(flagged > 0 ? [{ type: "callout", tone: "warning", text: words.flagged(flagged) } as const] : []),
      by_check === undefined
        ? totals(report, language)
        : {
            type: "table",
            caption: words.caption,
            columns: numbered(
              words.check,
              COLUMNS.map((column) => words.columns[column]),
            ),
            rows: Object.entries(by_check).map(([check, counts]) => [
              check,
              ...COLUMNS.map((column) => String(counts[column])),
            ]),
          },
    ]
  })
}

/** Of reports of earlier versions, which do not tell checks apart. */
function totals({ abstained, no_majority, judge_faults }: ModelJudgeReport, language: Language): Block {
  const words = WORDS[language]
  return {
    type: "figures",
    rows: [
      { label: words.columns.abstained, value: String(abstained) },
      { label: words.columns.no_majority, value: String(no_majority) },
      { label: words.columns.judge_faults, value: String(judge_faults) },
    ],
  }
}

function reports({ judgment }: Summary): [string, ModelJudgeReport][] {
  return Object.entries(judgment?.judge_reports ?? {}).flatMap(([judge, report]) => {
    const parsed = ModelJudgeReport.safeParse(report)
    return parsed.success ? [[judge, parsed.data] as [string, ModelJudgeReport]] : []
  })
}

const WORDS = {
  en: {
    comma: ", ",
    judge: (judge: string) => `Judge ${judge}`,
    asked: (asked: number, cases: number) => `${asked} answers wanted of ${cases} cases`,
    heading: (judge: string) => `The judge that asks a model (${judge})`,
    about: (model: string, draws: number, asked: number, cases: number) =>
      `${model} was asked ${draws} ${draws === 1 ? "time" : "times"} about each of ${cases} cases, ${asked} answers in all. ` +
      "What it could not say weighs nothing: its own faults are never the agent's.",
    rubrics: (named: string) => `Rubrics: ${named}.`,
    flaggedShort: (flagged: number) => `cases with words to the judge ${flagged}`,
    flagged: (flagged: number) =>
      `In ${flagged} ${flagged === 1 ? "case" : "cases"} a message tries to tell the judge what to say. That changes no verdict; read these cases (instructs_judge in the verdicts).`,
    caption: "Answers by check, of all cases that were asked about; divided: not all draws said the same",
    check: "check",
    columns: {
      pass: "pass",
      fail: "fail",
      not_applicable: "n/a",
      abstained: "abstained",
      evidence_not_found: "quotes rejected",
      no_majority: "no majority",
      judge_faults: "judge's fault",
      divided: "divided",
    },
  },
  zh: {
    comma: "，",
    judge: (judge: string) => `评判 ${judge}`,
    asked: (asked: number, cases: number) => `${cases} 个用例共求 ${asked} 个答案`,
    heading: (judge: string) => `模型评判（${judge}）`,
    about: (model: string, draws: number, asked: number, cases: number) =>
      `就 ${cases} 个用例各问 ${model} ${draws} 次，共求 ${asked} 个答案。它说不出的不计权重：它自己的失误从不算作智能体的。`,
    rubrics: (named: string) => `评分标准：${named}。`,
    flaggedShort: (flagged: number) => `试图指挥评判的用例 ${flagged}`,
    flagged: (flagged: number) =>
      `有 ${flagged} 个用例中的消息试图告诉评判该怎么说。这不改变任何结论；请看这些用例（结论中的 instructs_judge）。`,
    caption: "各检查项的答案，只计问过的用例；分歧：各次抽取的说法不一",
    check: "检查项",
    columns: {
      pass: "通过",
      fail: "未通过",
      not_applicable: "不适用",
      abstained: "弃权",
      evidence_not_found: "引文不实",
      no_majority: "没有多数",
      judge_faults: "评判失误",
      divided: "分歧",
    },
  },
} as const
