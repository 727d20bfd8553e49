import { expect, it } from "vitest"
import { claimsOf } from "./claims.ts"

it.each([
  ["Patient, checks back.", "I need it by tomorrow", "en"],
  ["The tees are too small.", "they are way too big", "en"],
  ["never used it", "I've used it every morning", "en"],
  ["Return both tees.", "I'd rather hang on to them", "en"],
  ["earbuds with ANC", "the ones without ANC", "en"],
  ["不着急。", "我急得很，今天必须拿到", "zh"],
  ["怕冷。", "我怕热", "zh"],
  ["家里两只猫。", "家里养了一只狗", "zh"],
  ["每周游泳两次。", "我从来不游泳的", "zh"],
] as const)("%s against: %s", (card, text, language) =>
  expect(claimsOf(text, language, [card], []).map(({ kind }) => kind)).toEqual(["state"]),
)

it.each([
  ["Patient, checks back.", "I'm in no hurry", "en"],
  ["has a big crack", "the same again, just not cracked", "en"],
  ["opened one", "and the one I didn't open?", "en"],
  ["不着急。", "反正也不着急用", "zh"],
  ["怕冷。", "这下冬天不怕冷了", "zh"],
] as const)("%s and: %s", (card, text, language) => expect(claimsOf(text, language, [card], [])).toEqual([]))
