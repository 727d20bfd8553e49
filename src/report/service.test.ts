import { describe, expect, it } from "vitest"
import { CASE_SCHEMA, CaseRecord } from "../core/case-record.ts"
import type { FailedCase, FailedCases } from "../core/judgment.ts"
import type { Manifest } from "../core/run.ts"
import type { Summary } from "../core/score.ts"
import { Verdict } from "../core/verdict.ts"
import { documentHtml } from "./formats/html.ts"
import { documentMarkdown } from "./formats/markdown.ts"
import { documentText } from "./formats/text.ts"
import { serviceDocument } from "./service.ts"
import { summaryText } from "./summary.ts"

const AT = "2026-03-02T15:00:00.000Z"
const job = { key: "task-c-1__sample-000", task_id: "c-1", sample_id: 0, seed: 1, split: "all" }
const manifest: Manifest = {
  schema: "souk.run/1",
  name: "desk <1>",
  created_at: "2026-01-01T00:00:00.000Z",
  fingerprint: "f00d",
  fingerprint_version: "1",
  plan: {
    schema: "souk.plan/1",
    suite: "service",
    split: { name: "all", role: null, task_count: 1, task_ids_sha256: "" },
    sampling: { version: "1", seed: 5, sample_size: null, repeats: 1 },
    jobs: [job],
    environment: { pack: "tiny", language: "en", world: { world: "tables" }, role: { role: "deterministic" } },
    model: { provider: "none" },
    agent: {},
    limits: { max_steps: 150 },
    versions: {},
  },
  execution: { model_id: "mine" },
}
const rate = (passed: number, of: number) => ({ passed, of, rate: passed / of, interval: { low: 0.1, high: 0.9 } })
const summary: Summary = {
  schema: "souk.summary/1",
  suite: "service",
  pack: "service@1",
  name: "desk",
  fingerprint: "f00d",
  counts: {
    requested: 20,
    recorded: 18,
    missing: 2,
    attempts: 19,
    completed: 12,
    failed: 3,
    cancelled: 1,
    invalid: 2,
    scored: 8,
    coverage: 0.4,
    tasks: 8,
  },
  primary: { success_rate: 0.25, success_interval: { low: 0.07, high: 0.59 }, reward_mean: 0.5 },
  reward_components: {},
  behavior: {
    steps_mean: 2,
    model_steps: 24,
    protocol_errors: 0,
    policy_failures: 1,
    total_actions: 9,
    invalid_actions: 1,
    termination_reasons: { goal_reached: 12 },
    measures: { steps: { n: 12, mean: 2, median: 2, p90: 3 } },
  },
  cost: {
    tokens: { prompt_tokens: 90 },
    money: [{ amount: "0.02", currency: "USD" }],
    money_attempts: { recorded: 19, priced: 0, unknown: 0 },
  },
  errors: { MODEL_UNAVAILABLE: 2 },
  judgment: {
    judges: ["facts@1", "policy@1"],
    pass_threshold: 0.8,
    cases: 18,
    pass_rate: rate(2, 8),
    excluded: { environment_incomplete: 3, invalid_buyer: 2, no_observation: 1 },
    not_judged: 1,
    not_scored: 3,
    not_scored_by: { failed: 2, cancelled: 1 },
    by_category: { "": rate(0, 2), "order & <b>": rate(2, 6) },
    by_check: { "facts.price": rate(3, 4), state: rate(0, 5) },
    codes: { wrong_price: 4, of_a_later_version: 1 },
  },
  first_replies: { samples: 24, over_goal: 3, unanswered: 4, incomplete: 2, longest_ms: 45_000, goal_ms: 30_000 },
  warnings: [],
}

const NASTY = `<script>alert(1)</script> | **b** & "9,99 €"`

/** A case of so many messages, buyer and agent in turns. */
function failedCase(messages: number, verdicts: readonly object[], tools: readonly object[] = []): FailedCase {
  const record = CaseRecord.parse({
    schema: CASE_SCHEMA,
    case_id: "c-1",
    case_revision: 0,
    script_id: "s-1",
    language: "en",
    time_zone: "Asia/Shanghai",
    category: "order",
    end_reason: "goal_reached",
    ended_at: AT,
    messages: Array.from({ length: messages }, (_, index) => ({
      id: `m${index + 1}`,
      turn: Math.floor(index / 2) + 1,
      sender: index % 2 === 0 ? "buyer" : "agent",
      at: AT,
      text: index === 1 ? NASTY : `message ${index + 1}.`,
    })),
    original_messages: [],
    tools,
    turns: [],
    human_actions: [],
    judge_inputs: {
      checks: [{ id: "price", kind: "product_fact", text: "The price is right." }],
      required_facts: [],
      order_facts_available: true,
    },
    usage: {},
  })
  return {
    job,
    record,
    verdicts: verdicts.map((verdict) =>
      Verdict.parse({ case_id: "c-1", judge: "facts@1", state: "fail", reason: "Says 9,99", ...verdict }),
    ),
    judgment: {
      case_id: "c-1",
      episode_id: job.key,
      category: "order",
      language: "en",
      state: "failed",
      verdicts: { pass: 0, fail: verdicts.length, not_applicable: 0, unjudgeable: 0 },
      failed: [],
    },
  }
}

const price = { check_id: "price", code: "wrong_price", evidence: [{ message_id: "m2", quote: "9,99 €" }] }
function failed(one: FailedCase, more = 0): FailedCases {
  const shown = { cases: 1, checks: one.verdicts.length }
  return { cases: [one], shown, all: { cases: 1 + more, checks: shown.checks + more } }
}

describe("serviceDocument", () => {
  it("tells every planned case once, and each reason not to count by its own name", () => {
    const text = documentText(serviceDocument(manifest, summary, failed(failedCase(2, [price]))))
    const table = text.slice(text.indexOf("The 20 planned cases"), text.indexOf("── By category"))
    const counts = [...table.matchAll(/^(.+?) {2,}(\d+) {2}\S/gm)].map(([, name, count]) => [name, Number(count)])
    expect(counts).toEqual([
      ["passed", 2],
      ["failed", 6],
      ["left out: environment incomplete", 3],
      ["left out: invalid buyer", 2],
      ["left out: no observation", 1],
      ["not judged", 1],
      ["broke off", 2],
      ["cancelled", 1],
      ["missing", 2],
    ])
    expect(counts.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(20)
  })

  it("counts what was played since the judging apart", () => {
    const more = { ...summary, counts: { ...summary.counts, requested: 25, recorded: 23, completed: 17 } }
    const text = documentText(serviceDocument(manifest, more, undefined))
    expect(text).toMatch(/^not judged yet +5 {2}played since/m)
    expect(documentText(serviceDocument(manifest, summary, undefined))).not.toContain("not judged yet")
  })

  it("tells figures with denominators and intervals, by category and check, and first replies", () => {
    const lines = documentText(serviceDocument(manifest, summary, undefined)).split("\n")
    for (const line of [
      /^Cases +8 of 20 judged +left out: environment incomplete 3, left out: invalid buyer 2, .* 19 attempts$/,
      /^Pass rate +25\.0 % +2 of 8; 95 % interval 10\.0 to 90\.0 %$/,
      /^First reply +19 of 24 within 30\.0 s +over the goal 3, unanswered 4, longest 45\.0 s$/,
      /^Turns +2\.0 a case +cut-off replies 1$/,
      /^Cost +0\.02 USD +of 19 of 19 attempts$/,
      /^order & <b> +6 +2 +33\.3 % +10\.0 to 90\.0 %$/,
      /^\(none\) +2 +0 +0\.0 %/,
      /^state +5 +0 +0\.0 %/,
      /^unanswered, and not watched until the goal +2$/,
      /^buyer's turns +12 +2 +2 +3$/,
      /^agent +mine$/,
      /^MODEL_UNAVAILABLE +2$/,
    ]) {
      expect(
        lines.filter((said) => line.test(said)),
        String(line),
      ).toHaveLength(1)
    }
  })

  it("shows each failed check with what was said, escaped, the quote marked and the store's changes in their place", () => {
    const change = {
      id: "call-1",
      turn: 1,
      at: AT,
      name: "cancel_order",
      arguments: { order_id: "<1>" },
      ok: true,
      content: "done",
      class: "passthrough",
      write: true,
    }
    const read = { ...change, id: "call-0", name: "get_order", write: undefined }
    const document = serviceDocument(manifest, summary, failed(failedCase(2, [price], [read, change])))
    const html = documentHtml(document)
    expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt; | **b** &amp; &quot;<mark>9,99 €</mark>&quot;")
    expect(html).not.toMatch(/<script/)
    const text = documentText(document)
    expect(text).toContain("- price (facts@1) — The price is right. — Says 9,99 — m2 “9,99 €”")
    const said = text.slice(text.indexOf("What was said"))
    expect(said.indexOf("message 1.")).toBeLessThan(said.indexOf('cancel_order {"order_id":"<1>"}'))
    expect(said.indexOf("cancel_order")).toBeLessThan(said.indexOf("alert(1)"))
    expect(said).toMatch(/m1 · 2026-03-02 23:00 +Buyer/) // by the store's clock
    expect(said).not.toContain("get_order")
  })

  it("of a long conversation keeps what a verdict points at, with what it answers, and says what is left out", () => {
    const text = documentText(serviceDocument(manifest, summary, failed(failedCase(40, [price]), 7)))
    expect(text).toContain(
      "1 of 8 failed checks, in 1 of 8 cases, in the order of the plan. The rest: souk show RUN CASE.",
    )
    const said = text.slice(text.indexOf("What was said"))
    const kept = [...said.matchAll(/ m(\d+) · /g)].map(([, number]) => Number(number))
    expect(kept).toEqual([1, 2, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40])
    expect(said).toContain("… 28 messages left out …")
  })

  it("says the same in Chinese", () => {
    const markdown = documentMarkdown(serviceDocument(manifest, summary, failed(failedCase(2, [price])), "zh"))
    expect(markdown).toContain("| 排除：环境不完整 | 3 | 评判需要的事实没有记录 |")
    expect(markdown).toContain("| 价格有误 | 4 |")
    expect(markdown).toContain("| of_a_later_version | 1 |") // what it does not know in the word it came with
    expect(markdown).toContain("价格有误：Says 9,99")
    expect(markdown).toMatch(/> \*\*客服\*\* \(m2 · 2026-03-02 23:00\): &lt;script/)
    expect(markdown).not.toMatch(/\b(cases|interval|passed|failed|turns|buyer)\b/)
  })

  it("of a run that nobody judged says so, and shows no rate", () => {
    const { judgment: _, first_replies: __, ...rest } = summary
    const text = documentText(serviceDocument(manifest, { ...rest, primary: {} }, undefined))
    expect(text).toContain("Warning: This run was not judged")
    expect(text).not.toMatch(/Pass rate|NaN|undefined|Failed checks/)
    expect(text).toMatch(/^not judged yet +14 /m)
  })

  it("of a run in which nothing failed says so", () => {
    const none: FailedCases = { cases: [], shown: { cases: 0, checks: 0 }, all: { cases: 0, checks: 0 } }
    expect(documentText(serviceDocument(manifest, summary, none))).toContain("No check failed.")
  })
})

describe("the summary of a service run", () => {
  it("is told in the words of its suite", () => {
    const text = summaryText(summary)
    expect(text).toMatch(/^Cases +8 of 20 judged/)
    expect(text).toMatch(/^Failed checks +wrong_price 4 · of_a_later_version 1$/m)
    expect(text).toMatch(/^By category +\(none\) 0 of 2 · order & <b> 2 of 6$/m)
    expect(text).not.toMatch(/Reward|Steps|Episodes|Success/)
  })
})
