import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { pairedDifference } from "./paired.ts"

const seed = "test"

describe("paired differences", () => {
  it("constant differences leave nothing to doubt", () => {
    const same = pairedDifference(
      Array.from({ length: 10 }, () => 0.5),
      { seed },
    )
    expect(same).toMatchObject({ n: 10, mean: 0.5, interval: { low: 0.5, high: 0.5 }, exact: true })
    expect(same.p).toBeCloseTo(2 / 2 ** 10, 12)
  })

  it("the exact test counts sign patterns", () => {
    // Of the eight patterns of (1, 1, -1)·signs, six have a total of at least 1 in size.
    expect(pairedDifference([1, 1, -1], { seed }).p).toBe(1)
    expect(pairedDifference([1, 2, 3], { seed }).p).toBe(2 / 8)
    expect(pairedDifference([1, 2, -3], { seed }).p).toBe(1)
  })

  it("for changes of success it is the exact sign test", () => {
    // 9 gains against 1 loss: two-sided binomial 2·(1 + 10)/2^10.
    const flips = [...Array.from({ length: 9 }, () => 1), -1, 0, 0, 0]
    expect(pairedDifference(flips, { seed }).p).toBeCloseTo((2 * 11) / 1024, 12)
  })

  it("nothing moved: p is 1", () => {
    expect(pairedDifference([0, 0, 0], { seed })).toMatchObject({ mean: 0, p: 1, interval: { low: 0, high: 0 } })
  })

  it("many differences are tested by draws, the same each time", () => {
    const many = Array.from({ length: 60 }, (_, i) => (i % 3 === 0 ? 1 : i % 7 === 0 ? -1 : 0))
    const first = pairedDifference(many, { seed })
    expect(first.exact).toBe(false)
    expect(first.p).toBeLessThan(0.05)
    expect(pairedDifference(many, { seed })).toEqual(first)
  })

  it("of very many differences tells at once what draws would", () => {
    for (const shift of [0, 0.004, 0.02]) {
      // Success that changed for two fifths, and rewards in hundredths.
      const value = (i: number) => ((i * 7919) % 5 < 2 ? Math.sign(((i * 104_729) % 101) / 101 - 0.5 + shift) : 0)
      const drawn = pairedDifference(
        Array.from({ length: 10_000 }, (_, i) => value(i)),
        { seed, resamples: 2000 },
      )
      const limit = pairedDifference(
        Array.from({ length: 10_001 }, (_, i) => value(i)),
        { seed, resamples: 2000 },
      )
      const width = drawn.interval!.high - drawn.interval!.low
      expect(Math.abs(limit.interval!.low - drawn.interval!.low)).toBeLessThan(0.06 * width)
      expect(Math.abs(limit.interval!.high - drawn.interval!.high)).toBeLessThan(0.06 * width)
      expect(Math.abs(limit.p - drawn.p)).toBeLessThan(0.04)
      expect(limit.exact).toBe(false)
    }
  })

  it("covers the truth about as often as it says", () => {
    let covered = 0
    for (let trial = 0; trial < 200; trial++) {
      let state = trial * 7919 + 1
      const next = () => {
        state = (state * 1103515245 + 12345) % 2147483648
        return state / 2147483648
      }
      const sample = Array.from({ length: 40 }, () => next() + next() + next() - 1.5)
      const { interval } = pairedDifference(sample, { seed: String(trial), resamples: 400 })
      if (interval!.low <= 0 && interval!.high >= 0) covered++
    }
    expect(covered).toBeGreaterThan(180)
    expect(covered).toBeLessThan(200)
  })

  it("is antisymmetric, and its interval holds the mean", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -4, max: 4 }), { minLength: 2, maxLength: 12 }), (values) => {
        const there = pairedDifference(values, { seed, resamples: 200 })
        const back = pairedDifference(
          values.map((value) => -value),
          { seed, resamples: 200 },
        )
        expect(back.mean).toBeCloseTo(-there.mean, 12)
        expect(back.p).toBe(there.p)
        expect(there.p).toBeGreaterThan(0)
        expect(there.interval!.low).toBeLessThanOrEqual(there.interval!.high)
      }),
      { numRuns: 50 },
    )
  })

  it("refuses nothing at all", () => expect(() => pairedDifference([], { seed })).toThrow(RangeError))
})
