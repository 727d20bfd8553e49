import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { ExactSum, Moments } from "./exact-sum.ts"

function total(values: readonly number[]): number {
  const sum = new ExactSum()
  for (const value of values) sum.add(value)
  return sum.total
}

describe("ExactSum", () => {
  it("does not lose what plain addition loses", () => {
    expect(total([1e100, 1, -1e100])).toBe(1)
    expect(total(Array.from({ length: 10 }, () => 0.1))).toBe(1)
    expect(total([1, 2 ** -53, 2 ** -106])).toBe(1 + 2 ** -52) // just above half an ulp: up, as Python's fsum
  })

  it("is the same in any order", () => {
    const numbers = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }), {
      maxLength: 50,
    })
    fc.assert(
      fc.property(numbers, (values) => {
        expect(total([...values].reverse())).toBe(total(values))
        expect(total([...values].sort((a, b) => a - b))).toBe(total(values))
      }),
    )
  })
})

describe("Moments", () => {
  it("gives mean and standard error of a small sample", () => {
    const moments = new Moments()
    for (const value of [0, 0, 0, 1, 1]) moments.add(value)
    expect(moments.mean).toBe(0.4)
    expect(moments.standardError).toBeCloseTo(Math.sqrt(0.3 / 5), 12)
  })

  it("has no mean of nothing and no error of one", () => {
    const moments = new Moments()
    expect(moments.mean).toBeUndefined()
    moments.add(3)
    expect(moments.mean).toBe(3)
    expect(moments.standardError).toBeUndefined()
  })
})
