import { describe, expect, it } from "vitest"
import type { ScriptTime } from "../../core/time.ts"
import { tinyScript } from "../../testing/tiny-service.ts"
import { agrees, asks, asksToGoAhead, refuses, saysGoodbye, sentences } from "./acts.ts"
import { buyerCard } from "./card.ts"
import { factsOf } from "./facts.ts"
import { holdGoodbye } from "./holding.ts"
import { Knowledge } from "./knowledge.ts"
import { minuteIn } from "./story-minute.ts"
import { driftOf, styleOf } from "./style.ts"

const values = (text: string) => factsOf(text).map(({ kind, value }) => `${kind} ${value}`)

describe("facts by their form", () => {
  it.each([
    ["order SK10021, #W2378156", ["id SK10021", "id W2378156"]],
    ["it was $1,299.00 or 70.99, not 20 dollars", ["amount 1299", "amount 70.99", "amount 20"]],
    ["¥269，不是 20块", ["amount 269", "amount 20"]],
    ["on 2026-03-20 or March 20th or 20 March", ["date 03-20", "date 03-20", "date 03-20"]],
    ["3月20日，28号，周五", ["date 03-20", "date day-28", "date week-五"]],
    ["the 28th, by Friday", ["date day-28", "date week-fri"]],
    ["call 202-555-0109 or 13800000109", ["phone 2025550109", "phone 13800000109"]],
    ["jo@field.example at https://x.example/a", ["email jo@field.example", "link https://x.example/a"]],
    ["the 20 oz, a 3-pack, two weeks, 10%", ["quantity 20 oz", "quantity 3 pack", "quantity 2 week", "quantity 10 %"]],
    ["850ml，两件", ["quantity 850 ml", "quantity 2 件"]],
    ["my name is Jo Field", ["person jo field"]],
    ["我叫陈嘉", ["person 陈嘉"]],
    ["navy in size L", ["option color navy", "option size L"]],
    ["no fact here at all", []],
  ])("%s", (text, expected) => expect(values(text)).toEqual(expected))

  it("sentences joined again are the message", () => {
    const text = "It was 12.50. Is it? 是的。好!! ok"
    expect(sentences(text).join("")).toBe(text)
    expect(sentences(text)).toHaveLength(5)
  })
})

describe("what a buyer may say", () => {
  const script = tinyScript(["I ordered one navy tee in M, SK10027, for 21.00"], {
    goal: "Return the tee, it is too small.",
    buyer: { name: "Grace Kim", phone: "202-555-0101" },
    gold: { outputs: ["42.00"], turns: [[{ say: "Refund by 2026-03-12, ticket T99887." }]] },
  })
  const review = (text: string, heard: string[] = []) => {
    const knowledge = new Knowledge(buyerCard(script))
    for (const said of heard) knowledge.hear(said)
    return knowledge.review(text).map(({ kind, what }) => `${kind} ${what}`)
  }

  it.each([
    ["is it 42.00?", ["leak amount"]],
    ["I get it on 2026-03-12, right?", ["leak date"]],
    ["my ticket is T99887", ["leak id"]],
    ["it cost me 55.00", ["contradiction amount"]],
    ["the page shows 55.00?", ["invention amount"]],
    ["my order is SK77777", ["contradiction id"]],
    ["my name is Paul Weber", ["contradiction person"]],
    ["call me at 202-555-0199, that is my phone", ["contradiction phone"]],
    ["I ordered the red one", ["contradiction option"]],
    ["Sarah from support told me it is free", ["invention name"]],
    ["you promised free shipping last week", ["invention told"]],
    ["it is way too big for me", ["contradiction state"]],
    ["I never ordered anything from you", ["contradiction order"]],
    ["How may I help you today?", ["contradiction role"]],
  ])("%s", (text, expected) => expect(review(text)).toEqual(expected))

  it.each([
    "hi, the tee from SK10027 is too small",
    "it's the navy one, size M, I paid 21",
    "can I send it back?",
    "do you have it in red?",
    "I'm Grace Kim, 202-555-0101",
    "yes please",
    "ok thanks, bye",
    "how long does that take? 3 days?",
    "Is there a fee for that?",
  ])("%s", (text) => expect(review(text)).toEqual([]))

  it("what the shop has said is known from then on", () => {
    expect(review("so 42.00 by March 12?", ["You get 42.00 back by 2026-03-12."])).toEqual([])
    expect(review("you said it is 42.00 back", ["You get 42.00 back."])).toEqual([])
  })
})

describe("what is done with words", () => {
  it("asking to go ahead, offering more help and asking something are told apart", () => {
    expect(asksToGoAhead("I would cancel it. Shall I go ahead?", "en")).toBe(true)
    expect(asksToGoAhead("请回复“确认”，我就为您办理。", "zh")).toBe(true)
    expect(asks("Is there anything else I can help with?", "en")).toBe(false)
    expect(asks("Which color would you like?", "en")).toBe(true)
    expect(asksToGoAhead("Which color would you like?", "en")).toBe(false)
  })

  it("yes, no and goodbye", () => {
    for (const text of ["yes, go ahead", "ok", "Sure!", "please do"]) expect(agrees(text, "en"), text).toBe(true)
    for (const text of ["好的，退", "确认，取消吧", "可以"]) expect(agrees(text, "zh"), text).toBe(true)
    for (const text of ["no wait, keep it", "hmm no"])
      expect([refuses(text, "en"), agrees(text, "en")]).toEqual([true, false])
    for (const text of ["等等先不取消了", "不用了"]) expect(refuses(text, "zh"), text).toBe(true)
    for (const text of ["thanks, bye", "that's all, have a nice day"]) expect(saysGoodbye(text, "en"), text).toBe(true)
    for (const text of ["谢谢，再见", "没别的事了"]) expect(saysGoodbye(text, "zh"), text).toBe(true)
    for (const text of ["where is my lamp?", "I need it by Monday"]) expect(saysGoodbye(text, "en"), text).toBe(false)
  })

  it.each([
    ["Yes, go ahead. Thanks, bye!", "en", "Yes, go ahead. Thanks", "bye!"],
    ["yes please cancel it bye", "en", "yes please cancel it", "bye"],
    ["好的，确认，再见", "zh", "好的，确认", "再见"],
  ] as const)("a goodbye is held back of a yes: %s", (draft, language, say, held) => {
    expect(holdGoodbye(draft, language)).toEqual({ say, held })
  })

  it("a mere goodbye, and a yes without one, stay as they are", () => {
    for (const draft of ["thanks, bye", "yes please"]) expect(holdGoodbye(draft, "en").held).toBeUndefined()
  })
})

describe("style", () => {
  it("is counted from the original buyer's messages, else from the planned lines", () => {
    const at = "2026-03-01T09:00:00+08:00"
    const message = (id: string, sender: string, text: string) => ({ id, turn: 1, sender, at, text })
    const original_messages = [
      message("1", "buyer", "hi"),
      message("2", "buyer", "please?"),
      message("3", "agent", "Hello."),
    ]
    expect(styleOf(tinyScript(["Planned."], { original_messages }))).toMatchObject({
      messages: 2,
      length_mean: 4.5,
      burst_mean: 2,
      asks: 0.5,
      polite: 0.5,
      lower_case: 1,
      hours: [9],
    })
    expect(styleOf(tinyScript(["Planned."]))).toMatchObject({ messages: 1, ends_with_stop: 1, lower_case: 0 })
    expect(styleOf(tinyScript([], { segments: [] }))).toBeUndefined()
  })

  it("drift is told in words, and only where it is far", () => {
    const style = styleOf(tinyScript(["hi, where is my lamp", "ok", "and when"]))!
    expect(driftOf("so when does it come then", style)).toEqual([])
    expect(driftOf("Dear Sir or Madam, I write to you.", style)).toEqual(["written as a letter"])
    expect(driftOf("- one thing\n- another thing", style)).toEqual(["laid out as a list or a document"])
    expect(driftOf("我的台灯到底什么时候能到啊", style)).toEqual(["another language"])
    expect(driftOf("x".repeat(200), style)).toHaveLength(1)
  })
})

describe("minutes of the story", () => {
  const now = "2026-03-01T20:00:00.000Z" as ScriptTime
  it.each([
    ["14:30", "America/New_York", "2026-03-01T19:30:00.000Z"],
    ["2026-07-01 14:30", "America/New_York", "2026-07-01T18:30:00.000Z"],
    ["04:05", "Asia/Shanghai", "2026-03-01T20:05:00.000Z"],
    ["soon", "Asia/Shanghai", undefined],
    ["2026-02-30 10:00", "Asia/Shanghai", undefined],
    ["25:00", "Asia/Shanghai", undefined],
  ])("%s in %s", (text, zone, expected) => expect(minuteIn(text, zone, now)).toBe(expected))
})
