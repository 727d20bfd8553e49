import { expect, it } from "vitest"
import { tinyScript } from "../../testing/tiny-service.ts"
import { buyerCard } from "./card.ts"
import { dislikes, otherNameOf, otherSizeOf, ownNameSpokenTo } from "./self.ts"

const EN = buyerCard(
  tinyScript(["the navy tee please"], { buyer: { name: "Jo Field", about: "Wears L, takes white." } }),
)
const ZH = buyerCard({
  ...tinyScript(["要蓝色的"], { buyer: { name: "许可可", about: "平时穿32。" } }),
  language: "zh",
})

it.each([
  ["White is no good for me", EN, 1],
  ["I can't stand navy", EN, 1],
  ["navy is fine", EN, 0],
  ["我不喜欢蓝色", ZH, 1],
  ["蓝色挺好", ZH, 0],
] as const)("turns down a color of the card: %s", (text, card, found) =>
  expect(dislikes(card)(text)).toHaveLength(found),
)

it.each([
  ["I usually wear a medium", EN, 1],
  ["M would have been right", EN, 1],
  ["I wear L", EN, 0],
  ["I need a large one", EN, 0],
  ["我平时穿28的", ZH, 1],
  ["我平时穿32", ZH, 0],
] as const)("another size: %s", (text, card, found) => expect(otherSizeOf(text, card)).toHaveLength(found))

it("another name, where it is asked for; its own in the mouth of one who speaks to it", () => {
  expect(otherNameOf("Ann Miller", EN, "What is your name?")).toEqual(["Ann Miller"])
  expect(otherNameOf("Jo Field", EN, "What is your name?")).toEqual([])
  expect(otherNameOf("我姓王", ZH, undefined)).toEqual(["我姓王"])
  expect(ownNameSpokenTo("Hello Jo, it is on its way", EN)).toEqual(["Hello Jo"])
  expect(ownNameSpokenTo("Hello, this is Jo Field", EN)).toEqual([])
  expect(ownNameSpokenTo("许可可您好", ZH)).toEqual(["许可可您好"])
})
