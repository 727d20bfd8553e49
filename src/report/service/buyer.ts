import type { BuyerShare, BuyerSummary } from "../../core/buyer.ts"
import type { Summary } from "../../core/score.ts"
import type { Block, Figures, Language } from "../document.ts"
import { percent } from "../figures.ts"
import { numbered, range } from "../run.ts"

type Row = Figures["rows"][number]

const FAULTS = ["leak", "invention", "contradiction", "empty_turn", "early_end", "style_drift"] as const

/** How true the simulated buyers of a run were to their cards, in a line; nothing where there were none. */
export function buyerRow({ buyer }: Summary, language: Language): Row[] {
  if (buyer === undefined) return []
  const words = WORDS[language]
  const { faulty_turns, faults, invalid_cases } = buyer
  const early = faults.early_end ?? { count: 0, of: 0 }
  const parts = [
    words.left(early.count, early.of),
    words.invalidOf(invalid_cases.count, invalid_cases.of),
    words.outsideShort,
  ]
  const value = words.faulty(faulty_turns.count, faulty_turns.of, intervalOf(faulty_turns, language))
  return [{ label: words.buyer, value, note: parts.join(words.comma) }]
}

/** The same as a section: each fault with what it is over and its interval, and what was caught before it was sent. */
export function buyerBlocks({ buyer }: Summary, language: Language): Block[] {
  if (buyer === undefined) return []
  const words = WORDS[language]
  const { measure, mode, cases, turns, limit } = buyer
  return [
    { type: "heading", text: words.heading },
    { type: "text", text: words.about(words.modes[mode], cases, turns, measure) },
    ...aboveLimit(buyer).map(
      (names): Block => ({
        type: "callout",
        tone: "warning",
        text: words.above(names.map((name) => words.faults[name]).join(words.comma), percent(limit)),
      }),
    ),
    {
      type: "table",
      caption: words.faultsCaption,
      columns: numbered(words.fault, [words.number, words.of, words.share, words.interval]),
      rows: [
        shareRow(words.faults.faulty_turns, buyer.faulty_turns, words.turnsUnit, language),
        ...FAULTS.flatMap((kind) => {
          const share = buyer.faults[kind]
          const unit = kind === "early_end" ? words.endedUnit : words.turnsUnit
          return share === undefined ? [] : [shareRow(words.faults[kind], share, unit, language)]
        }),
        shareRow(words.faults.invalid_cases, buyer.invalid_cases, words.casesUnit, language),
      ],
    },
    {
      type: "table",
      caption: words.caughtCaption,
      columns: numbered(words.caught, [words.number, words.of, words.share, words.interval]),
      rows: [
        shareRow(words.refused, buyer.refused_drafts, words.draftsUnit, language),
        [words.heldBack, String(buyer.held_back), "–", "–", "–"],
        [words.reminders, String(buyer.reminders), "–", "–", "–"],
      ],
    },
  ]
}

/** Shares above the limit: one list of their names, or none. */
function aboveLimit(buyer: BuyerSummary): ("faulty_turns" | "early_end" | "invalid_cases")[][] {
  const shares = [
    ["faulty_turns", buyer.faulty_turns],
    ["early_end", buyer.faults.early_end],
    ["invalid_cases", buyer.invalid_cases],
  ] as const
  const above = shares.flatMap(([name, share]) => ((share?.rate ?? 0) > buyer.limit ? [name] : []))
  return above.length === 0 ? [] : [above]
}

function shareRow(label: string, share: BuyerShare, unit: (of: number) => string, language: Language): string[] {
  const { count, of, rate } = share
  return [label, String(count), unit(of), rate === undefined ? "–" : percent(rate), intervalOf(share, language)]
}

function intervalOf({ interval }: BuyerShare, language: Language): string {
  return range(interval, percent, language)
}

const WORDS = {
  en: {
    buyer: "Buyer",
    comma: ", ",
    faulty: (count: number, of: number, interval: string) => `${count} of ${of} turns with a fault (${interval})`,
    left: (count: number, of: number) => `left too early ${count} of ${of}`,
    invalidOf: (count: number, of: number) => `cases spoilt ${count} of ${of}`,
    outsideShort: "not part of the score",
    heading: "The simulated buyer",
    modes: { template: "by rules", model: "by a model", mixed: "by rules and by a model" },
    about: (mode: string, cases: number, turns: number, measure: string) =>
      `Our side of ${cases} ${cases === 1 ? "case" : "cases"}, ${turns} turns, was played ${mode} and measured by ${measure}. ` +
      "What follows is the buyer's and no part of the agent's score.",
    above: (names: string, limit: string) =>
      `Above the limit of ${limit}: ${names}. The figures of this run say less about the agent.`,
    faultsCaption:
      "Faults of the buyer; intervals (Wilson) take turns as independent. Drift of style is only told: people vary",
    caughtCaption: "What was caught before it was sent",
    fault: "fault",
    caught: "what",
    number: "number",
    of: "of",
    share: "share",
    interval: "95 % interval",
    turnsUnit: (of: number) => `${of} turns`,
    casesUnit: (of: number) => `${of} cases`,
    endedUnit: (of: number) => `${of} cases it ended`,
    draftsUnit: (of: number) => `${of} drafts`,
    refused: "refused drafts",
    heldBack: "goodbyes held back",
    reminders: "reminders to act",
    faults: {
      faulty_turns: "turns with a fault",
      leak: "leak: said what it may not know",
      invention: "invention: said what nobody said",
      contradiction: "contradiction: spoke against its card",
      empty_turn: "empty turn",
      early_end: "early end",
      style_drift: "drift of style",
      invalid_cases: "cases it spoilt",
    },
  },
  zh: {
    buyer: "买家",
    comma: "，",
    faulty: (count: number, of: number, interval: string) => `${of} 个回合中 ${count} 个有失误（${interval}）`,
    left: (count: number, of: number) => `过早离开 ${count}/${of}`,
    invalidOf: (count: number, of: number) => `作废的用例 ${count}/${of}`,
    outsideShort: "不计入得分",
    heading: "模拟买家",
    modes: { template: "规则", model: "模型", mixed: "规则与模型" },
    about: (mode: string, cases: number, turns: number, measure: string) =>
      `${cases} 个用例、${turns} 个回合的买家由${mode}扮演，按 ${measure} 衡量。以下都是买家的失误，不计入智能体的得分。`,
    above: (names: string, limit: string) => `超过界限 ${limit}：${names}。这次运行的数字对智能体的说明力因此变小。`,
    faultsCaption: "买家的失误；区间（Wilson）把各回合视为独立。文风偏离只作说明：人本来就各不相同",
    caughtCaption: "发出之前拦下的",
    fault: "失误",
    caught: "内容",
    number: "次数",
    of: "总数",
    share: "占比",
    interval: "95 % 区间",
    turnsUnit: (of: number) => `${of} 个回合`,
    casesUnit: (of: number) => `${of} 个用例`,
    endedUnit: (of: number) => `${of} 个由买家结束的用例`,
    draftsUnit: (of: number) => `${of} 份草稿`,
    refused: "被退回的草稿",
    heldBack: "暂扣的告别",
    reminders: "催促行动",
    faults: {
      faulty_turns: "有失误的回合",
      leak: "泄露：说了不该知道的",
      invention: "编造：说了没人说过的",
      contradiction: "矛盾：与人物卡相反",
      empty_turn: "空话",
      early_end: "过早离开",
      style_drift: "文风偏离",
      invalid_cases: "作废的用例",
    },
  },
} as const
