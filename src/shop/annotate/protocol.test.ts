import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { annotationFault, bounds, type Question, questionMessages, readAnnotation, replyFormat } from "./protocol.ts"
import { Annotations, owedQuestions, type PricedTask, resolve } from "./tasks.ts"

const question = (text: string, task_id = "0"): Question => ({ task_id, text, source_field: "instruction_simple" })
const reply = (members: object) => JSON.stringify({ task_id: 0, ...members })

describe("a reply", () => {
  test.each([
    ["预算100元左右", { kind: "approximate_upper", amount: 100, evidence: "100元左右" }, 110],
    ["价格在200元上下", { kind: "approximate_upper", amount: 200, evidence: "200元上下" }, 220],
    ["预算33.3左右", { kind: "approximate_upper", amount: 33.3, evidence: "33.3左右" }, 36.63],
    ["预算100元以内", { kind: "hard_upper", amount: 100, evidence: "100元以内" }, 100],
    ["要一盏灯", { kind: "no_budget", amount: null, evidence: "" }, null],
    ["不低于100元", { kind: "lower_only", amount: null, evidence: "不低于100元" }, null],
    ["每斤不超过30元", { kind: "non_total_price", amount: null, evidence: "每斤不超过30元" }, null],
    ["100元以内或300元左右", { kind: "ambiguous", amount: null, evidence: "100元以内或300元左右" }, null],
  ])("%s: %j bounds the price at %s", (text, members, price_upper) => {
    const read = readAnnotation(reply(members), question(text))
    expect(read).toEqual({
      ...members,
      source_field: "instruction_simple",
      price_upper,
      annotation_version: "souk-price-upper-1",
      approximate_upper_multiplier: 1.1,
    })
  })

  test.each([
    ["evidence that is not in the text", { kind: "hard_upper", amount: 100, evidence: "预算200元以内" }],
    ["evidence in other letters", { kind: "hard_upper", amount: 100, evidence: "预算１００元以内" }],
    ["evidence of no budget", { kind: "no_budget", amount: null, evidence: "预算" }],
    ["an amount of a floor", { kind: "lower_only", amount: 100, evidence: "100元" }],
    ["an amount of zero", { kind: "hard_upper", amount: 0, evidence: "100元" }],
    ["an amount below zero", { kind: "approximate_upper", amount: -1, evidence: "100元" }],
    ["no amount", { kind: "hard_upper", amount: null, evidence: "100元" }],
    ["an amount that is none", { kind: "hard_upper", amount: true, evidence: "100元" }],
    ["an amount as text", { kind: "hard_upper", amount: "100", evidence: "100元" }],
    ["no evidence", { kind: "hard_upper", amount: 100, evidence: "" }],
    ["no evidence of a floor", { kind: "lower_only", amount: null, evidence: "" }],
    ["another task", { task_id: 1, kind: "hard_upper", amount: 100, evidence: "100元" }],
    ["the task as text", { task_id: "0", kind: "hard_upper", amount: 100, evidence: "100元" }],
    ["a kind nobody knows", { kind: "upper", amount: 100, evidence: "100元" }],
    ["a member more", { kind: "hard_upper", amount: 100, evidence: "100元", note: "" }],
    ["a member less", { kind: "hard_upper", amount: 100 }],
  ])("with %s is refused", (_what, members) => {
    expect(readAnnotation(reply(members), question("预算100元以内"))).toEqual({ fault: expect.any(String) })
  })

  test.each(["", "null", "[]", "预算100元", '```json\n{"task_id":0}\n```'])("%j is refused", (content) => {
    expect(readAnnotation(content, question("预算100元"))).toEqual({ fault: expect.any(String) })
  })

  test("of any kind is refused, or holds what it must", () => {
    const text = "预算100元左右，不要太贵"
    const members = fc.record({
      task_id: fc.constantFrom(0, 0, 0, 1),
      kind: fc.constantFrom("hard_upper", "approximate_upper", "no_budget", "lower_only", "ambiguous", "other"),
      amount: fc.oneof(fc.double(), fc.constant(null)),
      evidence: fc.oneof(fc.constantFrom("", "100元左右", "不要", "300元"), fc.string()),
    })
    let read = 0
    fc.assert(
      fc.property(members, (value) => {
        const annotation = readAnnotation(JSON.stringify(value), question(text))
        if ("fault" in annotation) return
        read += 1
        expect(text).toContain(annotation.evidence)
        expect(annotation.price_upper !== null).toBe(bounds(annotation))
        expect(annotationFault(annotation, text)).toBeNull()
        expect(annotation.evidence === "" || annotationFault(annotation, "又一句话")).not.toBeNull()
      }),
      { numRuns: 2000 },
    )
    expect(read).toBeGreaterThan(50)
  })

  test("is asked for with one text, by number or name, in a strict schema", () => {
    const [system, user] = questionMessages(question("预算100元"), "zh")
    expect(user).toEqual({ role: "user", content: '{"task_id":0,"text":"预算100元"}' })
    expect(system?.role).toBe("system")
    expect(questionMessages(question("a lamp", "lamp-1"), "en")[1]?.content).toBe(
      '{"task_id":"lamp-1","text":"a lamp"}',
    )
    expect(replyFormat({ namedTasks: false })).toMatchObject({
      type: "json_schema",
      json_schema: {
        strict: true,
        schema: { additionalProperties: false, properties: { task_id: { type: "integer" } } },
      },
    })
  })
})

describe("a task", () => {
  const task = (instruction_simple: string | null, instruction = "完整需求，200元以内"): PricedTask => {
    return { task_id: "0", task_uid: "u", asin: "a", instruction, instruction_simple }
  }
  const said = (field: "instruction" | "instruction_simple", kind: string, amount: number | null, evidence: string) => {
    const text = "简单需求100元左右完整需求，200元以内"
    const read = readAnnotation(reply({ kind, amount, evidence }), { task_id: "0", source_field: field, text })
    if ("fault" in read) throw new Error(read.fault)
    return read
  }

  test("is asked for its full text only where the simple one gives no bound and says something else", () => {
    const annotations = new Annotations()
    expect(resolve(task("简单需求"), annotations).owed).toMatchObject({ source_field: "instruction_simple" })
    expect(resolve(task(null), annotations).owed).toMatchObject({ text: "完整需求，200元以内" })
    const none = said("instruction_simple", "no_budget", null, "")
    annotations.set("0", none)
    expect(resolve(task("简单需求"), annotations).owed).toMatchObject({ source_field: "instruction" })
    expect(owedQuestions([task("简单需求")], annotations, "instruction_simple")).toEqual([])
    expect(owedQuestions([task("简单需求")], annotations, "instruction")).toHaveLength(1)
    expect(resolve(task(null), annotations)).toEqual({ annotation: none })
    const full = said("instruction", "hard_upper", 200, "200元以内")
    annotations.set("0", full)
    expect(resolve(task("简单需求"), annotations)).toEqual({ annotation: full })
    const simple = said("instruction_simple", "approximate_upper", 100, "100元左右")
    annotations.set("0", simple)
    expect(resolve(task("简单需求100元左右"), annotations)).toEqual({ annotation: simple })
  })
})
