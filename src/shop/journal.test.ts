import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import { afterEach, describe, expect, it } from "vitest"
import { type Journal, type JournaledStart, NO_JOURNAL, openJournal, type SessionLog } from "./journal.ts"

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "souk-journal-"))
  folders.push(path)
  return path
}

function start(number: number): JournaledStart {
  const lease = number.toString(16).padStart(32, "0")
  const choices = { rules: "v8", mode: "single_turn", persona: false } as const
  return { lease, slot: number, protocol: "native", task_id: String(100 + number), ...choices }
}

function play(journal: Journal, number: number, actions: string[]): JournaledStart {
  const begun = start(number)
  journal.append({ type: "start", ...begun })
  actions.forEach((response, index) => {
    journal.append({ type: "action", lease: begun.lease, step: index + 1, response })
  })
  return begun
}

const file = (path: string): string => join(path, "sessions.jsonl")

describe("the journal of sessions", () => {
  it("gives back what lived, and nothing of what was released", () => {
    const path = folder()
    const journal = openJournal(path, { catalogHash: "abc" })
    const one = play(journal, 1, ["search[台灯]", 'click["odd\n" \ud800 value]'])
    const two = play(journal, 2, ["search[x]"])
    const three = play(journal, 3, [])
    journal.append({ type: "release", lease: two.lease })
    journal.append({ type: "terminate", lease: three.lease, reason: "generation_length" })
    journal.close()
    const again = openJournal(path, { catalogHash: "abc" })
    expect(again.restored).toEqual([
      { start: one, actions: ["search[台灯]", 'click["odd\n" \ud800 value]'], terminated: null },
      { start: three, actions: [], terminated: "generation_length" },
    ])
    again.close()
    expect(readFileSync(file(path), "utf8")).not.toContain(two.lease)
  })

  it("a last line torn by a crash is dropped, wherever it was torn", () => {
    const path = folder()
    const journal = openJournal(path, { catalogHash: "abc" })
    play(journal, 1, ["search[台灯]", "click[a]", "click[b]"])
    journal.close()
    const whole = readFileSync(file(path))
    fc.assert(
      fc.property(fc.integer({ min: 0, max: whole.length }), (length) => {
        writeFileSync(file(path), whole.subarray(0, length))
        const opened = openJournal(path, { catalogHash: "abc" })
        const lines = whole.subarray(0, length).toString("latin1").split("\n").length - 1
        expect(opened.restored.flatMap((log) => log.actions)).toEqual(
          ["search[台灯]", "click[a]", "click[b]"].slice(0, Math.max(0, lines - 2)),
        )
        opened.close()
      }),
      { numRuns: 60 },
    )
  })

  it("damage before the last line is named with its line", () => {
    const path = folder()
    const journal = openJournal(path, { catalogHash: "abc" })
    const { lease } = play(journal, 1, ["search[x]"])
    journal.close()
    appendFileSync(file(path), "{nonsense\n")
    expect(() => openJournal(path, { catalogHash: "abc" })).toThrow(/sessions.jsonl line 4: not JSON/)
    truncateSync(file(path), readFileSync(file(path)).length - "{nonsense\n".length)
    appendFileSync(file(path), `${JSON.stringify({ type: "action", lease, step: 7, response: "x" })}\n`)
    expect(() => openJournal(path, { catalogHash: "abc" })).toThrow(/line 4: step 7 after 1/)
  })

  it("sessions of another catalog are refused with the ways out; a journal without sessions is not", () => {
    const path = folder()
    const journal = openJournal(path, { catalogHash: "abc" })
    const { lease } = play(journal, 1, [])
    journal.close()
    expect(() => openJournal(path, { catalogHash: "other" })).toThrow(/1 sessions on catalog abc.*--state.*delete/)
    const again = openJournal(path, { catalogHash: "abc" })
    again.append({ type: "release", lease })
    again.close()
    openJournal(path, { catalogHash: "other" }).close()
  })

  it("belongs to one process at a time", () => {
    const path = folder()
    const journal = openJournal(path, { catalogHash: "abc" })
    expect(() => openJournal(path, { catalogHash: "abc" })).toThrow(/in use by another process \(pid \d+\)/)
    journal.close()
    openJournal(path, { catalogHash: "abc" }).close()
  }, 10_000)

  it("a folder that cannot be written is said clearly", () => {
    const path = folder()
    writeFileSync(join(path, "file"), "")
    expect(() => openJournal(join(path, "file", "state"), { catalogHash: "abc" })).toThrow(
      expect.objectContaining({ code: "STORE_UNWRITABLE", message: expect.stringContaining("Cannot write to") }),
    )
  })

  it("grows until most of it is about dead sessions, then is written anew while it is used", () => {
    const path = folder()
    const journal = openJournal(path, { catalogHash: "abc", overgrownBytes: 10_000 })
    const live: SessionLog = { start: start(0), actions: [], terminated: null }
    journal.append({ type: "start", ...live.start })
    for (let i = 1; !journal.overgrown; i++) {
      const { lease } = play(journal, i, ["search[x]", "click[y]"])
      journal.append({ type: "release", lease })
    }
    const before = readFileSync(file(path)).length
    expect(before).toBeGreaterThan(10_000)
    journal.compact([live])
    expect(journal.overgrown).toBe(false)
    expect(readFileSync(file(path)).length).toBeLessThan(600)
    journal.append({ type: "action", lease: live.start.lease, step: 1, response: "search[after]" })
    journal.close()
    const again = openJournal(path, { catalogHash: "abc" })
    expect(again.restored).toEqual([{ ...live, actions: ["search[after]"] }])
    again.close()
  })

  it("switched off it remembers nothing and never complains", () => {
    NO_JOURNAL.append({ type: "release", lease: "x" })
    NO_JOURNAL.compact([])
    NO_JOURNAL.close()
    expect(NO_JOURNAL.restored).toEqual([])
  })
})
