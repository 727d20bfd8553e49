import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { textSource } from "../../lib/byte-source.ts"
import { exportCatalog } from "../catalog/export.ts"
import { type ImportOptions, importCatalog } from "../catalog/import.ts"
import { listExclusions } from "../catalog/inspect.ts"
import { openCatalog } from "../catalog/open.ts"
import { verifyCatalog } from "../catalog/verify.ts"
import { proveTasks } from "../prove/prove.ts"
import { act, startSession } from "../session.ts"
import { shopOf } from "../shop.ts"

let folder = ""
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "souk-stores-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, content: string | object): string {
  const path = join(folder, name)
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content, null, 1))
  return path
}

async function open(name: string, options: Omit<ImportOptions, "out">) {
  const out = join(folder, name)
  const result = await importCatalog({ ...options, out })
  expect((await verifyCatalog(out)).faults).toEqual([])
  return { ...result, catalog: openCatalog(out) }
}

/** A WebShop pair: hoodies that differ in options and attributes, among other things. */
const COLORS = ["black", "navy", "red/white", "olive"]
const hoodie = (i: number) => ({
  asin: `B0HOODIE${String(i).padStart(2, "0")}`,
  name: `Acme ${["men's", "women's"][i % 2]} ${["fleece", "cotton", "zip"][i % 3]} hoodie ${i}`,
  category: "fashion",
  query: "hoodies",
  product_category: "Clothing, Shoes & Jewelry › Men › Fashion Hoodies & Sweatshirts",
  small_description: [`machine wash`, `${["slim", "relaxed"][i % 2]} fit`],
  full_description: "A hoodie.",
  pricing: i % 4 === 0 ? "$19.99$29.99" : `$${20 + i}.50`,
  customization_options: {
    color: COLORS.slice(0, 2 + (i % 3)).map((value) => ({ value, image: null, price: 0, price_string: "" })),
    size: ["small", "large"].map((value) => ({
      value,
      price_string: i % 4 === 0 ? (value === "small" ? "$19.99" : "$29.99") : "",
    })),
    fit: null,
  },
  images: [`https://img.example/${i}.jpg`],
})
const ITEMS = Array.from({ length: 24 }, (_, i) => hoodie(i))
const ATTRIBUTES = Object.fromEntries(
  ITEMS.map(({ asin }, i) => [
    asin,
    { attributes: ["machine wash", ["slim fit", "relaxed fit"][i % 2], "long sleeve"] },
  ]),
)
const HUMAN = Object.fromEntries(
  ITEMS.filter((_, i) => i % 2 === 0).map(({ asin, name }, i) => [
    asin,
    [
      {
        asin,
        instruction: `i need a ${name.toLowerCase()} that is machine wash, in ${COLORS[i % 2]}, size small, price lower than 60.00 dollars`,
        instruction_attributes: ["machine wash"],
        instruction_options: [COLORS[i % 2], "small"],
      },
    ],
  ]),
)

describe("a WebShop pair", () => {
  test("imports in any order, and its tasks are proved", async () => {
    const files = [file("human.json", HUMAN), file("items.json", ITEMS), file("attributes.json", ATTRIBUTES)]
    const { catalog, manifest } = await open("webshop.catalog", { files, format: "webshop" })
    using _ = catalog
    expect(manifest).toMatchObject({
      format: "webshop",
      language: "en",
      currency: "USD",
      counts: { products: 24, tasks: 12, problems: 0 },
    })
    expect(manifest.sources.map(({ name, records }) => [name, records])).toEqual([
      ["human.json", 0],
      ["items.json", 24],
      ["attributes.json", 0],
    ])
    const proof = await proveTasks(catalog)
    expect(proof.failing).toEqual([])
    expect(proof).toMatchObject({ tasks: 12, asking: 12 })
    expect(proof.policies.random.success_rate).toBeLessThan(0.5)
  })

  test("is shopped in, option by option", async () => {
    const { catalog } = await open("webshop-2.catalog", {
      files: [file("i.json", ITEMS), file("h.json", HUMAN)],
      format: "webshop",
    })
    using _ = catalog
    const shop = shopOf(catalog)
    const [task] = catalog.tasks()
    let session = startSession({ task: task!, language: "en" })
    for (const action of [
      `search[${ITEMS[0]!.name}]`,
      `click[${ITEMS[0]!.asin}]`,
      "click[color=black]",
      "click[size=large]",
      "click[size=small]",
      "click[buy now]",
    ]) {
      const step = act(session, action, shop)
      expect(step.feedback, action).toMatchObject({ valid: true })
      session = step.session
    }
    expect(session.end).toMatchObject({
      reason: "purchase",
      purchase: { price: 19.99, options: { color: "black", size: "small" } },
    })
  })
})

test("the table in the docs imports as the docs say", async () => {
  const page = readFileSync(fileURLToPath(new URL("../../../docs/sources.md", import.meta.url)), "utf8")
  const table = /```csv\n([\s\S]*?)```/.exec(page)![1]!
  const { catalog, manifest, problems } = await open("table.catalog", {
    files: [file("products.csv", table)],
    format: "csv",
  })
  using _ = catalog
  expect(problems).toEqual([])
  expect(manifest).toMatchObject({ format: "csv", language: "en", counts: { products: 2, problems: 0 } })
  expect(catalog.product(0)).toMatchObject({
    asin: "T1",
    brand: "Acme",
    category: "Clothing›Shirts",
    attributes: ["linen", "breathable"],
    bullets: ["Machine wash"],
    description: "Light and airy.",
    axes: [
      { name: "Color", values: [{ value: "White" }] },
      {
        name: "Size",
        values: [
          { value: "S", price: "39.9" },
          { value: "L", price: "44.9" },
        ],
      },
    ],
    pricing: ["39.9", "44.9"],
  })
  expect(catalog.product(1)).toMatchObject({
    asin: "M7",
    attributes: ["ceramic", "dishwasher safe"],
    axes: [{ name: "Color", values: [{ value: "Red" }, { value: "Blue" }] }],
  })
})

const SHOPIFY = `Handle,Title,Body (HTML),Vendor,Type,Tags,Published,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Variant Inventory Tracker,Variant Inventory Qty,Variant Inventory Policy,Variant Price,Variant Compare At Price,Image Src,Status
a-very-long-handle-for-a-shirt,Shirt,"<p>One,
two</p><ul><li>soft</li></ul>",Acme,Shirts,"linen, summer",TRUE,Color,Red,Size,S,shopify,5,deny,10.00,15.00,https://x/1.png,active
a-very-long-handle-for-a-shirt,,,,,,,,Red,,L,shopify,0,deny,12.00,,,
a-very-long-handle-for-a-shirt,,,,,,,,Blue,,S,shopify,5,deny,10.00,,,
,,,,,,,,Blue,,L,shopify,5,deny,12.00,,,
,,,,,,,,,,,,,,,,https://x/2.png,
draft,Draft,,Acme,,,TRUE,Title,Default Title,,,,,,5.00,,,draft
bad,Bad price,,Acme,,,TRUE,Title,Default Title,,,,,,ask us,,,active
mug,Mug,<b>A mug</b>,Potters,Mugs,,TRUE,Title,Default Title,,,,,,7.50,,,active
`

describe("a Shopify export", () => {
  test("imports: what is for sale can be chosen at its price, the rest is listed with its reason", async () => {
    const { catalog, manifest, problems } = await open("shopify.catalog", {
      files: [file("products.csv", SHOPIFY)],
      format: "shopify",
    })
    using _ = catalog
    expect(manifest.counts).toMatchObject({
      records: 4,
      products: 2,
      products_excluded: 1,
      products_skipped: 1,
      problems: 2,
    })
    expect(problems.map(({ file, line, field, asin }) => [file.slice(folder.length + 1), line, field, asin])).toEqual([
      ["products.csv", 9, "Variant Price", "bad"],
      ["products.csv", 9, "Variant Price", "bad"],
    ])
    expect([...listExclusions(catalog)]).toMatchObject([{ asin: "draft", reason: "draft", whole_product: true }])
    const shirt = catalog.product(0)
    expect(shirt).toMatchObject({ bullets: ["soft"], description: "One, two", pricing: ["10", "12"], brand: "Acme" })
    expect(shirt.axes).toEqual([
      {
        name: "Color/Size",
        values: [
          { value: "Red/S", price: "10" },
          { value: "Blue/S", price: "10" },
          { value: "Blue/L", price: "12" },
        ],
      },
    ])
    expect(catalog.product(1)).toMatchObject({ asin: "mug", axes: [], pricing: ["7.5"] })
  })

  test("keeps the handles for its export, which imports to the same catalog", async () => {
    const { catalog, manifest } = await open("shopify-2.catalog", {
      files: [file("p.csv", SHOPIFY)],
      format: "shopify",
    })
    using _ = catalog
    const raw = [...exportCatalog(catalog)].join("")
    expect(JSON.parse(raw)[0]).toMatchObject({ asin: catalog.asin(0), source_id: "a-very-long-handle-for-a-shirt" })
    const again = await importCatalog({
      files: [textSource("raw.json", [raw])],
      out: join(folder, "again.catalog"),
      language: "en",
    })
    expect(again.manifest.content_hash).toBe(manifest.content_hash)
  })

  test("strict: the first fault refuses, a draft does not", async () => {
    const refused = open("strict.catalog", { files: [file("p.csv", SHOPIFY)], format: "shopify", strict: true })
    await expect(refused).rejects.toThrow(/p\.csv:9 .*Variant Price "ask us" is not a price/)
    const sound = SHOPIFY.replace("ask us", "3.00")
    const { catalog, manifest } = await open("strict-2.catalog", {
      files: [file("p.csv", sound)],
      format: "shopify",
      strict: true,
    })
    catalog.close()
    expect(manifest.counts.products).toBe(3)
  })
})
