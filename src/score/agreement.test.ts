import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { agreementByCheck, agreementOf, type RatedPair } from "./agreement.ts"

function pairs(counts: Readonly<Record<string, number>>): RatedPair[] {
  return Object.entries(counts).flatMap(([answers, count]) => {
    const [people = "", judge = ""] = answers.split("/")
    return Array.from({ length: count }, () => ({ check_id: "told", people, judge }))
  })
}

describe("agreementOf", () => {
  it("gives the kappa that is worked out by hand", () => {
    // 50 answers: observed (20 + 15) / 50 = 0.7; expected 0.5 × 0.6 + 0.5 × 0.4 = 0.5; kappa (0.7 − 0.5) / 0.5 = 0.4.
    const found = agreementOf(pairs({ "pass/pass": 20, "pass/fail": 5, "fail/pass": 10, "fail/fail": 15 }))
    expect(found.observed).toBeCloseTo(0.7, 12)
    expect(found.expected).toBeCloseTo(0.5, 12)
    expect(found.kappa).toBeCloseTo(0.4, 12)
    // Standard error by the formula, term by term: agreeing 0.4 × (1 − 1.1 × 0.6)² + 0.3 × (1 − 0.9 × 0.6)² = 0.10972,
    // differing 0.36 × (0.1 × (0.6 + 0.5)² + 0.2 × (0.4 + 0.5)²) = 0.10188, less (0.4 − 0.5 × 0.6)² = 0.01; over 50 × 0.25: 0.016128.
    const half = 1.959963984540054 * Math.sqrt(0.016128)
    expect(found.interval?.low).toBeCloseTo(0.4 - half, 9)
    expect(found.interval?.high).toBeCloseTo(0.4 + half, 9)
    expect(found.confusion).toEqual({ pass: { pass: 20, fail: 5 }, fail: { pass: 10, fail: 15 } })
  })

  it("is one where all is the same and both answers occur, zero where only chance agrees, and not said where chance always would", () => {
    expect(agreementOf(pairs({ "pass/pass": 3, "fail/fail": 4 })).kappa).toBeCloseTo(1, 12)
    expect(agreementOf(pairs({ "pass/pass": 4, "pass/fail": 4, "fail/pass": 4, "fail/fail": 4 })).kappa).toBeCloseTo(
      0,
      12,
    )
    expect(agreementOf(pairs({ "pass/pass": 9 })).kappa).toBeUndefined()
    expect(agreementOf([])).toEqual({ pairs: 0, confusion: {} })
  })

  it("does not depend on the order of pairs, nor on what answers are called, and stays within −1 and 1", () => {
    const answer = fc.constantFrom("pass", "fail", "not_applicable")
    const some = fc.array(fc.record({ check_id: fc.constant("c"), judge: answer, people: answer }), { minLength: 2 })
    fc.assert(
      fc.property(some, (list) => {
        const found = agreementOf(list)
        const turned = agreementOf(
          [...list].reverse().map((pair) => ({ ...pair, judge: `x${pair.judge}`, people: `x${pair.people}` })),
        )
        if (found.kappa === undefined) {
          expect(turned.kappa).toBeUndefined()
          return
        }
        expect(turned.kappa).toBeCloseTo(found.kappa, 9)
        expect(Math.abs(found.kappa)).toBeLessThanOrEqual(1 + 1e-9)
        expect(found.interval!.low).toBeLessThanOrEqual(found.kappa + 1e-9)
        expect(found.interval!.high).toBeGreaterThanOrEqual(Math.min(1, found.kappa) - 1e-9)
      }),
    )
  })
})

describe("agreementByCheck", () => {
  it("tells each check apart", () => {
    const told = pairs({ "pass/pass": 2, "fail/fail": 2 })
    const state = pairs({ "pass/fail": 1, "fail/pass": 1 }).map((pair) => ({ ...pair, check_id: "state" }))
    const { all, by_check } = agreementByCheck([...told, ...state])
    expect(all.pairs).toBe(6)
    expect(by_check.told?.kappa).toBeCloseTo(1, 12)
    expect(by_check.state?.kappa).toBeCloseTo(-1, 12)
  })
})
