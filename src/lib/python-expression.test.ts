import { describe, expect, it } from "vitest"
import { PythonError } from "./python-arithmetic.ts"
import { pythonExpression } from "./python-expression.ts"

/** Expected values are what CPython 3.11 prints. */
describe("Python's arithmetic", () => {
  it.each<[string, bigint | number]>([
    ["2 + 2", 4n],
    ["1 / 2", 0.5],
    ["7 // 2", 3n],
    ["-7 // 2", -4n],
    ["7 // -2.0", -4],
    ["-2 ** 2", -4n],
    ["2 ** -1", 0.5],
    ["2 ** 3 ** 2", 512n],
    ["2 ** -2 ** 2", 0.0625],
    ["--3", 3n],
    ["1 - -1", 2n],
    ["(1 + 2) * 3.", 9],
    [" .5 * 00", 0],
    ["09.5", 9.5],
    ["9007199254740993 + 0", 9007199254740993n],
    ["9007199254740993 * 1.0", 9007199254740992],
    ["12345678901234567890123 / 3", 4.1152263004115226e21],
    ["10 ** 400 / 10 ** 399", 10],
    ["1 / 10 ** 400", 0],
    ["0 / -2", -0],
    ["0.0 // -1", -0],
    ["0 ** 0", 1n],
    ["-1 ** 9999999999999999999", -1n],
    ["0.1 + 0.2", 0.30000000000000004],
  ])("%s", (text, value) => {
    expect(pythonExpression(text)).toBe(value)
  })

  it.each([
    ["1 / 0", "division by zero"],
    ["1.0 / 0", "float division by zero"],
    ["1 // 0", "integer division or modulo by zero"],
    ["0 ** -1", "0.0 cannot be raised to a negative power"],
    ["2 +", "invalid syntax (<string>, line 1)"],
    ["", "invalid syntax (<string>, line 1)"],
    ["1 2", "invalid syntax (<string>, line 1)"],
    ["1 * * 2", "invalid syntax (<string>, line 1)"],
    ["2(3)", "'int' object is not callable"],
    ["(1)(2)", "'int' object is not callable"],
    ["()", "invalid syntax (<string>, line 1)"],
    ["(1", "'(' was never closed (<string>, line 1)"],
    ["1)", "unmatched ')' (<string>, line 1)"],
    ["...", "invalid syntax (<string>, line 1)"],
    ["007", /leading zeros/],
    ["(-8) ** 0.5", /complex/],
    ["10.0 ** 400", "(34, 'Numerical result out of range')"],
    ["10 ** 400 * 1.0", "int too large to convert to float"],
    ["9 ** 9 ** 9", /too large/],
    ["(".repeat(201), /too many nested parentheses/],
    [`${"2**".repeat(5000)}1`, /recursion/],
    ["9".repeat(4301), /4300 digits/],
  ])("%s is refused", (text, message) => {
    expect(() => pythonExpression(text)).toThrow(PythonError)
    expect(() => pythonExpression(text)).toThrow(message)
  })
})
