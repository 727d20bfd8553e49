import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { parseOrderedJson } from "../lib/ordered-json.ts"
import { tinyAxes, tinyBudget, tinyProduct, tinyShop, tinyTask } from "../testing/tiny-shop.ts"
import { visibleInstruction, visiblePersona } from "./goal.ts"
import { observe } from "./observation.ts"
import { rulesOf } from "./rules.ts"
import { act, type Session, type SessionStart, startSession, terminate } from "./session.ts"
import { readShopSimulatorRecord } from "./sources/shopsimulator.ts"
import { interactResult, resetResult, terminateResult } from "./wire.ts"

/** Planted in every private field; a page, an answer or a message that holds it has leaked. */
const CANARY = "金丝雀"
const PERSONA_CANARY = "画眉鸟"

const products = [
  tinyProduct({ asin: "1", title: "灯 一", axes: tinyAxes({ 颜色: { 黑: "5", 白: "6" } }), pricing: ["5", "6"] }),
  tinyProduct({ asin: "2", title: "灯 二" }),
  ...Array.from({ length: 30 }, (_, i) => tinyProduct({ asin: `1${i}`, title: `灯 ${i}` })),
  tinyProduct({ asin: `${CANARY}的编号`, title: `${CANARY}的标题`, category: `${CANARY}›类目` }), // wanted, but never found
]
const budget = { ...tinyBudget(123.456, CANARY), parser: CANARY }
const task = tinyTask({
  task_id: "7",
  asin: `${CANARY}的编号`,
  task_uid: `shopsim-${CANARY}`,
  instruction: "要一盏灯",
  instruction_simple: "灯",
  attributes: [CANARY],
  options: [CANARY],
  option_axes: [CANARY],
  price_upper: 123.456,
  budget: { v8: budget, souk: budget },
  persona: JSON.stringify({ 偏好: PERSONA_CANARY }),
  persona_private: JSON.stringify({ 偏好: PERSONA_CANARY, __reasoning__: CANARY }),
  source_split: CANARY,
  labels: { domain: CANARY },
})
const others = products
  .slice(0, 32)
  .map(({ asin }) => tinyTask({ asin, instruction: `${CANARY}别人的`, attributes: [CANARY] }))
const shop = tinyShop(products, [task, ...others])

const walks = fc.record({
  steps: fc.array(fc.oneof(fc.nat(60), fc.constantFrom("看看", "click[buy now]", "click[不存在]", "search[")), {
    maxLength: 32,
  }),
  rules: fc.constantFrom("v8" as const, "souk" as const),
  mode: fc.constantFrom("single_turn" as const, "multi_turn" as const),
  persona: fc.boolean(),
  language: fc.constantFrom("zh" as const, "en" as const),
})

function responseFor(step: number | string, session: Session): string {
  if (typeof step === "string") return step
  const { actions, search_available } = observe(session, shop).state
  return search_available ? "search[灯]" : `click[${actions[step % actions.length]}]`
}

function expectClean(...parts: unknown[]) {
  const text = parts.map((part) => JSON.stringify(part)).join("\n")
  expect(text).not.toContain(CANARY)
  expect(text).not.toContain("123.456")
}

describe("the private goal", () => {
  it("reaches nothing that is public before the end, and no page ever", () => {
    fc.assert(
      fc.property(walks, ({ steps, ...start }) => {
        let session = startSession({ task, ...start })
        expectClean(observe(session, shop), resetResult(session, shop))
        for (const step of steps) {
          const { session: next, feedback } = act(session, responseFor(step, session), shop)
          session = next
          const page = observe(session, shop)
          expectClean(page, feedback)
          expect(JSON.stringify(page)).not.toContain(PERSONA_CANARY)
          if (session.end !== null) break
          expectClean(interactResult(session, shop))
          expect(JSON.stringify(interactResult(session, shop))).not.toContain(PERSONA_CANARY)
        }
        if (session.end !== null) return
        const ended = terminate(session, "generation_length")
        expectClean(observe(ended, shop))
      }),
      { numRuns: 100 },
    )
  })

  it("is disclosed whole when the episode is over, reasoning and all", () => {
    const ended = terminate(startSession({ task, rules: "v8" }), "action_limit")
    expect(terminateResult(ended, shop).goal).toEqual({
      task_id: 7,
      task_uid: `shopsim-${CANARY}`,
      source_product_index: 0,
      asin: `${CANARY}的编号`,
      category: `${CANARY}›类目`,
      name: `${CANARY}的标题`,
      instruction_text: "要一盏灯",
      instruction_simple: "灯",
      attributes: [CANARY],
      goal_options: [CANARY],
      price_upper: 123.456,
      price_constraint: null,
      reason_key: null,
      user_persona: { 偏好: PERSONA_CANARY, __reasoning__: CANARY },
      weight: 1,
    })
  })

  it("is told on request at reset, to whoever may ask", () => {
    const session = startSession({ task, rules: "v8" })
    expect(resetResult(session, shop)).not.toHaveProperty("goal_options")
    expect(resetResult(session, shop, { includePrivateGoal: true })).toMatchObject({
      private_task_instruction: "要一盏灯",
      goal_options: [CANARY],
      reason_key: null,
    })
  })
})

describe("the shopper's profile", () => {
  const reset = (start: Partial<SessionStart>, given = task) =>
    resetResult(startSession({ task: given, ...start }), shop)

  it("is public in persona mode, with the short instruction", () => {
    for (const rules of ["v8", "souk"] as const) {
      expect(reset({ rules, persona: true })).toMatchObject({
        task_mode: "persona",
        task_instruction: "灯",
        user_persona: { 偏好: PERSONA_CANARY },
      })
    }
  })

  it("stays private in standard mode under souk's rules; v8 tells it", () => {
    expect(reset({ rules: "souk", persona: false })).toMatchObject({ task_instruction: "要一盏灯", user_persona: {} })
    expect(reset({ rules: "v8", persona: false }).user_persona).toEqual({ 偏好: PERSONA_CANARY })
  })

  it("changes nothing for a task that has none", () => {
    const plain = { ...task, persona: null, instruction_simple: null }
    expect(reset({ persona: true }, plain)).toMatchObject({
      task_mode: "persona",
      task_instruction: "要一盏灯",
      user_persona: {},
    })
    expect(visiblePersona(plain, { persona: true, rules: rulesOf("souk") })).toBeNull()
    expect(visibleInstruction({ ...task, instruction_simple: null }, { persona: true })).toBe("要一盏灯")
  })

  it("loses its author's reasoning at whatever depth a source hides it", () => {
    const persona = {
      偏好: { 颜色: "黑", __reasoning__: CANARY },
      列表: [{ __reasoning__: CANARY, 值: 1 }],
      __reasoning__: { a: CANARY },
    }
    const raw = {
      asin: "1",
      title: "灯",
      customization_options: {},
      pricing: [1],
      images: [],
      user_persona: persona,
      instructions: [{ instruction: "要灯", instruction_simple: "灯", attributes: ["好"], instruction_options: [] }],
    }
    const { record } = readShopSimulatorRecord(parseOrderedJson(JSON.stringify(raw)))
    const source = record.product === null ? undefined : record.tasks[0]
    expect(source?.persona_private).toContain(CANARY)
    const imported = tinyTask({ asin: "1", persona: source?.persona ?? null, instruction_simple: "灯" })
    const answer = reset({ persona: true }, imported)
    expectClean(answer)
    expect(answer.user_persona).toEqual({ 偏好: { 颜色: "黑" }, 列表: [{ 值: 1 }] })
  })
})
