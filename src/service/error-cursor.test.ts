import { describe, expect, it } from "vitest"
import type { LoggedEvent } from "../channel/events.ts"
import { failureOfScope, pendingFailure } from "./error-cursor.ts"

const event = (more: object) => ({ seq: 1, at: "", committed_ms: 0, ...more }) as unknown as LoggedEvent
const well = event({ type: "turn_end", reason: "completed" })
const input = event({ type: "received" })
const stopped = event({ type: "turn_end", reason: "aborted" })
const bad = (code: string) =>
  event({ type: "turn_end", reason: "error", error: { code, message: code, retryable: false } })

describe("failures that nobody has looked at", () => {
  const table: [string, LoggedEvent[], number, string | undefined][] = [
    ["none in a clean log", [input, well], 0, undefined],
    ["a failure counts even when a later turn ended well", [input, bad("A"), well], 0, "A"],
    ["the first of several counts", [bad("A"), bad("B")], 0, "A"],
    ["what was looked at does not count again", [bad("A"), well, input], 1, undefined],
    ["a turn that was stopped did not fail", [stopped], 0, undefined],
  ]
  it.each(table)("%s", (_, log, examined, code) => {
    expect(pendingFailure(log, examined)?.code).toBe(code)
  })
})

describe("what counts of the turns since an input", () => {
  const table: [string, LoggedEvent[], number, string | undefined][] = [
    ["no turn has ended", [input], 0, undefined],
    ["the last turn ended well after a failed one", [input, bad("A"), well], 0, undefined],
    ["the last turn failed after a good one", [input, well, bad("B")], 0, "B"],
    ["turns before the input do not count", [bad("A"), input], 1, undefined],
    ["a stopped turn after a failed one does not count as failed", [input, bad("A"), stopped], 0, undefined],
  ]
  it.each(table)("%s", (_, log, from, code) => {
    expect(failureOfScope(log, from)?.code).toBe(code)
  })

  it("a failed turn that does not say why is still a failure", () => {
    expect(failureOfScope([event({ type: "turn_end", reason: "error" })], 0)?.code).toBe("TARGET_UNAVAILABLE")
  })
})
