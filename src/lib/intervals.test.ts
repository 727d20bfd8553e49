import { describe, expect, it } from "vitest"
import { tInterval, wilsonInterval } from "./intervals.ts"

describe("wilsonInterval", () => {
  it("gives published values", () => {
    // Newcombe 1998, table I: 81/263, 15/148, 0/20, 1/29
    const cases: [number, number, number, number][] = [
      [81, 263, 0.2553, 0.3662],
      [15, 148, 0.0624, 0.1605],
      [0, 20, 0, 0.1611],
      [1, 29, 0.0061, 0.1718],
    ]
    for (const [successes, of, low, high] of cases) {
      const interval = wilsonInterval(successes, of)!
      expect(interval.low).toBeCloseTo(low, 4)
      expect(interval.high).toBeCloseTo(high, 4)
    }
  })

  it("reaches exactly 1 when everything succeeded, and is absent without observations", () => {
    expect(wilsonInterval(7, 7)!.high).toBe(1)
    expect(wilsonInterval(0, 0)).toBeUndefined()
  })
})

describe("tInterval", () => {
  it("uses the tabled quantiles of Student's t", () => {
    const quantiles: [number, number][] = [
      [1, 12.7062047362],
      [2, 4.3026527297],
      [4, 2.7764451052],
      [9, 2.2621571628],
      [29, 2.0452296421],
      [399, 1.9659272959],
      [100_000, 1.9599877],
    ]
    for (const [freedom, quantile] of quantiles) {
      expect(tInterval(0, 1, freedom + 1)!.high, `${freedom}`).toBeCloseTo(quantile, 6)
    }
  })

  it("is absent for one observation", () => {
    expect(tInterval(1, 0, 1)).toBeUndefined()
  })
})
