import fc from "fast-check"
import { expect, test } from "vitest"
import { floatText, numberText } from "./python-number.ts"

test.each([
  [520, "520.0"],
  [0, "0.0"],
  [-0, "-0.0"],
  [0.1, "0.1"],
  [1e15, "1000000000000000.0"],
  [9999999999999998, "9999999999999998.0"],
  [1e16, "1e+16"],
  [1.5e16, "1.5e+16"],
  [123456789012345680, "1.2345678901234568e+17"],
  [1e100, "1e+100"],
  [0.0001, "0.0001"],
  [0.00012345, "0.00012345"],
  [0.00001, "1e-05"],
  [-1.25e-7, "-1.25e-07"],
  [5e-324, "5e-324"],
  [220.00000000000003, "220.00000000000003"],
  [Number.NaN, "nan"],
  [Number.POSITIVE_INFINITY, "inf"],
  [Number.NEGATIVE_INFINITY, "-inf"],
])("floatText(%d) is %s, as Python prints it", (value, text) => {
  expect(floatText(value)).toBe(text)
})

test.each([
  ["520", "520"],
  ["520.0", "520.0"],
  ["520.50", "520.5"],
  ["-0", "0"],
  ["-0.0", "-0.0"],
  ["1e3", "1000.0"],
  ["1E16", "1e+16"],
  ["12345678901234567890123", "12345678901234567890123"],
  ["1e400", "inf"],
  ["NaN", "nan"],
  ["-Infinity", "-inf"],
])("numberText(%s) is %s", (source, text) => {
  expect(numberText(source)).toBe(text)
})

test.each(["", "01", "1.", ".5", "+1", "0x10", "1_000", " 1", "nan"])("%j is not a JSON number", (source) => {
  expect(() => numberText(source)).toThrow(SyntaxError)
})

test("every float reads back to itself and keeps its text", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const text = floatText(value)
      expect(Number(text)).toBe(value)
      expect(text).toMatch(/[.e]/)
      expect(numberText(text)).toBe(text)
    }),
  )
})
