import { describe, expect, it } from "vitest"
import { comparePair, type PairSide } from "./sales-pair.ts"

const at = "2026-03-01T01:00:00.000Z" as PairSide["cases"][number]["messages"][number]["at"]
const said = (sender: "buyer" | "agent", id: string) =>
  ({ id, turn: 1, sender, at, text: id, channel: "conversation", origin: "simulated", delivery: "sent" }) as const

/** A side with a case each of these: whether the buyer came to buy, and how near to it the buyer seemed. */
function side(enabled: boolean, cases: readonly (readonly [deal: boolean, intent: number])[]): PairSide {
  return {
    sales: { annotation: { pair_id: "p-1", enabled } },
    cases: cases.map(([simulated_deal, score], index) => ({
      case_id: `c-${index}`,
      end_reason: "goal_reached",
      messages: [said("buyer", "m1"), said("agent", "m2")],
      sales: {
        phase: "presales",
        simulated_deal,
        purchase_intent: [{ status: "observed", turn: 1, buyer_message_id: "m1", at, score }],
      },
    })),
  }
}
const times = <T>(count: number, value: T) => Array.from({ length: count }, () => value)

describe("comparing the sides of a pair", () => {
  it("tells sides apart where interval and test both do, and else does not", () => {
    const told = comparePair(
      side(false, times(8, [false, 0.4])),
      side(true, [...times(7, [true, 0.4] as const), [false, 0.9]]),
    )
    expect(told).toMatchObject({ pair_id: "p-1", first: { annotation: false }, second: { annotation: true }, cases: 8 })
    // Seven of eight moved one way: two of 2^7 sign patterns are as extreme.
    expect(told.measures.simulated_deal).toMatchObject({
      first: 0,
      second: 0.875,
      mean: 0.875,
      p: 2 / 128,
      apart: true,
    })
    expect(told.measures.purchase_intent).toMatchObject({ n: 8, p: 1, apart: false })
    expect(told.measures.agent_messages).toMatchObject({ first: 1, second: 1, mean: 0, p: 1, apart: false })
  })

  it("five cases that all moved one way are too few to tell: the test says so where the interval does not", () => {
    const { measures } = comparePair(side(false, times(5, [false, 0.4])), side(true, times(5, [true, 0.4])))
    expect(measures.simulated_deal).toMatchObject({ interval: { low: 1, high: 1 }, p: 2 / 32, apart: false })
  })

  it("leaves out cases that broke on a side, and figures that one side does not know", () => {
    const [first, second] = [side(false, times(3, [false, 0.4])), side(true, times(3, [true, 0.6]))]
    const cases = second.cases.map((one, index) => {
      if (index === 0) return { ...one, end_reason: "error" as const }
      const { purchase_intent: _, ...sales } = one.sales!
      return index === 1 ? { ...one, sales } : one
    })
    const compared = comparePair(first, { ...second, cases })
    expect([compared.cases, compared.left_out]).toEqual([2, 1])
    expect([compared.measures.simulated_deal?.n, compared.measures.purchase_intent?.n]).toEqual([2, 1])
  })

  it("sides of two pairs, with one annotation, or without a case in common are refused", () => {
    const [first, second] = [side(false, [[false, 0.4]]), side(true, [[true, 0.6]])]
    const other = { ...second, sales: { annotation: { pair_id: "p-2", enabled: true } } }
    expect(() => comparePair(first, other)).toThrow(/pairs p-1 and p-2/)
    expect(() => comparePair(first, first)).toThrow(/have the annotation off/)
    expect(() => comparePair(first, { ...second, cases: [] })).toThrow(/played to an end on both sides/)
  })
})
