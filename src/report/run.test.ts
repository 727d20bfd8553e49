import { describe, expect, it } from "vitest"
import type { Manifest } from "../core/run.ts"
import type { Summary } from "../core/score.ts"
import { documentHtml } from "./formats/html.ts"
import { documentMarkdown } from "./formats/markdown.ts"
import { documentText } from "./formats/text.ts"
import { runDocument } from "./run.ts"

const job = (task_id: string, sample_id: number) => ({
  key: `${task_id}-${sample_id}`,
  task_id,
  sample_id,
  seed: 1,
  split: "val",
})
const manifest: Manifest = {
  schema: "souk.run/1",
  name: "trial <1>",
  created_at: "2026-01-01T00:00:00.000Z",
  fingerprint: "f00d",
  fingerprint_version: "1",
  plan: {
    schema: "souk.plan/1",
    suite: "shopping",
    split: { name: "val", role: "val", task_count: 2, task_ids_sha256: "" },
    sampling: { version: "1", seed: 5, sample_size: null, repeats: 2 },
    jobs: [job("1", 0), job("1", 1), job("2", 0), job("2", 1)],
    environment: { rules: "souk" },
    model: { model: "m" },
    agent: {},
    limits: { max_steps: 30 },
    versions: {},
  },
  execution: {},
}
const half = { success_rate: 0.5, success_interval: { low: 0.1, high: 0.9 }, reward_mean: 0.5 }
const summary: Summary = {
  schema: "souk.summary/1",
  suite: "shopping",
  pack: "shopping@2",
  name: "trial",
  fingerprint: "f00d",
  counts: {
    requested: 4,
    recorded: 4,
    missing: 0,
    attempts: 5,
    completed: 3,
    failed: 1,
    cancelled: 0,
    invalid: 0,
    scored: 3,
    coverage: 0.75,
    tasks: 2,
  },
  primary: { success_rate: 1 / 3, success_interval: { low: 0.061, high: 0.792 }, reward_mean: 0.4 },
  pass: [
    { k: 1, tasks: 2, pass_at_k: 0.25, pass_hat_k: 0.25 },
    { k: 2, tasks: 1, pass_at_k: 0.5, pass_at_k_interval: { low: 0.25, high: 0.75 }, pass_hat_k: 0 },
  ],
  reward_components: { r_att: 0.5 },
  behavior: {
    model_steps: 10,
    protocol_errors: 0,
    policy_failures: 0,
    total_actions: 9,
    invalid_actions: 0,
    termination_reasons: { action_limit: 1, purchase: 2 },
    measures: { searches: { n: 3, mean: 1.5, median: 1, p90: 3 } },
  },
  latency: { model_call: { n: 10, p50: 300, p90: 900, p99: 1200 }, episode: { n: 3, p50: 0, p90: 0, p99: 0 } },
  cost: {
    tokens: { prompt_tokens: 90 },
    money: [{ amount: "0.02", currency: "USD" }],
    money_attempts: { recorded: 0, priced: 4, unknown: 1 },
  },
  slices: {
    domain: { "灯具 & <b>": { ...half, scored: 2 }, tents: { ...half, success_rate: 0, scored: 1 } },
    persona: { none: { ...half, scored: 3 } },
  },
  errors: { MODEL_UNAVAILABLE: 1 },
  settings: { difference: 0.1 },
  warnings: [
    { code: "incomplete_coverage", message: "1 of 4 episodes are not scored" },
    { code: "of_a_later_version", message: "something new" },
  ],
}

describe("runDocument", () => {
  it("tells all that the summary has, with denominators and intervals", () => {
    const text = documentText(runDocument(manifest, summary))
    for (const line of [
      /^Warning: 1 of 4 episodes are not scored\.$/,
      /^Episodes +3 of 4 scored \(75\.0 %\) {2}1 failed, 5 attempts$/,
      /^Success +33\.3 % {2}1 of 3; 95 % interval 6\.1 to 79\.2 %$/,
      /^Cost +0\.02 USD {2}of 4 of 5 attempts$/,
      /^2 +1 +50\.0 % +25\.0 to 75\.0 % +0\.0 % +–$/,
      /^purchase +2 +66\.7 %$/,
      /^tents +1 +0\.0 % +10\.0 to 90\.0 % +0\.500 +–$/,
      /^searches +3 +1\.50 +1 +3$/,
      /^model call +10 +300 ms +900 ms +1\.2 s$/,
      /^MODEL_UNAVAILABLE +1$/,
      /^tasks +2$/,
    ]) {
      expect(
        text.split("\n").filter((said) => line.test(said)),
        String(line),
      ).toHaveLength(1)
    }
    expect(text).not.toMatch(/By persona|^episode +3/m) // one kind is no comparison; no time is no latency
  })

  it("is drawn, and escaped, as a page", () => {
    const html = documentHtml(runDocument(manifest, summary))
    expect(html).toContain("<h1>trial &lt;1&gt;</h1>")
    expect(html).toContain('<th scope="row">灯具 &amp; &lt;b&gt;</th><td class="number">2</td>')
    expect(html.match(/<svg /g)).toHaveLength(2)
  })

  it("says the same in Chinese; a warning it does not know in the words it came with", () => {
    const markdown = documentMarkdown(runDocument(manifest, summary, "zh"))
    expect(markdown).toContain("> **警告：** 计划的 4 个回合中有 1 个未计分（失败 1，取消 0，无效 0，缺失 0）")
    expect(markdown).toContain("> **警告：** Something new.")
    expect(markdown).toContain("| 完成购买 | 2 | 66.7 % |")
    expect(markdown).toContain("| 搜索 | 3 | 1.50 | 1 | 3 |")
    expect(markdown.replace(/Something new/, "")).not.toMatch(/\b(episodes|success|interval|tasks|of)\b/)
  })

  it("of a run without a scored episode shows no figure for it", () => {
    const { pass: _, slices: __, latency: ___, warnings: ____, ...rest } = summary
    const none: Summary = {
      ...rest,
      counts: { ...summary.counts, completed: 0, scored: 0, coverage: 0 },
      primary: {},
      reward_components: {},
      behavior: { ...summary.behavior, termination_reasons: {}, measures: {} },
    }
    const html = documentHtml(runDocument(manifest, none))
    expect(html).not.toMatch(/<svg|NaN|undefined|Success/)
  })
})
