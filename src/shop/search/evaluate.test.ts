import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { textSource } from "../../lib/byte-source.ts"
import { importCatalog } from "../catalog/import.ts"
import { openCatalog } from "../catalog/open.ts"
import { makeSplit } from "../split/task-ids.ts"
import { evaluateSearch } from "./evaluate.ts"
import { searchCatalog } from "./search-catalog.ts"

const asin = (number: number) => String(number).padStart(12, "0")

describe("measuring search on a catalog", () => {
  let folder: string
  let path: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "souk-evaluate-"))
    path = join(folder, "store.catalog")
    // 40 lamps that tie but for their ids, and one fridge. Task ids have a gap.
    const lamps = Array.from({ length: 40 }, (_, number) => ({
      asin: asin(number),
      title: "护眼台灯",
      attribute: ["护眼"],
    }))
    const instructions = (task_id: number, instruction: string, simple?: string) => ({
      instructions: [{ task_id, instruction, attributes: ["护眼"], ...(simple ? { instruction_simple: simple } : {}) }],
      ...(simple ? { user_persona: { 地区: "北京" } } : {}),
    })
    const records = [
      { asin: asin(99), title: "静音冰箱", attribute: ["静音"], ...instructions(7, "静音冰箱", "冰箱") },
      ...lamps,
      { ...lamps[0], asin: asin(40), title: "护眼台灯 大号", ...instructions(20, "洗衣机") },
    ]
    Object.assign(records[10]!, instructions(12, "护眼台灯")) // lamp 9: the tenth of those that tie
    Object.assign(records[31]!, instructions(13, "台灯")) // lamp 30
    const text = records.map((record) => JSON.stringify(record)).join("\n")
    const splits = [makeSplit("two", ["7", "13"], { role: "val", persona: null })]
    await importCatalog({ files: [textSource("products.jsonl", [text])], out: path, splits })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.each(["memory", "fts5"] as const)(
    "recall and reciprocal rank of each task's own product, with %s",
    async (engine) => {
      using catalog = openCatalog(path)
      const evaluation = await evaluateSearch(catalog, { split: "all", top: 35, engine, workers: 2 })
      // Ranks: fridge 1; lamp 9 tenth; lamp 30 the 31st of 40 that tie; the last one not found.
      expect(evaluation).toMatchObject({
        engine,
        split: "all",
        top_k: 35,
        content_hash: catalog.manifest.content_hash,
        full: {
          queries: 4,
          recall_at_1: 0.25,
          recall_at_20: 0.5,
          recall_at_35: 0.75,
          mrr_at_35: (1 + 1 / 10 + 1 / 31) / 4,
        },
      })
      expect(evaluation.simple).toEqual(evaluation.full)
    },
  )

  it("tasks are those of the split, by id", async () => {
    using catalog = openCatalog(path)
    const evaluation = await evaluateSearch(catalog, { split: "two", top: 20, workers: 1 })
    expect(evaluation.full).toEqual({ queries: 2, recall_at_1: 0.5, recall_at_20: 0.5, mrr_at_20: 0.5 })
  })

  it("refuses unknown splits and too few hits, and stops when told to", async () => {
    using catalog = openCatalog(path)
    await expect(evaluateSearch(catalog, { split: "three" })).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: expect.stringContaining("all, two"),
    })
    await expect(evaluateSearch(catalog, { split: "two", top: 19 })).rejects.toMatchObject({ code: "BAD_INPUT" })
    await expect(evaluateSearch(catalog, { split: "two", signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "CANCELLED",
    })
  })

  it("hits carry what a page of results shows", () => {
    using catalog = openCatalog(path)
    expect(searchCatalog(catalog, "冰箱")).toEqual([
      {
        rank: 1,
        document: 0,
        score: expect.any(Number),
        asin: asin(99),
        title: "静音冰箱",
        brand: "",
        category: "",
        pricing: [],
        key_attributes: ["静音"],
      },
    ])
    const [memory, fts5] = (["memory", "fts5"] as const).map((engine) =>
      searchCatalog(catalog, "护眼 台灯", { top: 30, engine }),
    )
    expect(memory).toHaveLength(30)
    expect(memory!.map((hit) => hit.asin)).toEqual(fts5!.map((hit) => hit.asin))
    expect(searchCatalog(catalog, "护眼 台灯 冰箱", { maxTokens: 2 }).every((hit) => hit.title.includes("台灯"))).toBe(
      true,
    )
  })
})
