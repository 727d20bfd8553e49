import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { orderedJsonText } from "../lib/ordered-json.ts"
import { parseBudget } from "./budget.ts"
import { verifyCatalog } from "./catalog/verify.ts"
import { type Catalog, Language } from "./catalog.ts"
import { generateProducts } from "./generate/products.ts"
import { priceAffectingAxes } from "./price.ts"
import type { Product } from "./product.ts"
import { proveTasks } from "./prove/prove.ts"
import { BUNDLED_STORES, openStore, storeFile } from "./store.ts"
import type { ShopTask } from "./task.ts"

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "souk-store-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const HAN = /\p{Script=Han}/u
/** Of a number of things, the share for which something holds. */
const share = <T>(items: readonly T[], holds: (item: T) => boolean) => items.filter(holds).length / items.length

it("both stores together stay small", () => {
  const bytes = Language.options.reduce((sum, language) => sum + statSync(storeFile(language)).size, 0)
  expect(bytes).toBeLessThan(2_000_000)
})

describe.each(Language.options)("the bundled store in %s", (language) => {
  let store: Catalog & Disposable
  let products: Product[]
  let tasks: ShopTask[]
  beforeAll(async () => {
    store = await openStore(language, { folder })
    products = Array.from({ length: store.productCount }, (_, document) => store.product(document))
    tasks = [...store.tasks()]
  })
  afterAll(() => store.close())

  it("is what its seed gives, byte for byte", () => {
    const file = readFileSync(storeFile(language))
    expect(file.readUInt32LE(4)).toBe(0) // no time of making in the gzip header
    let text = ""
    for (const record of generateProducts(BUNDLED_STORES[language])) text += `${orderedJsonText(record)}\n`
    expect(gunzipSync(file).toString("utf8") === text).toBe(true) // a difference of megabytes is no message
  }, 120_000)

  it("is a whole catalog with splits of every role, for both ways to play", async () => {
    expect(await verifyCatalog(store.path)).toMatchObject({ ok: true, faults: [] })
    expect(store.taskCount).toBeGreaterThanOrEqual(300)
    const splits = store.splits().filter(({ role }) => role !== null)
    expect(splits.map(({ name, role, persona }) => [name, role, persona])).toEqual([
      ["train", "train", false],
      ["val", "val", false],
      ["test", "test", false],
      ["persona-train", "train", true],
      ["persona-val", "val", true],
      ["persona-test", "test", true],
    ])
    expect(splits.flatMap(({ task_ids }) => task_ids).sort()).toEqual(store.taskIds().sort())
    for (const { task_ids } of splits) expect(task_ids.length).toBeGreaterThanOrEqual(10)
  })

  it("is many-sided: domains, kinds, options, prices in several spellings", () => {
    const domains = new Set(products.map(({ category }) => category.split("›")[0]))
    expect(domains.size).toBeGreaterThanOrEqual(12)
    expect(new Set(products.map(({ category }) => category)).size).toBe(60)
    const axes = (count: number) => share(products, (product) => product.axes.length === count)
    expect(axes(0)).toBeGreaterThan(0.02)
    expect(axes(1)).toBeGreaterThan(0.15)
    expect(axes(2)).toBeGreaterThan(0.3)
    expect(axes(3)).toBeGreaterThan(0.02)
    const moving = (count: number) => share(products, (product) => priceAffectingAxes(product).length === count)
    expect(moving(0)).toBeGreaterThan(0.1)
    expect(moving(1)).toBeGreaterThan(0.4)
    expect(share(products, ({ pricing }) => pricing.length === 0)).toBeLessThan(0.04)
    const prices = products.flatMap(({ pricing }) => pricing.slice(0, 1))
    for (const spelling of [/^\d+$/, /^\d+\.0$/, /^\d+\.[1-9]\d?$|^\d+\.\d[1-9]$/]) {
      expect(share(prices, (price) => spelling.test(price))).toBeGreaterThan(0.08)
    }
    const values = products.flatMap((product) => product.axes.flatMap((axis) => axis.values))
    for (const trait of [/\//, / /, /[A-Z]/, /^\d+$/])
      expect(share(values, ({ value }) => trait.test(value))).toBeGreaterThan(0.005)
    expect(share(values, ({ price }) => price === undefined)).toBeGreaterThan(0.003)
    expect(share(values, ({ available }) => available === false)).toBeGreaterThan(0.005)
  })

  it("repeats no title", () => {
    const titles = products.map(({ title }) => title)
    expect(titles.length - new Set(titles).size).toBeLessThanOrEqual(3) // twins may be told apart by price alone
  })

  it("says everything in its language, and gives nothing away", () => {
    const texts = [
      ...products.flatMap((product) => [product.title, product.subtitle, product.description, ...product.attributes]),
      ...tasks.flatMap(({ instruction, instruction_simple, persona }) => [
        instruction,
        instruction_simple ?? "",
        persona ?? "",
      ]),
    ]
    if (language === "en") expect(texts.filter((text) => HAN.test(text))).toEqual([])
    else expect(tasks.filter(({ instruction }) => !HAN.test(instruction))).toEqual([])
    for (const { asin, instruction, instruction_simple, persona } of tasks) {
      const { title } = store.product(store.documentOf(asin)!)
      for (const text of [instruction, instruction_simple ?? "", persona ?? ""]) {
        expect(text.includes(asin) || text.toLowerCase().includes(title.toLowerCase())).toBe(false)
        expect(text).not.toContain("__reasoning__")
      }
    }
  })

  it("asks in many ways, no two tasks alike", () => {
    const phrasings = new Set(tasks.map(({ labels }) => labels?.phrasing))
    expect(phrasings.size).toBeGreaterThanOrEqual(16)
    expect(new Set(tasks.map(({ instruction }) => instruction)).size).toBe(tasks.length)
    expect(share(tasks, ({ persona }) => persona !== null)).toBeGreaterThan(0.2)
    expect(share(tasks, ({ options }) => options.length > 0)).toBeGreaterThan(0.8)
    expect(share(tasks, ({ price_upper }) => price_upper !== null)).toBeGreaterThan(0.6)
    expect(new Set(tasks.map(({ labels }) => labels?.difficulty)).size).toBe(3)
    const users = tasks.flatMap(({ persona }) => persona?.match(/"(?:用户ID|user_id)":"(\w+)/)?.[1] ?? [])
    expect(new Set(users).size).toBeLessThan(users.length) // some shoppers come back
  })

  it("states budgets that the souk parser reads as they are meant, in every text shown", () => {
    for (const { instruction, instruction_simple, price_upper, budget } of tasks) {
      for (const text of [instruction, ...(instruction_simple === null ? [] : [instruction_simple])]) {
        const { upper } = parseBudget(text, { rules: "souk", language })
        expect(upper === null ? null : Math.round(upper * 100) / 100, text).toBe(price_upper)
      }
      expect(budget.souk.upper).toBe(price_upper)
      expect(budget.v8.upper).toBe(price_upper)
    }
  })

  it("can be solved, but neither by chance nor by the first hit", async () => {
    const proof = await proveTasks(store, { rules: "souk" })
    expect(proof.failing).toEqual([])
    expect(proof.policies.do_nothing.successes).toBe(0)
    expect(proof.policies.random.success_rate).toBeLessThan(0.02)
    expect(proof.policies.take_first.success_rate).toBeLessThan(0.25)
    const reference = await proveTasks(store, { rules: "v8", taskIds: store.taskIds().slice(0, 100) })
    expect(reference.failing).toEqual([])
  }, 120_000)
})

describe("opening a bundled store", () => {
  it("builds its catalog once", async () => {
    const own = join(folder, "once")
    const first = await openStore("en", { folder: own })
    const made = statSync(first.path).mtimeMs
    first.close()
    using again = await openStore("en", { folder: own })
    expect(statSync(again.path).mtimeMs).toBe(made)
    expect(readdirSync(own)).toHaveLength(1)
  })

  it("works for several at once", async () => {
    const own = join(folder, "several")
    const stores = await Promise.all(Array.from({ length: 3 }, () => openStore("en", { folder: own })))
    const hashes = stores.map((store) => {
      using open = store
      return open.manifest.content_hash
    })
    expect(new Set(hashes).size).toBe(1)
    expect(readdirSync(own)).toHaveLength(1)
  })

  it("builds a damaged catalog again", async () => {
    const own = join(folder, "damaged")
    const first = await openStore("en", { folder: own })
    first.close()
    writeFileSync(first.path, "not a catalog")
    using again = await openStore("en", { folder: own })
    expect(again.taskCount).toBe(first.taskCount)
  })

  it("says what to do where nothing can be written", async () => {
    const file = join(folder, "a file")
    writeFileSync(file, "")
    await expect(openStore("en", { folder: join(file, "cache") })).rejects.toMatchObject({
      code: "STORE_UNWRITABLE",
      message: expect.stringContaining("SOUK_CACHE"),
    })
  })
})
