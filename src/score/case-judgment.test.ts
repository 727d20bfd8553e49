import { describe, expect, it } from "vitest"
import type { CaseRecord } from "../core/case-record.ts"
import { Verdict } from "../core/verdict.ts"
import { exclusionOf, JudgmentTally, judgeCase } from "./case-judgment.ts"
import { caseOf } from "./judges/facts/case.fixture.ts"

const RECORD = caseOf({ language: "en", buyer: "Hi", agent: "Hello" })
const EPISODE = { episode_id: "e1", status: "completed" } as const

function verdict(state: Verdict["state"], more: Partial<Verdict> = {}): Verdict {
  return Verdict.parse({ case_id: "case", check_id: "c", judge: "facts@1", state, reason: "", evidence: [], ...more })
}

function state(
  verdicts: readonly Verdict[],
  { record = RECORD, threshold = 0.8, status = "completed" as "completed" | "failed" | "invalid" } = {},
) {
  return judgeCase({ ...EPISODE, status }, record, verdicts, threshold).state
}

const missed: CaseRecord = {
  ...RECORD,
  tools: [{ ...RECORD.tools[0]!, class: "miss", affects_conclusion: true }],
}

describe("a case", () => {
  it("passes when no blocking check fails and passed checks have enough weight", () => {
    expect(state([verdict("pass")])).toBe("passed")
    expect(state([verdict("pass"), verdict("fail")])).toBe("failed")
    expect(state([verdict("pass", { weight: 4 }), verdict("fail", { blocking: false })])).toBe("passed")
    expect(state([verdict("pass", { weight: 3 }), verdict("fail", { blocking: false })])).toBe("failed")
    expect(state([verdict("pass", { weight: 3 }), verdict("fail", { blocking: false })], { threshold: 0.75 })).toBe(
      "passed",
    )
  })

  it("what does not apply or cannot be judged weighs nothing; without anything else a case is not judged", () => {
    expect(judgeCase(EPISODE, RECORD, [verdict("pass"), verdict("unjudgeable", { weight: 9 })], 1).share).toBe(1)
    expect(state([verdict("not_applicable"), verdict("unjudgeable")])).toBe("not_judged")
    expect(state([])).toBe("not_judged")
  })

  it("is left out for three faults that are not the agent's, each its own", () => {
    const invalid = { ...RECORD, buyer_invalid_reason: "no rewrite was admitted", messages: [] }
    expect(exclusionOf(invalid, [])).toBe("invalid_buyer")
    expect(state([], { record: invalid, status: "invalid" })).toBe("excluded")
    expect(exclusionOf({ ...RECORD, messages: [] }, [])).toBe("no_observation")
    expect(exclusionOf(missed, [])).toBe("environment_incomplete")
    expect(exclusionOf(RECORD, [verdict("unjudgeable", { gate: "closed_environment" })])).toBe("environment_incomplete")
    expect(exclusionOf(RECORD, [verdict("fail", { gate: "closed_not_queried" })])).toBeUndefined()
    expect(state([verdict("fail")], { record: missed })).toBe("excluded")
  })

  it("of an episode that failed is not scored", () => {
    expect(state([verdict("fail")], { status: "failed" })).toBe("not_scored")
  })
})

describe("a run's figures", () => {
  it("have their denominators: excluded, unscored and unjudged cases are in none", () => {
    const tally = new JudgmentTally(["facts@1"], 0.8)
    const add = (record: CaseRecord, verdicts: Verdict[], status: "completed" | "failed" = "completed") =>
      tally.add(judgeCase({ ...EPISODE, status }, record, verdicts, 0.8), verdicts)
    add({ ...RECORD, category: "order" }, [verdict("pass", { check_id: "a" })])
    add({ ...RECORD, category: "order" }, [
      verdict("fail", { check_id: "a", code: "wrong_price" }),
      verdict("pass", { check_id: "b" }),
    ])
    add({ ...RECORD, category: "return" }, [verdict("pass", { check_id: "a" })])
    add(missed, [verdict("fail", { check_id: "a", code: "wrong_price" })])
    add({ ...RECORD, messages: [] }, [])
    add(RECORD, [], "failed")
    add(RECORD, [verdict("not_applicable")])
    const summary = tally.summary()
    expect(summary).toMatchObject({
      cases: 7,
      pass_rate: { passed: 2, of: 3, rate: 2 / 3 },
      excluded: { environment_incomplete: 1, invalid_buyer: 0, no_observation: 1 },
      not_judged: 1,
      not_scored: 1,
      by_category: { order: { passed: 1, of: 2 }, return: { passed: 1, of: 1 } },
      by_check: { a: { passed: 2, of: 3 }, b: { passed: 1, of: 1 } },
      codes: { wrong_price: 1 },
    })
    // Wilson's interval of 2 in 3, by its formula
    expect(summary.pass_rate.interval!.low).toBeCloseTo(0.2077, 4)
    expect(summary.pass_rate.interval!.high).toBeCloseTo(0.9385, 4)
  })

  it("have no rate without observations", () => {
    expect(new JudgmentTally([], 0.8).summary().pass_rate).toEqual({ passed: 0, of: 0 })
  })
})
