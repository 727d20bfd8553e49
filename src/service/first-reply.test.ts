import { describe, expect, it } from "vitest"
import type { LoggedEvent } from "../channel/events.ts"
import { classifyFirstReply, summarizeFirstReplies } from "../core/first-reply.ts"
import { firstReplyTo } from "./first-reply.ts"

const event = (committed_ms: number, more: object) =>
  ({ seq: 1, at: "", committed_ms, ...more }) as unknown as LoggedEvent
const received = (ms: number, id: string) => event(ms, { type: "received", message: { id } })
const sending = (ms: number, id: string, answers: string[], channel = "conversation") =>
  event(ms, { type: "sending", message: { id, answers, channel } })
const delivery = (ms: number, message_id: string, outcome = "sent") =>
  event(ms, { type: "delivery", message_id, outcome })
const reception = (ms: number, to: string) => event(ms, { type: "reception", reception: to })

describe("the first reply to a buyer's words", () => {
  const table: [string, LoggedEvent[], object | undefined][] = [
    [
      "is timed from the words on record to the answer on record as sent, not as written",
      [received(1000, "b"), sending(3000, "a", ["b"]), delivery(9000, "a")],
      { delivered_ms: 8000, observed_ms: 8000 },
    ],
    [
      "is the first of several",
      [received(0, "b"), sending(1, "a", ["b"]), delivery(10, "a"), sending(20, "c", ["b"]), delivery(20, "c")],
      { delivered_ms: 10, observed_ms: 10 },
    ],
    [
      "is not an answer to other words",
      [received(0, "b"), sending(5, "a", ["earlier"]), delivery(5, "a")],
      { delivered_ms: null, observed_ms: 50_000 },
    ],
    [
      "is not an answer in private",
      [received(0, "b"), sending(5, "a", ["b"], "private"), delivery(5, "a")],
      { delivered_ms: null, observed_ms: 50_000 },
    ],
    [
      "is not an answer of unknown delivery",
      [received(0, "b"), sending(5, "a", ["b"]), delivery(5, "a", "unknown")],
      { delivered_ms: null, observed_ms: 50_000 },
    ],
    [
      "is not one that came after the time was up",
      [received(0, "b"), sending(5, "a", ["b"]), delivery(50_001, "a")],
      { delivered_ms: null, observed_ms: 50_000 },
    ],
    ["is not measured for words that were never received", [], undefined],
    [
      "is not measured for words that were dropped",
      [received(0, "b"), event(1, { type: "dropped", message_ids: ["b"] })],
      undefined,
    ],
    ["is not measured while the reception is paused", [reception(0, "paused"), received(1, "b")], undefined],
    [
      "is measured when the reception was on again by then",
      [reception(0, "paused"), reception(1, "on"), received(2, "b")],
      { delivered_ms: null, observed_ms: 49_998 },
    ],
    [
      "is unanswered when the reception is paused afterwards",
      [received(0, "b"), reception(7, "paused")],
      { delivered_ms: null, observed_ms: 50_000 },
    ],
  ]
  it.each(table)("%s", (_, log, sample) => {
    expect(firstReplyTo("b", log, 50_000)).toEqual(sample)
  })
})

describe("what a first reply says", () => {
  const table: [string, number | null, number, object][] = [
    ["answered at the goal", 30_000, 30_000, { answered: true, overGoal: false, incomplete: false }],
    ["answered after the goal", 30_001, 30_001, { answered: true, overGoal: true, incomplete: false }],
    ["not answered, watched until the goal", null, 30_000, { answered: false, overGoal: true, incomplete: false }],
    ["not answered, watched for less", null, 29_999, { answered: false, overGoal: false, incomplete: true }],
  ]
  it.each(table)("%s", (_, delivered_ms, observed_ms, says) => {
    expect(classifyFirstReply({ turn: 1, delivered_ms, observed_ms, goal_ms: 30_000 })).toEqual(says)
  })

  it("a summary counts turns over goal and unanswered, and the longest that was delivered", () => {
    const samples = table.map(([, delivered_ms, observed_ms], index) => ({
      turn: index + 1,
      delivered_ms,
      observed_ms,
      goal_ms: 30_000,
    }))
    expect(summarizeFirstReplies(samples)).toEqual({
      samples: 4,
      over_goal: 2,
      unanswered: 2,
      incomplete: 1,
      longest_ms: 30_001,
    })
  })

  it("without samples there is no summary, not one of zeros", () => {
    expect(summarizeFirstReplies([])).toBeNull()
  })
})
