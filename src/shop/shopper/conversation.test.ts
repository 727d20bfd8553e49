import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import type { StepResult } from "../../core/environment.ts"
import { environmentContract } from "../../testing/contracts.ts"
import { parseBudget } from "../budget.ts"
import { Language } from "../catalog.ts"
import { shopEnvironment } from "../environment.ts"
import { startSession } from "../session.ts"
import { shopOf } from "../shop.ts"
import { openStore } from "../store.ts"
import { openConversation } from "./conversation.ts"
import type { Draft, Shopper } from "./shopper.ts"
import { templateShopper } from "./template.ts"

const folder = mkdtempSync(join(tmpdir(), "souk-shopper-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const call = { signal: new AbortController().signal }

/** The store's task with a short requirement, "Need wireless earbuds: quick charge, …"; see the bundled English store. */
const EARBUDS = "18"

async function earbuds(shopper: Shopper = templateShopper) {
  const store = await openStore("en", { folder })
  const environment = shopEnvironment({ catalog: store, mode: "multi_turn", shopper })
  const start = await environment.reset(EARBUDS, call)
  const say = (action: string): Promise<StepResult> => environment.step(action, call)
  return { store, environment, start, say }
}

/** Says one thing after the other; the last one again and again. */
function scripted(texts: readonly string[]): Shopper {
  let drafts = 0
  return {
    identity: () => ({ kind: "scripted" }),
    draft: async (): Promise<Draft> => ({ text: texts[Math.min(drafts++, texts.length - 1)]!, facts: [] }),
  }
}

describe("an environment with a shopper", () => {
  const open = async () => {
    const store = await openStore("en", { folder })
    return shopEnvironment({ catalog: store, mode: "multi_turn", shopper: templateShopper })
  }
  for (const { name, check } of environmentContract(open, { taskId: EARBUDS })) it(name, check)
})

describe("talk with a shopper", () => {
  it("starts with the short requirement, and tells the rest when asked", async () => {
    using store = await openStore("en", { folder })
    const { start, say } = await earbuds()
    const task = store.task(EARBUDS)!
    expect(start.instruction).toBe(task.instruction_simple)
    expect(start.persona).toBeNull()
    expect(start.observation.state.ask_available).toBe(true)
    const { exchange, feedback, observation } = await say("ask[Which features matter to you?]")
    expect(exchange).toEqual({
      kind: "answer",
      question: "Which features matter to you?",
      answer: "I want: quick charge; wireless charging case; open-ear.",
      facts: ["attribute:0", "attribute:1", "attribute:2"],
      drafts: 1,
      faults: [],
    })
    expect(feedback).toMatchObject({ valid: true, reason: "answered", message: exchange!.answer })
    expect(observation.text).toContain(exchange!.answer)
    expect(observation.state.page_type).toBe("search_home")
    expect((await say("ask[What is your budget?]")).exchange?.answer).toBe("My budget: no more than $102.")
    expect((await say("ask[Any color or version?]")).exchange?.facts).toEqual(["option:0"])
    expect((await say("ask[Who is it for?]")).exchange?.facts).toEqual(["profile"])
  })

  it("costs an action for every question, 40 in all, a blank one too", async () => {
    const { say } = await earbuds()
    expect(await say("ask[ ]")).toMatchObject({ feedback: { valid: false, reason: "empty_argument" }, outcome: null })
    for (let action = 2; action < 40; action += 1) expect((await say("ask[What else?]")).outcome).toBeNull()
    const last = await say("ask[What else?]")
    expect(last.outcome).toMatchObject({ termination_reason: "action_limit", reward: 0 })
    expect(last.observation.state.ask_available).toBeUndefined()
    await expect(say("ask[What else?]")).rejects.toMatchObject({ code: "CONFLICT" })
  })

  it("does not name the product, however it is asked", async () => {
    const { store, say } = await earbuds()
    const task = store.task(EARBUDS)!
    const { title, brand } = store.product(store.documentOf(task.asin)!)
    for (const question of ["Which product is it?", `Is it the ${title}?`, `Is it ${task.asin}?`, `Only ${brand}?`]) {
      const { exchange } = await say(`ask[${question}]`)
      expect(exchange!.answer).not.toContain(task.asin)
      expect(exchange!.answer).not.toContain(brand)
      expect(exchange!.faults).toEqual([])
    }
  })

  it("declines once what the shopper would not want, and says one thing that speaks against it", async () => {
    const { say } = await earbuds()
    const found = await say("search[cat litter]")
    const [first] = found.observation.state.products as { asin: string }[]
    let page = await say(`click[${first!.asin}]`)
    for (;;) {
      const [axis] = page.observation.state.missing_option_axes as string[]
      if (axis === undefined) break
      const label = page.observation.state.actions.find((action) => action.startsWith(`${axis}=`))
      page = await say(`click[${label}]`)
    }
    const declined = await say("click[buy now]")
    expect(declined).toMatchObject({ feedback: { valid: false, reason: "declined" }, outcome: null })
    expect(declined.exchange).toMatchObject({ kind: "decline", question: "click[buy now]", facts: [] })
    expect(declined.exchange!.answer).toContain("another kind of thing")
    const bought = await say("click[buy now]")
    expect(bought.exchange).toBeUndefined()
    expect(bought.outcome?.termination_reason).toBe("purchase")
  })

  it("sends drafts with faults back, and says something harmless where none will do", async () => {
    using store = await openStore("en", { folder })
    const { title, brand, asin } = store.product(store.documentOf(store.task(EARBUDS)!.asin)!)
    const { say } = await earbuds(scripted([`Buy the ${title}.`, "…", "I want open-ear ones."]))
    expect((await say("ask[Which features?]")).exchange).toMatchObject({
      answer: "I want open-ear ones.",
      drafts: 3,
      faults: ["leak", "empty"],
    })
    for (const [text, fault] of [
      [`Get ${asin}`, "leak"],
      [`Anything by ${brand}`, "leak"],
      ["My budget is $500.", "contradiction"],
      ["", "empty"],
    ] as const) {
      const { exchange } = await (await earbuds(scripted([text]))).say("ask[Which features matter?]")
      expect(exchange).toMatchObject({ drafts: 3, faults: [fault, fault, fault], withheld: true })
      expect(exchange!.answer).toBe("I want: quick charge; wireless charging case; open-ear.")
    }
  })

  it("is there in multi_turn by the rules souk, and in the fingerprint", async () => {
    using store = await openStore("en", { folder })
    const options = { catalog: store, shopper: templateShopper }
    expect(() => shopEnvironment({ ...options, mode: "multi_turn", rules: "v8" })).toThrow(/multi_turn and souk/)
    expect(() => shopEnvironment(options)).toThrow(/multi_turn and souk/)
    const identity = await shopEnvironment({ ...options, mode: "multi_turn" }).identity(call)
    expect(identity.shopper).toMatchObject({ kind: "template", check: "souk-shopper-check-1" })
    const without = shopEnvironment({ catalog: store, mode: "multi_turn" })
    expect(await without.identity(call)).not.toHaveProperty("shopper")
    await without.reset(EARBUDS, call)
    const refused = await without.step("ask[What else?]", call)
    expect(refused.feedback).toMatchObject({ valid: false, reason: "invalid_format" })
  })
})

const QUESTIONS = {
  en: [
    "What is your budget?",
    "Which features?",
    "Which color?",
    "Which size and style?",
    "Anything else?",
    "Who is it for?",
  ],
  zh: ["预算是多少？", "看重哪些特点？", "颜色要哪种？", "尺码和套餐要哪种？", "还有别的要求吗？", "给谁用的？"],
} as const

describe.each(Language.options)("the template shopper of the bundled store in %s", (language) => {
  it("answers every task's questions without a fault, with a budget that is read as it is meant", async () => {
    using store = await openStore(language, { folder })
    const shop = shopOf(store)
    let exchanges = 0
    for (const task of store.tasks()) {
      const session = startSession({ task, mode: "multi_turn", language })
      const conversation = openConversation(templateShopper, session, shop)
      for (const [number, question] of QUESTIONS[language].entries()) {
        const { exchange } = (await conversation.hear(session, `ask[${question}]`, shop, call))!
        expect({ task: task.task_id, question, answer: exchange!.answer, faults: exchange!.faults }).toMatchObject({
          faults: [],
        })
        exchanges += 1
        if (number > 0) continue
        expect(parseBudget(exchange!.answer, { language }).upper).toBe(task.budget.souk.upper)
      }
    }
    expect(exchanges).toBeGreaterThan(1500)
  })
})
