import { describe, expect, it } from "vitest"
import { type CaseSituation, caseOutcome } from "./outcome.ts"

const ended: CaseSituation = {
  preparationFailed: false,
  cleanupFailed: false,
  cancelled: false,
  invalid: false,
  failed: false,
  buyerTimedOut: false,
  ended: "goal_reached",
  messages: true,
}

describe("what the caller gets of a case", () => {
  const table: [string, Partial<CaseSituation>, string][] = [
    ["the goal was reached", {}, "goal_reached"],
    ["the plot was abandoned", { ended: "abandoned" }, "abandoned"],
    ["the reception was paused", { ended: "reception_paused" }, "reception_paused"],
    ["the buyer's messages are used up", { ended: "message_limit" }, "message_limit"],
    ["a step failed", { failed: true, ended: undefined }, "error"],
    ["a failure was left after a good end", { failed: true }, "error"],
    ["the buyer took too long", { buyerTimedOut: true, ended: undefined }, "timeout"],
    ["the caller stopped it", { cancelled: true, ended: undefined }, "cancelled"],
    ["the caller stopped it with a failure pending", { cancelled: true, failed: true }, "cancelled"],
    ["the buyer is unusable", { invalid: true, ended: undefined }, "error"],
    ["the buyer is unusable before saying anything", { invalid: true, ended: undefined, messages: false }, "error"],
    ["preparation failed", { preparationFailed: true, messages: false }, "rejects"],
    ["cleanup failed", { cleanupFailed: true }, "rejects"],
    ["cleanup failed after the caller stopped it", { cleanupFailed: true, cancelled: true }, "rejects"],
    ["cleanup failed after a failure", { cleanupFailed: true, failed: true }, "rejects"],
    ["nothing was said", { ended: undefined, failed: true, messages: false }, "rejects"],
    ["it was stopped before anything was said", { cancelled: true, messages: false }, "rejects"],
  ]
  it.each(table)("%s", (_, situation, expected) => {
    const outcome = caseOutcome({ ...ended, ...situation })
    expect(outcome.kind === "rejects" ? "rejects" : outcome.end_reason).toBe(expected)
  })

  it("every combination has one outcome, cleanup before all, the caller's wish before failures", () => {
    const flags = ["preparationFailed", "cleanupFailed", "cancelled", "invalid", "failed", "buyerTimedOut"] as const
    for (let bits = 0; bits < 1 << flags.length; bits++) {
      for (const messages of [true, false]) {
        for (const end of ["goal_reached", undefined] as const) {
          const situation = { ...ended, messages, ended: end }
          for (const [index, flag] of flags.entries()) situation[flag] = (bits & (1 << index)) !== 0
          const outcome = caseOutcome(situation)
          const ours = situation.preparationFailed || situation.cleanupFailed
          if (ours) expect(outcome.kind).toBe("rejects")
          else if (situation.cancelled)
            expect(outcome).toEqual(messages ? { kind: "record", end_reason: "cancelled" } : { kind: "rejects" })
          else if (!messages) expect(outcome.kind).toBe(situation.invalid ? "record" : "rejects")
        }
      }
    }
  })
})
