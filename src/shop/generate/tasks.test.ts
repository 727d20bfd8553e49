import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { textSource } from "../../lib/byte-source.ts"
import { testData } from "../../testing/data.ts"
import { exportCatalog } from "../catalog/export.ts"
import { importCatalog } from "../catalog/import.ts"
import { openCatalog } from "../catalog/open.ts"
import { verifyCatalog } from "../catalog/verify.ts"
import { proveTasks } from "../prove/prove.ts"
import { generateCatalog } from "./catalog.ts"
import { generateTasks } from "./tasks.ts"

const data = testData()
let folder: string
let bare: string // a store without tasks
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "souk-tasks-"))
  bare = join(folder, "bare.catalog")
  await generateCatalog({ count: 60, seed: 2, language: "zh", tasks: 0, out: bare })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("tasks for a catalog", () => {
  it("make a whole catalog that differs in nothing else, and export with it", async () => {
    const out = join(folder, "whole.catalog")
    const { manifest, splits, unusable } = await generateTasks({ catalog: bare, out, count: 40, seed: 7 })
    expect(unusable).toBe(0)
    expect(manifest.counts).toMatchObject({ products: 60, tasks: 40 })
    expect(manifest.versions).toMatchObject({
      task_seed: "7",
      task_writer: expect.stringMatching(/^souk-task-writer-/),
    })
    expect(await verifyCatalog(out)).toMatchObject({ ok: true })
    using before = openCatalog(bare)
    using after = openCatalog(out)
    expect(before.taskCount).toBe(0)
    expect(after.manifest.products_sha256).toBe(before.manifest.products_sha256)
    expect(after.manifest.sources).toEqual(before.manifest.sources)
    expect(after.engine().search("猫粮", 5)).toEqual(before.engine().search("猫粮", 5))
    expect(splits.flatMap(({ task_ids }) => task_ids).sort()).toEqual(after.taskIds().sort())
    const raw = textSource("raw.json", exportCatalog(after))
    const again = await importCatalog({ files: [raw], out: join(folder, "again.catalog"), language: "zh" })
    expect(again.manifest.content_hash).toBe(manifest.content_hash)
  })

  it("are the same for the same seed, and others for another", async () => {
    const hash = async (seed: number, name: string) => {
      const { manifest } = await generateTasks({ catalog: bare, out: join(folder, name), count: 20, seed })
      return manifest.tasks_sha256
    }
    const first = await hash(1, "one.catalog")
    expect(await hash(1, "two.catalog")).toBe(first)
    expect(await hash(2, "three.catalog")).not.toBe(first)
  })

  it("are written in place, and never over others unless told to", async () => {
    const path = join(folder, "own.catalog")
    copyFileSync(bare, path)
    await generateTasks({ catalog: path, count: 10, seed: 1 })
    const kept = readFileSync(path)
    for (const out of [undefined, join(folder, "elsewhere.catalog"), bare]) {
      const options = { catalog: path, count: 5, seed: 2, ...(out === undefined ? {} : { out }) }
      await expect(generateTasks(options)).rejects.toMatchObject({ code: "REFUSED" })
    }
    expect(readFileSync(path).equals(kept)).toBe(true)
    const { manifest } = await generateTasks({ catalog: path, count: 5, seed: 2, force: true })
    expect(manifest.counts.tasks).toBe(5)
    expect(await verifyCatalog(path)).toMatchObject({ ok: true, tasks: 5 })
  })

  it("come several to a product when there are more tasks than products", async () => {
    const out = join(folder, "many.catalog")
    const { manifest } = await generateTasks({ catalog: bare, out, count: 100, seed: 3 })
    expect(manifest.counts.tasks).toBe(100)
    using catalog = openCatalog(out)
    const instructions = [...catalog.tasks()].map(({ instruction }) => instruction)
    expect(new Set(instructions).size).toBe(100)
  })

  it("link by shopper and product what must not be divided", async () => {
    const out = join(folder, "linked.catalog")
    const { splits } = await generateTasks({ catalog: bare, out, count: 100, seed: 4 })
    using catalog = openCatalog(out)
    const roleOf = new Map(splits.flatMap(({ role, task_ids }) => task_ids.map((id) => [id, role])))
    for (let document = 0; document < catalog.productCount; document++) {
      expect(new Set(catalog.tasksOf(document).map(({ task_id }) => roleOf.get(task_id))).size).toBeLessThanOrEqual(1)
    }
    const roleOfUser = new Map<string, unknown>()
    for (const { persona, task_id } of catalog.tasks()) {
      const user = persona === null ? undefined : (JSON.parse(persona) as { 用户ID: string }).用户ID
      if (user === undefined) continue
      expect(roleOfUser.get(user) ?? roleOf.get(task_id)).toBe(roleOf.get(task_id))
      roleOfUser.set(user, roleOf.get(task_id))
    }
  })

  it("say so when there is nothing to ask for", async () => {
    const out = join(folder, "nothing.catalog")
    await importCatalog({ files: [textSource("x.json", ['[{"asin": "1", "title": "灯"}]'])], out })
    await expect(generateTasks({ catalog: out, count: 5, seed: 1 })).rejects.toMatchObject({ code: "BAD_INPUT" })
  })
})

describe.skipIf(data === undefined)("tasks for real stores", () => {
  it.each([
    ["litemall-zh.json", 239],
    ["webshop-en.json", 300],
  ])(
    "%s: nearly all can be solved, most ask for something, none for nothing",
    async (name, count) => {
      const out = join(folder, name)
      await importCatalog({ files: [join(data!, "catalogs", name)], out })
      await generateTasks({ catalog: out, count, seed: 7 })
      using catalog = openCatalog(out)
      expect(catalog.taskCount).toBeGreaterThanOrEqual(0.95 * count)
      const proof = await proveTasks(catalog)
      expect(proof.proved_share).toBeGreaterThanOrEqual(0.95)
      expect(proof.asking_share).toBeGreaterThanOrEqual(0.6)
      const leaks = [...catalog.tasks()].filter(({ asin, instruction }) => {
        const { title } = catalog.product(catalog.documentOf(asin)!)
        return instruction.includes(asin) || instruction.toLowerCase().includes(title.toLowerCase())
      })
      expect(leaks).toEqual([])
    },
    120_000,
  )
})
