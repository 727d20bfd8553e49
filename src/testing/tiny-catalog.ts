import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { importCatalog } from "../shop/catalog/import.ts"
import { openCatalog } from "../shop/catalog/open.ts"
import type { Catalog } from "../shop/catalog.ts"

/** Texts that stand in private fields of the tiny catalog's tasks and nowhere else. */
export const TINY_CANARIES = {
  instruction: "canary-full-instruction",
  attribute: "canary-wanted-attribute",
  option: "canary-wanted-option",
  budget: 73219.75,
  reasoning: "canary-persona-reasoning",
} as const

/** Task ids of the tiny catalog by what is special about them. */
export const TINY_CATALOG_TASKS = {
  /** Its lamp has two axes, 颜色分类 (which sets the price) and 尺寸. */
  options: "0",
  /** Its kettle has no options. */
  plain: "1",
  /** Played with a profile; everything private of it holds a canary. */
  persona: "2",
} as const

const LAMPS = 45

/** A real catalog file in `folder`, of 46 products and 3 tasks, in Chinese. Searching 台灯 gives three pages. Close it when done. */
export async function tinyCatalog(folder: string): Promise<Catalog & Disposable> {
  const source = join(folder, "tiny.json")
  const out = join(folder, "tiny.catalog")
  writeFileSync(source, JSON.stringify(rawProducts()))
  await importCatalog({ files: [source], out, language: "zh" })
  return openCatalog(out)
}

function rawProducts(): unknown[] {
  const lamps = Array.from({ length: LAMPS }, (_, i) => ({
    asin: `1000000000${String(i).padStart(2, "0")}`,
    title: `${["护眼", "折叠", "复古"][i % 3]}台灯${i}号`,
    shop_name: "小灯铺",
    category: "家居›灯具›台灯",
    attribute: ["护眼", "三档调光"],
    pricing: [88],
    images: ["https://img.example.test/lamp.jpg"],
    full_description: "一盏台灯",
    customization_options: {
      颜色分类: [
        { value: "白色", price: 88 },
        { value: "黑色", price: 98 + i },
      ],
      尺寸: [{ value: "小号" }, { value: "大号" }],
    },
  }))
  const kettle = {
    asin: "200000000000",
    title: "不锈钢水壶",
    shop_name: "小水铺",
    category: "家居›厨具›水壶",
    attribute: ["不锈钢"],
    pricing: [35.0],
    images: ["https://img.example.test/kettle.jpg"],
    full_description: "一把水壶",
    customization_options: {},
  }
  const tasks = [
    {
      instruction: "买一盏护眼台灯，要白色大号，预算100元以内",
      attributes: ["护眼"],
      instruction_options: ["白色", "大号"],
    },
    { instruction: "买一把不锈钢水壶", attributes: ["不锈钢"], instruction_options: [] },
    {
      instruction: `买一盏复古台灯 ${TINY_CANARIES.instruction}`,
      instruction_simple: "想买一盏台灯",
      attributes: ["护眼", TINY_CANARIES.attribute],
      instruction_options: ["黑色", TINY_CANARIES.option],
      price_upper: TINY_CANARIES.budget,
    },
  ]
  const persona = { 性别: "女", 消费观念: "预算敏感", __reasoning__: TINY_CANARIES.reasoning }
  const [first, second, third, ...others] = [lamps[0]!, kettle, lamps[2]!, lamps[1]!, ...lamps.slice(3)]
  return [
    { ...first, instructions: [numbered(tasks[0]!, 0)] },
    { ...second, instructions: [numbered(tasks[1]!, 1)] },
    { ...third, instructions: [numbered(tasks[2]!, 2)], user_persona: persona },
    ...others,
  ].map((product, source_product_index) => ({ ...product, source_product_index }))
}

function numbered<T extends object>(task: T, task_id: number): T & { task_id: number; instruction_index: number } {
  return { ...task, task_id, instruction_index: 0 }
}
