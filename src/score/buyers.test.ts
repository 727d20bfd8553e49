import { describe, expect, it } from "vitest"
import { BuyerFidelity } from "../core/buyer.ts"
import { buyerSummary, buyerWarnings } from "./buyers.ts"

const buyer = (more: Record<string, unknown> = {}) =>
  BuyerFidelity.parse({
    measure: "buyer-fidelity@2",
    mode: "model",
    turns: 5,
    faults: [],
    ended_by_buyer: true,
    invalid: false,
    simulated_deal: false,
    drafts: 6,
    refused: [{ turn: 1, text: "x" }],
    reminders: 1,
    held_back: 0,
    moods: [],
    ...more,
  })

describe("the buyers of a run", () => {
  it("counts turns with a fault of turns, early ends of cases that the buyer ended, with Wilson's interval", () => {
    const faults = [
      { turn: 1, kind: "leak" },
      { turn: 1, kind: "invention" },
      { turn: 2, kind: "style_drift" },
      { turn: 5, kind: "early_end" },
    ]
    const summary = buyerSummary([buyer({ faults }), buyer({ ended_by_buyer: false })], 0.05)
    expect(summary).toMatchObject({
      cases: 2,
      turns: 10,
      mode: "model",
      reminders: 2,
      refused_drafts: { count: 2, of: 12 },
    })
    expect(summary.faulty_turns).toMatchObject({ count: 1, of: 10, rate: 0.1 })
    expect(summary.faulty_turns.interval?.low).toBeCloseTo(0.0179, 4)
    expect(summary.faulty_turns.interval?.high).toBeCloseTo(0.4042, 4)
    expect(summary.faults.leak).toMatchObject({ count: 1, of: 10 })
    expect(summary.faults.style_drift).toMatchObject({ count: 1, of: 10 })
    expect(summary.faults.early_end).toMatchObject({ count: 1, of: 1 })
    expect(summary.faults.empty_turn).toMatchObject({ count: 0, of: 10, rate: 0 })
  })

  it("nothing to count is absence, not zero", () => {
    const { faulty_turns, faults } = buyerSummary([buyer({ turns: 0, ended_by_buyer: false, invalid: true })], 0.05)
    expect(faulty_turns).toEqual({ count: 0, of: 0 })
    expect(faults.early_end).toEqual({ count: 0, of: 0 })
  })

  it("a share of faults above the limit is warned of, one at it is not, drift never is", () => {
    const one = { faults: [{ turn: 1, kind: "empty_turn" }] }
    const drift = { faults: [{ turn: 1, kind: "style_drift" }] }
    const warnings = (limit: number, ...buyers: BuyerFidelity[]) => buyerWarnings(buyerSummary(buyers, limit))
    expect(warnings(0.2, buyer(one))).toEqual([])
    expect(warnings(0.1, buyer(drift))).toEqual([])
    const [warning] = warnings(0.1, buyer(one), buyer({ invalid: true }))
    expect(warning).toMatchObject({ code: "buyer_faults" })
    expect(warning?.message).toContain("1 of 2 cases (50.0 %) are invalid because of the buyer")
    expect(warning?.message).not.toContain("turns (")
  })
})
