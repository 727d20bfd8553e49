import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { parseOrderedJson } from "../../lib/ordered-json.ts"
import { testData } from "../../testing/data.ts"
import type { Catalog } from "../catalog.ts"
import { goalOf } from "../goal.ts"
import { exportCatalog } from "./export.ts"
import { importCatalog } from "./import.ts"
import { inspectCatalog } from "./inspect.ts"
import { openCatalog } from "./open.ts"
import { verifyCatalog } from "./verify.ts"

const data = testData()

describe.skipIf(data === undefined)("real and recorded files", () => {
  let folder: string
  const catalogs = new Map<string, Catalog>()
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "souk-shared-"))
    for (const file of ["shop-v8/catalog-1k.json.gz", "catalogs/litemall-zh.json", "catalogs/webshop-en.json"]) {
      const out = join(folder, `${catalogs.size}.catalog`)
      const { problems } = await importCatalog({ files: [join(data!, file)], out, strict: true })
      expect(problems).toEqual([])
      catalogs.set(file, openCatalog(out))
    }
  }, 60_000)
  afterAll(() => {
    for (const catalog of catalogs.values()) catalog.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test.each([
    [
      "shop-v8/catalog-1k.json.gz",
      {
        language: "zh",
        currency: "CNY",
        filter: "none",
        counts: { products: 1000, tasks: 999, persona_tasks: 213, tasks_excluded: 1 },
      },
    ],
    [
      "catalogs/litemall-zh.json",
      { language: "zh", currency: "CNY", filter: "single-price-axis", counts: { products: 239, tasks: 0 } },
    ],
    [
      "catalogs/webshop-en.json",
      { language: "en", currency: "USD", filter: "single-price-axis", counts: { products: 1468, tasks: 0 } },
    ],
  ])("%s imports without a problem and is whole", async (file, manifest) => {
    const catalog = catalogs.get(file)!
    expect(catalog.manifest).toMatchObject(manifest)
    expect(await verifyCatalog(catalog.path)).toMatchObject({
      ok: true,
      faults: [],
      content_hash: catalog.manifest.content_hash,
    })
  })

  test.each(["shop-v8/catalog-1k.json.gz", "catalogs/litemall-zh.json", "catalogs/webshop-en.json"])(
    "%s comes out as it went in, number spellings and all, and goes in again as the same catalog",
    async (file) => {
      const catalog = catalogs.get(file)!
      const exported = [...exportCatalog(catalog, { format: "shopsimulator" })].join("")
      const bytes = readFileSync(join(data!, file))
      const source = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString()
      expect(parseOrderedJson(exported)).toEqual(parseOrderedJson(source))
      const path = join(folder, "again.json")
      writeFileSync(path, exported)
      const { manifest } = await importCatalog({ files: [path], out: join(folder, "again.catalog") })
      expect(manifest.content_hash).toBe(catalog.manifest.content_hash)
    },
  )

  test("prices keep the spelling of the source", () => {
    const catalog = catalogs.get("shop-v8/catalog-1k.json.gz")!
    const product = catalog.product(catalog.documentOf("689204493720")!)
    expect(product.pricing).toEqual(["520.0", "995.0"])
    expect(product.axes[0]!.values[0]!.price).toBe("520")
  })

  test("goals are the reference's", () => {
    const catalog = catalogs.get("shop-v8/catalog-1k.json.gz")!
    const vectors = JSON.parse(gunzipSync(readFileSync(join(data!, "shop-v8/vectors-sample.json.gz"))).toString()) as {
      goals: {
        task_id: number
        asin: string
        price_upper: number | null
        goal_options: string[]
        attributes: string[]
        instruction_text: string
        instruction_simple: string
      }[]
    }
    expect(vectors.goals.length).toBeGreaterThan(50)
    for (const goal of vectors.goals) {
      const task = catalog.task(String(goal.task_id))!
      const { asin, options, attributes, price_upper } = goalOf(
        task,
        catalog.product(catalog.documentOf(task.asin)!),
        "v8",
      )
      expect({
        asin,
        options,
        attributes,
        instruction: task.instruction,
        simple: task.instruction_simple ?? task.instruction,
      }).toEqual({
        asin: goal.asin,
        options: goal.goal_options,
        attributes: goal.attributes,
        instruction: goal.instruction_text,
        simple: goal.instruction_simple,
      })
      if (goal.price_upper === null) expect(price_upper).toBeNull()
      else expect(price_upper).toBeCloseTo(goal.price_upper, 9)
    }
  })

  test("an inspection adds up", () => {
    const catalog = catalogs.get("shop-v8/catalog-1k.json.gz")!
    const { domains, axes, price_kinds, tasks, exclusions, audits } = inspectCatalog(catalog)
    const sum = (tally: Record<string, number>) => Object.values(tally).reduce((total, count) => total + count, 0)
    for (const tally of [domains, axes, price_kinds]) expect(sum(tally)).toBe(1000)
    for (const tally of [tasks.budget_v8, tasks.budget_souk, tasks.wanted_options, tasks.by_source])
      expect(sum(tally)).toBe(999)
    expect(axes).toEqual({ 0: 129, 1: 283, 2: 487, 3: 101 })
    expect(price_kinds.several_price_axes).toBe(37)
    expect(exclusions).toEqual({ products: 0, tasks: 1, by_reason: { no_attributes: 1 } })
    expect(audits.wanted_option_missing!.count).toBe(0)
  })
})
