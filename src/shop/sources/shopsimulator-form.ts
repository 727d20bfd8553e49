import { NumberSource, type OrderedJson, type OrderedObject, parseOrderedJson } from "../../lib/ordered-json.ts"
import type { OptionAxis, Product } from "../product.ts"
import type { ShopTask } from "../task.ts"

/** What a raw record says beyond the product: its place in the source and its tasks by their place in the record. */
export interface RawPlace {
  readonly source_product_index: number
  readonly instruction_count: number
  readonly taskAt: (position: number) => ShopTask | undefined
}

/**
 * The raw ShopSimulator form of a product as far as the catalog's own records tell it. What a particular source spelled or added
 * otherwise is kept at import as the difference from this form.
 */
export function shopSimulatorForm(
  product: Product,
  { source_product_index, instruction_count, taskAt }: RawPlace,
): OrderedObject {
  const form: OrderedObject = new Map<string, OrderedJson>([
    ["asin", product.asin],
    ["title", product.title],
    ["shop_name", product.brand],
    ["category", product.category],
    ["pricing", product.pricing.map((price) => new NumberSource(price))],
    ["customization_options", optionsForm(product.axes)],
    ["attribute", [...product.attributes]],
    ["full_description", product.description],
    ["images", product.image === undefined ? [] : [product.image]],
  ])
  if (product.subtitle !== "") form.set("sub_title", product.subtitle)
  if (product.product_category !== "") form.set("product_category", product.product_category)
  if (product.bullets.length > 0) form.set("small_description", [...product.bullets])
  form.set("source_product_index", new NumberSource(String(source_product_index)))
  if (instruction_count === 0) return form
  const tasks = Array.from({ length: instruction_count }, (_, position) => taskAt(position))
  form.set(
    "instructions",
    tasks.map((task) => (task === undefined ? new Map() : instructionForm(task))),
  )
  const persona = tasks.map((task) => task?.persona_private ?? task?.persona).find((text) => typeof text === "string")
  if (persona !== undefined) form.set("user_persona", parseOrderedJson(persona))
  return form
}

/** A task id as the raw form writes it: a number unless it is a name. */
export function taskIdForm(taskId: string): OrderedJson {
  return /^\d+$/.test(taskId) ? new NumberSource(taskId) : taskId
}

function optionsForm(axes: readonly OptionAxis[]): OrderedObject {
  const form: OrderedObject = new Map()
  for (const { name, values } of axes) {
    const entries = values.map(({ value, price, available, image }) => {
      const entry: OrderedObject = new Map([["value", value]])
      if (price !== undefined) entry.set("price", new NumberSource(price))
      if (available !== undefined) entry.set("is_available", available)
      if (image !== undefined) entry.set("image", image)
      return entry
    })
    form.set(name, entries)
  }
  return form
}

function instructionForm(task: ShopTask): OrderedObject {
  const form: OrderedObject = new Map<string, OrderedJson>([
    ["instruction", task.instruction],
    ["attributes", [...task.attributes]],
    ["instruction_options", [...task.options]],
  ])
  if (task.instruction_simple !== null) form.set("instruction_simple", task.instruction_simple)
  form.set("task_id", taskIdForm(task.task_id))
  form.set("task_uid", task.task_uid)
  form.set("instruction_index", new NumberSource(String(task.instruction_index)))
  form.set("price_upper", task.price_upper === null ? null : new NumberSource(JSON.stringify(task.price_upper)))
  return form
}
