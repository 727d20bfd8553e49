import { expect, it } from "vitest"
import { saysNothing } from "./silence.ts"

it.each([
  ["*checks phone*", "Which order is it?"],
  ["The customer waits for a reply.", undefined],
  ["Let me think for a sec", "What would you like me to do about it?"],
  ["Got it, thanks for your help.", "What is the new address?"],
  ["Sounds good, thank you!", "To which color and size shall I change it?"],
])("says nothing: %s", (text, heard) => expect(saysNothing(text, "en", heard)).toBe(true))

it.each([
  ["……", "请问是哪个订单？"],
  ["（等待客服回复）", "请告诉我订单号。"],
  ["OK", "好的，要改成什么颜色、什么尺码？"],
  ["我想想。", "请问您看中的是哪一款？"],
])("says nothing: %s", (text, heard) => expect(saysNothing(text, "zh", heard)).toBe(true))

it.each([
  ["ok", "I would cancel it. Shall I go ahead?", "en"],
  ["thanks a lot!", "It is cancelled.", "en"],
  ["Thinking about cancelling my order AB12345. Please do it", undefined, "en"],
  ["pearl", "Which color would you like?", "en"],
  ["好的", "确认取消吗？", "zh"],
  ["深灰", "要改成什么颜色？", "zh"],
] as const)("says something: %s", (text, heard, language) => expect(saysNothing(text, language, heard)).toBe(false))
