import { describe, expect, it } from "vitest"
import { roundToCents } from "./python-round.ts"

/** Expected values are what CPython 3.11 gives. */
describe("rounding to two decimals as Python does", () => {
  it.each([
    [2.675, 2.67],
    [1.005, 1],
    [0.125, 0.12],
    [0.375, 0.38],
    [-0.125, -0.12],
    [-0.375, -0.38],
    [8_000_000_000_000_039 / 8, 1000000000000004.9],
    [1e22, 1e22],
    [-0, -0],
    [-0.001, -0],
    [0.04999999999999716, 0.05],
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
    [Number.NaN, Number.NaN],
  ])("%d", (value, rounded) => {
    expect(roundToCents(value)).toBe(rounded)
  })
})
