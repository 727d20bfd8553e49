import { describe, expect, it } from "vitest"
import { chance, duration, signed, threeDigits } from "./figures.ts"

describe("duration", () => {
  it("is in the unit that reads best", () => {
    expect([0.42, 12.4, 3400, 125_000].map(duration)).toEqual(["0.4 ms", "12 ms", "3.4 s", "2 min 5 s"])
  })
})

describe("numbers", () => {
  it("have three digits that say something", () => {
    expect([0.1234, 12.345, 12345.6, 0.00001234, 7, 0, -0.5].map(threeDigits)).toEqual([
      "0.123",
      "12.3",
      "12346",
      "0.0000123",
      "7",
      "0",
      "-0.500",
    ])
  })

  it("say their sign as differences, and no more than papers do as chances", () => {
    expect([0.25, -0.25, 0].map(signed)).toEqual(["+0.250", "-0.250", "0"])
    expect([0.0004, 0.05, 1].map(chance)).toEqual(["< 0.001", "0.050", "1.000"])
  })
})
