import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { taskIdsSha256 } from "../../core/task.ts"
import type { PersonaTask } from "./persona-splits.ts"
import { buildPersonaSplits } from "./persona-splits.ts"
import { personaSplitFile, readSplitFile } from "./split-file.ts"

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "souk-splits-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function written(content: unknown): string {
  const path = join(folder, "splits.json")
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content))
  return path
}
const read = (splits: unknown) => readSplitFile(written({ splits }))

test("explicit ids are taken as they stand, with the hash of their compact list", () => {
  expect(read({ mine: { task_ids: [0, 2, 5], role: "val", persona: true, note: "extra keys are fine" } })).toEqual([
    {
      name: "mine",
      role: "val",
      persona: true,
      task_ids: ["0", "2", "5"],
      task_ids_sha256: "42053e89f3cd68222f2faba93861d80b3514366f8988bde987640ef9e8715539",
    },
  ])
})

test("names are task ids too", () => {
  expect(read({ mine: { task_ids: ["lamp-1", 7] } })[0]).toMatchObject({
    task_ids: ["lamp-1", "7"],
    task_ids_sha256: taskIdsSha256(["lamp-1", "7"]),
  })
})

test("a range stands for the ids in it that exist", () => {
  const path = written({ splits: { a: [2, 5], b: { range: [10, 12], role: "test" } } })
  expect(readSplitFile(path).map(({ task_ids }) => task_ids)).toEqual([
    ["2", "3", "4"],
    ["10", "11"],
  ])
  expect(readSplitFile(path, { exists: (id) => id !== "3" && id !== "11" }).map(({ task_ids }) => task_ids)).toEqual([
    ["2", "4"],
    ["10"],
  ])
})

test("splits without a role may overlap", () => {
  expect(read({ a: { task_ids: [1] }, b: { task_ids: [1] }, c: { task_ids: [1], role: "test" } })).toHaveLength(3)
})

test.each<[unknown, RegExp]>([
  [{ a: { task_ids: [1, 1] } }, /split a names task 1 twice/],
  [{ a: { task_ids: [1, "1"] } }, /split a names task 1 twice/],
  [{ a: { task_ids: [0, -1] } }, /split a is wrong at task_ids\.1: -1 is no task id/],
  [{ a: { task_ids: [true] } }, /task_ids\.0: true is no task id/],
  [{ a: { task_ids: [1.5] } }, /1\.5 is no task id/],
  [{ a: { task_ids: [null] } }, /null is no task id/],
  [{ a: { task_ids: "1" } }, /split a is wrong at task_ids/],
  [{ a: { task_ids: [1], role: "dev" } }, /split a is wrong at role/],
  [
    { a: { task_ids: [1], role: "train" }, b: { task_ids: [1], role: "test" } },
    /split b \(test\) shares task 1 with split a \(train\)/,
  ],
  [{ a: { task_ids: [1], task_ids_sha256: "0".repeat(64) } }, /split a says its ids hash to 000000000000…, but/],
  [{ a: { task_ids: [1], task_count: 2 } }, /split a says it has 2 tasks, but has 1/],
  [{ a: {} }, /split a needs either/],
  [{ a: { task_ids: [1], range: [1, 2] } }, /split a needs either/],
  [{ a: [5, 2] }, /needs start < end/],
  [{ a: [0, 1e12] }, /at most 10000000 ids/],
  [{ a: 7 }, /split a is wrong/],
  ["[]", /is not a split file/],
  ["{", /Cannot read the split file/],
])("%j is refused with the place", (splits, message) => {
  const path = written(typeof splits === "string" ? splits : { splits })
  expect(() => readSplitFile(path)).toThrow(
    expect.objectContaining({ code: "BAD_INPUT", message: expect.stringMatching(message) }),
  )
  expect(() => readSplitFile(path)).toThrow(expect.objectContaining({ message: expect.stringContaining(path) }))
})

test("tasks that are not there are refused", () => {
  const path = written({ splits: { a: { task_ids: [1, 2] } } })
  expect(() => readSplitFile(path, { exists: (id) => id === "1" })).toThrow(
    /split a names task 2, which the catalog does not hold/,
  )
  expect(() => readSplitFile(join(folder, "none.json"))).toThrow(expect.objectContaining({ code: "NOT_FOUND" }))
})

test("built splits are written so that they read back as the same splits", () => {
  const tasks = Array.from({ length: 9 }, (_, id): PersonaTask => {
    return {
      task_id: String(id),
      asin: `a${id}`,
      instruction: `i${id}`,
      instruction_simple: null,
      persona: `{"n":${id}}`,
      source_split: null,
    }
  })
  const options = { seed: 7, val: 2, test: 3, maxGroup: 1, keepInTrain: ["4"] }
  const splits = buildPersonaSplits(tasks, options)
  const text = personaSplitFile(splits, { name: "v1", source: { catalog: "c" }, options, taskCount: 9 })
  expect(
    readSplitFile(written(text)).map(({ name, role, persona, task_ids }) => ({ name, role, persona, task_ids })),
  ).toEqual(splits.map(({ name, task_ids }) => ({ name, role: name, persona: true, task_ids })))
  expect(JSON.parse(text)).toMatchObject({
    schema_version: "shopsimrl-persona-splits-v1",
    splits: {
      test: {
        task_count: 3,
        group_count: 3,
        multi_task_group_count: 0,
        max_group_size: 1,
        source_split_counts: { unknown: 3 },
      },
    },
    checks: { disjoint: true, complete: true, exclusions_respected: true, task_count: 9 },
  })
})
