import { describe, expect, it } from "vitest"
import { foldText, modelText, normalizeQuery, partsOf, tokenize } from "./tokens.ts"

describe("a query's normal form and tokens", () => {
  it.each([
    ["  迷你，冰箱 100 CNY ", "迷你 冰箱 100元", "迷你 冰箱 元 100"],
    ["小冰箱", "小冰箱", "小冰 冰箱"],
    ["Sony WH-1000XM5 降噪耳机", "sony wh-1000xm5 降噪耳机", "降噪 噪耳 耳机 sony wh-1000xm5"],
    ["冰", "冰", "冰"],
    ["１２３ＡＢＣ", "123abc", "123abc"],
    ["价格100块钱、包邮!", "价格100元 包邮", "价格 元 包邮 100"],
    ["50rmb", "50元", "元 50"],
    ["蓝牙5.3耳机", "蓝牙5.3耳机", "蓝牙 耳机 5.3"],
    ["冰箱冰箱", "冰箱冰箱", "冰箱 箱冰"],
    ["", "", ""],
    ["USB-C/3.0线", "usb-c/3.0线", "线 usb-c/3.0"],
    ["★!?", "★", ""],
    ["男 鞋 42码", "男 鞋 42码", "男 鞋 码 42"],
    ["9.9元", "9.9元", "元 9.9"],
    ["x-", "x-", "x"],
    // Joints count only singly, and only inside.
    ["-a.b--c_d+", "-a.b--c_d+", "a.b c_d"],
    ["T-460+20000", "t-460+20000", "t-460+20000"],
    // Full-width joints are joints, full-width marks are not.
    ["ＫＪ－１２９ｓ／Ｘ（黑）", "kj-129s/x(黑)", "黑 kj-129s/x"],
    // A currency word needs a digit before it and a word's end after it, in any script.
    ["100 人民币", "100 元", "元 100"],
    ["100  RMB。", "100元", "元 100"],
    ["5yuan包邮", "5yuan包邮", "包邮 5yuan"],
    ["cny 100", "cny 100", "cny 100"],
    ["٣ cny", "٣元", "元"],
    // Full case folding and compatibility forms.
    ["STRAẞE Straße", "strasse strasse", "strasse"],
    ["ﬁre ²x", "fire 2x", "fire 2x"],
    ["café", "café", "caf"],
    ["K", "k", "k"],
    // Python's white space, not ECMAScript's.
    ["a\u001cb\u0085c", "a b c", "a b c"],
    ["a\ufeffb", "a\ufeffb", "a b"],
    // The borders of the two Han ranges; what lies outside separates.
    ["\u3400\u4dbf\u4e00\u9fff", "\u3400\u4dbf\u4e00\u9fff", "\u3400\u4dbf \u4dbf\u4e00 \u4e00\u9fff"],
    ["冰\u4dc0箱\ua000冷\u{20000}藏かな", "冰\u4dc0箱\ua000冷\u{20000}藏かな", "冰 箱 冷 藏"],
  ])("%j", (text, normalized, tokens) => {
    expect(normalizeQuery(text)).toBe(normalized)
    expect(tokenize(text).join(" ")).toBe(tokens)
    expect(tokenize(normalized)).toEqual(tokenize(text))
  })
})

it("a title's models are its tokens with letters and digits", () => {
  const model = (title: string) => modelText(foldText(title))
  expect(model("索尼 WH-1000XM5 耳机")).toBe("wh-1000xm5")
  expect(model("iPhone15Pro max")).toBe("iphone15pro")
  expect(model("蓝牙5.3")).toBe("")
  expect(model("T-460+20000 1.5L T-460+20000")).toBe("t-460+20000 1.5l")
})

it("a compound has the parts between its joints", () => {
  expect(partsOf("usb-c/3.0_a+b")).toEqual(["usb", "c", "3", "0", "a", "b"])
})
