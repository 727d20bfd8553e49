import { expect, it } from "vitest"
import { storiesOf } from "./stories.ts"

it.each([
  "my husband ordered it for me",
  "The delivery driver just threw it over the fence.",
  "the fire department had to come",
  "I paid with my Visa",
  "I already emailed you about this",
  "I've been a customer for eight years",
])("tells of what nobody spoke of: %s", (text) => expect(storiesOf(text, "en", "", false)).not.toEqual([]))

it.each([
  "我老婆说太小了",
  "快递员说包裹丢了",
  "我有个口令码能减40的",
  "上回你们还欠我一双袜子",
  "拿去维修店看了",
  "17楼找前台",
])("tells of what nobody spoke of: %s", (text) => expect(storiesOf(text, "zh", "", false)).not.toEqual([]))

it.each([
  ["I'll call my bank", "en"],
  ["could you give me a discount code", "en"],
  ["that is a pity, thank you", "en"],
  ["再不处理我就打12315", "zh"],
  ["能不能给我张优惠券", "zh"],
  ["谢谢，我再看看", "zh"],
] as const)("tells of nothing: %s", (text, language) => expect(storiesOf(text, language, "", false)).toEqual([]))

it("what is known is no news, and a question tells nothing", () => {
  expect(storiesOf("my husband ordered it", "en", "my husband ordered it", false)).toEqual([])
  expect(storiesOf("did the driver leave it somewhere?", "en", "", true)).toEqual([])
})
