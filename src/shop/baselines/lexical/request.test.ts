import { describe, expect, it } from "vitest"
import { chooseOption, scoresOf } from "./appraise.ts"
import { readRequest } from "./request.ts"
import { mentions } from "./text.ts"

describe("a request", () => {
  const cases: [string, "zh" | "en", number | null, string[]][] = [
    ["想买修身版型的男士T恤，雾蓝那款，不超过150元，麻烦看看。", "zh", 150, ["修身版型 男士t恤 雾蓝", "男士t恤"]],
    ["求推荐一条裙子：能显腰，预算200左右，谢谢！", "zh", 220, ["裙子 能显腰", "裙子"]],
    ["周末环湖骑。骑行头盔有推荐的吗，价格不限", "zh", null, ["周末环湖骑 骑行头盔", "骑行头盔"]],
    ["帮我找一个多功能、双胆的洗地机，规格选50ml，最高660块，谢谢", "zh", 660, ["多功能 双胆 洗地机 50ml", "洗地机"]],
    [
      "I'm looking for a portable charger that's drop proof. Budget is $25-$45.",
      "en",
      45,
      ["portable charger drop proof", "portable charger"],
    ],
    ["Can anyone recommend a rain jacket under 90 bucks? Size: M.", "en", 90, ["rain jacket size m", "rain jacket"]],
  ]
  for (const [text, language, upper, queries] of cases) {
    it(`is searched for by what it says, not by courtesy or money: ${text}`, () => {
      const request = readRequest(text, [], language)
      expect(request.upper).toBe(upper)
      expect(request.queries.slice(0, 2)).toEqual(queries)
    })
  }

  it("takes from the profile what is about the thing wanted", () => {
    const profile = ["雾蓝 连衣裙", "抽纸", "2025-01-01 10:00:00"]
    expect(readRequest("想买一条连衣裙", profile, "zh").queries[0]).toBe("连衣裙 雾蓝 连衣裙")
  })

  it("never fails on odd texts", () => {
    for (const text of ["", " ", "的的的", "[[]]", "想买", "???", "I need", "a".repeat(100_000), "找".repeat(50_000)]) {
      expect(() => readRequest(text, [text], "zh")).not.toThrow()
      expect(() => readRequest(text, [text], "en")).not.toThrow()
    }
  })
})

it("a value is named by whole words", () => {
  expect(mentions("尺码28，128元", "28")).toBe(true)
  expect(mentions("只要128", "28")).toBe(false)
  expect(mentions("size 9.5 please", "9")).toBe(false)
  expect(mentions("size 9. in red", "9")).toBe(true)
  expect(mentions("穿xl码", "l")).toBe(false)
  expect(mentions("穿l码", "l")).toBe(true)
  expect(mentions("an infrared lamp", "red")).toBe(false)
  expect(mentions("白/藏青条纹", "白")).toBe(true)
})

describe("an option", () => {
  const choose = (text: string, values: string[], persona: string[] = []) =>
    chooseOption({ values }, readRequest(text, persona, "zh"))

  it("is the longest value that is named", () => {
    expect(choose("要深灰色的裤子", ["灰色", "深灰色", "黑色"])).toEqual({ value: "深灰色", certainty: 1 })
    expect(choose("颜色要黑/蓝/红混装", ["黑色", "黑 | 蓝 | 红混装"])).toMatchObject({ value: "黑 | 蓝 | 红混装" })
  })

  it("is rather what the shopper says than what the profile says", () => {
    expect(choose("要黑色", ["白色", "黑色"], ["白色 台灯"])).toMatchObject({ value: "黑色" })
    expect(choose("要台灯", ["黑色", "白色"], ["白色 台灯"])).toMatchObject({ value: "白色" })
  })

  it("may be dressed up by the seller", () => {
    expect(choose("要雾蓝的", ["黑色", "雾蓝【新色】"])).toMatchObject({ value: "雾蓝【新色】" })
  })

  it("is the first value, without certainty, where nothing is named", () => {
    expect(choose("要台灯", ["黑色", "白色"])).toEqual({ value: "黑色", certainty: 0 })
  })
})

it("products are ranked by what they have of the request, rare things first", () => {
  const product = (asin: string, title: string, attributes: string[] = []) => {
    return { asin, title, category: "家居›灯具", price: null, attributes }
  }
  const request = readRequest("想买一个护眼的折叠台灯", [], "zh")
  const scores = scoresOf([product("1", "台灯"), product("2", "折叠台灯"), product("3", "折叠台灯", ["护眼"])], request)
  expect([...scores].sort(([, a], [, b]) => b - a).map(([asin]) => asin)).toEqual(["3", "2", "1"])
})
