import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { Random } from "../../core/random.ts"
import { textSource } from "../../lib/byte-source.ts"
import { tinyProduct } from "../../testing/tiny-shop.ts"
import { parseBudget } from "../budget.ts"
import { importCatalog } from "../catalog/import.ts"
import { openCatalog } from "../catalog/open.ts"
import type { Product } from "../product.ts"
import { proveTasks } from "../prove/prove.ts"
import { englishAside } from "./en/asides.ts"
import { harden, type Neighbourhood } from "./harden.ts"
import { generateTasks } from "./tasks.ts"
import type { WrittenTask } from "./write-task.ts"
import { chineseAside } from "./zh/asides.ts"

/** Few things, each of its own kind, as a small shop sells them: any request names its product. */
const THINGS = [
  "四件套",
  "羽绒被",
  "记忆枕",
  "浴巾",
  "沙发",
  "落地灯",
  "台灯",
  "拉杆箱",
  "牵引绳",
  "猫砂盆",
  "珐琅锅",
  "保温杯",
  "雨伞",
  "签字笔",
  "地毯",
  "窗帘",
  "抱枕",
  "毛毯",
  "电热水壶",
  "餐盘",
]
const MAKES = ["日式纯棉", "复古加厚", "轻奢刺绣"]
const PRODUCTS = THINGS.flatMap((thing, i) =>
  MAKES.map((make, j) => ({
    asin: `${i * 10 + j}`,
    title: `${make}${thing}`,
    category: `居家›${thing}`,
    pricing: [20 + 7 * i + 30 * j],
    attribute: [
      `材质:${["纯棉", "亚麻", "真丝"][j]}`,
      `工艺:${["水洗", "刺绣", "提花"][(i + j) % 3]}`,
      `风格:${["日式", "复古", "轻奢"][j]}`,
    ],
    customization_options: { 规格: [{ value: "标准", price: 20 + 7 * i + 30 * j }] },
  })),
)

let folder = ""
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "souk-harden-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function store(name: string): Promise<string> {
  const out = join(folder, name)
  await importCatalog({ files: [textSource("raw.json", [JSON.stringify(PRODUCTS)])], out, language: "zh" })
  await generateTasks({ catalog: out, count: 60, seed: 3 })
  return out
}

test("in a store of few and different things most tasks need more than a search, and all can be done", async () => {
  using catalog = openCatalog(await store("a.catalog"))
  const proof = await proveTasks(catalog)
  expect(proof).toMatchObject({ tasks: 60, proved: 60, asking: 60 })
  expect(proof.policies.take_first.success_rate).toBeLessThan(0.35)
  expect(proof.policies.take_first.success_rate).toBeGreaterThan(0.05) // some stay easy
  const [task] = [...catalog.tasks()].filter(({ labels }) => labels?.phrasing?.endsWith("_aside"))
  expect(task).toBeDefined()
})

test("the same seed writes the same tasks", async () => {
  using first = openCatalog(await store("b.catalog"))
  using second = openCatalog(await store("c.catalog"))
  expect(first.manifest.content_hash).toBe(second.manifest.content_hash)
})

test("ids as short as an amount do not stand in the way of tasks", async () => {
  const out = join(folder, "short.catalog")
  const products = PRODUCTS.slice(0, 9).map((product, i) => ({ ...product, asin: String(i + 1) }))
  await importCatalog({ files: [textSource("raw.json", [JSON.stringify(products)])], out, language: "zh" })
  const { unusable } = await generateTasks({ catalog: out, count: 40, seed: 3 })
  expect(unusable).toBe(0)
  using catalog = openCatalog(out)
  expect([...catalog.tasks()].some(({ asin, instruction }) => instruction.includes(asin))).toBe(true)
})

test.each([
  ["zh", ["台灯", "保温杯", "雨伞", "抱枕"], ["金属", "可折叠", "防水", "复古"]],
  ["en", ["Mug", "Chair", "Lamp", "Blanket"], ["made of steel", "foldable", "waterproof", "handmade"]],
] as const)("things called no more than what they are can be asked for: %s", async (language, things, traits) => {
  const out = join(folder, `plain-${language}.catalog`)
  const rows = things.map((thing, i) => `${i},${thing},${20 + i},${traits[i]}|${traits[(i + 1) % 4]}`)
  const table = textSource("plain.csv", [["id,title,price,attributes", ...rows].join("\n")])
  await importCatalog({ files: [table], out, format: "csv", language })
  const { unusable, manifest } = await generateTasks({ catalog: out, count: 4, seed: 3 })
  expect({ unusable, tasks: manifest.counts.tasks }).toEqual({ unusable: 0, tasks: 4 })
})

describe("a task with an aside", () => {
  const lamp = tinyProduct({
    asin: "1",
    title: "护眼台灯",
    category: "居家›灯具",
    attributes: ["护眼"],
    pricing: ["80"],
  })
  const rug = tinyProduct({ asin: "2", title: "编织地毯", category: "居家›织物", pricing: ["90"] })
  const task: WrittenTask = {
    instruction: "想买台灯，要护眼的，100元以内",
    instruction_simple: "台灯，100元以内",
    persona: { 性别: "女" },
    attributes: ["护眼"],
    options: [],
    option_axes: [],
    price_upper: 100,
    labels: { domain: "居家", difficulty: "easy", phrasing: "want" },
    selection: new Map(),
  }
  const near = (others: readonly Product[]): Neighbourhood => ({
    language: "zh",
    firstHit: (query) => (query.includes("地毯") ? rug : lamp),
    others: () => others,
  })
  const tries = (others: readonly Product[]) =>
    Array.from({ length: 40 }, (_, i) => harden(new Random(i), task, lamp, near(others)))

  test("asks for the same, in words that begin another search", () => {
    const harder = tries([rug]).filter(({ labels }) => labels.phrasing === "want_aside")
    expect(harder.length).toBeGreaterThan(25)
    for (const { instruction, instruction_simple, labels, ...goal } of harder) {
      expect({ ...task, ...goal }).toEqual(task)
      expect(labels.difficulty).toBe("medium")
      for (const text of [instruction, instruction_simple!]) {
        expect(text).toContain("编织地毯")
        expect(parseBudget(text)).toMatchObject({ kind: "upper", upper: 100 })
      }
    }
  })

  test("is not one that changes the budget, or that the first hit still solves", () => {
    const priced = tinyProduct({ asin: "3", title: "地毯 预算50元以内" })
    const twin = tinyProduct({ asin: "4", title: "台灯护眼款" })
    expect(tries([priced, twin]).every((same) => same === task)).toBe(true)
  })
})

test.each([
  ["zh", "【新品】北欧风 珊瑚绒 多功能抱枕 客厅沙发靠垫办公室午睡枕套可拆洗大号加厚", /北欧风珊瑚绒多功能抱枕/],
  [
    "en",
    "Lands' End Men's Traditional Fit Comfort-First Lightweight Flannel Shirt for Work and Weekends, Regular (Blue)",
    /Lands' End Men's Traditional Fit Comfort-First Lightweight Flannel Shirt\b/,
  ],
  ["en", "Lamp - Desk Light with USB, Black", /Lamp Desk Light with USB/],
])("a thing is called by a part of its title: %s", (language, title, name) => {
  const aside = language === "zh" ? chineseAside : englishAside
  const text = aside(tinyProduct({ asin: "1", title }), new Random(1))
  expect(text).toMatch(name)
  expect(text.length).toBeLessThan(150)
  expect(text).not.toContain("{")
})
