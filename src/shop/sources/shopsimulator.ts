import { NumberSource, type OrderedJson, type OrderedObject, orderedJsonText } from "../../lib/ordered-json.ts"
import { numberText } from "../../lib/python-number.ts"
import type { OptionAxis, OptionValue, Product } from "../product.ts"
import { FieldReader, typeName } from "./field-reader.ts"
import type { FieldProblem, SourceRecord, SourceTask, UnusableRecord } from "./source.ts"

/** ASINs longer than this do not load in the reference environment either. Characters. */
const MAX_ASIN_LENGTH = 20

/**
 * Reads one product of the raw ShopSimulator form (an object with `asin`, `title`, `customization_options`, `instructions` and
 * the like; see docs/catalog.md for every field). Never throws: each fault is a problem that names its field, and a record
 * with a fault that makes it unusable comes back without a product.
 */
export function readShopSimulatorRecord(raw: OrderedJson): {
  readonly record: SourceRecord | UnusableRecord
  readonly problems: readonly FieldProblem[]
} {
  const reader = new FieldReader()
  if (!(raw instanceof Map)) {
    reader.report("", `is ${typeName(raw)}; expected a product object`, "product_skipped")
    return { record: { product: null, asin: null, instruction_count: 0 }, problems: reader.problems }
  }
  const instructions = reader.list(raw.get("instructions"), "instructions", "product_skipped")
  const product = readProduct(raw, reader)
  const persona = readPersona(raw.get("user_persona"), reader)
  const tasks = instructions.flatMap((item, position) => readTask(item, { position, persona, reader }) ?? [])
  if (reader.has("product_skipped")) {
    const record = { product: null, asin: product.asin || null, instruction_count: instructions.length }
    return { record, problems: reader.problems }
  }
  const record: SourceRecord = {
    product,
    source_product_index: reader.index(raw.get("source_product_index"), "source_product_index", "kept"),
    tag: reader.text(raw.get("tag"), "tag", "kept"),
    instruction_count: instructions.length,
    tasks,
    raw,
  }
  return { record, problems: reader.problems }
}

function readProduct(raw: OrderedObject, reader: FieldReader): Product {
  const text = (key: string) => reader.text(raw.get(key), key, "product_skipped")
  const title = text("title")
  if (title === null && !reader.problems.some(({ field }) => field === "title")) {
    reader.report("title", "is missing", "product_skipped")
  }
  const pricing = reader.prices(raw.get("pricing"), "pricing", "product_skipped")
  if (pricing.length > 2) {
    reader.report(
      "pricing",
      `holds ${pricing.length} prices; a listing has one or a range of two: the first two are kept`,
      "kept",
    )
  }
  const image = reader.texts(raw.get("images"), "images", "kept").find((url) => url.trim() !== "")
  return {
    asin: readAsin(raw.get("asin"), reader),
    title: title ?? "",
    subtitle: text("sub_title") ?? "",
    brand: text("shop_name") ?? text("brand") ?? "",
    category: text("category") ?? "",
    product_category: text("product_category") ?? "",
    attributes: reader.texts(raw.get("attribute"), "attribute", "product_skipped"),
    axes: readAxes(raw.get("customization_options"), reader),
    pricing: pricing.slice(0, 2),
    bullets: reader.texts(raw.get("small_description"), "small_description", "product_skipped"),
    description: text("full_description") ?? "",
    ...(image === undefined ? {} : { image }),
  }
}

function readAsin(value: OrderedJson | undefined, reader: FieldReader): string {
  const wrong = (reason: string): string => {
    reader.report("asin", reason, "product_skipped")
    return ""
  }
  if (typeof value !== "string") return wrong(`is ${typeName(value)}; expected text`)
  if (value.trim() === "") return wrong("is blank")
  if (value.length > 4 * MAX_ASIN_LENGTH || [...value].length > MAX_ASIN_LENGTH) {
    return wrong(`is longer than ${MAX_ASIN_LENGTH} characters`)
  }
  if (value.trim().toLowerCase() === "nan") return wrong("is `nan`, which stands for a gap")
  if (/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(value)) return wrong("holds control characters")
  return value
}

function readAxes(value: OrderedJson | undefined, reader: FieldReader): OptionAxis[] {
  const axes: OptionAxis[] = []
  for (const [name, content] of reader.object(value, "customization_options", "product_skipped") ?? []) {
    if (content === null) continue // the reference environment neither shows nor requires such an axis
    const field = `customization_options.${name}`
    if (!Array.isArray(content)) {
      reader.report(field, `is ${typeName(content)}; expected a list of values`, "product_skipped")
      continue
    }
    axes.push({ name, values: content.flatMap((entry, index) => readValue(entry, `${field}[${index}]`, reader) ?? []) })
  }
  return axes
}

function readValue(entry: OrderedJson, field: string, reader: FieldReader): OptionValue | null {
  if (typeof entry === "string" || entry instanceof NumberSource) {
    const value = reader.label(entry, field, "product_skipped")
    return value === null ? null : { value }
  }
  if (!(entry instanceof Map)) {
    reader.report(field, `is ${typeName(entry)}; expected an option value`, entry === null ? "kept" : "product_skipped")
    return null
  }
  const value = reader.label(entry.get("value"), `${field}.value`, "product_skipped")
  if (value === null) {
    reader.report(`${field}.value`, "is missing; this value is left out", "kept")
    return null
  }
  const price = reader.prices(entry.get("price"), `${field}.price`, "product_skipped")[0]
  const image = reader.text(entry.get("image"), `${field}.image`, "kept")
  const available = entry.get("is_available")
  return {
    value,
    ...(price === undefined ? {} : { price }),
    ...(image === null || image === "" ? {} : { image }),
    ...(typeof available === "boolean" ? { available } : {}),
  }
}

interface Persona {
  readonly persona: string | null
  readonly persona_private: string | null
}

/** JSON text of the persona without `__reasoning__`, and with it where there is any; nulls where there is no persona. */
function readPersona(value: OrderedJson | undefined, reader: FieldReader): Persona {
  const none = { persona: null, persona_private: null }
  const whole = reader.object(value, "user_persona", "kept")
  if (whole === null) return none
  const text = orderedJsonText(whole)
  if (!text.includes("__reasoning__")) return whole.size > 0 ? { persona: text, persona_private: null } : none
  const shown = withoutReasoning(whole)
  return shown instanceof Map && shown.size > 0 ? { persona: orderedJsonText(shown), persona_private: text } : none
}

/** `value` without every `__reasoning__` member, at any depth: what a persona's author thought is not for the agent. */
function withoutReasoning(value: OrderedJson): OrderedJson {
  if (Array.isArray(value)) return value.map(withoutReasoning)
  if (!(value instanceof Map)) return value
  const kept: OrderedObject = new Map()
  for (const [key, member] of value) if (key !== "__reasoning__") kept.set(key, withoutReasoning(member))
  return kept
}

function readTask(
  item: OrderedJson,
  { position, persona, reader }: { position: number; persona: Persona; reader: FieldReader },
): SourceTask | null {
  const path = `instructions[${position}]`
  if (!(item instanceof Map)) {
    reader.report(path, `is ${typeName(item)}; expected an instruction object`, "task_skipped")
    return null
  }
  const faultsBefore = reader.problems.length
  const instruction = reader.text(item.get("instruction"), `${path}.instruction`, "task_skipped")
  if (instruction === null || instruction.trim() === "") {
    reader.report(`${path}.instruction`, "is missing or blank", "task_skipped")
  }
  const simple = reader.text(item.get("instruction_simple"), `${path}.instruction_simple`, "task_skipped")
  const { options, axes } = readWantedOptions(item, path, reader)
  const price_upper = readPriceUpper(item.get("price_upper"), `${path}.price_upper`, reader)
  const task: SourceTask = {
    position,
    task_id: readTaskId(item.get("task_id"), `${path}.task_id`, reader),
    task_uid: reader.text(item.get("task_uid"), `${path}.task_uid`, "kept"),
    instruction_index: reader.index(item.get("instruction_index"), `${path}.instruction_index`, "kept"),
    instruction: instruction ?? "",
    instruction_simple: simple,
    attributes: reader.texts(item.get("attributes"), `${path}.attributes`, "task_skipped"),
    options,
    option_axes: axes,
    price_upper,
    price_annotated: price_upper !== null || item.get("price_annotation") instanceof Map,
    ...persona,
    labels: readLabels(item.get("labels"), `${path}.labels`, reader),
  }
  if (reader.problems.slice(faultsBefore).some(({ effect }) => effect === "task_skipped")) return null
  if ((simple === null) !== (persona.persona === null)) {
    const reason =
      simple === null ? "is missing although the product has a persona" : "is given although the product has no persona"
    reader.report(`${path}.instruction_simple`, reason, "kept")
  }
  return task
}

/** Wanted options as a list of values, or as an object axis → value, which also says the axes. */
function readWantedOptions(
  item: OrderedObject,
  path: string,
  reader: FieldReader,
): { options: string[]; axes: (string | null)[] | null } {
  const wanted = item.get("instruction_options")
  if (wanted instanceof Map) {
    const options: string[] = []
    const axes: string[] = []
    for (const [axis, value] of wanted) {
      const text = reader.label(value, `${path}.instruction_options.${axis}`, "task_skipped")
      if (text === null) continue
      options.push(text)
      axes.push(axis)
    }
    return { options, axes }
  }
  const options = reader.texts(wanted, `${path}.instruction_options`, "task_skipped")
  const given = item.get("option_axes")
  if (given === undefined || given === null) return { options, axes: null }
  const fits = Array.isArray(given) && given.length === options.length
  if (fits && given.every((axis): axis is string | null => axis === null || typeof axis === "string")) {
    return { options, axes: given }
  }
  reader.report(`${path}.option_axes`, "does not name one axis (or null) for each wanted option", "kept")
  return { options, axes: null }
}

function readTaskId(value: OrderedJson | undefined, field: string, reader: FieldReader): string | null {
  if (value === undefined || value === null) return null
  if (typeof value === "string" && /^[\w.-]{1,80}$/.test(value) && !/^\d+$/.test(value)) return value
  if (value instanceof NumberSource && /^\d{1,15}$/.test(value.text)) return value.text
  reader.report(
    field,
    `is ${typeName(value)}; expected a whole number from 0, or a name of letters, digits, . _ -`,
    "task_skipped",
  )
  return null
}

function readPriceUpper(value: OrderedJson | undefined, field: string, reader: FieldReader): string | null {
  if (value === undefined || value === null || value === "") return null
  const number =
    value instanceof NumberSource ? numberText(value.text) : typeof value === "string" ? value.trim() : "NaN"
  if (number !== "" && Number.isFinite(Number(number)) && Number(number) >= 0) return number
  reader.report(field, `is ${typeName(value)}; expected a number from 0 or null`, "task_skipped")
  return null
}

function readLabels(value: OrderedJson | undefined, field: string, reader: FieldReader): Record<string, string> {
  const labels: [string, string][] = []
  for (const [name, label] of reader.object(value, field, "kept") ?? []) {
    const text = reader.label(label, `${field}.${name}`, "kept")
    if (text !== null && name !== "__proto__") labels.push([name, text])
  }
  return Object.fromEntries(labels)
}
