import { ModelJudgeReport } from "../core/judgment.ts"
import type { Summary } from "../core/score.ts"
import type { Block, Figures, Language } from "./document.ts"
import { numbered } from "./run.ts"

interface Spent {
  readonly who: string
  readonly calls: number | undefined
  readonly tokens: Readonly<Record<string, unknown>>
  readonly money: readonly string[]
}

/** What models beside the agent's took, in a line each: none of it is in the agent's figures. */
export function otherCostRows(summary: Summary, language: Language): Figures["rows"][number][] {
  const words = WORDS[language]
  return others(summary, language).map(({ who, calls, tokens, money }) => {
    const counts = ["prompt_tokens", "completion_tokens"].flatMap((kind) =>
      typeof tokens[kind] === "number" ? [`${kind} ${tokens[kind]}`] : [],
    )
    const value = [...(calls === undefined ? [] : [words.calls(calls)]), ...counts, ...money].join(" · ")
    return { label: who, value: value === "" ? "–" : value, note: words.apart }
  })
}

/** What the agent's model read and wrote: every kind that was counted, or for a report the whole with its parts. */
export function tokensRow(
  tokens: Summary["cost"]["tokens"],
  { language, alone }: { readonly language: Language; readonly alone: boolean },
): Figures["rows"][number] {
  const words = WORDS[language]
  const { total_tokens: total, prompt_tokens: read, completion_tokens: written } = tokens
  if (alone || total === undefined || read === undefined || written === undefined) {
    const entries = Object.entries(tokens).sort((a, b) => b[1] - a[1])
    return { label: words.tokens, value: entries.map(([name, count]) => `${name} ${count}`).join(" · ") }
  }
  return { label: words.tokens, value: grouped(total), note: words.parts(grouped(read), grouped(written)) }
}

function grouped(count: number): string {
  return count.toLocaleString("en-US")
}

/** Who spent what, the agent first; nothing where the agent's model was the only one. */
export function costBlocks(summary: Summary, language: Language): Block[] {
  const rest = others(summary, language)
  if (rest.length === 0) return []
  const words = WORDS[language]
  const { cost } = summary
  const agent: Spent = { who: words.agent, calls: undefined, tokens: cost.tokens, money: moneyOf(cost.money) }
  const number = (value: unknown) => (typeof value === "number" ? String(value) : "–")
  return [
    { type: "heading", text: words.heading },
    {
      type: "table",
      caption: words.caption,
      columns: numbered(words.whose, [words.callsColumn, words.prompt, words.completion, words.cost]),
      rows: [agent, ...rest].map(({ who, calls, tokens, money }) => [
        who,
        number(calls),
        number(tokens.prompt_tokens),
        number(tokens.completion_tokens),
        money.length === 0 ? "–" : money.join(" · "),
      ]),
    },
  ]
}

function others({ cost, judgment }: Summary, language: Language): Spent[] {
  const words = WORDS[language]
  const parties = Object.entries(cost.parties ?? {}).map(([party, { model_calls, tokens, money }]) => ({
    who: words.parties[party] ?? party,
    calls: model_calls,
    tokens,
    money: moneyOf(money),
  }))
  const judges = Object.entries(judgment?.judge_reports ?? {}).flatMap(([judge, report]): Spent[] => {
    const parsed = ModelJudgeReport.safeParse(report)
    if (!parsed.success) return []
    const { usage, cost: paid } = parsed.data
    const money = paid === undefined ? [] : [`${Number(paid.amount.toFixed(9))} ${paid.currency}`]
    return [{ who: words.judge(judge), calls: usage.model_calls, tokens: usage, money }]
  })
  return [...parties, ...judges]
}

function moneyOf(money: Summary["cost"]["money"]): string[] {
  return (money ?? []).map(({ amount, currency }) => `${amount} ${currency}`)
}

const WORDS = {
  en: {
    tokens: "Tokens",
    parts: (read: string, written: string) => `${read} read, ${written} written`,
    agent: "The agent's model",
    parties: { buyer: "The buyer's model", shopper: "The shopper's model" } as Readonly<Record<string, string>>,
    judge: (judge: string) => `The judge's model (${judge})`,
    calls: (calls: number) => `${calls} calls`,
    apart: "apart from the agent's",
    heading: "Whose model took what",
    caption: "Tokens and cost over all attempts; what is kept from an earlier judging was paid for then",
    whose: "model",
    callsColumn: "calls",
    prompt: "prompt tokens",
    completion: "generated tokens",
    cost: "cost",
  },
  zh: {
    tokens: "词元",
    parts: (read: string, written: string) => `输入 ${read}，输出 ${written}`,
    agent: "智能体的模型",
    parties: { buyer: "买家的模型", shopper: "顾客的模型" } as Readonly<Record<string, string>>,
    judge: (judge: string) => `评判的模型（${judge}）`,
    calls: (calls: number) => `${calls} 次调用`,
    apart: "不在智能体的数字之内",
    heading: "各方模型的用量",
    caption: "全部尝试的词元与费用；先前评判留下的答案，费用已在当时付过",
    whose: "模型",
    callsColumn: "调用",
    prompt: "提示词元",
    completion: "生成词元",
    cost: "费用",
  },
} as const
