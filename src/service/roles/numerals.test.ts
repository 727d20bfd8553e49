import fc from "fast-check"
import { expect, it } from "vitest"
import { chineseNumber, englishNumber, englishOrdinal, numbersOf, sameQuantity } from "./numerals.ts"

it.each([
  ["twelve", 12],
  ["a twelve", 12],
  ["two fifty", 250],
  ["three hundred and thirty-nine", 339],
  ["two thousand five", 2005],
  ["seventy-one forty-nine", 71.49],
  ["a hundred forty six ninety five", 146.95],
  ["nineteen ninety nine", 19.99],
  ["twelve apples", undefined],
])("%s", (text, value) => expect(englishNumber(text)).toBe(value))

it.each([
  ["两百六十九", 269],
  ["三百五", 350],
  ["三百零五", 305],
  ["十五", 15],
  ["一万二", 12_000],
  ["三三九", 339],
])("%s", (text, value) => expect(chineseNumber(text)).toBe(value))

it("ordinals", () => {
  expect(["sixth", "twenty-first", "thirtieth", "thirty-first"].map(englishOrdinal)).toEqual([6, 21, 30, 31])
  expect(englishOrdinal("last")).toBeUndefined()
})

it("every number of a text, in digits or words, and the same in a smaller unit", () => {
  expect(numbersOf("both for 1,020.50, or 两条")).toEqual(expect.arrayContaining(["2", "1020.5"]))
  expect(sameQuantity("2 year")).toEqual(["24"])
  expect(sameQuantity("2 oz")).toEqual([])
})

it("reads the Chinese number that was written", () => {
  const digits = "零一二三四五六七八九"
  const write = (value: number) => {
    const [hundreds, tens, ones] = [Math.floor(value / 100), Math.floor(value / 10) % 10, value % 10] as const
    const middle = tens > 0 ? `${digits[tens]}十` : ones > 0 ? "零" : ""
    return `${digits[hundreds]}百${middle}${ones > 0 ? digits[ones] : ""}`
  }
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 999 }), (value) => {
      expect(chineseNumber(write(value))).toBe(value)
    }),
  )
})
