import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { run } from "../../src/assemble.ts"
import { importCatalog } from "../../src/shop/catalog/import.ts"
import { openCatalog } from "../../src/shop/catalog/open.ts"
import { generateTasks } from "../../src/shop/generate/tasks.ts"
import { type Proof, proveTasks } from "../../src/shop/prove/prove.ts"
import type { SourceFormatName } from "../../src/shop/sources/index.ts"
import { testData } from "../../src/testing/data.ts"

const folder = mkdtempSync(join(tmpdir(), "souk-e2e-stores-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** From a store's own files to a run's summary: import, tasks, proof, a few episodes of the built-in agent. */
async function fromFilesToSummary(
  name: string,
  { files, format, tasks }: { files: readonly string[]; format: SourceFormatName; tasks: number | null },
): Promise<Proof> {
  const out = join(folder, `${name}.catalog`)
  await importCatalog({ files, out, format })
  if (tasks !== null) await generateTasks({ catalog: out, count: tasks, seed: 11 })
  using catalog = openCatalog(out)
  const proof = await proveTasks(catalog)
  expect(proof.proved_share).toBeGreaterThanOrEqual(0.95)
  expect(proof.asking_share).toBeGreaterThanOrEqual(0.6)
  expect(proof.policies.do_nothing.successes).toBe(0)

  const { summary } = await run({
    experiment: { name, output_dir: join(folder, "runs") },
    tasks: { split: "all", sample_size: 5 },
    environment: { catalog: out },
    model: { name: "lexical" },
  })
  expect(summary.counts).toMatchObject({ requested: 5, completed: 5, scored: 5 })
  return proof
}

function written(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const KINDS = ["Hoodie", "Rain jacket", "Desk lamp", "Water bottle", "Yoga mat", "Wallet", "Backpack", "Throw blanket"]
const MATERIALS = ["cotton", "recycled nylon", "steel", "cork", "leather", "wool"]
const TRAITS = ["waterproof", "machine washable", "foldable", "lightweight", "handmade", "dimmable"]

/** Shopify's export of 48 products: two options with prices by size, some combinations sold out or priced by both. */
function shopifyStore(): string {
  const header =
    "Handle,Title,Body (HTML),Vendor,Product Category,Type,Tags,Published,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Variant Inventory Tracker,Variant Inventory Qty,Variant Inventory Policy,Variant Price,Variant Compare At Price,Image Src,Status"
  const rows = [header]
  for (let i = 0; i < 48; i++) {
    const kind = KINDS[i % KINDS.length]!
    const [material, trait] = [MATERIALS[i % 6]!, TRAITS[(i + Math.floor(i / 8)) % 6]!]
    const handle = `${kind.toLowerCase().replace(" ", "-")}-from-the-north-${i}`
    const body = `"<p>A ${kind.toLowerCase()},\nmade of ""${material}"".</p><ul><li>${trait}</li><li>two years of warranty</li></ul>"`
    const status = i % 12 === 11 ? "draft" : "active"
    const first = `${handle},${trait[0]!.toUpperCase()}${trait.slice(1)} ${material} ${kind.toLowerCase()},${body},North,Goods > ${kind}s,${kind}s,"${material}, ${trait}",TRUE`
    if (i % 4 === 3) {
      rows.push(`${first},Title,Default Title,,,,,,${15 + i}.00,,https://x.example/${i}.png,${status}`)
      continue
    }
    for (const [c, color] of ["Black", "Sand", "Olive"].entries()) {
      for (const [s, size] of ["S", "L"].entries()) {
        const price = 20 + i + 5 * s + (i % 5 === 0 ? 3 * c : 0)
        const left = c === 2 && s === 1 && i % 3 === 0 ? 0 : 4
        const start = c === 0 && s === 0 ? `${first},Color` : `${s === 0 ? handle : ""},,,,,,,,`
        rows.push(
          `${start},${color},${c === 0 && s === 0 ? "Size" : ""},${size},shopify,${left},deny,${price}.00,${price + 10}.00,,${c === 0 && s === 0 ? status : ""}`,
        )
      }
    }
    rows.push(`${handle},,,,,,,,,,,,,,,,,https://x.example/${i}-2.png,`)
  }
  return `${rows.join("\r\n")}\r\n`
}

/** A WebShop pair: items, and attributes with human instructions for half of them. */
function webshopPair(): { items: string; attributes: string; instructions: string } {
  const items = Array.from({ length: 40 }, (_, i) => ({
    asin: `B0${String(i).padStart(8, "0")}`,
    name: `${["Acme", "Zenit"][i % 2]} ${TRAITS[i % 6]} ${KINDS[i % 8]!.toLowerCase()} number ${i}`,
    category: "garden",
    query: "things",
    product_category: `Home & Kitchen › ${KINDS[i % 8]}s › ${TRAITS[i % 6]}`,
    small_description: i % 3 === 0 ? `Made of ${MATERIALS[i % 6]}` : [`Made of ${MATERIALS[i % 6]}`, "Ships in a box"],
    full_description: "",
    pricing: i % 10 === 9 ? "" : i % 2 === 0 ? `$${12 + i}.99` : `$${12 + i}.99$${22 + i}.99`,
    customization_options:
      i % 4 === 0
        ? {}
        : {
            color: ["black", "white", "teal/grey"].map((value) => ({ value, image: null, price: 0, price_string: "" })),
            size: null,
          },
    images: [`https://x.example/${i}.jpg`],
  }))
  const about = (i: number) => ({
    attributes: [TRAITS[i % 6], `made of ${MATERIALS[i % 6]}`],
    instruction: null,
    instruction_attributes: [],
  })
  const asked = items.flatMap((item, i) => {
    if (i % 2 === 1 || i % 10 === 9) return []
    const options = Object.keys(item.customization_options).length === 0 ? [] : ["white"]
    const text = `i am looking for a ${TRAITS[i % 6]} ${KINDS[i % 8]!.toLowerCase()}${options.length > 0 ? " in white" : ""}`
    return [
      [
        item.asin,
        [{ asin: item.asin, instruction: text, instruction_attributes: [TRAITS[i % 6]], instruction_options: options }],
      ],
    ]
  })
  return {
    items: JSON.stringify(items, null, 1),
    attributes: JSON.stringify(Object.fromEntries(items.map(({ asin }, i) => [asin, about(i)]))),
    instructions: JSON.stringify(Object.fromEntries(asked)),
  }
}

describe("any store, from its own files to a summary", () => {
  test("Shopify's export", async () => {
    const files = [written("products_export.csv", shopifyStore())]
    const proof = await fromFilesToSummary("shopify", { files, format: "shopify", tasks: 40 })
    expect(proof.tasks).toBe(40)
    expect(proof.policies.take_first.success_rate).toBeLessThan(0.35)
  })

  test("a WebShop pair with the instructions that people wrote", async () => {
    const { items, attributes, instructions } = webshopPair()
    const files = [written("ins.json", instructions), written("items.json", items), written("attrs.json", attributes)]
    const proof = await fromFilesToSummary("webshop", { files, format: "webshop", tasks: null })
    expect(proof.tasks).toBe(20)
  })

  test("a WebShop pair without them", async () => {
    const { items, attributes } = webshopPair()
    const files = [written("items-2.json", items), written("attrs-2.json", attributes)]
    await fromFilesToSummary("webshop-2", { files, format: "webshop", tasks: 30 })
  })

  test("a table in Chinese", async () => {
    const rows = ["商品编号,标题,品牌,类目,价格,属性,规格：颜色,库存"]
    for (const [i, thing] of ["台灯", "保温杯", "雨伞", "抱枕", "双肩包", "电热水壶"].entries()) {
      for (const [j, make] of ["护眼", "轻便", "复古"].entries()) {
        const start = `${thing}${i}${j},${make}${thing}${j}号,光年,居家 > ${thing},${30 + 9 * i + 20 * j},"${make}|${["金属", "棉麻", "玻璃"][j]}"`
        rows.push(`${start},白,5`, `${thing}${i}${j},,,,,,黑,${j === 2 ? 0 : 3}`)
      }
    }
    const proof = await fromFilesToSummary("table", {
      files: [written("表.csv", rows.join("\n"))],
      format: "csv",
      tasks: 18,
    })
    expect(proof.tasks).toBeGreaterThanOrEqual(15)
  })
})

const data = testData()
describe.skipIf(data === undefined)("real catalogs without tasks", () => {
  test("Chinese goods: the first hit is not the answer", async () => {
    const files = [join(data!, "catalogs/litemall-zh.json")]
    const proof = await fromFilesToSummary("litemall", { files, format: "shopsimulator", tasks: 100 })
    expect(proof.tasks).toBe(100)
    expect(proof.policies.take_first.success_rate).toBeLessThan(0.3)
  })

  test("English goods that have nothing but titles", async () => {
    const files = [join(data!, "catalogs/webshop-en.json")]
    const proof = await fromFilesToSummary("webshop-en", { files, format: "shopsimulator", tasks: 100 })
    expect(proof.tasks).toBe(100)
    expect(proof.policies.take_first.success_rate).toBeLessThan(0.3)
  })
})
