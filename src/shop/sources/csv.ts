import { AppError } from "../../core/errors.ts"
import type { CsvRow } from "../../lib/csv.ts"
import type { NumberText } from "../product.ts"
import type { PlacedProblem, ReadRecord, SourceFormat } from "./format.ts"
import { readBody } from "./html.ts"
import { type StoreProduct, shortId, storeRecord } from "./store-product.ts"
import { cell, GroupReader, type Header, type RowGroup, readGroups, splitList, unusableGroup } from "./table.ts"
import { optionText, type Variant } from "./variants.ts"

/** What each column may be called, besides its own name. Case, spaces, `-` and `_` do not count. */
const COLUMN_NAMES = {
  id: ["id", "asin", "product id", "item id", "handle", "sku", "商品id", "商品编号", "编号", "货号"],
  title: ["title", "name", "product name", "标题", "商品标题", "商品名称", "名称"],
  subtitle: ["subtitle", "sub title", "副标题"],
  brand: ["brand", "vendor", "manufacturer", "shop name", "shop", "品牌", "店铺"],
  category: ["category", "categories", "category path", "类目", "分类"],
  type: ["type", "product type", "product category", "商品类型"],
  price: ["price", "价格", "售价"],
  description: ["description", "full description", "body", "描述", "商品描述", "详情"],
  bullets: ["bullets", "features", "highlights", "small description", "卖点"],
  attributes: ["attributes", "attribute", "tags", "属性", "标签"],
  image: ["image", "images", "image url", "image link", "main image", "图片", "主图"],
  url: ["url", "link", "product url", "链接"],
  sku: ["variant sku", "sku"],
  available: ["available", "availability", "in stock", "stock", "quantity", "qty", "inventory", "有货", "库存"],
} as const
type ColumnName = keyof typeof COLUMN_NAMES

const OPTION_COLUMN = /^(?:option|选项|规格)\s*[:：]\s*(.+)$/i
const ATTRIBUTE_COLUMN = /^(?:attribute|属性)\s*[:：]\s*(.+)$/i
const LIST = /[|;；\n]/
const NO =
  /^(?:0+(?:\.0+)?|-\d.*|no|n|false|out of stock|out_of_stock|sold out|unavailable|无|否|缺货|无货|售罄|下架)$/i
/** One row may stand for so many combinations of listed option values. */
const MAX_COMBINATIONS = 2000

interface Columns {
  readonly titles: readonly string[]
  readonly named: Readonly<Partial<Record<ColumnName, number>>>
  readonly options: readonly { readonly name: string; readonly column: number }[]
  readonly attributes: readonly { readonly name: string; readonly column: number }[]
  readonly problems: readonly PlacedProblem[]
}

/** A product table anybody can write in a spreadsheet: one row a product, or several for its variants. See docs/sources.md. */
export const csvFormat: SourceFormat = {
  summary: "a product table: columns id, title, brand, category, price, description, attributes, option:Color …",
  async *read(files, signal) {
    for (const source of files) {
      const columns = (header: Header) => readColumns(header, source.name)
      const keyOf = (row: CsvRow, { named }: Columns) => cell(row, named.id)
      let first = true
      for await (const { columns: found, groups } of readGroups(source, { columns, keyOf, scattered: true, signal })) {
        const records = groups.map((group) => readProduct(source.name, group, found))
        const [record] = records
        if (first && record !== undefined) records[0] = { ...record, problems: [...found.problems, ...record.problems] }
        first &&= record === undefined
        yield records
      }
    }
  },
}

function readColumns(header: Header, file: string): Columns {
  const named: Partial<Record<ColumnName, number>> = {}
  const taken = new Set<number>()
  for (const [name, titles] of Object.entries(COLUMN_NAMES) as [ColumnName, readonly string[]][]) {
    const column = header.find(titles)
    if (column === undefined || (name === "sku" && column === named.id)) continue
    named[name] = column
    taken.add(column)
  }
  for (const name of ["id", "title"] as const) {
    if (named[name] !== undefined) continue
    const wanted = COLUMN_NAMES[name].map((title) => `\`${title}\``).join(", ")
    const seen = header.titles.slice(0, 12).join(", ")
    throw new AppError(
      "BAD_INPUT",
      `${file}:1: there is no column for the ${name} (${wanted}); the header line has: ${seen}`,
    )
  }
  const matching = (pattern: RegExp) => {
    const found: { name: string; column: number }[] = []
    for (const [column, title] of header.titles.entries()) {
      const name = optionText(pattern.exec(title)?.[1] ?? "")
      if (name === "" || found.some((other) => other.name === name)) continue
      found.push({ name, column })
      taken.add(column)
    }
    return found
  }
  const columns = {
    titles: header.titles,
    named,
    options: matching(OPTION_COLUMN),
    attributes: matching(ATTRIBUTE_COLUMN),
  }
  const problems = header.titles.flatMap((title, column): PlacedProblem[] => {
    if (title === "" || taken.has(column)) return []
    const reason = header.isRepeated(column)
      ? "is a second column of this name; the first one is read"
      : "is no column that is read (an option is called `option:NAME`, an attribute `attribute:NAME`)"
    return [{ field: title, reason, effect: "kept", line: 1 }]
  })
  return { ...columns, problems }
}

function readProduct(file: string, group: RowGroup, columns: Columns): ReadRecord {
  const { titles, named } = columns
  const reader = new GroupReader(titles)
  const rows = reader.sound(group.rows)
  if (group.key === "" && rows[0] !== undefined) reader.report(rows[0], named.id, "is blank", "product_skipped")
  const title = reader.first(rows, named.title)
  if (group.key !== "" && rows[0] !== undefined && title === "")
    reader.report(rows[0], named.title, "is blank", "product_skipped")
  if (group.key === "" || title === "") return unusableGroup(file, group, reader.problems)

  const offers = readVariants(rows, columns, reader)
  const first = (name: ColumnName) => reader.first(rows, named[name])
  const body = readBody(first("description"))
  const place = { file, line: rows[0]!.line, item: group.item, columns: columnTitles(columns) }
  if (offers.variants.length === 0 && offers.unavailable > 0) {
    const record = { product: null, asin: shortId(group.key), instruction_count: 0, excluded: "sold_out" } as const
    return { file, line: place.line, item: place.item, record, problems: reader.problems }
  }
  const product: StoreProduct = {
    id: group.key,
    title,
    subtitle: first("subtitle"),
    brand: first("brand"),
    category: first("category"),
    productType: first("type"),
    attributes: [
      ...splitList(first("attributes"), LIST),
      ...columns.attributes.flatMap(({ name, column }) => {
        return splitList(reader.first(rows, column), LIST).map((text) => `${name}:${text}`)
      }),
    ],
    axisNames: offers.axisNames,
    variants: offers.variants,
    ...(offers.range === null ? {} : { pricing: offers.range }),
    bullets: [...splitList(first("bullets"), LIST), ...body.bullets],
    description: body.text,
    images: splitList(first("image"), /[|;\s]+/),
    extra: { url: first("url") },
  }
  return storeRecord(product, place, reader.problems)
}

interface Offers {
  readonly axisNames: readonly string[]
  readonly variants: readonly Variant[]
  readonly unavailable: number
  /** A price range given in one cell, for a product without priced options. */
  readonly range: readonly NumberText[] | null
}

function readVariants(rows: readonly CsvRow[], { named, options }: Columns, reader: GroupReader): Offers {
  const values = (row: CsvRow, column: number) => splitList(optionText(cell(row, column)), LIST)
  const axes = options.filter(({ column }) => rows.some((row) => values(row, column).length > 0))
  const variants: Variant[] = []
  let unavailable = 0
  let range: readonly NumberText[] | null = null
  let usual: NumberText | null = null // what the first row with a price says, for those without
  for (const [index, row] of rows.entries()) {
    const prices = reader.prices(row, named.price)
    if (prices !== null && prices.length === 2) {
      if (rows.length === 1) range = prices
      else reader.report(row, named.price, "is a range; a variant has one price, and the lower one is taken", "kept")
    }
    const blank = axes.find(({ column }) => values(row, column).length === 0)
    if (blank !== undefined) {
      reader.report(
        row,
        blank.column,
        "is blank where other rows of the product have a value; the row is left out",
        "kept",
      )
      continue
    }
    if (axes.length === 0 && index > 0) {
      reader.report(
        row,
        named.id,
        "is that of an earlier row, and no option tells them apart; the row is left out",
        "kept",
      )
      continue
    }
    usual ??= prices?.[0] ?? null
    const price = range === null ? (prices?.[0] ?? usual) : null
    if (price === null && range === null && cell(row, named.price) === "")
      reader.report(row, named.price, "is blank: the product has no price", "kept")
    if (NO.test(cell(row, named.available))) {
      unavailable += 1
      continue
    }
    const image = cell(row, named.image) || null
    const combinations = combine(axes.map(({ column }) => values(row, column)))
    if (combinations === null) {
      reader.report(
        row,
        axes[0]!.column,
        `stands for more than ${MAX_COMBINATIONS} combinations of options; the row is left out`,
        "kept",
      )
      continue
    }
    for (const combination of combinations)
      variants.push({ values: combination, price, image: rows.length === 1 ? null : image })
  }
  return { axisNames: axes.map(({ name }) => name), variants, unavailable, range }
}

/** Every way to take one of each list; null: too many. */
function combine(lists: readonly (readonly string[])[]): string[][] | null {
  let all: string[][] = [[]]
  for (const list of lists) {
    if (all.length * list.length > MAX_COMBINATIONS) return null
    all = all.flatMap((values) => list.map((value) => [...values, value]))
  }
  return all
}

function columnTitles({ titles, named }: Columns): Record<string, string> {
  const title = (name: ColumnName) => titles[named[name] ?? -1] ?? name
  return {
    asin: title("id"),
    title: title("title"),
    sub_title: title("subtitle"),
    shop_name: title("brand"),
    category: title("category"),
    product_category: title("type"),
    pricing: title("price"),
    attribute: title("attributes"),
    full_description: title("description"),
    small_description: title("bullets"),
    images: title("image"),
    customization_options: "options",
  }
}
