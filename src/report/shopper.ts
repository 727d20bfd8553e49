import type { Summary } from "../core/score.ts"
import type { Block, Language } from "./document.ts"
import { percent } from "./figures.ts"
import { numbered, range } from "./run.ts"

const FAULTS = ["leaks", "empty", "contradictions"] as const

/** What was said with the shopper of a run and how true the shopper was to its role; nothing where nobody could be asked. */
export function shopperBlocks({ shopper }: Summary, language: Language): Block[] {
  if (shopper === undefined) return []
  const words = WORDS[language]
  const { answers, declines, drafts, withheld } = shopper
  return [
    { type: "heading", text: words.heading },
    { type: "text", text: words.about(answers, declines, withheld) },
    {
      type: "table",
      caption: words.caption(drafts),
      columns: numbered(words.fault, [words.number, words.share, words.interval]),
      rows: FAULTS.map((kind) => {
        const { count, rate, interval } = shopper[kind]
        return [words.faults[kind], String(count), percent(rate), range(interval, percent, language)]
      }),
    },
  ]
}

const WORDS = {
  en: {
    heading: "The shopper",
    about: (answers: number, declines: number, withheld: number) =>
      `Answered ${answers} questions and declined ${declines} purchases; ${withheld} ${withheld === 1 ? "time" : "times"} no draft would do and a fixed sentence was said. ` +
      "Faults are the shopper's and no part of the agent's score.",
    caption: (drafts: number) => `Faults of ${drafts} drafts, which were sent back; intervals are Wilson's`,
    fault: "fault",
    number: "drafts",
    share: "share",
    interval: "95 % interval",
    faults: {
      leaks: "leak: named the product",
      empty: "empty",
      contradictions: "contradiction: said what it does not want",
    },
  },
  zh: {
    heading: "顾客",
    about: (answers: number, declines: number, withheld: number) =>
      `回答提问 ${answers} 次，拒绝购买 ${declines} 次；其中 ${withheld} 次没有可用的草稿，改说了固定的话。失误属于顾客，不计入智能体的得分。`,
    caption: (drafts: number) => `${drafts} 份草稿中的失误，均已退回；区间为 Wilson 区间`,
    fault: "失误",
    number: "草稿",
    share: "占比",
    interval: "95 % 区间",
    faults: { leaks: "泄露：说出了商品", empty: "空白", contradictions: "矛盾：说了自己不要的" },
  },
} as const
