import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { TINY_RETAIL } from "../../testing/tiny-retail.ts"
import { writeTinyRetail } from "../../testing/tiny-retail-folder.ts"
import { readPack } from "../pack/folder.ts"
import { scriptSource } from "../script-source.ts"
import { parseDatabase } from "./database.ts"
import { importTau2Retail, retailTables } from "./import.ts"
import { retailWorld } from "./retail.ts"

const { signal } = new AbortController()
let folder = ""
let source = ""
let out = ""
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "souk-tau2-"))
  source = join(folder, "retail")
  out = join(folder, "pack")
  writeTinyRetail(source)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const rewrite = (name: string, change: (text: string) => string) =>
  writeFileSync(join(source, name), change(readFileSync(join(source, name), "utf8")))

describe("importing τ²-bench retail", () => {
  it("makes a pack whose tables are the database, in its order", async () => {
    importTau2Retail(source, out)
    const pack = readPack(out)
    expect(pack.manifest).toMatchObject({ name: "tau2-retail", language: "en", currency: "USD", scripts: 4 })
    const [packed, original] = [await retailTables(pack, signal), parseDatabase(TINY_RETAIL, "tiny")]
    expect(retailWorld(packed, "strict").digest()).toBe(retailWorld(original, "strict").digest())
    const product = (tables: typeof packed) =>
      retailWorld(tables, "strict").call("get_product_details", { product_id: "9000000001" }).content
    expect(product(packed)).toBe(product(original))
  })

  it("takes a whole checkout as well as the folder of the data", () => {
    const data = join(folder, "checkout/data/tau2/domains")
    mkdirSync(data, { recursive: true })
    writeTinyRetail(join(data, "retail"))
    expect(importTau2Retail(join(folder, "checkout"), out).files).toEqual(importTau2Retail(source, `${out}2`).files)
  })

  it("keeps the policy byte by byte, and the splits with their roles", () => {
    importTau2Retail(source, out)
    const { policy, splits } = readPack(out)
    expect(policy).toBe(readFileSync(join(source, "policy.md"), "utf8"))
    expect(splits.map(({ name, role, task_ids }) => [name, role, task_ids])).toEqual([
      ["train", "train", ["0", "1"]],
      ["test", "test", ["2", "3"]],
      ["base", null, ["0", "1", "2", "3"]],
    ])
  })

  it("makes scripts that anything reads which reads scripts: a card for the buyer, checks, a reference play", async () => {
    importTau2Retail(source, out)
    const script = await scriptSource(out).load("1", signal)
    expect(script).toMatchObject({
      id: "tau2-retail-1",
      case_id: "1",
      goal: "You need help with task 1.",
      segments: [],
      buyer: {
        persona: null,
        task_instructions: "You are in a hurry.",
        known_info: "You are Ann Lee.",
        unknown_info: null,
      },
      gold: { outputs: ["0.55", "1,000"] },
    })
    expect(script.gold?.actions.map(({ name }) => name)).toEqual(["get_order_details", "modify_pending_order_items"])
    expect(script.checks.map(({ id, kind, blocking }) => [id, kind, blocking])).toEqual([
      ["state", "state", true],
      ["communicate", "communicate", false],
    ])
    const third = await scriptSource(out).load("2", signal)
    expect(third.checks.map(({ id, kind, blocking }) => [id, kind, blocking])).toEqual([
      ["state", "state", true],
      ["assertion-1", "process", true],
    ])
  })

  it("replaces a pack only when told to, and nothing else ever", () => {
    importTau2Retail(source, out)
    expect(() => importTau2Retail(source, out)).toThrow(/--force/)
    importTau2Retail(source, out, { force: true })
    expect(() => importTau2Retail(source, source, { force: true })).toThrow(/no service pack/)
    expect(readdirSync(folder).sort()).toEqual(["pack", "retail"])
  })

  it.each([
    [
      "db.json",
      (text: string) => text.replace('"price": 10.1', '"price": "10.1"'),
      /db\.json: products\/9000000001.*price/s,
    ],
    ["db.json", (text: string) => text.slice(0, 500), /db\.json is not JSON/],
    [
      "db.json",
      (text: string) => text.replace('"order_id": "#W5"', '"order_id": "#W9"'),
      /orders\/#W5: its order_id is "#W9"/,
    ],
    [
      "tasks.json",
      (text: string) => text.replace('"reward_basis":["DB"]', '"reward_basis":["LUCK"]'),
      /tasks\.json:.*reward_basis/s,
    ],
    ["tasks.json", (text: string) => text.replace('"id":"3"', '"id":"2"'), /task id twice/],
    ["split_tasks.json", (text: string) => text.replace('"3"', '"33"'), /split test names task 33/],
  ])("says what is wrong in %s", (name, change, message) => {
    rewrite(name, change)
    expect(() => importTau2Retail(source, out)).toThrow(message)
    expect(readdirSync(folder)).toEqual(["retail"])
  })

  it("says which file is missing", () => {
    rmSync(join(source, "policy.md"))
    expect(() => importTau2Retail(source, out)).toThrow(/There is no file .*policy\.md/)
  })
})

describe("reading a pack", () => {
  it("refuses files that are not the ones that were packed", () => {
    importTau2Retail(source, out)
    writeFileSync(join(out, "policy.md"), "other")
    expect(() => readPack(out)).toThrow(/policy\.md is not the file that was packed/)
    rmSync(join(out, "policy.md"))
    expect(() => readPack(out)).toThrow(/lists policy\.md, which is not there/)
  })

  it("refuses what is no pack", () => {
    expect(() => readPack(source)).toThrow(/There is no service pack at/)
    importTau2Retail(source, out)
    const path = join(out, "pack.json")
    const text = readFileSync(path, "utf8")
    writeFileSync(path, text.replace('"USD"', '"dollars"'))
    expect(() => readPack(out)).toThrow(/pack\.json:.*currency/s)
    writeFileSync(path, text.replace('"tables/users.jsonl":', '"../users.jsonl":'))
    expect(() => readPack(out)).toThrow(/pack\.json/)
  })

  it("names file and line of a row that is wrong", async () => {
    importTau2Retail(source, out)
    const pack = readPack(out)
    const path = join(out, "tables/orders.jsonl")
    const lines = readFileSync(path, "utf8").split("\n")
    writeFileSync(path, [lines[0], lines[1]?.replace("delivered", "lost")].join("\n"))
    await expect(retailTables(pack, signal)).rejects.toThrow(/orders\.jsonl:2:.*status/s)
    writeFileSync(path, [lines[0], lines[0]].join("\n"))
    await expect(retailTables(pack, signal)).rejects.toThrow(/orders\.jsonl:2: row #W1 is there twice/)
    writeFileSync(path, `${lines[0]}\n`)
    await expect(retailTables(pack, signal)).rejects.toThrow(/has 1 rows, not 5/)
  })
})
