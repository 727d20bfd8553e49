import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { textSource } from "../../lib/byte-source.ts"
import { makeSplit } from "../split/task-ids.ts"
import { excludeTasks } from "./exclude-tasks.ts"
import { exportCatalog } from "./export.ts"
import { importCatalog } from "./import.ts"
import { inspectCatalog } from "./inspect.ts"
import { openCatalog } from "./open.ts"
import { verifyCatalog } from "./verify.ts"

let folder = ""
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "souk-exclude-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const task = (instruction: string) => ({
  instruction,
  attributes: ["暖光"],
  instruction_options: ["白"],
  note: instruction,
})
const PRODUCTS = [
  { asin: "1", title: "台灯", pricing: [12.5], instructions: [task("一"), task("二"), task("三")] },
  { asin: "2", title: "落地灯", pricing: [30], instructions: [task("四")], user_persona: { 性别: "女" } },
  { asin: "3", title: "吊灯", pricing: [30] },
]

async function make(name: string): Promise<string> {
  const out = join(folder, name)
  const raw = JSON.stringify(PRODUCTS)
  const splits = [makeSplit("mine", ["0", "1", "3"], { role: "test", persona: null })]
  await importCatalog({ files: [textSource("raw.json", [raw])], out, language: "zh", splits })
  return out
}

const exclusion = (task_id: string) => ({ task_id, reason: "not_proved", details: { flaws: ["over_budget"] } })

test("excluded tasks are gone from tasks, splits and raw form, and listed", async () => {
  const path = await make("a.catalog")
  const before = openCatalog(path).manifest
  const manifest = excludeTasks(path, [exclusion("1"), exclusion("3")], { contentHash: before.content_hash })
  using catalog = openCatalog(path)
  expect(catalog.manifest).toEqual(manifest)
  expect(manifest.content_hash).not.toBe(before.content_hash)
  expect(manifest.counts).toEqual({ ...before.counts, tasks: 2, persona_tasks: 0, tasks_excluded: 2 })
  expect(catalog.taskIds()).toEqual(["0", "2"])
  expect(catalog.split("mine")?.task_ids).toEqual(["0"])
  expect(inspectCatalog(catalog).exclusions).toMatchObject({ tasks: 2, by_reason: { not_proved: 2 } })
  expect((await verifyCatalog(path)).faults).toEqual([])

  const raw = [...exportCatalog(catalog)].join("")
  expect(JSON.parse(raw)[0].instructions.map(({ note }: { note: string }) => note)).toEqual(["一", "三"])
  const again = await importCatalog({
    files: [textSource("raw.json", [raw])],
    out: join(folder, "again.catalog"),
    language: "zh",
  })
  expect(again.manifest.content_hash).toBe(manifest.content_hash)
})

test("a catalog that is another one by now, or lacks a task, stays as it is", async () => {
  const path = await make("b.catalog")
  const bytes = readFileSync(path)
  const { content_hash } = openCatalog(path).manifest
  expect(() => excludeTasks(path, [exclusion("1")], { contentHash: "0".repeat(64) })).toThrow(/has changed/)
  expect(() => excludeTasks(path, [exclusion("1"), exclusion("77")], { contentHash: content_hash })).toThrow(
    /no task 77/,
  )
  expect(readFileSync(path).equals(bytes)).toBe(true)
  expect(readdirSync(folder).filter((name) => name.includes("building"))).toEqual([])
  expect(existsSync(`${path}.building`)).toBe(false)
})

test("what is no catalog is refused", () => {
  expect(() => excludeTasks(join(folder, "none.catalog"), [], { contentHash: "" })).toThrow(
    expect.objectContaining({ code: "NOT_FOUND" }),
  )
})
