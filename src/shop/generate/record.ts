import type { Json } from "../../core/json.ts"
import type { Random } from "../../core/random.ts"
import { NumberSource, type OrderedJson, type OrderedObject } from "../../lib/ordered-json.ts"
import type { Product } from "../product.ts"
import type { Draft } from "./draft.ts"
import { priceText } from "./prices.ts"
import type { StoreVoice } from "./voice.ts"
import type { WrittenTask } from "./write-task.ts"

/** A product as the reward and the catalog know it, with what only its raw record holds. */
export interface Written {
  readonly product: Product
  readonly images: readonly string[]
  readonly draft: Draft
}

/** Puts a draft into words: title, attributes, description, prices in the seller's spelling. */
export function writeProduct(random: Random, draft: Draft, asin: string, voice: StoreVoice): Written {
  const title = voice.title(draft, random)
  const subtitle = random.chance(0.7) ? random.pick(draft.kind.slogans) : ""
  const images = Array.from({ length: random.integer(1, 4) }, (_, i) => `https://img.example/${asin}/${i + 1}.jpg`)
  const spell = (price: number) => priceText(price, draft.spelling)
  const product: Product = {
    asin,
    title,
    subtitle,
    brand: draft.shop,
    category: draft.kind.path,
    product_category: "",
    attributes: voice.attributes(draft, random),
    axes: draft.axes.map(({ name, values }) => ({
      name,
      values: values.map(({ text, price, available }, i) => ({
        value: text,
        ...(price === null ? {} : { price: spell(price) }),
        ...(available === null ? {} : { available }),
        ...(random.chance(0.3) ? { image: `https://img.example/${asin}/option-${i + 1}.jpg` } : {}),
      })),
    })),
    pricing: draft.listing.map(spell),
    bullets: [],
    description: voice.description(draft, title),
    image: images[0]!,
  }
  return { product, images, draft }
}

/** The raw ShopSimulator record of a product and the tasks written for it; `firstTaskId` numbers them. */
export function productRecord(
  { product, images, draft }: Written,
  { index, tasks, firstTaskId }: { index: number; tasks: readonly WrittenTask[]; firstTaskId: number },
): OrderedObject {
  const { domain } = draft.kind
  const record = new Map<string, OrderedJson>([
    ["asin", product.asin],
    ["domain_zh", domain.name],
    ["domain_en_short", domain.short],
    ["domain_en_long", domain.long],
    ["title", product.title],
    ["sub_title", product.subtitle],
    ["shop_name", product.brand],
    ["category", product.category],
    ["attribute", [...product.attributes]],
    ["customization_options", new Map(product.axes.map(({ name, values }) => [name, values.map(valueRecord)]))],
    ["pricing", product.pricing.map((price) => new NumberSource(price))],
    ["images", [...images]],
    ["full_description", product.description],
  ])
  if (tasks.length > 0) {
    record.set(
      "instructions",
      tasks.map((task, i) => taskRecord(task, { asin: product.asin, position: i, taskId: firstTaskId + i })),
    )
  }
  const persona = tasks[0]?.persona
  if (persona !== undefined && persona !== null) record.set("user_persona", orderedJson(persona))
  record.set("source_product_index", new NumberSource(String(index)))
  return record
}

function valueRecord({ value, price, image, available }: Product["axes"][number]["values"][number]): OrderedObject {
  const record: OrderedObject = new Map([["value", value]])
  if (price !== undefined) record.set("price", new NumberSource(price))
  if (available !== undefined) record.set("is_available", available)
  if (image !== undefined) record.set("image", image)
  return record
}

export function taskRecord(
  task: WrittenTask,
  { asin, position, taskId }: { asin: string; position: number; taskId: number },
): OrderedObject {
  const record = new Map<string, OrderedJson>([
    ["asin", asin],
    ["instruction", task.instruction],
  ])
  if (task.instruction_simple !== null) record.set("instruction_simple", task.instruction_simple)
  record.set("attributes", [...task.attributes])
  record.set("instruction_options", [...task.options])
  record.set("option_axes", [...task.option_axes])
  record.set("task_id", new NumberSource(String(taskId)))
  record.set("instruction_index", new NumberSource(String(position)))
  record.set("price_upper", task.price_upper === null ? null : new NumberSource(String(task.price_upper)))
  record.set("labels", new Map(Object.entries(task.labels)))
  return record
}

export function orderedJson(value: Json): OrderedJson {
  if (typeof value === "number") return new NumberSource(JSON.stringify(value))
  if (Array.isArray(value)) return value.map(orderedJson)
  if (value === null || typeof value !== "object") return value
  return new Map(Object.entries(value).map(([key, member]) => [key, orderedJson(member)]))
}
