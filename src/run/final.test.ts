import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { type FinalWish, guardFinal, isTest, ledgerPath, recordFinal } from "./final.ts"

const folder = mkdtempSync(join(tmpdir(), "souk-final-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let files = 0

function wish(changes: Partial<FinalWish> = {}): FinalWish {
  return {
    split: { name: "held-out", role: "test", task_ids: ["1"], task_ids_sha256: "a".repeat(64), persona: null },
    ledger: ledgerPath(join(folder, `splits-${files++}.json`)),
    fingerprint: "f1",
    run: "first",
    modelId: "m",
    skills: "none",
    final: true,
    reason: null,
    ...changes,
  }
}

it("refuses a test split without --final, and --final for others", () => {
  expect(() => guardFinal(wish({ final: false }))).toThrow(/held-out is a test split.*--final/)
  const { split } = wish()
  const validation = { ...split, role: "val" as const }
  expect(() => guardFinal(wish({ split: validation }))).toThrow(/split held-out is none/)
  expect(() => guardFinal(wish({ split: validation, final: false }))).not.toThrow()
  expect(isTest({ ...split, role: null })).toBe(false)
  expect(isTest({ ...split, role: null, name: "test" })).toBe(true)
})

it("refuses skills that are not frozen", () => {
  expect(() => guardFinal(wish({ skills: "open" }))).toThrow(/skills\.frozen: true/)
  expect(() => guardFinal(wish({ skills: "frozen" }))).not.toThrow()
})

it("records each final run once, and asks another experiment for its reason", () => {
  const first = wish()
  const lines = () => readFileSync(first.ledger, "utf8").trim().split("\n")
  guardFinal(first)
  recordFinal(first, 0)
  guardFinal(first)
  recordFinal(first, 1)
  expect(lines().map((line) => JSON.parse(line))).toEqual([
    {
      schema: "souk.final-run/1",
      at: "1970-01-01T00:00:00.000Z",
      split: "held-out",
      task_ids_sha256: "a".repeat(64),
      fingerprint: "f1",
      run: "first",
      model_id: "m",
      reason: null,
    },
  ])
  const second = { ...first, fingerprint: "f2", run: "second" }
  expect(() => guardFinal(second)).toThrow(/another experiment, the last one first on 1970-01-01.*--reason/)
  const explained = { ...second, reason: "the first one had a wrong prompt" }
  guardFinal(explained)
  recordFinal(explained, 2)
  expect(JSON.parse(lines()[1]!)).toMatchObject({ run: "second", reason: "the first one had a wrong prompt" })
  const otherTasks = { ...second, split: { ...second.split, task_ids_sha256: "b".repeat(64) } }
  expect(() => guardFinal(otherTasks)).not.toThrow()
})

it("plays nothing that cannot be recorded, and does not guess at a damaged record", () => {
  const nowhere = wish({ ledger: join(folder, "none", "x.jsonl") })
  expect(() => recordFinal(nowhere, 0)).toThrow(expect.objectContaining({ code: "STORE_UNWRITABLE" }))
  const damaged = wish()
  writeFileSync(damaged.ledger, "{\n")
  expect(() => guardFinal(damaged)).toThrow(expect.objectContaining({ code: "STORE_CORRUPT" }))
})
