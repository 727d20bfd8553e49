import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { taskIdsSha256 } from "../core/task.ts"
import { personaOf, readSplit } from "./split.ts"

const folder = mkdtempSync(join(tmpdir(), "souk-split-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(content: unknown): string {
  const path = join(folder, "splits.json")
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content))
  return path
}

describe("readSplit", () => {
  it("reads lists and ranges, numbers and texts", async () => {
    const path = file({
      version: 1,
      splits: { a: { task_ids: [3, "t-1"], role: "val", persona: true }, b: { start: 5, end: 8 } },
    })
    const a = await readSplit(path, "a")
    expect(a).toEqual({
      name: "a",
      role: "val",
      persona: true,
      task_ids: ["3", "t-1"],
      task_ids_sha256: taskIdsSha256(["3", "t-1"]),
    })
    expect((await readSplit(path, "b")).task_ids).toEqual(["5", "6", "7"])
  })

  it("holds a frozen list to its hash", async () => {
    const hash = taskIdsSha256(["1", "2"])
    expect(hash).toBe("49a64717d5d4cb19952e6eac2946415cf6879adacf9908e7d872332d32c6e684") // sha256 of `[1,2]`
    const path = file({ splits: { a: { task_ids: [1, 2], task_ids_sha256: hash } } })
    expect((await readSplit(path, "a")).task_ids).toEqual(["1", "2"])
    const changed = file({ splits: { a: { task_ids: [1, 2, 3], task_ids_sha256: hash } } })
    await expect(readSplit(changed, "a")).rejects.toMatchObject({
      code: "BAD_INPUT",
      message: expect.stringContaining("frozen"),
    })
  })

  it("says what is wrong with a file", async () => {
    const cases: [unknown, string, RegExp][] = [
      ["{", "a", /is not a split file/],
      [{ splits: { a: { task_ids: [1, 1] } } }, "a", /names task 1 twice/],
      [{ splits: { a: { task_ids: [] } } }, "a", /is empty/],
      [{ splits: { a: { start: 3 } } }, "a", /needs task_ids, or start and end/],
      [{ splits: { a: { task_ids: [-1] } } }, "a", /not a split file/],
      [{ splits: { a: { task_ids: [1] } } }, "b", /has no split b; it has a/],
      [{ splits: { a: { task_ids: [1] } } }, "toString", /has no split toString/],
    ]
    for (const [content, name, message] of cases) await expect(readSplit(file(content), name)).rejects.toThrow(message)
  })
})

describe("personaOf", () => {
  const split = { name: "val", role: null, task_ids: ["1"], task_ids_sha256: "" }

  it("follows the experiment, else the split, else plays without", () => {
    expect(personaOf({ ...split, persona: null }, true)).toBe(true)
    expect(personaOf({ ...split, persona: true }, null)).toBe(true)
    expect(personaOf({ ...split, persona: null }, null)).toBe(false)
  })

  it("refuses a contradiction", () => {
    expect(() => personaOf({ ...split, persona: true }, false)).toThrow(/environment.persona is false/)
  })
})
