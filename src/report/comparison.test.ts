import { describe, expect, it } from "vitest"
import { comparisonDocument } from "./comparison.ts"
import { documentMarkdown } from "./formats/markdown.ts"
import { documentText } from "./formats/text.ts"

type Compared = Parameters<typeof comparisonDocument>[0]
const side = (success: number) => ({ reward: success, success })
const success = { n: 4, first: 0.5, second: 0.25, mean: -0.25, p: 0.03, interval: { low: -0.4, high: -0.1 } }
const comparison: Compared = {
  first: { name: "base", fingerprint: "a" },
  second: { name: "tuned", fingerprint: "b" },
  differences: [{ path: "model.model", first: "m|1", second: { name: "m2" } }],
  jobs: { paired: 8, shared: 9 },
  tasks: 4,
  measures: { success, steps: { n: 4, first: 8, second: 12345.6, mean: 12337.6, p: 0.0001 } },
  flips: { gained: [], lost: ["7"], mixed: ["9"] },
  pairs: [
    { task_id: "7", samples: 2, first: side(1), second: side(0) },
    { task_id: "9", samples: 2, first: side(1), second: side(0.5) },
  ],
  warnings: [
    { code: "different_conditions", message: "", members: ["limits.max_steps", "environment.rules"] },
    { code: "jobs_not_shared", message: "", shared: 9, planned: 12 },
    { code: "jobs_not_scored", message: "", left_out: 1 },
    { code: "few_tasks", message: "4 tasks are few: intervals are rough", tasks: 4 },
  ],
}
const said = (changes: Partial<Compared> = {}) => documentText(comparisonDocument({ ...comparison, ...changes }))
const withSuccess = (changes: Partial<typeof success>) =>
  said({ measures: { success: { ...success, ...changes } } }).split("\n")[2]

describe("a comparison to be read", () => {
  it("calls one better only when interval and test both say so", () => {
    expect(withSuccess({})).toBe("base succeeds more often, by 25 points.")
    expect(withSuccess({ mean: 0.125, interval: { low: 0.01, high: 0.2 } })).toBe(
      "tuned succeeds more often, by 12.5 points.",
    )
    expect(withSuccess({ p: 0.065 })).toBe("Their success rates cannot be told apart.")
    expect(withSuccess({ interval: { low: -0.4, high: 0 } })).toBe("Their success rates cannot be told apart.")
    expect(said({ measures: { success: { n: 4, first: 1, second: 0, mean: -1, p: 1 } } })).toContain("too little")
  })

  it("of a pair, says which side had the annotation, and which figures of selling tell them apart, if any", () => {
    const pair = { pair_id: "p-1", first: { annotation: false }, second: { annotation: true } }
    const told = said({ sales_pair: pair, measures: { success, purchase_intent: { ...success, p: 0.2 } } })
    expect(told).toContain("The two sides of pair p-1: base with the annotation off, tuned with the annotation on.")
    expect(told).toContain("Of selling: success is higher in base, by 0.250.")
    const row = (text: string, name: string) =>
      text
        .split("told apart only where")[1]!
        .split("\n")
        .find((line) => line.startsWith(name))
    expect(row(told, "success")).toMatch(/ 4 .+ yes$/)
    expect(row(told, "purchase intent")).toMatch(/-0\.40\d* to -0\.1\d* +0\.200 +no$/)
    const none = said({ sales_pair: pair, measures: { success: { ...success, p: 0.2 } } })
    expect(none).toContain("Of selling, nothing can be told apart.")
    const zh = documentText(comparisonDocument({ ...comparison, sales_pair: pair }, "zh"))
    expect(zh).toContain("配对 p-1 的两侧：base 关闭买家分析提示，tuned 开启买家分析提示。")
    expect(said()).not.toContain("Of selling")
  })

  it("lists the tasks that changed, and what differs in the plans", () => {
    expect(said()).toMatch(/^7 +Lost +100\.0 % +0\.0 % +1 +0 +2$/m)
    expect(said()).toMatch(/^9 +In some samples +100\.0 % +50\.0 % +1 +0\.500 +2$/m)
    expect(said()).toMatch(/^steps +8 +12346 +\+12338 +– +< 0\.001$/m)
    expect(documentMarkdown(comparisonDocument(comparison))).toContain('| model.model | m\\|1 | {"name":"m2"} |')
    const same = said({ differences: [], flips: { gained: [], lost: [], mixed: [] } })
    expect(same).toContain("Their plans are the same: what differs is chance.")
    expect(same).toContain("No task succeeds on one side only.")
  })

  it("lists no more than fifty, and says how many there are besides", () => {
    const ids = Array.from({ length: 53 }, (_, index) => `t${index}`)
    const pairs = ids.map((task_id) => ({ task_id, samples: 1, first: side(0), second: side(1) }))
    const text = said({ flips: { gained: ids, lost: [], mixed: [] }, pairs })
    expect(text.match(/^t\d+ /gm)).toHaveLength(50)
    expect(text).toContain("3 more are in the JSON form.")
  })

  it("is Chinese to the last warning", () => {
    const text = documentText(comparisonDocument(comparison, "zh"))
    expect(text).toContain("警告：两次运行的条件不同：limits.max_steps、environment.rules。")
    expect(text).toContain("警告：计划的 12 次中，只有 9 次两边都有。")
    expect(text).toContain("警告：有 1 次没有在两边都得分，未计入。")
    expect(text).toContain("警告：只有 4 个任务，区间是粗略的。")
    expect(text).not.toMatch(/\b(tasks|first|second|interval|differ|success)\b/)
  })
})
