import { describe, expect, test } from "vitest"
import { textSource } from "../../lib/byte-source.ts"
import type { Product } from "../product.ts"
import type { ReadRecord } from "./format.ts"
import { shopifyFormat } from "./shopify.ts"

async function read(...texts: string[]): Promise<ReadRecord[]> {
  const all: ReadRecord[] = []
  for await (const batch of shopifyFormat.read([textSource("products_export.csv", texts)])) all.push(...batch)
  return all
}
async function products(text: string): Promise<Product[]> {
  return (await read(text)).flatMap(({ record }) => (record.product === null ? [] : [record.product]))
}
async function faults(text: string): Promise<string[]> {
  return (await read(text)).flatMap(({ problems }) =>
    problems.map(({ line, field, reason }) => `${line} ${field} ${reason}`),
  )
}

const HEADER =
  "Handle,Title,Body (HTML),Vendor,Product Category,Type,Tags,Published,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Option3 Name,Option3 Value,Variant SKU,Variant Inventory Tracker,Variant Inventory Qty,Variant Inventory Policy,Variant Price,Variant Compare At Price,Image Src,Image Position,Variant Image,Fabric (product.metafields.custom.fabric),Status"
const COLUMNS = HEADER.split(",")

/** Rows of an export, each given by what is not blank in it. */
function store(...rows: Record<string, string>[]): string {
  const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  for (const name of rows.flatMap(Object.keys)) if (!COLUMNS.includes(name)) throw new Error(`no column ${name}`)
  return [HEADER, ...rows.map((row) => COLUMNS.map((name) => quoted(row[name] ?? "")).join(","))].join("\r\n")
}
const plain = (handle: string, more: Record<string, string> = {}) => {
  return {
    Handle: handle,
    Title: handle,
    "Option1 Name": "Title",
    "Option1 Value": "Default Title",
    "Variant Price": "10.00",
    ...more,
  }
}
const size = (handle: string, value: string, price: string, more: Record<string, string> = {}) => {
  return { Handle: handle, "Option1 Name": "Size", "Option1 Value": value, "Variant Price": price, ...more }
}

test("a product with variants, images, HTML over several lines, tags and a metafield", async () => {
  const [product, ...others] = await products(
    store(
      {
        Handle: "wool-hat",
        Title: "Wool hat",
        "Body (HTML)": '<p>Warm,\r\nsoft and "light".</p>\n\n<ul><li>Merino</li><li>Made in Peru</li></ul>',
        Vendor: "Alpaca & Sons",
        "Product Category": "Apparel & Accessories > Clothing Accessories > Hats",
        Type: "Beanies",
        Tags: "winter, unisex, winter",
        Published: "TRUE",
        "Option1 Name": "Color",
        "Option1 Value": "Red",
        "Option2 Name": "Size",
        "Option2 Value": "S/M",
        "Variant Price": "19.90",
        "Variant Compare At Price": "29.90",
        "Image Src": "https://x/2.png",
        "Image Position": "2",
        "Variant Image": "https://x/red.png",
        "Fabric (product.metafields.custom.fabric)": "wool; cotton",
        Status: "active",
      },
      {
        Handle: "wool-hat",
        "Option1 Value": "Red",
        "Option2 Value": "L",
        "Variant Price": "21.90",
        "Image Src": "https://x/1.png",
        "Image Position": "1",
        "Variant Image": "https://x/red.png",
      },
      { Handle: "wool-hat", "Option1 Value": "Grey", "Option2 Value": "S/M", "Variant Price": "19.90" },
      { Handle: "wool-hat", "Option1 Value": "Grey", "Option2 Value": "L", "Variant Price": "21.90" },
      { Handle: "wool-hat", "Image Src": "https://x/3.png", "Image Position": "3" },
    ),
  )
  expect(others).toEqual([])
  expect(product).toEqual({
    asin: "wool-hat",
    title: "Wool hat",
    subtitle: "",
    brand: "Alpaca & Sons",
    category: "Apparel & Accessories›Clothing Accessories›Hats",
    product_category: "Beanies",
    attributes: ["winter", "unisex", "Fabric:wool", "Fabric:cotton"],
    axes: [
      { name: "Color", values: [{ value: "Red", image: "https://x/red.png" }, { value: "Grey" }] },
      {
        name: "Size",
        values: [
          { value: "S/M", price: "19.9" },
          { value: "L", price: "21.9" },
        ],
      },
    ],
    pricing: ["19.9", "21.9"],
    bullets: ["Merino", "Made in Peru"],
    description: 'Warm, soft and "light".',
    image: "https://x/1.png",
  })
})

test("a product without options has the price of its one variant", async () => {
  const [product] = await products(store(plain("mug", { "Variant Compare At Price": "99.00" })))
  expect(product).toMatchObject({ asin: "mug", axes: [], pricing: ["10"] })
})

describe("variants that do not fit separate options", () => {
  const shirt = (color: string, size: string, price: string, more: Record<string, string> = {}) => {
    const options = { "Option1 Name": "Color", "Option1 Value": color, "Option2 Name": "Size", "Option2 Value": size }
    return { Handle: "shirt", Title: "Shirt", ...options, "Variant Price": price, ...more }
  }

  test("a price that hangs on two options: they are chosen together", async () => {
    const [product] = await products(
      store(shirt("Red", "S", "10"), shirt("Red", "L", "12"), shirt("Blue", "S", "11"), shirt("Blue", "L", "15")),
    )
    expect(product!.axes).toEqual([
      {
        name: "Color/Size",
        values: [
          { value: "Red/S", price: "10" },
          { value: "Red/L", price: "12" },
          { value: "Blue/S", price: "11" },
          { value: "Blue/L", price: "15" },
        ],
      },
    ])
  })

  test("a sold out combination cannot be chosen", async () => {
    const gone = {
      "Variant Inventory Tracker": "shopify",
      "Variant Inventory Qty": "0",
      "Variant Inventory Policy": "deny",
    }
    const [product] = await products(
      store(shirt("Red", "S", "10"), shirt("Red", "L", "10", gone), shirt("Blue", "S", "10"), shirt("Blue", "L", "10")),
    )
    expect(product!.axes.map(({ name, values }) => [name, values.map(({ value }) => value)])).toEqual([
      ["Color/Size", ["Red/S", "Blue/S", "Blue/L"]],
    ])
  })
})

test("stock counts only where it is tracked and the store does not sell beyond it", async () => {
  const row = (value: string, tracker: string, quantity: string, policy: string) =>
    size("hat", value, "10", {
      Title: "Hat",
      "Variant Inventory Tracker": tracker,
      "Variant Inventory Qty": quantity,
      "Variant Inventory Policy": policy,
    })
  const [product] = await products(
    store(
      row("in stock", "shopify", "3", "deny"),
      row("gone", "shopify", "0", "deny"),
      row("oversold", "shopify", "-2", "deny"),
      row("on order", "shopify", "0", "continue"),
      row("untracked", "", "0", "deny"),
      row("unknown", "shopify", "", "deny"),
    ),
  )
  expect(product!.axes[0]!.values.map(({ value }) => value)).toEqual(["in stock", "on order", "untracked", "unknown"])
})

test("what is not on sale is left out by rule and is no fault", async () => {
  const none = { "Variant Inventory Tracker": "shopify", "Variant Inventory Qty": "0" }
  const text = store(
    plain("a", { Status: "draft" }),
    plain("b", { Status: "archived" }),
    plain("c", { Published: "false" }),
    plain("d", none),
    plain("e", { Status: "Active" }),
  )
  const records = await read(text)
  expect(records.map(({ record }) => ("excluded" in record ? record.excluded : record.product?.asin))).toEqual([
    "draft",
    "archived",
    "unpublished",
    "sold_out",
    "e",
  ])
  expect(records.flatMap(({ problems }) => problems)).toEqual([])
})

describe("rows without a handle", () => {
  test("go with the product above", async () => {
    const [product] = await products(
      store(size("hat", "S", "10", { Title: "Hat" }), { ...size("", "L", "12") }, { "Image Src": "https://x/1.png" }),
    )
    expect(product!.axes[0]!.values).toEqual([
      { value: "S", price: "10" },
      { value: "L", price: "12" },
    ])
    expect(product!.image).toBe("https://x/1.png")
  })

  test("begin a product when they have a title", async () => {
    expect((await products(store(plain("mug"), plain("", { Title: "Tea Pot" })))).map(({ asin }) => asin)).toEqual([
      "mug",
      "tea-pot",
    ])
  })

  test("are nothing when they are blank, and a fault when nothing stands above", async () => {
    expect((await products(store({}, plain("mug"), {}, plain("cup")))).map(({ asin }) => asin)).toEqual(["mug", "cup"])
    expect(await faults(store({ "Variant Price": "10" }, plain("mug")))).toEqual([
      "2 Handle is blank, and no product stands above",
    ])
  })
})

test("faults are told with line and column, and cost only what is faulty", async () => {
  const text = store(
    size("hat", "S", "10", { Title: "Hat", "Body (HTML)": "two\nlines" }),
    size("hat", "M", "ask"),
    size("hat", "L", ""),
    { Handle: "hat", "Variant SKU": "H-4", "Variant Price": "12" },
    plain("no-title", { Title: "" }),
    plain("no-price", { "Variant Price": "" }),
    plain("mug"),
  )
  expect(await faults(text)).toEqual([
    '4 Variant Price "ask" is not a price',
    "5 Variant Price is blank; the variant is left out",
    "6 Option1 Value is blank; the variant is left out",
    "7 Title is blank",
    "8 Variant Price is blank; the variant is left out",
    "8 Variant Price holds no usable price in any row of the product",
  ])
  expect((await products(text)).map(({ asin }) => asin)).toEqual(["hat", "mug"])
})

test("the newer form of the export is read as well", async () => {
  const [product] = await products(
    "Title,URL handle,Description,Vendor,Product category,Type,Tags,Published on online store,Status,SKU,Option1 name,Option1 value,Price,Compare-at price,Inventory tracker,Inventory quantity,Continue selling when out of stock,Product image URL\n" +
      "Cup,cup,<p>Blue</p>,Potters,Home > Cups,Cups,gift,TRUE,Active,C-1,Size,S,8.00,,shopify,0,TRUE,https://x/c.png\n" +
      ",cup,,,,,,,,C-2,,L,9.00,,shopify,0,FALSE,\n",
  )
  expect(product).toMatchObject({
    asin: "cup",
    brand: "Potters",
    description: "Blue",
    attributes: ["gift"],
    pricing: ["8"],
    image: "https://x/c.png",
  })
  expect(product!.axes).toEqual([{ name: "Size", values: [{ value: "S", price: "8" }] }])
})

test("another table is not taken for Shopify's", async () => {
  await expect(read("id,title,price\n1,Lamp,12\n")).rejects.toThrow(
    /products_export\.csv:1: there is no column `Handle` or `URL handle`.*--format csv/,
  )
})
