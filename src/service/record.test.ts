import { describe, expect, it } from "vitest"
import { CASE_SCHEMA } from "../core/case-record.ts"
import { caseRecordProblems, firstReplyProblems, parseCaseRecord } from "./record.ts"

const at = (minute: number) => `2026-03-01T01:${String(minute).padStart(2, "0")}:00.000Z`
const message = (id: string, turn: number, minute: number, more: object = {}) => ({
  id,
  turn,
  sender: "buyer",
  at: at(minute),
  text: id,
  ...more,
})
const record = (more: object = {}) => ({
  schema: CASE_SCHEMA,
  case_id: "c",
  case_revision: 1,
  script_id: "s",
  language: "en",
  time_zone: "UTC",
  end_reason: "goal_reached",
  ended_at: at(30),
  messages: [message("m1", 1, 0), message("m2", 1, 1, { sender: "agent", answers: ["m1"] })],
  original_messages: [],
  tools: [],
  turns: [{ turn: 1, ended: "answered" }],
  human_actions: [],
  judge_inputs: { checks: [], required_facts: [], order_facts_available: false },
  usage: {},
  ...more,
})
const tool = (id: string, turn: number, minute: number) => ({
  id,
  turn,
  at: at(minute),
  name: "stock",
  arguments: {},
  ok: true,
  content: "",
  class: "hit",
})
const action = { kind: "answer", turn: 1, at: at(2), channel: "conversation", text: "I do" }
const spoken = message("h", 1, 2, { sender: "human_console", text: "I do" })

describe("a case record", () => {
  it("that is in order is given back as it is", () => {
    expect(parseCaseRecord(record())).toMatchObject(record())
  })

  const wrong: [string, object, RegExp][] = [
    ["holds no message", { messages: [], turns: [] }, /only a case with an invalid buyer may/],
    [
      "answers a message it does not hold",
      { messages: [message("m1", 1, 0, { answers: ["m9"] })] },
      /answers unknown m9/,
    ],
    ["has a message twice", { messages: [message("m1", 1, 0), message("m1", 1, 0)] }, /message m1 occurs twice/],
    ["has a tool call twice", { tools: [tool("t", 1, 1), tool("t", 1, 2)] }, /tool call t occurs twice/],
    ["goes back in time", { messages: [message("m1", 1, 5), message("m2", 1, 4)] }, /m2 is earlier than m1/],
    ["has tool calls that go back in time", { tools: [tool("a", 1, 5), tool("b", 1, 4)] }, /b is earlier than a/],
    ["ends before its last message", { ended_at: at(0) }, /message m2 is later than the end/],
    ["has a message of a turn that was not played", { messages: [message("m1", 2, 0)] }, /of turn 2, not played/],
    ["has a tool call of a turn that was not played", { tools: [tool("t", 3, 1)] }, /of turn 3, not played/],
    ["leaves out a turn", { turns: [{ turn: 2, ended: "answered" }] }, /turn 1 is missing/],
    [
      "has a human action beyond the turns played",
      { human_actions: [{ ...action, turn: 2 }], messages: [message("m1", 1, 0), spoken] },
      /turn 2 is beyond the 1 turns played/,
    ],
    [
      "has a human action acknowledged twice",
      { human_actions: [action, action], messages: [message("m1", 1, 0), spoken] },
      /acknowledged twice/,
    ],
    ["has a human action nobody said", { human_actions: [action] }, /not among the messages/],
    ["ends in error without saying what failed", { end_reason: "error" }, /does not say what failed/],
    [
      "has an invalid buyer and another end",
      { buyer_invalid_reason: "leaked", end_reason: "goal_reached" },
      /needs end_reason error/,
    ],
    ["has no known schema", { schema: "souk.case/0" }, /Not a case record/],
  ]
  it.each(wrong)("that %s is refused", (_, more, message) => {
    expect(() => parseCaseRecord(record(more))).toThrow(message)
  })

  it("of an invalid buyer may be empty", () => {
    const empty = record({ messages: [], turns: [], end_reason: "error", buyer_invalid_reason: "leaked" })
    expect(parseCaseRecord(empty).messages).toEqual([])
  })

  it("with a human action that was said is in order", () => {
    const said = parseCaseRecord(record({ human_actions: [action], messages: [message("m1", 1, 0), spoken] }))
    expect(caseRecordProblems(said)).toEqual([])
  })
})

describe("first replies beside a record", () => {
  const sample = { turn: 1, delivered_ms: 10, observed_ms: 10, goal_ms: 30_000 }
  it("belong to turns in which the buyer spoke and was heard, one each", () => {
    const played = parseCaseRecord(record())
    expect(firstReplyProblems(played, [sample])).toEqual([])
    expect(firstReplyProblems(played, [{ ...sample, turn: 2 }]).join()).toContain("turn 2")
    expect(firstReplyProblems(played, [sample, sample])).toHaveLength(1)
    expect(firstReplyProblems(played, [{ ...sample, observed_ms: 9 }])).toHaveLength(1)
    const dropped = parseCaseRecord(record({ turns: [{ turn: 1, ended: "discarded" }] }))
    expect(firstReplyProblems(dropped, [sample])).toHaveLength(1)
  })
})
