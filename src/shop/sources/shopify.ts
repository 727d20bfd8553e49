import { AppError } from "../../core/errors.ts"
import type { CsvRow } from "../../lib/csv.ts"
import type { ReadRecord, SourceFormat } from "./format.ts"
import { readBody } from "./html.ts"
import { type StoreProduct, shortId, storeRecord } from "./store-product.ts"
import {
  cell,
  columnName,
  GroupReader,
  type Header,
  type RowGroup,
  readGroups,
  splitList,
  unusableGroup,
} from "./table.ts"
import { optionText, type Variant } from "./variants.ts"

/** The columns of Shopify's product export that are read, by the titles of its older and of its newer form. */
const COLUMN_NAMES = {
  handle: ["Handle", "URL handle"],
  title: ["Title"],
  body: ["Body (HTML)", "Description"],
  vendor: ["Vendor"],
  category: ["Product Category"],
  type: ["Type"],
  tags: ["Tags"],
  published: ["Published", "Published on online store"],
  status: ["Status"],
  price: ["Variant Price", "Price"],
  tracker: ["Variant Inventory Tracker", "Inventory tracker"],
  quantity: ["Variant Inventory Qty", "Inventory quantity"],
  policy: ["Variant Inventory Policy", "Continue selling when out of stock"],
  sku: ["Variant SKU", "SKU"],
  image: ["Image Src", "Product image URL"],
  position: ["Image Position"],
  variantImage: ["Variant Image", "Variant image URL"],
} as const
type ColumnName = keyof typeof COLUMN_NAMES

/** A column of a store's own facts: `Fabric (product.metafields.custom.fabric)`. */
const METAFIELD = /^(.+?)\s*\(product\.metafields\..+\)$/
const MAX_OPTIONS = 3
/** What Shopify writes for a product without options. */
const NO_OPTION = { name: "title", value: "default title" } as const

interface Columns {
  readonly titles: readonly string[]
  readonly named: Readonly<Partial<Record<ColumnName, number>>>
  readonly options: readonly { readonly name: number | undefined; readonly value: number | undefined }[]
  readonly metafields: readonly { readonly name: string; readonly column: number }[]
}

/** The CSV that Shopify exports: rows of one handle are one product's variants and images. See docs/sources.md. */
export const shopifyFormat: SourceFormat = {
  summary: "the product CSV that Shopify exports",
  async *read(files, signal) {
    for (const source of files) {
      const columns = (header: Header) => readColumns(header, source.name)
      for await (const { columns: found, groups } of readGroups(source, {
        columns,
        keyOf: productOf,
        scattered: false,
        signal,
      })) {
        yield groups.map((group) => readProduct(source.name, group, found))
      }
    }
  },
}

function readColumns(header: Header, file: string): Columns {
  const named: Partial<Record<ColumnName, number>> = {}
  for (const [name, titles] of Object.entries(COLUMN_NAMES) as [ColumnName, readonly string[]][]) {
    const column = header.find(titles)
    if (column !== undefined) named[name] = column
  }
  for (const name of ["handle", "title", "price"] as const) {
    if (named[name] !== undefined) continue
    const wanted = COLUMN_NAMES[name].map((title) => `\`${title}\``).join(" or ")
    throw new AppError(
      "BAD_INPUT",
      `${file}:1: there is no column ${wanted}; is this a product export of Shopify? (--format csv reads other tables)`,
    )
  }
  const options = Array.from({ length: MAX_OPTIONS }, (_, i) => ({
    name: header.find([`Option${i + 1} Name`]),
    value: header.find([`Option${i + 1} Value`]),
  }))
  const metafields = header.titles.flatMap((title, column) => {
    const name = METAFIELD.exec(title)?.[1]
    return name === undefined ? [] : [{ name, column }]
  })
  return { titles: header.titles, named, options, metafields }
}

/** A row without a handle belongs to the product above, unless it begins one with a title of its own: the title is its id then. */
function productOf(row: CsvRow, { named }: Columns): string | null {
  return cell(row, named.handle) || columnName(cell(row, named.title)).replaceAll(" ", "-") || null
}

function readProduct(file: string, group: RowGroup, columns: Columns): ReadRecord {
  const { titles, named, metafields } = columns
  const reader = new GroupReader(titles)
  const rows = reader.sound(group.rows)
  const first = (name: ColumnName) => reader.first(rows, named[name])
  const title = first("title")
  const [top] = rows
  if (top !== undefined && group.key === "")
    reader.report(top, named.handle, "is blank, and no product stands above", "product_skipped")
  else if (top !== undefined && title === "") reader.report(top, named.title, "is blank", "product_skipped")
  if (top === undefined || group.key === "" || title === "") return unusableGroup(file, group, reader.problems)

  const place = { file, line: top.line, item: group.item }
  const exclude = (excluded: string): ReadRecord => {
    const record = { product: null, asin: shortId(group.key), instruction_count: 0, excluded }
    return { ...place, record, problems: reader.problems }
  }
  const status = first("status").toLowerCase()
  if (status !== "" && status !== "active") return exclude(status)
  if (/^(?:false|no|0)$/i.test(first("published"))) return exclude("unpublished")

  const offers = readVariants(rows, columns, reader)
  if (offers.variants.length === 0) {
    if (offers.unavailable > 0) return exclude("sold_out")
    reader.report(top, named.price, "holds no usable price in any row of the product", "product_skipped")
    return unusableGroup(file, group, reader.problems)
  }
  const body = readBody(first("body"))
  const type = first("type")
  const product: StoreProduct = {
    id: group.key,
    title,
    brand: first("vendor"),
    category: first("category") || type,
    productType: type,
    attributes: [
      ...splitList(first("tags"), /,/),
      ...metafields.flatMap(({ name, column }) =>
        metafieldTexts(reader.first(rows, column)).map((text) => `${name}:${text}`),
      ),
    ],
    axisNames: offers.axisNames,
    variants: offers.variants,
    bullets: body.bullets,
    description: body.text,
    images: imagesOf(rows, columns),
    extra: {},
  }
  const columnOf = (name: ColumnName) => titles[named[name] ?? -1] ?? COLUMN_NAMES[name][0]
  const names = {
    asin: columnOf("handle"),
    title: columnOf("title"),
    shop_name: columnOf("vendor"),
    category: columnOf("category"),
    product_category: columnOf("type"),
    pricing: columnOf("price"),
    attribute: columnOf("tags"),
    full_description: columnOf("body"),
    small_description: columnOf("body"),
    images: columnOf("image"),
    customization_options: "options",
  }
  return storeRecord(product, { ...place, columns: names }, reader.problems)
}

/** The variants on sale, each with a value for every option of the product. Rows that only add an image are none. */
function readVariants(rows: readonly CsvRow[], { named, options }: Columns, reader: GroupReader) {
  const axes = options.flatMap(({ name, value }) => {
    const axisName = optionText(reader.first(rows, name))
    const values = rows.map((row) => cell(row, value)).filter((text) => text !== "")
    const none =
      axisName.toLowerCase() === NO_OPTION.name && values.every((text) => text.toLowerCase() === NO_OPTION.value)
    return axisName === "" || values.length === 0 || none ? [] : [{ name: axisName, value: value! }]
  })
  const variants: Variant[] = []
  let unavailable = 0
  for (const row of rows) {
    const isVariant = [named.price, named.sku, ...options.map(({ value }) => value)].some(
      (column) => cell(row, column) !== "",
    )
    if (!isVariant) continue
    const blank = axes.find(({ value }) => cell(row, value) === "")
    if (blank !== undefined) {
      reader.report(row, blank.value, "is blank; the variant is left out", "kept")
      continue
    }
    const prices = reader.prices(row, named.price)
    if (prices === null) {
      if (cell(row, named.price) === "") reader.report(row, named.price, "is blank; the variant is left out", "kept")
      continue
    }
    if (!isAvailable(row, named)) {
      unavailable += 1
      continue
    }
    const values = axes.map(({ value }) => optionText(cell(row, value)))
    variants.push({ values, price: prices[0]!, image: cell(row, named.variantImage) || null })
  }
  return { axisNames: distinctNames(axes.map(({ name }) => name)), variants, unavailable }
}

/** Sold out: stock is tracked, none is left, and the store does not sell beyond it. */
function isAvailable(row: CsvRow, named: Columns["named"]): boolean {
  const quantity = cell(row, named.quantity).replaceAll(",", "")
  const untracked = quantity === "" || (named.tracker !== undefined && cell(row, named.tracker) === "")
  return untracked || Number(quantity) > 0 || /^(?:continue|true|yes)$/i.test(cell(row, named.policy))
}

/** Options of one name would be one axis: the second one gets a number. */
function distinctNames(names: readonly string[]): string[] {
  return names.map((name, i) => (names.indexOf(name) === i ? name : `${name} ${i + 1}`))
}

/** The product's images, the main one first. */
function imagesOf(rows: readonly CsvRow[], { named }: Columns): string[] {
  const position = (row: CsvRow) => Number(cell(row, named.position)) || Number.POSITIVE_INFINITY
  const withImage = rows.filter((row) => cell(row, named.image) !== "")
  return withImage
    .sort((a, b) => (position(a) < position(b) ? -1 : position(a) > position(b) ? 1 : 0))
    .map((row) => cell(row, named.image))
}

/** A metafield's values: several stand between semicolons; structured ones (JSON) say nothing to a shopper. */
function metafieldTexts(text: string): string[] {
  return /^[[{]/.test(text) ? [] : splitList(readBody(text).text, /[;\n]/).filter((part) => part.length <= 100)
}
