import fc from "fast-check"
import { expect, test } from "vitest"
import { readPriceText } from "./price-text.ts"

test.each([
  ["", []],
  ["12.9", ["12.9"]],
  ["12.90", ["12.9"]],
  ["12.00", ["12"]],
  ["0", ["0"]],
  ["$12.90", ["12.9"]],
  ["12,90 €", ["12.9"]],
  ["1,299.00", ["1299"]],
  ["1.299,00", ["1299"]],
  ["1,299", ["1299"]],
  ["1.299", ["1.299"]],
  ["1,299,000", ["1299000"]],
  ["1 299,00 kr", ["1299"]],
  ["CHF 1'299.50", ["1299.5"]],
  ["USD 12", ["12"]],
  ["￥1299元", ["1299"]],
  ["１２．５", ["12.5"]],
  ["10 - 15", ["10", "15"]],
  ["¥15~¥10", ["10", "15"]],
  ["10 至 15", ["10", "15"]],
  ["10-10", ["10"]],
])("%j is %j", (text, prices) => {
  expect(readPriceText(text)).toEqual({ prices })
})

test.each([
  "free",
  "询价",
  "2 for 10",
  "12.99/100g",
  "-5",
  "1,29,900",
  "12.9.9",
  "10-15-20",
  "1 2",
  "9".repeat(80),
  "$",
  "12 or less",
])("%j is no price, and the reason quotes it", (text) => {
  expect(readPriceText(text)).toEqual({ fault: expect.stringContaining(text.slice(0, 10)) })
})

test("amounts written by any of the usual conventions are read back", () => {
  const cents = fc.integer({ min: 0, max: 99_999_999_99 })
  const convention = fc.constantFrom([",", "."], [".", ","], [" ", ","], ["'", "."], ["", "."], ["", ","])
  fc.assert(
    fc.property(cents, convention, fc.constantFrom("", "$", "¥", "€ "), (cents, [group = "", point = "."], sign) => {
      const whole = String(Math.floor(cents / 100)).replace(/(?<=\d)(?=(?:\d{3})+$)/g, group)
      const read = readPriceText(`${sign}${whole}${point}${String(cents % 100).padStart(2, "0")}`)
      expect("prices" in read && read.prices.map(Number)).toEqual([cents / 100])
    }),
  )
})
