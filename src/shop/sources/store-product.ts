import { sha256Hex } from "../../core/fingerprint.ts"
import { NumberSource, type OrderedJson, type OrderedObject } from "../../lib/ordered-json.ts"
import type { NumberText } from "../product.ts"
import type { PlacedProblem, ReadRecord } from "./format.ts"
import { readShopSimulatorRecord } from "./shopsimulator.ts"
import { layOutVariants, type Variant } from "./variants.ts"

/** Product ids are clicked, so they are short. Characters. */
const MAX_ID_LENGTH = 20

/** A product as a store's own file tells of it. */
export interface StoreProduct {
  /** As the store has it, of any length. */
  readonly id: string
  readonly title: string
  readonly subtitle?: string
  readonly brand: string
  readonly category: string // nodes in any of the usual notations, `A > B`
  readonly productType: string
  readonly attributes: readonly string[]
  readonly axisNames: readonly string[]
  /** What is on sale. */
  readonly variants: readonly Variant[]
  /** Listing prices; left out: those of the variants. */
  readonly pricing?: readonly NumberText[]
  readonly bullets: readonly string[]
  readonly description: string
  readonly images: readonly string[]
  /** Facts that the catalog keeps for its export only. */
  readonly extra: Readonly<Record<string, string>>
}

/** Where a product was read, and what its fields are called there. */
export interface StorePlace {
  readonly file: string
  readonly line: number
  readonly item: number
  /** The column that a field of the raw ShopSimulator form came from. */
  readonly columns: Readonly<Record<string, string>>
}

/** The record of a store's product, checked as every product is. */
export function storeRecord(product: StoreProduct, place: StorePlace, problems: readonly PlacedProblem[]): ReadRecord {
  const { record, problems: found } = readShopSimulatorRecord(shopForm(product))
  const named = found.map((problem): PlacedProblem => {
    const [, root = "", rest = ""] = /^(\w+)(.*)$/s.exec(problem.field) ?? []
    return { ...problem, field: (place.columns[root] ?? root) + rest, line: place.line }
  })
  const { file, line, item } = place
  return { file, line, item, record, problems: [...problems, ...named] }
}

/** `id` itself, or for a long one its beginning and eight hex digits of its SHA-256: the same every time. */
export function shortId(id: string): string {
  const characters = [...id]
  if (characters.length <= MAX_ID_LENGTH) return id
  const start = characters
    .slice(0, MAX_ID_LENGTH - 9)
    .join("")
    .replace(/[^\p{L}\p{N}]+$/u, "")
  return `${start}-${sha256Hex(id).slice(0, 8)}`
}

function shopForm(product: StoreProduct): OrderedObject {
  const { id, variants, axisNames, extra } = product
  const asin = shortId(id)
  const axes = layOutVariants(axisNames, variants)
  const form: OrderedObject = new Map<string, OrderedJson>([
    ["asin", asin],
    ["title", product.title],
    ["shop_name", product.brand],
    ["category", categoryPath(product.category)],
    ["pricing", (product.pricing ?? priceRange(variants)).map((price) => new NumberSource(price))],
    ["customization_options", new Map(axes.map(({ name, values }) => [name, values.map(valueForm)]))],
    ["attribute", [...product.attributes]],
    ["full_description", product.description],
    ["images", [...product.images]],
  ])
  if (product.subtitle) form.set("sub_title", product.subtitle)
  if (product.productType !== "") form.set("product_category", product.productType)
  if (product.bullets.length > 0) form.set("small_description", [...product.bullets])
  if (asin !== id) form.set("source_id", id)
  for (const [key, value] of Object.entries(extra)) if (value !== "") form.set(key, value)
  return form
}

function valueForm({
  value,
  price,
  image,
}: {
  value: string
  price?: NumberText | undefined
  image?: string | undefined
}): OrderedJson {
  const form: OrderedObject = new Map([["value", value]])
  if (price !== undefined) form.set("price", new NumberSource(price))
  if (image !== undefined) form.set("image", image)
  return form
}

/** The price of all variants, or the lowest and the highest. */
function priceRange(variants: readonly Variant[]): NumberText[] {
  const prices = variants.flatMap(({ price }) => (price === null ? [] : [price])).sort((a, b) => Number(a) - Number(b))
  const [low, high] = [prices[0], prices.at(-1)]
  if (low === undefined || high === undefined) return []
  return Number(low) === Number(high) ? [low] : [low, high]
}

function categoryPath(text: string): string {
  return text
    .split(/[>›»]/)
    .map((node) => node.trim())
    .filter((node) => node !== "")
    .join("›")
}
