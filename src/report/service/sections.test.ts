import { describe, expect, it } from "vitest"
import type { Manifest } from "../../core/run.ts"
import { Summary } from "../../core/score.ts"
import { documentHtml } from "../formats/html.ts"
import { documentMarkdown } from "../formats/markdown.ts"
import { documentText } from "../formats/text.ts"
import { runDocument } from "../run.ts"
import { serviceDocument } from "../service.ts"
import { summaryText } from "../summary.ts"

const manifest: Manifest = {
  schema: "souk.run/1",
  name: "desk",
  created_at: "2026-01-01T00:00:00.000Z",
  fingerprint: "f00d",
  fingerprint_version: "1",
  plan: {
    schema: "souk.plan/1",
    suite: "service",
    split: { name: "all", role: null, task_count: 1, task_ids_sha256: "" },
    sampling: { version: "1", seed: 5, sample_size: null, repeats: 1 },
    jobs: [{ key: "task-c-1__sample-000", task_id: "c-1", sample_id: 0, seed: 1, split: "all" }],
    environment: {},
    model: { provider: "none" },
    agent: {},
    limits: { max_steps: 150 },
    versions: {},
  },
  execution: {},
}

const interval = { low: 0.01, high: 0.2 }
const share = (count: number, of: number) => ({ count, of, ...(of > 0 && { rate: count / of, interval }) })
const mean = (n: number, value: number) => ({ n, mean: value, interval })
const report = {
  model: { provider: "openai", model: "judge-7b" },
  rubrics: [{ name: "ours", version: 2, language: "en", sha256: "" }],
  draws: 3,
  cases: 4,
  flagged: 1,
  asked: 11,
  abstained: 2,
  no_majority: 1,
  judge_faults: 1,
  usage: { model_calls: 12, prompt_tokens: 3000, completion_tokens: 77 },
  cost: { currency: "EUR", amount: 0.003154 },
}
const by_check = {
  "rubric.brief": {
    ...{ pass: 5, fail: 2, not_applicable: 0, abstained: 1 },
    ...{ evidence_not_found: 1, no_majority: 1, judge_faults: 1, divided: 3 },
  },
}
const rate = { passed: 2, of: 4, rate: 0.5, interval }

const summary: Summary = Summary.parse({
  schema: "souk.summary/1",
  suite: "service",
  pack: "service@1",
  name: "desk",
  fingerprint: "f00d",
  counts: {
    ...{ requested: 5, recorded: 5, missing: 0, attempts: 6, completed: 4, failed: 0, cancelled: 0, invalid: 1 },
    ...{ scored: 4, coverage: 0.8, tasks: 4 },
  },
  primary: {},
  reward_components: {},
  behavior: {
    ...{ model_steps: 9, protocol_errors: 0, policy_failures: 0, total_actions: 0, invalid_actions: 0 },
    termination_reasons: {},
  },
  cost: {
    tokens: { prompt_tokens: 900, completion_tokens: 30 },
    parties: {
      buyer: {
        attempts: 6,
        model_calls: 21,
        tokens: { prompt_tokens: 4321, completion_tokens: 99 },
        money: [{ amount: "0.0125", currency: "USD" }],
        money_attempts: { recorded: 0, priced: 6, unknown: 0 },
      },
    },
  },
  errors: {},
  judgment: {
    judges: ["policy@1", "model@1"],
    pass_threshold: 0.8,
    cases: 5,
    pass_rate: rate,
    excluded: { environment_incomplete: 0, invalid_buyer: 1, no_observation: 0 },
    not_judged: 0,
    not_scored: 0,
    by_category: {},
    by_check: {},
    codes: {},
    judge_reports: { "model@1": { ...report, by_check } },
  },
  buyer: {
    measure: "buyer-fidelity@2",
    mode: "model",
    cases: 5,
    turns: 40,
    faulty_turns: share(4, 40),
    faults: {
      leak: share(2, 40),
      invention: share(1, 40),
      contradiction: share(0, 40),
      empty_turn: share(1, 40),
      early_end: share(0, 0),
      style_drift: share(6, 40),
    },
    invalid_cases: share(1, 5),
    refused_drafts: share(7, 50),
    reminders: 3,
    held_back: 2,
    simulated_deals: 2,
    limit: 0.15,
  },
  sales: {
    cases: 3,
    deals: { count: 2, of: 3, rate: 2 / 3, interval },
    intent: {
      observed: 8,
      unavailable: { analysis_failed: 1, of_a_later_version: 2 },
      first: mean(3, 0.25),
      last: mean(2, 0.75),
      rise: mean(2, 0.5),
    },
    human_comparisons: { cases: 1, pairs: 4 },
  },
  colleagues: { planned: 3, acted: 2, kinds: { correction: 1, stop: 1 } },
  warnings: [],
})

const english = documentText(serviceDocument(manifest, summary, undefined))
const chinese = documentText(serviceDocument(manifest, summary, undefined, "zh"))
/** The section below a heading. */
const section = (text: string, heading: string) => text.split("── ").find((part) => part.startsWith(heading)) ?? ""

describe("the simulated buyer in a report", () => {
  it("has each fault with what it is over and its interval, and is said to be outside the score", () => {
    const part = section(english, "The simulated buyer")
    expect(part).toContain("no part of the agent's score")
    expect(part).toMatch(/^turns with a fault +4 +40 turns +10\.0 % +1\.0 to 20\.0 %$/m)
    expect(part).toMatch(/^leak: .+ 2 +40 turns +5\.0 %/m)
    expect(part).toMatch(/^early end +0 +0 cases it ended +– +–$/m)
    expect(part).toMatch(/^cases it spoilt +1 +5 cases +20\.0 %/m)
    expect(part).toMatch(/^refused drafts +7 +50 drafts +14\.0 %/m)
    expect(part).toMatch(/^goodbyes held back +2/m)
    expect(section(chinese, "模拟买家")).toMatch(/^有失误的回合 +4 +40 个回合 +10\.0 %/m)
  })

  it("warns of the shares that are above the limit, and of those alone", () => {
    expect(section(english, "The simulated buyer")).toContain(
      "Warning: Above the limit of 15.0 %: cases it spoilt. The figures",
    )
    expect(section(chinese, "模拟买家")).toContain("警告：超过界限 15.0 %：作废的用例。")
    const tolerant = { ...summary, buyer: { ...summary.buyer!, limit: 0.2 } }
    expect(documentText(serviceDocument(manifest, tolerant, undefined))).not.toContain("Above the limit")
  })
})

describe("selling in a report", () => {
  it("has deals and intent over what they are known of, and why there is no estimate", () => {
    const part = section(english, "Selling")
    expect(part).toMatch(/^Simulated deals +2 +3 +66\.7 % +1\.0 to 20\.0 %$/m)
    expect(part).toMatch(/^first words +3 +0\.250/m)
    expect(part).toMatch(/^last less first +2 +0\.500/m)
    expect(part).toContain(
      "8 messages of buyers have an estimate; without one: analysis failed 1, of_a_later_version 2.",
    )
    expect(part).toContain("4 answers in 1 case stand beside a human's")
    expect(section(english, "Colleagues")).toMatch(/drawn for 3 cases; in 2 it came to it/)
    expect(section(chinese, "同事")).toMatch(/^更正 +1$/m)
  })
})

describe("a model as judge in a report", () => {
  it("has its verdicts by check, where its draws differed, and what it could not say", () => {
    const part = section(english, "The judge that asks a model (model@1)")
    expect(part).toContain("judge-7b was asked 3 times about each of 4 cases, 11 answers in all.")
    expect(part).toContain("Rubrics: ours@2 (en).")
    expect(part).toMatch(/Warning: In 1 case a message tries to tell the judge what to say/)
    expect(part).toMatch(
      /^check +pass +fail +n\/a +abstained +quotes rejected +no majority +judge's fault +divided\nrubric\.brief +5 +2 +0 +1 +1 +1 +1 +3$/m,
    )
    expect(section(chinese, "模型评判（model@1）")).toMatch(/^检查项 +通过 .+引文不实.+分歧$/m)
  })

  it("is shown in sum where a report of an earlier version does not tell checks apart", () => {
    const earlier = { ...summary, judgment: { ...summary.judgment!, judge_reports: { "model@1": report } } }
    const part = section(documentText(serviceDocument(manifest, earlier, undefined)), "The judge that asks a model")
    expect(part).toMatch(/^abstained +2\nno majority +1\njudge's fault +1$/m)
  })
})

it("tokens and money of the buyer's and the judge's models stand beside the agent's", () => {
  const part = section(english, "Whose model took what")
  expect(part).toMatch(/^The agent's model +– +900 +30 +–$/m)
  expect(part).toMatch(/^The buyer's model +21 +4321 +99 +0\.0125 USD$/m)
  expect(part).toMatch(/^The judge's model \(model@1\) +12 +3000 +77 +0\.003154 EUR$/m)
  expect(section(chinese, "各方模型的用量")).toMatch(/^买家的模型 +21 +4321 +99 +0\.0125 USD$/m)
  const { parties: _, ...alone } = summary.cost
  const plain = { ...summary, cost: alone, judgment: { ...summary.judgment!, judge_reports: {} } }
  expect(documentText(serviceDocument(manifest, plain, undefined))).not.toContain("Whose model took what")
})

it("a terminal shows each of these in a line", () => {
  const text = summaryText(summary)
  expect(text).toMatch(
    /^Buyer +4 of 40 turns with a fault \(1\.0 to 20\.0 %\) {2}left too early 0 of 0, cases spoilt 1 of 5/m,
  )
  expect(text).toMatch(/^Simulated deals +2 of 3 {2}95 % interval 1\.0 to 20\.0 %$/m)
  expect(text).toMatch(/^Purchase intent +0\.250 → 0\.750/m)
  expect(text).toMatch(/^Colleagues +acted in 2 of 3/m)
  expect(text).toMatch(/^Judge model@1 +11 answers wanted of 4 cases {2}abstained 2, no majority 1, judge's fault 1/m)
  expect(text).toMatch(/^The buyer's model +21 calls · prompt_tokens 4321 · completion_tokens 99 · 0\.0125 USD/m)
  expect(text).toMatch(/^Tokens +prompt_tokens 900 · completion_tokens 30$/m)
})

it("all forms have the sections, in both languages", () => {
  for (const language of ["en", "zh"] as const) {
    const document = serviceDocument(manifest, summary, undefined, language)
    for (const text of [documentHtml(document), documentMarkdown(document)]) {
      for (const value of ["4321", "judge-7b", "buyer-fidelity@2", "0.750", "rubric.brief"])
        expect(text).toContain(value)
    }
  }
})

it("a shopping run has its shopper's faults with intervals, and its model's tokens apart", () => {
  const fault = (count: number) => ({ count, rate: count / 20, interval })
  const shopper = {
    ...{ answers: 15, declines: 4, drafts: 20, withheld: 1 },
    ...{ leaks: fault(1), empty: fault(0), contradictions: fault(2) },
  }
  const { judgment: _, buyer: __, sales: ___, colleagues: ____, ...rest } = summary
  const cost = { tokens: { prompt_tokens: 5 }, parties: { shopper: { attempts: 3, tokens: { prompt_tokens: 777 } } } }
  const shopping: Summary = { ...rest, suite: "shopping", shopper, cost }
  const text = documentText(runDocument(manifest, shopping))
  const part = section(text, "The shopper")
  expect(part).toContain("Answered 15 questions and declined 4 purchases; 1 time no draft would do")
  expect(part).toMatch(/^leak: named the product +1 +5\.0 % +1\.0 to 20\.0 %$/m)
  expect(part).toMatch(/^contradiction: .+ 2 +10\.0 %/m)
  expect(section(text, "Whose model took what")).toMatch(/^The shopper's model +– +777 +– +–$/m)
  expect(section(documentText(runDocument(manifest, shopping, "zh")), "顾客")).toMatch(/^空白 +0 +0\.0 %/m)
  expect(summaryText(shopping)).toMatch(/^The shopper's model +prompt_tokens 777/m)
})
