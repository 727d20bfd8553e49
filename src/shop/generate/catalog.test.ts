import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { orderedJsonText } from "../../lib/ordered-json.ts"
import { importCatalog } from "../catalog/import.ts"
import { openCatalog } from "../catalog/open.ts"
import { verifyCatalog } from "../catalog/verify.ts"
import { Language } from "../catalog.ts"
import { generateCatalog } from "./catalog.ts"
import { generateProducts } from "./products.ts"
import { divideTasks } from "./splits.ts"

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "souk-generate-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.each(Language.options)("a catalog of a generated store in %s", (language) => {
  const options = { count: 90, seed: 4, language, tasks: 50 }

  it("is whole, and the same as one imported from its raw records", async () => {
    const [out, raw, again] = ["generated.catalog", "raw.jsonl.gz", "imported.catalog"].map((name) =>
      join(folder, `${language}-${name}`),
    ) as [string, string, string]
    const { manifest, splits } = await generateCatalog({ ...options, out, raw })
    expect(manifest.counts).toMatchObject({
      products: 90,
      tasks: 50,
      products_skipped: 0,
      tasks_skipped: 0,
      problems: 0,
    })
    expect(await verifyCatalog(out)).toMatchObject({ ok: true })
    const imported = await importCatalog({ files: [raw], out: again })
    expect(imported.manifest.content_hash).toBe(manifest.content_hash)
    expect(imported.problems).toEqual([])
    const unspooled = gunzipSync(readFileSync(raw)).toString("utf8")
    expect(unspooled).toBe([...generateProducts(options)].map((record) => `${orderedJsonText(record)}\n`).join(""))
    using catalog = openCatalog(out)
    expect(catalog.splits()).toEqual(splits)
    expect(divideTasks([...catalog.tasks()])).toEqual(splits)
  })

  it("is the same with and without a raw file", async () => {
    const out = join(folder, `${language}-plain.catalog`)
    const { manifest } = await generateCatalog({ ...options, out })
    using first = openCatalog(join(folder, `${language}-generated.catalog`))
    expect(manifest.content_hash).toBe(first.manifest.content_hash)
  })
})

it("nothing is left of a store whose making was stopped, and no raw file is overwritten", async () => {
  const [out, raw] = [join(folder, "stopped.catalog"), join(folder, "stopped.jsonl")]
  const options = { count: 5000, seed: 4, language: "en", tasks: 0, out, raw } as const
  await expect(generateCatalog({ ...options, signal: AbortSignal.timeout(60) })).rejects.toMatchObject({
    code: "CANCELLED",
  })
  expect([out, raw, `${out}.building`, `${raw}.building`].filter((path) => existsSync(path))).toEqual([])
  await generateCatalog({ ...options, count: 5 })
  await expect(generateCatalog({ ...options, count: 5 })).rejects.toMatchObject({ code: "REFUSED" })
})
