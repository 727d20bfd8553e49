import fc from "fast-check"
import { expect, it } from "vitest"
import { Histogram } from "./histogram.ts"

function of(values: readonly number[]): Histogram {
  const histogram = new Histogram()
  for (const value of values) histogram.add(value)
  return histogram
}

it("gives nearest ranks", () => {
  const hundred = of(Array.from({ length: 100 }, (_, index) => 100 - index))
  expect(hundred.percentiles([0.5, 0.9, 0.99, 1])).toEqual([50, 90, 99, 100])
  expect(hundred.count).toBe(100)
  expect(of([]).percentiles([0.5])).toEqual([Number.NaN])
})

it("is within half a percent of the exact one, in any order", () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0.001, max: 1e7, noNaN: true }), { minLength: 1, maxLength: 60 }),
      fc.constantFrom(0.1, 0.5, 0.9, 0.99),
      (values, share) => {
        const exact = [...values].sort((a, b) => a - b)[Math.ceil(share * values.length) - 1]!
        const [found] = of(values).percentiles([share])
        expect(Math.abs(found! - exact)).toBeLessThanOrEqual(exact * 0.005 + 1e-12)
        expect(of([...values].reverse()).percentiles([share])).toEqual([found])
      },
    ),
  )
})
