import { describe, expect, it } from "vitest"
import { tinyAxes, tinyBudget, tinyProduct, tinyTask } from "../../testing/tiny-shop.ts"
import { goalOf } from "../goal.ts"
import { shopperFaults } from "./check.ts"
import { factsOf } from "./facts.ts"
import type { ShopperBrief } from "./shopper.ts"

const en = briefOf("en", {
  product: tinyProduct({
    asin: "B0LAMP77",
    title: "Halden Mk370 Desk Lamp for Students, Three Colour Modes",
    brand: "Halden",
    category: "Office › Lamps",
    axes: tinyAxes({ Colour: { Mint: null, "Deep Navy": null, Coral: null }, Size: { "40": null, "42": null } }),
  }),
  task: {
    instruction: "I need a desk lamp with dimmer, in mint, size 40, up to $30.",
    instruction_simple: "I need a desk lamp.",
    attributes: ["dimmer"],
    options: ["Mint", "40"],
    option_axes: ["Colour", "Size"],
    upper: 30,
  },
})

const zh = briefOf("zh", {
  product: tinyProduct({
    asin: "621449307962",
    title: "拾柒月 护眼台灯 云和系列 学生书桌",
    brand: "拾柒月旗舰店",
    category: "家居›灯具›台灯",
    axes: tinyAxes({ 颜色: { 白色: null, 墨绿: null, 焦糖色: null } }),
  }),
  task: {
    instruction: "想买一盏台灯，无级调光的，要墨绿的，不超过100元。",
    instruction_simple: "想买一盏台灯。",
    attributes: ["无级调光"],
    options: ["墨绿"],
    option_axes: ["颜色"],
    upper: 100,
  },
})

interface Given {
  readonly product: ReturnType<typeof tinyProduct>
  readonly task: Partial<ReturnType<typeof tinyTask>> & { readonly upper: number }
}

function briefOf(language: "zh" | "en", { product, task: { upper, ...given } }: Given): ShopperBrief {
  const budget = { v8: tinyBudget(upper), souk: tinyBudget(upper) }
  const task = tinyTask({ asin: product.asin, ...given, budget })
  const facts = factsOf(task, language)
  return { task, language, product, facts, persona: { gender: "female" }, goal: goalOf(task, product, "souk") }
}

describe("a shopper's draft", () => {
  it.each([
    [en, "Get B0LAMP77."],
    [en, "get b0lamp77, please"],
    [en, "The Halden one."],
    [en, "I saw the HALDEN lamp and liked it."],
    [en, "It is called Mk370."],
    [en, "One for students."],
    [en, "Halden Mk370 Desk Lamp for Students, Three Colour Modes"],
    [zh, "就是621449307962。"],
    [zh, "拾柒月旗舰店的那个。"],
    [zh, "云和系列的。"],
    [zh, "学生用的。"],
  ])("leaks where it names the product: %#", (brief, text) => {
    expect(shopperFaults(text, brief)).toContain("leak")
  })

  it.each([
    [en, "About $50 is fine."],
    [en, "At most 25 dollars."],
    [en, "In coral, please."],
    [en, "Deep navy."],
    [en, "Size 42."],
    [zh, "预算200元以内。"],
    [zh, "要白色的。"],
    [zh, "焦糖色。"],
  ])("contradicts where it wants something else: %#", (brief, text) => {
    expect(shopperFaults(text, brief)).toEqual(["contradiction"])
  })

  it.each([
    [en, ""],
    [en, " … "],
    [zh, "。。。"],
  ])("is empty without a word: %#", (brief, text) => {
    expect(shopperFaults(text, brief)).toEqual(["empty"])
  })

  it.each([
    [en, "Up to $30."],
    [en, "I want a desk lamp with a dimmer, in mint, size 40."],
    [en, "Mint, not coral."],
    [en, "Any brand will do; I do not know the store."],
    [en, "I am a woman of 42."],
    [en, "As to colour: mint."],
    [zh, "不超过100元。"],
    [zh, "要墨绿的台灯，无级调光的。"],
    [zh, "颜色都可以。"],
    [zh, "我没有别的要求了。"],
  ])("has no fault where it says what the requirement says: %#", (brief, text) => {
    expect(shopperFaults(text, brief)).toEqual([])
  })
})

describe("a shopper's facts", () => {
  it("are worded as the requirement words them, by what is left of it where it uses other words", () => {
    const words = (brief: ShopperBrief) => brief.facts.map(({ id, words }) => [id, words])
    expect(words(en)).toEqual([
      ["attribute:0", "dimmer"],
      ["option:0", "mint"],
      ["option:1", "40"],
      ["budget", null],
    ])
    const task = tinyTask({
      asin: "1",
      instruction: "Need a desk lamp in light green. Must not flicker.",
      instruction_simple: "Need a desk lamp in light green.",
      attributes: ["flicker-free"],
    })
    expect(factsOf(task, "en").map(({ words }) => words)).toEqual(["Must not flicker"])
  })
})
