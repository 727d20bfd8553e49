import { describe, expect, it } from "vitest"
import type { LoggedEvent } from "../channel/events.ts"
import { fateOf, type WaitState, waitEnd } from "./reply-wait.ts"

const waiting: WaitState = {
  accepted: true,
  turnEnded: false,
  dropped: false,
  idle: false,
  reception: "on",
  timeUp: false,
  cancelled: false,
}

describe("the end of a wait for an answer", () => {
  const table: [string, Partial<WaitState>, ReturnType<typeof waitEnd>][] = [
    ["nothing has happened yet", {}, undefined],
    ["the words were read and a turn ended after that", { turnEnded: true }, "answered"],
    ["the reception was paused", { reception: "paused" }, "paused"],
    ["a human took over", { reception: "handed_off" }, "handed_off"],
    ["the reception was paused and the turn ended", { reception: "paused", turnEnded: true }, "paused"],
    ["the words were dropped and the agent is idle", { dropped: true, idle: true }, "discarded"],
    ["the words were dropped and the agent is at work", { dropped: true }, undefined],
    ["the words were dropped, the agent is at work and time is up", { dropped: true, timeUp: true }, "timed_out"],
    [
      "the words were dropped, the agent is idle and time is up",
      { dropped: true, idle: true, timeUp: true },
      "discarded",
    ],
    ["time is up", { timeUp: true }, "timed_out"],
    ["time is up at the moment of the answer", { timeUp: true, turnEnded: true }, "answered"],
    ["time is up at the moment of a pause", { timeUp: true, reception: "paused" }, "paused"],
    ["time is up at the moment of a hand-off", { timeUp: true, reception: "handed_off" }, "handed_off"],
    ["the caller stops the case", { cancelled: true }, "cancelled"],
    [
      "the caller stops the case, whatever else holds",
      { cancelled: true, turnEnded: true, reception: "paused", timeUp: true },
      "cancelled",
    ],
    ["the words are still being accepted", { accepted: false }, undefined],
    ["time is up while the words are being accepted", { accepted: false, timeUp: true }, "unaccepted"],
    ["the agent is idle and has not taken the words", { idle: true }, undefined],
  ]
  it.each(table)("%s", (_, state, end) => {
    expect(waitEnd({ ...waiting, ...state })).toBe(end)
  })
})

describe("what became of accepted words", () => {
  const event = (more: object) => ({ seq: 1, at: "", committed_ms: 0, ...more }) as unknown as LoggedEvent
  const read = (...ids: string[]) => event({ type: "consumed", message_ids: ids })
  const drop = (...ids: string[]) => event({ type: "dropped", message_ids: ids, reason: "" })
  const turn = event({ type: "turn_end", reason: "completed" })
  const table: [string, string[], LoggedEvent[], { turnEnded: boolean; dropped: boolean }][] = [
    ["nothing yet", ["a"], [], { turnEnded: false, dropped: false }],
    [
      "a turn that ended before they were read is not theirs",
      ["a"],
      [turn, read("a")],
      { turnEnded: false, dropped: false },
    ],
    ["read, and a turn ended", ["a"], [read("a"), turn], { turnEnded: true, dropped: false }],
    ["read with older words of the same batch", ["b"], [read("a", "b"), turn], { turnEnded: true, dropped: false }],
    ["one of two not read yet", ["a", "b"], [read("a"), turn], { turnEnded: false, dropped: false }],
    ["read in two turns", ["a", "b"], [read("a"), turn, read("b"), turn], { turnEnded: true, dropped: false }],
    ["dropped", ["a"], [drop("a")], { turnEnded: false, dropped: true }],
    ["one dropped, the other read", ["a", "b"], [drop("b"), read("a"), turn], { turnEnded: true, dropped: false }],
    ["a later turn is under way again", ["a"], [read("a"), turn, read("z")], { turnEnded: false, dropped: false }],
  ]
  it.each(table)("%s", (_, ids, events, fate) => {
    expect(fateOf(ids, events)).toEqual(fate)
  })
})
