import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { fileSource, textSource } from "../../lib/byte-source.ts"
import type { ReadRecord } from "./format.ts"
import { webshopFormat } from "./webshop.ts"

const ITEMS = [
  {
    asin: "B07XYZ1234",
    name: "Acme men's hoodie",
    category: "fashion",
    query: "men's hoodies",
    product_category: "Clothing, Shoes & Jewelry › Men › Fashion Hoodies",
    small_description: ["Warm", "Machine wash"],
    full_description: "A hoodie for cold days.",
    pricing: "$19.99$29.99",
    customization_options: {
      Color: [
        { is_selected: true, is_available: true, value: "Black", image: "https://x/b.jpg", price: 0, price_string: "" },
        { is_available: false, value: "Red/White", image: null, price: 0, price_string: "" },
      ],
      Size: [
        { value: "Small", price: 19.99, price_string: "$19.99" },
        { value: "Large", price_string: "$29.99" },
      ],
      Fit: null,
    },
    images: ["https://x/1.jpg"],
  },
  {
    asin: "B000000002",
    name: "Lamp",
    category: "home",
    product_category: "",
    small_description: "Bright",
    full_description: null,
    pricing: "$12.99",
    customization_options: null,
    images: [],
  },
  { asin: "B000000003", name: "Unpriced", category: "home", pricing: "", customization_options: {}, images: [] },
]
const ATTRIBUTES = {
  B07XYZ1234: {
    attributes: ["machine wash", "long sleeve"],
    instruction: "Find me a hoodie",
    instruction_attributes: ["machine wash"],
  },
  B000000002: { attributes: ["bright"], instruction: null, instruction_attributes: [] },
  B999999999: { attributes: ["of a product that is not here"] },
}
const INSTRUCTIONS = {
  B07XYZ1234: [
    {
      asin: "B07XYZ1234",
      instruction: "i want a black hoodie, size small, under $25",
      instruction_attributes: ["machine wash"],
      instruction_options: ["black", "small"],
    },
    {
      asin: "B07XYZ1234",
      instruction: "a red hoodie",
      instruction_attributes: ["long sleeve"],
      instruction_options: { color: "red | white" },
    },
  ],
}
const json = (value: unknown) => JSON.stringify(value, null, 2)

async function read(...texts: string[]): Promise<ReadRecord[]> {
  const all: ReadRecord[] = []
  for await (const batch of webshopFormat.read(texts.map((text, i) => textSource(`file-${i}.json`, [text]))))
    all.push(...batch)
  return all
}
const tasksOf = (records: ReadRecord[]) =>
  records.flatMap(({ record }) => (record.product === null ? [] : record.tasks))

test("an item with its attributes", async () => {
  const [hoodie, lamp, unpriced] = await read(json(ITEMS), json(ATTRIBUTES))
  expect(hoodie).toMatchObject({ problems: [], line: 2, item: 0 })
  expect(hoodie!.record.product).toEqual({
    asin: "B07XYZ1234",
    title: "Acme men's hoodie",
    subtitle: "",
    brand: "",
    category: "Clothing, Shoes & Jewelry › Men › Fashion Hoodies",
    product_category: "Clothing, Shoes & Jewelry › Men › Fashion Hoodies",
    attributes: ["machine wash", "long sleeve"],
    axes: [
      {
        name: "Color",
        values: [
          { value: "Black", image: "https://x/b.jpg", available: true },
          { value: "Red/White", available: false },
        ],
      },
      {
        name: "Size",
        values: [
          { value: "Small", price: "19.99" },
          { value: "Large", price: "29.99" },
        ],
      },
    ],
    pricing: ["19.99", "29.99"],
    bullets: ["Warm", "Machine wash"],
    description: "A hoodie for cold days.",
    image: "https://x/1.jpg",
  })
  expect(lamp!.record.product).toMatchObject({
    category: "home",
    bullets: ["Bright"],
    description: "",
    axes: [],
    pricing: ["12.99"],
    attributes: ["bright"],
  })
  expect(unpriced!.record.product).toMatchObject({ pricing: [], attributes: [], axes: [] })
})

test("the files are told apart by their shape, in any order, JSON Lines and gzip too", async () => {
  const expected = await read(json(ITEMS), json(ATTRIBUTES), json(INSTRUCTIONS))
  const content = (records: ReadRecord[]) => records.map(({ record, problems }) => ({ record, problems }))
  expect(tasksOf(expected)).toHaveLength(2)
  const lines = ITEMS.map((item) => JSON.stringify(item)).join("\n")
  expect(content(await read(json(INSTRUCTIONS), json(ATTRIBUTES), json(ITEMS)))).toEqual(content(expected))
  expect(content(await read(json(ATTRIBUTES), lines, JSON.stringify(INSTRUCTIONS)))).toEqual(content(expected))
  expect(tasksOf(await read(json(ITEMS), json(INSTRUCTIONS)))).toHaveLength(2)
})

describe("tasks", () => {
  test("are the human instructions, with their options", async () => {
    const tasks = tasksOf(await read(json(ITEMS), json(ATTRIBUTES), json(INSTRUCTIONS)))
    expect(tasks).toMatchObject([
      {
        instruction: "i want a black hoodie, size small, under $25",
        attributes: ["machine wash"],
        options: ["black", "small"],
        option_axes: null,
        persona: null,
        labels: { domain: "fashion" },
      },
      { instruction: "a red hoodie", attributes: ["long sleeve"], options: ["red | white"], option_axes: ["color"] },
    ])
  })

  test("are the written instructions where no file of human ones is given", async () => {
    expect(tasksOf(await read(json(ITEMS), json(ATTRIBUTES)))).toMatchObject([
      { instruction: "Find me a hoodie", attributes: ["machine wash"], options: [] },
    ])
  })

  test("are none without instructions", async () => {
    expect(tasksOf(await read(json(ITEMS)))).toEqual([])
  })
})

test("faults are told with file, line and WebShop's field names", async () => {
  const items = json([{ ...ITEMS[1], name: 7, small_description: 5 }, { ...ITEMS[1], asin: "nan" }, "text", ITEMS[2]])
  const attributes = '{"B000000003": {"attributes": 7},\n"B07XYZ1234": {"attributes": [,]}}'
  const records = await read(items, attributes)
  const told = records.flatMap(({ file, line, problems }) =>
    problems.map(({ field, reason }) => `${file}:${line} ${field} ${reason}`),
  )
  expect(told).toEqual([
    expect.stringMatching(/^file-1\.json:2 {2}is not JSON/),
    "file-0.json:2 name is the number 7; expected text",
    expect.stringMatching(/^file-0\.json:2 small_description is the number 5/),
    expect.stringMatching(/^file-0\.json:\d+ asin is `nan`/),
    expect.stringMatching(/^file-0\.json:\d+ {2}is text; expected an item object/),
    expect.stringMatching(/^file-0\.json:\d+ attributes is the number 7/),
  ])
})

test("without items there is nothing to import", async () => {
  await expect(read(json(ATTRIBUTES), json(INSTRUCTIONS))).rejects.toThrow(
    /file-0\.json, file-1\.json: none of these files holds items/,
  )
})

describe("files on disk", () => {
  let folder = ""
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "souk-webshop-"))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test("are read once, gzipped ones too, and know their hashes afterwards", async () => {
    writeFileSync(join(folder, "items.json.gz"), gzipSync(json(ITEMS)))
    writeFileSync(join(folder, "ins.json"), json(INSTRUCTIONS))
    const sources = [await fileSource(join(folder, "items.json.gz")), await fileSource(join(folder, "ins.json"))]
    const records: ReadRecord[] = []
    for await (const batch of webshopFormat.read(sources)) records.push(...batch)
    expect(tasksOf(records)).toHaveLength(2)
    for (const source of sources) expect(source.digests().file).toMatch(/^[0-9a-f]{64}$/)
  })
})
