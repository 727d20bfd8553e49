import { describe, expect, it } from "vitest"
import type { EpisodeView } from "../../../../../src/server/views.ts"
import { caseFacts, type Row, rowOf, timelineOf } from "./timeline.ts"

const NINE = "2026-03-02T09:00:00.000Z"
const NEXT_DAY = "2026-03-03T09:00:00.000Z"
const dayOf = (at: string) => at.slice(0, 10)

type Members = { readonly [name: string]: unknown }
const said = (id: string, sender: string, turn: number, rest: Members = {}) => ({
  id,
  sender,
  turn,
  at: NINE,
  text: id,
  channel: "conversation",
  delivery: "sent",
  ...rest,
})
const message = (told: Members, at_ms?: number) => ({
  type: "message",
  message: told,
  ...(at_ms !== undefined && { at_ms }),
})
const tool = (id: string, turn = 1) => ({ type: "tool", tool: { id, turn, at: NINE, name: "get", arguments: {} } })
const reply = (turn: number, ended: string) => ({ type: "reply", turn, at: NINE, ended })
const turnEnd = (turn: number, reason = "completed") => ({ type: "turn_end", turn, at: NINE, reason })

/** A view as far as a timeline reads it. */
function viewOf(events: readonly unknown[], record: Members | null = null): EpisodeView {
  const start = { type: "episode_start", instruction: "", info: { time_zone: "Asia/Shanghai" } }
  return {
    episode: { events: [start, ...events] },
    case: record === null ? null : { record: { time_zone: "UTC", messages: [], tools: [], ...record } },
  } as unknown as EpisodeView
}

function rowsOf(view: EpisodeView): Row[] {
  return timelineOf(view, caseFacts(view), dayOf)
}

const kinds = (rows: readonly Row[]) => rows.map(({ kind }) => kind)
const messageOf = (rows: readonly Row[], id: string) => {
  const row = rows[rowOf(rows, id)]
  if (row?.kind !== "message") throw new Error(`no message ${id}`)
  return row
}

describe("the timeline of a case", () => {
  it("begins each day of the story with a row, and gathers the calls between two messages", () => {
    const rows = rowsOf(
      viewOf([
        message(said("b1", "buyer", 1)),
        tool("c1"),
        tool("c2"),
        message(said("a1", "agent", 1)),
        { type: "clock", turn: 1, at: NEXT_DAY },
        message(said("b2", "buyer", 2, { at: NEXT_DAY })),
      ]),
    )
    expect(kinds(rows)).toEqual(["day", "message", "calls", "message", "day", "clock", "message"])
    expect(rowOf(rows, "c2")).toBe(2)
    expect(rowOf(rows, "nobody")).toBe(-1)
    expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length)
  })

  it("measures a reply by the host's clock from the words it answers, else from the turn's first", () => {
    const rows = rowsOf(
      viewOf([
        message(said("b1", "buyer", 1), 100),
        message(said("b2", "buyer", 2), 500),
        message(said("a1", "agent", 1, { answers: ["b1"] }), 900),
        message(said("a2", "agent", 2), 1000),
        message(said("a3", "agent", 2, { channel: "private" }), 1100),
      ]),
    )
    expect(messageOf(rows, "a1").tookMs).toBe(800)
    expect(messageOf(rows, "a2").tookMs).toBe(500)
    expect(messageOf(rows, "a3").tookMs).toBeUndefined()
    expect(messageOf(rows, "b2").tookMs).toBeUndefined()
  })

  it("calls words late that come when the wait for their turn is over, and only those", () => {
    const rows = rowsOf(
      viewOf([
        message(said("b1", "buyer", 1)),
        message(said("a1", "agent", 1)),
        reply(1, "timed_out"),
        message(said("b2", "buyer", 2)),
        message(said("a2", "agent", 1)),
        message(said("a3", "agent", 2)),
      ]),
    )
    expect(["a1", "a2", "a3"].map((id) => messageOf(rows, id).late)).toEqual([false, true, false])
  })

  it("tells the end of a turn once when the wait ends with it, and by itself when it failed", () => {
    const rows = rowsOf(viewOf([turnEnd(1), reply(1, "answered"), turnEnd(2, "error"), reply(2, "error")]))
    expect(kinds(rows)).toEqual(["reply", "turn_end", "reply"])
    expect(rows[0]).toMatchObject({ turnEnded: true })
  })

  it("marks a colleague's words with what they were; an action without words has a row", () => {
    const action = (text: string) => ({
      type: "human_action",
      action: { kind: "answer", turn: 1, at: NINE, channel: "conversation", text },
    })
    const rows = rowsOf(viewOf([message(said("h1", "human_console", 1)), action("h1"), action("not said")]))
    expect(messageOf(rows, "h1").action).toBe("answer")
    expect(kinds(rows)).toEqual(["day", "message", "action"])
  })

  it("shows what the record says became of a message, and kinds of events that it does not know", () => {
    const told = said("a1", "agent", 1, { delivery: "pending" })
    const record = { messages: [{ ...told, delivery: "unknown" }] }
    const rows = rowsOf(viewOf([message(told), { type: "later_invention" }], record))
    expect(messageOf(rows, "a1").message.delivery).toBe("unknown")
    expect(rows.at(-1)?.kind).toBe("other")
  })

  it("is made of the record where the events hold no words", () => {
    const record = {
      messages: [said("a1", "agent", 1), said("b1", "buyer", 1), said("b2", "buyer", 2)],
      tools: [tool("c1").tool],
    }
    const rows = rowsOf(viewOf([], record))
    expect(kinds(rows)).toEqual(["day", "message", "calls", "message", "message"])
    expect(["b1", "c1", "a1", "b2"].map((id) => rowOf(rows, id))).toEqual([1, 2, 3, 4])
  })
})
