import { type OrderedJson, type OrderedObject, parseOrderedJson } from "../../lib/ordered-json.ts"
import { normalizeOption } from "../price.ts"
import type { Product } from "../product.ts"
import type { ShopTask } from "../task.ts"

export const PRODUCT_AUDITS = [
  "title_blank",
  "title_states_unit_price", // `每平米30元`, `$2.50/oz`: easily taken for the price
  "attribute_blank",
  "option_value_blank",
  "option_value_repeated", // on one axis, as it is shown
  "axis_without_values", // such a product cannot be bought
] as const

export const TASK_AUDITS = [
  "wanted_option_missing", // on no axis of the product
  "wanted_option_garbled", // one of these holds `?` or U+FFFD, where an emoji may have been
  "required_attribute_blank",
  "instruction_simple_without_persona",
  "persona_without_instruction_simple",
] as const

export const PERSONA_AUDITS = [
  "persona_placeholder", // a field says `未知`, `N/A` or the like
  "persona_blank_field",
  "persona_wrong_nesting", // transaction features inside the behaviour features
  "persona_path_missing", // one of the large parts is not there
  "persona_user_id_trailing", // the user id ends in a separator
] as const

type ProductAudit = (typeof PRODUCT_AUDITS)[number]
type TaskAudit = (typeof TASK_AUDITS)[number]
type PersonaAudit = (typeof PERSONA_AUDITS)[number]

const UNIT = "(?:㎡|m²|平方米|平米|平方|公斤|千克|斤|克|米|升|毫升|片|支|只|件|包|袋|瓶|个|张|双)"
const UNIT_PRICE = new RegExp(
  [
    `每\\s*${UNIT}\\s*(?:仅|只要|约|才)?\\s*[¥￥]?\\d+(?:\\.\\d+)?\\s*[元块]`,
    `(?:\\d\\s*[元块]|[¥￥]\\s?\\d+(?:\\.\\d+)?)\\s*/\\s*${UNIT}`,
    "[$£€]\\s?\\d+(?:\\.\\d+)?\\s*(?:/|per)\\s*(?:fl\\.? ?oz|oz|lbs?|kg|g|ct|count|each|piece|sq\\.? ?ft|ft|yard|ml|l)\\b",
  ].join("|"),
  "iu",
)

const PLACEHOLDER =
  /^(?:未知|不详|暂无|无|空|待补充|待定|其他|占位.*|示例.*|n\/?a|null|none|nan|undefined|unknown|tbd|x{2,}|\*{2,}|-+|\?+|？+)$/i

/** The parts of a ShopSimulator persona that hold others. */
const PERSONA_PARTS = ["地区信息", "人口属性", "行为特征", "交易特征", "兴趣偏好"]
const USER_ID = /^user_?id$|^用户_?id$/i

export function auditProduct(product: Product): ProductAudit[] {
  const found: ProductAudit[] = []
  if (product.title.trim() === "") found.push("title_blank")
  if (UNIT_PRICE.test(product.title)) found.push("title_states_unit_price")
  if (product.attributes.some(isBlank)) found.push("attribute_blank")
  const axes = product.axes.map(({ values }) => values.map(({ value }) => normalizeOption(value)))
  if (axes.some((values) => values.includes(""))) found.push("option_value_blank")
  if (axes.some((values) => new Set(values).size < values.length)) found.push("option_value_repeated")
  if (axes.some((values) => values.length === 0)) found.push("axis_without_values")
  return found
}

export function auditTask(task: ShopTask, product: Product): TaskAudit[] {
  const found: TaskAudit[] = []
  const offered = new Set(product.axes.flatMap(({ values }) => values.map(({ value }) => normalizeOption(value))))
  const missing = task.options.filter((option) => !offered.has(normalizeOption(option)))
  if (missing.length > 0) found.push("wanted_option_missing")
  if (missing.some((option) => /[?\ufffd]/.test(option))) found.push("wanted_option_garbled")
  if (task.attributes.some(isBlank)) found.push("required_attribute_blank")
  if (task.instruction_simple !== null && task.persona === null) found.push("instruction_simple_without_persona")
  if (task.instruction_simple === null && task.persona !== null) found.push("persona_without_instruction_simple")
  return found
}

export function auditPersona(persona: string | null): PersonaAudit[] {
  const value = persona === null ? null : parseOrderedJson(persona)
  if (!(value instanceof Map)) return []
  const found: PersonaAudit[] = []
  const texts = [...leafTexts(value)]
  if (texts.some((text) => PLACEHOLDER.test(text.trim()))) found.push("persona_placeholder")
  if (texts.some(isBlank)) found.push("persona_blank_field")
  if (isNestedWrongly(value)) found.push("persona_wrong_nesting")
  const parts = PERSONA_PARTS.filter((part) => value.has(part)).length
  if (parts > 0 && parts < PERSONA_PARTS.length) found.push("persona_path_missing")
  const userId = [...value].find(([key]) => USER_ID.test(key.normalize("NFKC").trim()))?.[1]
  if (typeof userId === "string" && /[\s,，;；|/_-]$/.test(userId)) found.push("persona_user_id_trailing")
  return found
}

function isNestedWrongly(persona: OrderedObject): boolean {
  const behaviour = persona.get("行为特征")
  return behaviour instanceof Map && PERSONA_PARTS.some((part) => behaviour.has(part))
}

function* leafTexts(value: OrderedJson): Generator<string> {
  if (typeof value === "string") yield value
  else if (Array.isArray(value)) for (const item of value) yield* leafTexts(item)
  else if (value instanceof Map) for (const member of value.values()) yield* leafTexts(member)
}

function isBlank(text: string): boolean {
  return text.trim() === ""
}
