import { describe, expect, it } from "vitest"
import { titleTerms } from "./title-terms.ts"

describe("title terms", () => {
  it.each([
    ["灯 A1", ["a1", "灯"]],
    ["智能热洗白色洗地机", ["智能", "能热", "热洗", "洗白", "白色", "色洗", "洗地", "地机"]],
    ["Sony WH-1000XM5 降噪 USB-C/3.0", ["sony", "wh-1000xm5", "usb-c/3.0", "降噪"]],
    ["白白白 A a", ["a", "白白"]],
    ["！？", []],
  ])("of %j as the reference without spaCy: %j", (title, terms) => {
    expect(titleTerms(title, "han-bigram-latin-number-v1")).toEqual(terms)
  })

  it("are nouns in Chinese", () => {
    const terms = titleTerms("十月结晶防胀气纸尿裤加厚新款轻便", "jieba-nouns-1")
    expect(terms).toContain("纸尿裤")
    expect(terms).not.toContain("轻便")
    expect(titleTerms("蓝牙耳机 Type-C 防水", "jieba-nouns-1")).toEqual(expect.arrayContaining(["耳机", "type"]))
  })

  it("are words in English, without those that say nothing", () => {
    expect(titleTerms("The Men's Wall-Mount Shelf for a Café, 2.5L", "english-words-1")).toEqual([
      "men",
      "wall-mount",
      "shelf",
      "café",
      "2.5l",
    ])
  })

  it("fall back to neighbouring characters where there is no such word", () => {
    expect(titleTerms("轻便", "jieba-nouns-1")).toEqual(["轻便"])
    expect(titleTerms("for the", "english-words-1")).toEqual(["for", "the"])
  })
})
