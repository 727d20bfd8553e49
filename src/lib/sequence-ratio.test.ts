import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { sequenceRatio } from "./sequence-ratio.ts"

describe("sequence ratio", () => {
  // computed with CPython 3.11's difflib
  it.each([
    ["abcd", "bcde", 0.75],
    ["", "a", 0],
    ["", "", 1],
    ["白色加绒款高领", "白色加绒款圆领", 0.8571428571428571],
    ["𠀀𠮷a", "𠮷𠀀a", 0.6666666666666666],
    ["private Thread", "private volatile Thread", 0.7567567567567568],
    ["tide", "diet", 0.25],
    ["diet", "tide", 0.5],
  ])("of %j and %j is difflib's", (left, right, ratio) => {
    expect(sequenceRatio(left, right)).toBe(ratio)
  })

  it.each([
    ["199 characters: no junk yet", "x".repeat(199), `${"x".repeat(198)}y`, 0.9949748743718593],
    ["200 characters: nothing starts a match", "x".repeat(200), `y${"x".repeat(199)}`, 0],
    ["a frequent character still prolongs a match", "x".repeat(201), `${"x".repeat(199)}yz`, 0.9900497512437811],
    ["equal texts, all junk", "ab".repeat(150), "ab".repeat(150), 1],
    ["all junk but the end", "ab".repeat(150), `${"ab".repeat(149)}c`, 0.994991652754591],
    [
      "no match at all",
      `${"的".repeat(120)}${"一二三四五".repeat(20)}`,
      `${"一二三四五".repeat(20)}${"的".repeat(120)}`,
      0,
    ],
  ])("ignores frequent characters of long texts: %s", (_, left, right, ratio) => {
    expect(sequenceRatio(left, right)).toBe(ratio)
  })

  it("lies between 0 and 1, and is 1 for equal texts only", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "c", "黑", "𠮷"), maxLength: 300 })
    fc.assert(
      fc.property(text, text, (left, right) => {
        const ratio = sequenceRatio(left, right)
        expect(ratio).toBeGreaterThanOrEqual(0)
        expect(ratio).toBeLessThanOrEqual(1)
        expect(ratio === 1).toBe(left === right)
        expect(sequenceRatio(left, left)).toBe(1)
      }),
    )
  })
})
