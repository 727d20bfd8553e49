import { AppError } from "../../core/errors.ts"
import type { ByteSource } from "../../lib/byte-source.ts"
import { type JsonRecord, readJsonRecords } from "../../lib/json-records.ts"
import {
  NumberSource,
  type OrderedJson,
  OrderedJsonError,
  type OrderedObject,
  orderedJsonText,
  parseOrderedJson,
} from "../../lib/ordered-json.ts"
import { typeName } from "./field-reader.ts"
import type { PlacedProblem, ReadRecord, SourceFormat } from "./format.ts"
import { readShopSimulatorRecord } from "./shopsimulator.ts"

/**
 * The files of WebShop, in any order: items (a list), attributes (asin → attributes and a written instruction), human instructions
 * (asin → list of instructions). Items stream; what belongs to them is held as text. See docs/sources.md for every field.
 */
export const webshopFormat: SourceFormat = {
  summary: "WebShop's items, with its attributes and human instructions where they are given, in any order",
  async *read(files, signal) {
    const items: ByteSource[] = []
    const additions: Additions = { attributes: new Map(), instructions: new Map(), human: false }
    const problems: ReadRecord[] = []
    for (const file of files) {
      const { shape, source } = await recognize(file)
      if (shape === "items") items.push(source)
      else problems.push(...(await readAdditions(source, shape, additions, signal)))
    }
    if (items.length === 0) {
      throw new AppError(
        "BAD_INPUT",
        `${files.map(({ name }) => name).join(", ")}: none of these files holds items (a JSON list of products)`,
      )
    }
    if (problems.length > 0) yield problems
    for (const source of items) {
      for await (const batch of readJsonRecords(source, signal))
        yield batch.map((place) => readItem(source.name, place, additions))
    }
  },
}

type Shape = "items" | "attributes" | "instructions"

/** What is said of items outside the items file. */
interface Additions {
  readonly attributes: Map<string, string> // asin → JSON text
  readonly instructions: Map<string, string>
  human: boolean // a file of human instructions was given: the written ones are not tasks then
}

/** Members by which an object is an item and no asin. */
const ITEM_FIELD =
  /^(?:asin|name|title|category|query|product_category|pricing|images|small_description|full_description|customization_options)$/

/** Tells a file's shape by its beginning; the source that comes back still has it all. */
async function recognize(source: ByteSource): Promise<{ shape: Shape; source: ByteSource }> {
  const chunks = source.chunks()[Symbol.asyncIterator]()
  const head: Buffer[] = []
  let shape: Shape | undefined
  while (shape === undefined) {
    const next = await chunks.next()
    if (next.done) break
    head.push(Buffer.from(next.value))
    shape = shapeOf(Buffer.concat(head).toString("utf8"))
  }
  const whole: ByteSource = {
    name: source.name,
    size: source.size,
    get bytesRead() {
      return source.bytesRead
    },
    async *chunks() {
      yield* head
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value
    },
    digests: () => source.digests(),
  }
  return { shape: shape ?? "items", source: whole }
}

function shapeOf(start: string): Shape | undefined {
  const text = start.replace(/^\ufeff/, "").trimStart()
  if (text === "") return undefined
  if (!text.startsWith("{")) return "items"
  const [, key, value] = /^\{\s*"((?:[^"\\]|\\.)*)"\s*:\s*(\S)/.exec(text) ?? []
  if (key === undefined) return /^\{\s*\}/.test(text) ? "attributes" : text.length > 65536 ? "items" : undefined
  if (ITEM_FIELD.test(key)) return "items"
  return value === "{" ? "attributes" : value === "[" ? "instructions" : "items"
}

async function readAdditions(
  source: ByteSource,
  shape: "attributes" | "instructions",
  additions: Additions,
  signal: AbortSignal | undefined,
): Promise<ReadRecord[]> {
  const problems: ReadRecord[] = []
  if (shape === "instructions") additions.human = true
  for await (const batch of readJsonRecords(source, signal, "members")) {
    for (const place of batch) {
      const parsed = parse(place, (text) => `{${text}}`)
      const [member] = parsed.value instanceof Map ? parsed.value : []
      if (member !== undefined) additions[shape].set(member[0], orderedJsonText(member[1]))
      else if (parsed.fault !== null) {
        const record = { product: null, asin: null, instruction_count: 0 } as const
        const { line, index } = place
        problems.push({
          file: source.name,
          line,
          item: index,
          record,
          problems: [{ field: "", reason: parsed.fault, effect: "product_skipped" }],
        })
      }
    }
  }
  return problems
}

function parse(
  place: JsonRecord,
  wrap = (text: string) => text,
): { value: OrderedJson | undefined; fault: string | null } {
  if (place.text === null) return { value: undefined, fault: place.reason }
  try {
    return { value: parseOrderedJson(wrap(place.text)), fault: null }
  } catch (error) {
    if (!(error instanceof OrderedJsonError)) throw error
    return { value: undefined, fault: `is not JSON: ${error.message}, at character ${error.offset}` }
  }
}

function readItem(file: string, place: JsonRecord, additions: Additions): ReadRecord {
  const at = { file, line: place.line, item: place.index }
  const { value, fault } = parse(place)
  if (!(value instanceof Map)) {
    const record = { product: null, asin: null, instruction_count: 0 } as const
    const reason = fault ?? `is ${typeName(value)}; expected an item object`
    return { ...at, record, problems: [{ field: "", reason, effect: "product_skipped" }] }
  }
  const { record, problems } = readShopSimulatorRecord(shopForm(value, additions))
  return {
    ...at,
    record,
    problems: problems.map((problem): PlacedProblem => ({ ...problem, field: webshopField(problem.field) })),
  }
}

/** An item in the raw ShopSimulator form; what is wrong with it is left as it is, for the reader of that form to say. */
function shopForm(item: OrderedObject, additions: Additions): OrderedObject {
  const asin = item.get("asin")
  const key = typeof asin === "string" ? asin : ""
  const described = held(additions.attributes, key)
  const attributes = described instanceof Map ? described : new Map<string, OrderedJson>()
  const path = item.get("product_category")
  const form: OrderedObject = new Map()
  const set = (field: string, value: OrderedJson | undefined) => {
    if (value !== undefined) form.set(field, value)
  }
  set("asin", asin)
  set("title", item.get("name") ?? item.get("title"))
  set("shop_name", item.get("brand"))
  set("category", isBlank(path) ? item.get("category") : path)
  set("product_category", path)
  set("pricing", item.get("pricing"))
  set("customization_options", optionsForm(item.get("customization_options")))
  set("attribute", attributes.get("attributes") ?? item.get("attributes"))
  set("small_description", item.get("small_description"))
  set("full_description", item.get("full_description"))
  set("images", item.get("images"))
  const human = held(additions.instructions, key) ?? item.get("instructions")
  const instructions = additions.human || human !== undefined ? human : writtenInstruction(attributes)
  if (instructions !== undefined) set("instructions", instructionsForm(instructions, item.get("category")))
  return form
}

function held(map: ReadonlyMap<string, string>, asin: string): OrderedJson | undefined {
  const text = map.get(asin)
  return text === undefined ? undefined : parseOrderedJson(text)
}

/** An option value without a price text says its price is 0: not known, that is. */
function optionsForm(options: OrderedJson | undefined): OrderedJson | undefined {
  if (!(options instanceof Map)) return options
  const form: OrderedObject = new Map()
  for (const [axis, values] of options) form.set(axis, Array.isArray(values) ? values.map(valueForm) : values)
  return form
}

function valueForm(value: OrderedJson): OrderedJson {
  if (!(value instanceof Map)) return value
  const form: OrderedObject = new Map()
  const price = value.get("price")
  const text = value.get("price_string")
  const known = !isBlank(price) && !(price instanceof NumberSource && Number(price.text) === 0 && isBlank(text))
  for (const field of ["value", "image", "is_available"]) {
    const member = value.get(field)
    if (member !== undefined) form.set(field, member)
  }
  if (known && price !== undefined) form.set("price", price)
  else if (!isBlank(text) && text !== undefined) form.set("price", text)
  return form
}

function writtenInstruction(attributes: OrderedObject): OrderedJson | undefined {
  const wanted = attributes.get("instruction_attributes")
  return isBlank(attributes.get("instruction")) || isBlank(wanted) ? undefined : [attributes]
}

function instructionsForm(instructions: OrderedJson, domain: OrderedJson | undefined): OrderedJson {
  if (!Array.isArray(instructions)) return instructions
  return instructions.map((source): OrderedJson => {
    if (!(source instanceof Map)) return source
    const form: OrderedObject = new Map()
    const members = [
      ["instruction", source.get("instruction")],
      ["attributes", source.get("instruction_attributes")],
      ["instruction_options", source.get("instruction_options")],
    ] as const
    for (const [field, value] of members) if (value !== undefined) form.set(field, value)
    if (typeof domain === "string" && domain !== "") form.set("labels", new Map([["domain", domain]]))
    return form
  })
}

function isBlank(value: OrderedJson | undefined): boolean {
  return value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)
}

/** A field of the raw ShopSimulator form by its name in WebShop's files. */
function webshopField(field: string): string {
  return field
    .replace(/^title\b/, "name")
    .replace(/^shop_name\b/, "brand")
    .replace(/^attribute\b/, "attributes")
    .replace(/^(instructions\[\d+\]\.)attributes\b/, "$1instruction_attributes")
}
