import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Random } from "../../core/random.ts"
import { planBudget } from "./amounts.ts"
import { decimalAsin, letterAsin } from "./asin.ts"
import { englishSayings } from "./en/sayings.ts"
import { describedQualities, headNoun as englishNoun } from "./en/words.ts"
import { drawPriceStyle, priceText } from "./prices.ts"
import { dropEmptyClauses, fill } from "./sentence.ts"
import { chineseNumeral } from "./zh/numerals.ts"
import { chineseSayings } from "./zh/sayings.ts"
import { headNoun as chineseNoun, tellingWords } from "./zh/words.ts"

describe("sentences", () => {
  const chinese = { ends: "。？！", joins: "，：；" }
  const say = (template: string, slots: Record<string, string>) => dropEmptyClauses(fill(template, slots), chinese)

  it("leave out the clauses of empty slots, with their marks", () => {
    const template = "想买{np}，{attrs}，{opts}，{budget}。"
    expect(say(template, { np: "一顶帐篷", attrs: "要双层的", opts: "", budget: "" })).toBe("想买一顶帐篷，要双层的。")
    expect(say(template, { np: "一顶帐篷", attrs: "", opts: "军绿", budget: "500以内" })).toBe(
      "想买一顶帐篷，军绿，500以内。",
    )
    expect(say("{budget}，想买{np}。", { np: "一顶帐篷", budget: "" })).toBe("想买一顶帐篷。")
  })

  it("leave out empty words among others", () => {
    expect(say("{ask} {words} {values} {budget}", { ask: "帐篷", words: "双层", values: "", budget: "" })).toBe(
      "帐篷 双层",
    )
    expect(say("{ask} {words} {values}，{budget}", { ask: "帐篷", words: "", values: "", budget: "500内" })).toBe(
      "帐篷，500内",
    )
    const english = { ends: ".?!", joins: ",:" }
    const filled = fill("I need {np} {mods} {under}. {opts}.", { np: "a tent", mods: "", under: "under $90", opts: "" })
    expect(dropEmptyClauses(filled, english)).toBe("I need a tent under $90.")
  })
})

describe("budgets", () => {
  it("admit the price, and exclude a dearer rival where a whole amount lies between", () => {
    const price = fc.double({ min: 0.5, max: 20_000, noNaN: true }).map((value) => Math.round(value * 100) / 100)
    fc.assert(
      fc.property(
        fc.nat(),
        price,
        fc.option(fc.double({ min: 1.0001, max: 3, noNaN: true })),
        (seed, amount, factor) => {
          const plan = planBudget(new Random(seed), amount, factor === null ? null : amount * factor)
          if (!("upper" in plan)) throw new Error("no upper end")
          expect(plan.upper).toBeGreaterThanOrEqual(amount)
          expect(plan.upper).toBeLessThanOrEqual(amount * 2.3 + 6)
          if (plan.kind === "range") expect(plan.low).toBeLessThan(amount)
          if (plan.kind === "approximate") expect(plan.upper).toBeCloseTo(plan.amount * 1.1, 2)
        },
      ),
    )
    const tight = Array.from({ length: 200 }, (_, seed) => planBudget(new Random(seed), 361, 395))
    const excluding = tight.filter((plan) => "upper" in plan && plan.upper < 395)
    expect(excluding.length).toBeGreaterThan(150)
  })
})

describe("other words for option values", () => {
  it.each([
    ["颜色", "雾蓝", ["蓝色"]],
    ["颜色", "白色", []],
    ["颜色", "黑/白", ["黑白拼色"]],
    ["颜色", "奶咖", ["棕色系"]],
    ["重量", "2.5kg", ["5斤", "五斤"]],
    ["重量", "250g", ["半斤"]],
    ["净含量", "100g", ["二两"]],
    ["尺寸", "1.8m床", ["一米八的床"]],
    ["容量", "500ml", ["500毫升"]],
    ["数量", "3双", ["三双"]],
    ["尺码", "XL", ["加大码"]],
    ["尺码", "38", []],
  ])("%s %s", (axis, value, sayings) => {
    expect(chineseSayings(axis, value)).toEqual(sayings)
  })

  it.each([
    ["Color", "Charcoal", ["dark gray"]],
    ["Color", "Black", []],
    ["Color", "White/Green", ["white with green"]],
    ["Size", "XL", ["extra large"]],
    ["Size", "12 oz", ["12-ounce"]],
    ["Capacity", "4 qt", ["4-quart"]],
    ["Pack", "2 Pack", ["two in a pack"]],
    ["Count", "12", ["a dozen"]],
    ["Size", "9", []],
  ])("%s %s", (axis, value, sayings) => {
    expect(englishSayings(axis, value)).toEqual(sayings)
  })

  it("numbers are said as people say them", () => {
    expect([8, 10, 12, 20, 105, 110, 200, 350, 1200, 2050].map(chineseNumeral)).toEqual([
      "八",
      "十",
      "十二",
      "二十",
      "一百零五",
      "一百一十",
      "两百",
      "三百五十",
      "一千两百",
      "两千零五十",
    ])
  })
})

describe("what a title is about", () => {
  it.each([
    ["秋冬保暖加厚澳洲羊毛被", "羊毛被"],
    ["澳洲纯羊毛盖毯 加厚款", "盖毯"],
    ["新生彩棉初衣礼盒（婴童）", "礼盒"],
    ["100年传世珐琅锅 全家系列", "珐琅锅"],
  ])("%s", (title, noun) => {
    expect(chineseNoun({ title, category: "居家›被枕" })).toBe(noun)
  })

  it.each([
    ["DHP Emily Rectangular Storage Ottoman, Grey Linen", "storage ottoman"],
    ["Amish Country Popcorn | Old Fashioned Microwave Popcorn", "popcorn"],
    ["Men's Long Sleeves Sporty Sweatshirt, Man Casual", "sweatshirt"],
    ["Mermaid 4-in-1 Comforter Set, Queen", "comforter set"],
  ])("%s", (title, noun) => {
    expect(englishNoun({ title })).toBe(noun)
  })

  it("and what sets it apart", () => {
    expect(tellingWords({ title: "日式和风懒人沙发" }, "沙发")).toContain("日式")
    const found = describedQualities({ title: "Bamboo Noise-Cancelling Headphones with Remote Control" }, "headphones")
    expect(found).toEqual([
      { text: "noise-cancelling", form: "is", clauses: [] },
      { text: "bamboo", form: "of", clauses: [] },
      { text: "remote control", form: "with", clauses: [] },
    ])
  })
})

it("no two products of a store share an id", () => {
  for (const asin of [decimalAsin, letterAsin]) {
    const ids = Array.from({ length: 50_000 }, (_, index) => asin(index * 26, 7))
    expect(new Set(ids).size).toBe(ids.length)
    expect(asin(1_299_999, 7)).toMatch(/^(?:\d{12}|b0[0-9a-z]{8})$/)
  }
})

it("prices are spelled one way by one seller, and never below one", () => {
  for (let seed = 0; seed < 300; seed++) {
    const style = drawPriceStyle(new Random(seed), seed % 2 === 0 ? "zh" : "en")
    for (const amount of [0.2, 7.3, 99.6, 512.34, 20_000]) {
      const text = priceText(style.price(amount), style.spelling)
      expect(Number(text)).toBeGreaterThanOrEqual(1)
      expect(text).toMatch({ integer: /^\d+$/, float: /^\d+\.0$/, decimal: /^\d+\.\d\d?$/ }[style.spelling])
    }
  }
})
