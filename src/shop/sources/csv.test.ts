import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { textSource } from "../../lib/byte-source.ts"
import { Product, publicOptionValue } from "../product.ts"
import { csvFormat } from "./csv.ts"
import type { ReadRecord } from "./format.ts"

async function read(...texts: string[]): Promise<ReadRecord[]> {
  const all: ReadRecord[] = []
  for await (const batch of csvFormat.read([textSource("store.csv", texts)])) all.push(...batch)
  return all
}
async function products(...texts: string[]): Promise<Product[]> {
  return (await read(...texts)).flatMap(({ record }) => (record.product === null ? [] : [record.product]))
}
async function faults(...texts: string[]): Promise<string[]> {
  const records = await read(...texts)
  return records.flatMap(({ problems }) => problems.map(({ line, field, reason }) => `${line} ${field} ${reason}`))
}

test("a product with everything", async () => {
  const [product] = await products(
    "id,title,brand,category,type,price,description,bullets,attributes,attribute:Fabric,option:Color,image,url\n",
    'T1,Tee,Acme,Clothing > Tops,Shirts,"$1,299.50",<p>Soft</p><ul><li>Warm</li></ul>,Light|Cheap,cotton; washable,Linen,Red | Blue,https://x/1.png|https://x/2.png,https://x/t1\n',
  )
  expect(product).toEqual({
    asin: "T1",
    title: "Tee",
    subtitle: "",
    brand: "Acme",
    category: "Clothing›Tops",
    product_category: "Shirts",
    attributes: ["cotton", "washable", "Fabric:Linen"],
    axes: [
      {
        name: "Color",
        values: [
          { value: "Red", price: "1299.5" },
          { value: "Blue", price: "1299.5" },
        ],
      },
    ],
    pricing: ["1299.5"],
    bullets: ["Light", "Cheap", "Warm"],
    description: "Soft",
    image: "https://x/1.png",
  })
})

test("Chinese headers, semicolons, decimal commas", async () => {
  const [product] = await products("商品编号;标题;品牌;价格;属性;规格：颜色\n1001;台灯;光年;129,50;护眼|可调光;白|黑\n")
  expect(product).toMatchObject({
    asin: "1001",
    title: "台灯",
    brand: "光年",
    pricing: ["129.5"],
    attributes: ["护眼", "可调光"],
  })
  expect(product!.axes[0]).toMatchObject({ name: "颜色", values: [{ value: "白" }, { value: "黑" }] })
})

describe("rows with one id are variants", () => {
  test("wherever they stand, with what only the first row says", async () => {
    const all = await products(
      "id,title,price,option:Color,option:Size\nA,Tee,10,Red,S\nB,Mug,5,,\nA,,12,Red,L\nA,,10,Blue,S\nA,,12,Blue,L\n",
    )
    expect(all.map(({ asin, pricing }) => [asin, ...pricing])).toEqual([
      ["A", "10", "12"],
      ["B", "5"],
    ])
    expect(all[0]!.axes).toEqual([
      { name: "Color", values: [{ value: "Red" }, { value: "Blue" }] },
      {
        name: "Size",
        values: [
          { value: "S", price: "10" },
          { value: "L", price: "12" },
        ],
      },
    ])
    expect(all[1]!.axes).toEqual([])
  })

  test("a blank price is that of the rows before", async () => {
    const [product] = await products("id,title,price,option:Size\nA,Tee,10,S\nA,,,M\nA,,12,L\n")
    expect(product!.axes[0]!.values.map(({ price }) => price)).toEqual(["10", "10", "12"])
  })

  test("what is sold out cannot be chosen, and a product that is sold out is no fault", async () => {
    const text = "id,title,price,option:Size,stock\nA,Tee,10,S,3\nA,,10,M,0\nA,,10,L,out of stock\nB,Mug,5,,0\n"
    const [tee, mug] = await read(text)
    expect(tee!.record.product!.axes[0]!.values).toEqual([{ value: "S", price: "10" }])
    expect(mug).toMatchObject({ record: { product: null, asin: "B", excluded: "sold_out" }, problems: [] })
  })

  test("rows that no option tells apart, or that lack one, are left out and reported", async () => {
    const text = "id,title,price,option:Size\nA,Tee,10,S\nA,,11,\nB,Mug,5,\nB,Mug,6,\n"
    expect(await faults(text)).toEqual([
      expect.stringMatching(/^3 option:Size is blank where other rows/),
      expect.stringMatching(/^5 id is that of an earlier row/),
    ])
    expect((await products(text)).map(({ asin, pricing }) => [asin, ...pricing])).toEqual([
      ["A", "10"],
      ["B", "5"],
    ])
  })
})

describe("every bad row is reported with line, column and reason", () => {
  const text = [
    "id,title,price,size,note,note",
    "1,Lamp,12,,,", // fine
    ",No id,12,,,",
    "3,,12,,,",
    "4,Free lamp,free,,,",
    "5,Cut lamp", // the rest of its cells is blank
    '6,"A 5" lamp",12,,,',
    "7,Lamp, red,12,,,extra",
    "",
    '8,"two\nlines",-3,,,',
    "9,Good lamp,12,,,",
    "",
  ].join("\n")

  test("and the good ones are taken", async () => {
    expect((await products(text)).map(({ asin }) => asin)).toEqual(["1", "4", "5", "8", "9"])
    expect(await faults(text)).toEqual([
      expect.stringMatching(/^1 size is no column that is read \(an option is called `option:NAME`/),
      expect.stringMatching(/^1 note is no column/),
      expect.stringMatching(/^1 note is a second column of this name/),
      "3 id is blank",
      "4 title is blank",
      '5 price "free" is not a price',
      "6 price is blank: the product has no price",
      expect.stringMatching(/^7 {2}text follows a closing quote.*in cell 2/),
      expect.stringMatching(/^8 {2}has 7 cells where the header has 6/),
      expect.stringMatching(/^10 price "-3" is not a price/),
    ])
  })

  test("a product without a usable row is skipped, one that lost a row is not", async () => {
    const records = await read('id,title,price,option:Size\nA,Tee,10,S\nA,"T" x,12,L\nB,"Mug" x,5,\n')
    expect(records.map(({ record, problems }) => [record.product?.asin ?? null, problems[0]?.effect])).toEqual([
      ["A", "kept"],
      [null, "product_skipped"],
    ])
  })

  test.each([
    ["title,price\nLamp,12\n", /store\.csv:1: there is no column for the id \(`id`.*has: title, price/],
    ["id,price\n1,12\n", /no column for the title/],
    ['id,"title\n1,Lamp\n', /store\.csv:1: the header line cannot be read/],
    ["", /store\.csv:1: the file is empty/],
  ])("a header that leaves nothing to go on with is refused: %j", async (text, message) => {
    await expect(read(text)).rejects.toThrow(message)
  })
})

test("ids too long to click are cut to the same short one every time, and the long one is kept for the export", async () => {
  const text = "id,title,price\na-very-long-handle-of-a-product,Lamp,12\na-very-long-handle-of-another,Lamp,12\n"
  const [first, second] = await read(text)
  const [again] = await read(text)
  expect(first!.record.product!.asin).toMatch(/^a-very-long-[0-9a-f]{8}$/)
  expect(first!.record.product!.asin).toBe(again!.record.product!.asin)
  expect(first!.record.product!.asin).not.toBe(second!.record.product!.asin)
  expect("raw" in first!.record && first!.record.raw.get("source_id")).toBe("a-very-long-handle-of-a-product")
})

test("memory is bounded for lists of options", async () => {
  const many = Array.from({ length: 60 }, (_, i) => i).join("|")
  expect(await faults(`id,title,price,option:A,option:B\n1,Lamp,12,${many},${many}\n`)).toEqual([
    expect.stringMatching(/^2 option:A stands for more than 2000 combinations/),
  ])
})

test("any table is read without a throw, and what comes out is a product whose options are the table's", async () => {
  const cell = fc.constantFrom(
    "",
    "A",
    "B",
    "Red",
    "red",
    "Blue|Green",
    "12",
    "-1",
    "1,299.50",
    "<p>x",
    "灯",
    " ",
    "0",
    "__proto__",
    "a;b",
  )
  const rows = fc.array(fc.array(cell, { minLength: 6, maxLength: 6 }), { minLength: 1, maxLength: 8 })
  const header = "id,title,price,option:Color,option:Size,stock"
  await fc.assert(
    fc.asyncProperty(rows, async (rows) => {
      const text = [header, ...rows.map((row) => row.map((cell) => `"${cell}"`).join(","))].join("\n")
      for (const { record, problems } of await read(text)) {
        if (record.product === null) {
          expect("excluded" in record || problems.some(({ effect }) => effect === "product_skipped")).toBe(true)
          continue
        }
        expect(Product.parse(record.product)).toEqual(record.product)
        const mine = rows.filter((row) => row[0]!.trim() === record.product!.asin)
        const offered = new Set(
          mine.flatMap((row) =>
            row.slice(3, 5).flatMap((cell) => cell.split(/[|;]/).map((value) => publicOptionValue(value))),
          ),
        )
        for (const { values } of record.product.axes) {
          for (const { value } of values)
            for (const part of value.split("/")) expect(offered).toContain(publicOptionValue(part))
        }
      }
    }),
    { numRuns: 300 },
  )
})
