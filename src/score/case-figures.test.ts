import { expect, it } from "vitest"
import { playOf } from "../core/play.ts"
import type { EpisodeRecord } from "../core/trace.ts"
import { CaseFigures } from "./case-figures.ts"

const AT = "2026-03-02T15:00:00.000Z"
const jobs = ["a", "b", "c", "d"].map((key) => ({ key }))

/** An attempt at a job whose case has this in its record. */
function attempt(episode_id: string, given: object | undefined, status: EpisodeRecord["status"] = "completed") {
  const evidence = given === undefined ? {} : { case: given }
  const record = { episode_id, status, end_reason: "goal_reached", duration_ms: 1, usage: { model_calls: 0 }, evidence }
  return playOf({ ...record, events: [] } as unknown as EpisodeRecord) // all that figures look at
}

const point = (turn: number, score: number) => ({
  ...{ status: "observed", turn, buyer_message_id: `m${turn}`, at: AT },
  score,
})
const gap = { status: "unavailable", turn: 2, buyer_message_id: "m2", at: AT, reason: "analysis_failed" }
const presales = (more: object = {}) => ({ sales: { phase: "presales", ...more } })

it("deals and intent are over the cases before the sale that were played to an end, each by its last attempt", () => {
  const figures = new CaseFigures(jobs)
  figures.add(attempt("a", presales({ simulated_deal: false }), "failed"))
  figures.add(attempt("a", presales({ simulated_deal: true, purchase_intent: [point(1, 0.25), point(2, 0.75)] })))
  figures.add(attempt("b", presales({ simulated_deal: false, purchase_intent: [point(1, 0.5), gap] })))
  figures.add(attempt("c", presales({ simulated_deal: true }), "invalid"))
  figures.add(attempt("d", { sales: { phase: "other" } }))
  figures.add(attempt("of another plan", presales({ simulated_deal: true })))
  const sales = figures.sales()
  expect(sales).toMatchObject({ cases: 2, deals: { count: 1, of: 2, rate: 0.5 } })
  expect(sales?.deals?.interval.low).toBeCloseTo(0.0945, 4) // Wilson, 1 of 2
  expect(sales?.intent).toMatchObject({
    observed: 3,
    unavailable: { analysis_failed: 1 },
    first: { n: 2, mean: 0.375 },
    last: { n: 1, mean: 0.75 },
    rise: { n: 1, mean: 0.5 },
  })
  expect(sales?.intent?.last?.interval).toBeUndefined()
  // Student's t, one degree of freedom: 12.7062 × 0.125
  expect(sales?.intent?.first?.interval?.high).toBeCloseTo(0.375 + 12.7062 * 0.125, 3)
})

it("what nobody observed is absent, and an answer beside a human's is counted", () => {
  const figures = new CaseFigures(jobs)
  const comparison = {
    ...{ turn: 1, buyer_message_id: "m1", original_message_id: "o1" },
    ...{ human_reply_ids: ["o2"], agent_message_ids: ["m2"] },
  }
  figures.add(attempt("a", presales({ human_comparisons: [comparison, comparison] })))
  figures.add(attempt("b", presales({ human_comparisons: [] })))
  expect(figures.sales()).toEqual({ cases: 2, human_comparisons: { cases: 1, pairs: 2 } })
  const none = new CaseFigures(jobs)
  none.add(attempt("a", { sales: { phase: "other" } }))
  none.add(attempt("b", undefined, "failed"))
  expect(none.sales()).toBeUndefined()
})

it("colleagues are counted by what they did, of the cases that an action was drawn for", () => {
  const figures = new CaseFigures(jobs)
  figures.add(attempt("a", { human_actions: [{ kind: "stop" }, { kind: "answer" }] }))
  figures.add(attempt("b", { human_actions: [{ kind: "stop" }] }, "failed"))
  figures.add(attempt("c", { human_actions: [] }))
  expect(figures.colleagues(3)).toEqual({ planned: 3, acted: 2, kinds: { answer: 1, stop: 2 } })
  expect(figures.colleagues(0)).toBeUndefined()
})
