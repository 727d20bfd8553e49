import { describe, expect, it } from "vitest"
import type { EpisodeView } from "../../../../src/server/views.ts"
import { alignSteps } from "./steps.ts"

const viewOf = (suite: string, events: readonly unknown[]) => ({ suite, episode: { events } }) as unknown as EpisodeView
const shop = (...actions: readonly string[]) =>
  viewOf(
    "shopping",
    actions.flatMap((action): unknown[] =>
      action === "?"
        ? [{ type: "model_call", outcome: "protocol_error", code: "tool_call_count" }]
        : [
            { type: "model_call", outcome: "reply" },
            { type: "action", action },
            { type: "feedback", feedback: { message: `did ${action}` } },
          ],
    ),
  )
const talk = (...words: readonly (readonly [sender: string, turn: number, text: string, channel?: string])[]) =>
  viewOf(
    "service",
    words.flatMap(([sender, turn, text, channel = "conversation"]) => [
      ...(sender === "agent" ? [{ type: "tool", tool: { name: "get_order" } }] : []),
      { type: "message", message: { sender, turn, text, channel } },
    ]),
  )

describe("two episodes side by side", () => {
  it("differ first at the first action that is not the same; a side that ended has no more steps", () => {
    const { pairs, firstDifferent } = alignSteps(
      shop("search[a]", "click[b]", "click[c]"),
      shop("search[a]", "click[x]"),
    )
    expect(firstDifferent).toBe(1)
    expect(pairs.map(({ same }) => same)).toEqual([true, false, false])
    expect(pairs[0]!.first).toMatchObject({ text: "search[a]", note: "did search[a]" })
    expect(pairs[2]!.second).toBeUndefined()
  })

  it("count a malformed reply as a step, and are the same where all steps are", () => {
    expect(alignSteps(shop("?", "search[a]"), shop("search[a]")).firstDifferent).toBe(0)
    expect(alignSteps(shop("?", "search[a]"), shop("?", "search[a]")).firstDifferent).toBe(-1)
  })

  it("of a conversation stay aligned turn by turn, whatever one side said more", () => {
    const { pairs, firstDifferent } = alignSteps(
      talk(["buyer", 1, "hi"], ["agent", 1, "hello"], ["agent", 1, "how can I help?"], ["buyer", 2, "bye"]),
      talk(["buyer", 1, "hi"], ["agent", 1, "hello"], ["buyer", 2, "bye"]),
    )
    expect(firstDifferent).toBe(2)
    expect(pairs.map(({ first, second }) => [first?.text, second?.text])).toEqual([
      ["hi", "hi"],
      ["hello", "hello"],
      ["how can I help?", undefined],
      ["bye", "bye"],
    ])
    expect(pairs[1]!.first?.note).toBe("get_order")
  })

  it("leave out what only one party could see", () => {
    const { pairs } = alignSteps(talk(["system", 1, "note", "private"], ["buyer", 1, "hi"]), talk(["buyer", 1, "hi"]))
    expect(pairs.map(({ same }) => same)).toEqual([true])
  })
})
