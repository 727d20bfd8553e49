import { describe, expect, it } from "vitest"
import { tinyScript } from "../../testing/tiny-service.ts"
import { leavesEarly, unasked } from "./leaving.ts"

const EN = tinyScript(["please cancel my order AB12345", "when do I get the money back?"])
const ZH = { ...tinyScript(["取消订单AB12345", "什么时候退款"]), language: "zh" as const }

/** Of a buyer that has asked all it came for, and then leaves with `text` after it heard `heard`. */
function early(text: string, heard: string, script = EN): boolean {
  const said = script.segments.flatMap(({ texts }) => texts)
  return leavesEarly({ text, heard, said, told: ["By 2026-03-09. 预计2026-03-09", heard], script, last: true })
}

describe("leaving too early", () => {
  it.each([
    ["Yes please, thanks, bye!", "Shall I cancel it?"],
    ["Sounds good. Good night then!", "I would open a ticket. Shall I?"],
    ["whatever. goodbye.", "Would a credit of $10.00 be fair?"],
    ["Thanks for checking. Have a good one!", "It comes in Pine. Would that work?"],
    ["no point going on, I'm logging off now", "Is anything wrong with them?"],
    ["Thank you, bye", "Which card did you pay with?"],
  ])("%s", (text, heard) => expect(early(text, heard)).toBe(true))

  it.each([
    ["好的，谢谢，再见", "确认取消吗？"],
    ["需要，谢谢你，再会", "我可以帮您催一下，需要吗？"],
    ["得，告辞", "请问是不是有质量问题？"],
    ["谢谢您，再见", "请提供订单号。"],
  ])("%s", (text, heard) => expect(early(text, heard, ZH)).toBe(true))

  it.each([
    ["Nope, have a good one", "Yes, please send both. Is there anything else?"],
    ["No, that is all. Bye", "Thank you for telling us. Can I do more for you?"],
    ["no thanks, bye", "Shall I send you a voucher?"],
    ["not for 91.99 no. bye", "Would you like to keep the order at $91.99?"],
    ["Neither, bye", "Which of them would you like?"],
  ])("not: %s", (text, heard) => expect(early(text, heard)).toBe(false))

  it.each([
    ["没，再见", "如果您有订单要查，我很乐意。有吗？"],
    ["没了，谢谢，拜", "好的。还有问题吗？"],
    ["不用了，再见", "要帮您留一件吗？"],
  ])("not: %s", (text, heard) => expect(early(text, heard, ZH)).toBe(false))

  it("a planned question that never came up is unasked, unless the shop has answered it", () => {
    expect(unasked(EN, ["please cancel my order AB12345"], ["It is cancelled."])).toBe(true)
    expect(
      unasked(EN, ["please cancel my order AB12345"], ["It is cancelled; the money is expected by 2026-03-09."]),
    ).toBe(false)
    expect(unasked(EN, ["please cancel my order AB12345", "how long will the refund take?"], [])).toBe(false)
  })
})
