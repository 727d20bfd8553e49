import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { fuzzyRatio } from "./fuzzy.ts"

describe("fuzzy ratio", () => {
  it.each([
    ["白色", "白色", 100],
    ["黑色", "白色", 50],
    ["深海blue色", "天空blue款", 57],
    ["纯棉 加厚", "纯棉", 100],
    ["纯棉加厚", "纯棉", 67],
    ["256gb 黑色", "256GB黑色", 93],
    ["黑色 | 大号", "黑色/大号", 100],
    ["xl", "xxl", 80],
    ["智能热洗", "智能热洗机", 89],
    ["深蓝色", "浅蓝色", 67],
    ["白色套装版本一", "白色套装版本二", 86],
    ["白色加绒款高领", "白色加绒款圆领", 86],
    ["1234567", "1234568", 86],
    ["?", "白色", 0],
    ["?", "!", 100],
    ["", "白色", 0],
    ["黑色", "黑色 大号", 100],
  ])("of %j and %j is %d", (left, right, ratio) => {
    expect(fuzzyRatio(left, right)).toBe(ratio)
  })

  // computed with CPython 3.11: casefold, re's \W, sorted and difflib
  it.each([
    ["Straße", "STRASSE", 100],
    ["İstanbul", "i̇stanbul", 100],
    ["a_b c-d", "d c a_b", 100],
    ["½ ² Ⅷ", "½²Ⅷ", 50],
    ["e\u0301te", "ete", 86],
    ["ab cd", "ab ef", 60],
    ["一".repeat(210), `${"一".repeat(209)}二`, 100],
  ])("folds case and knows words of all scripts: %.20s, %.20s", (left, right, ratio) => {
    expect(fuzzyRatio(left, right)).toBe(ratio)
  })

  it("is an integer from 0 to 100, and 100 for texts of the same words", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "B", "黑", "白", "1", "_", "𠮷"), minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(fc.array(word, { maxLength: 5 }), fc.array(word, { maxLength: 5 }), (left, right) => {
        const ratio = fuzzyRatio(left.join(" "), right.join("/"))
        expect(Number.isInteger(ratio) && ratio >= 0 && ratio <= 100).toBe(true)
        expect(fuzzyRatio(left.join(" "), [...left].reverse().join(", "))).toBe(100)
      }),
    )
  })
})
