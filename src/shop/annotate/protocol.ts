import { z } from "zod"
import { sha256Hex } from "../../core/fingerprint.ts"
import type { Json, JsonObject } from "../../core/json.ts"
import type { Message } from "../../core/message.ts"
import type { TaskId } from "../../core/task.ts"
import { taskIdValues } from "../../core/task.ts"
import type { Language } from "../catalog.ts"

/** Version of what a reply must be and of what is made of it; the words of the prompt have a hash of their own. */
export const ANNOTATION_VERSION = "souk-price-upper-1"
/** What approximate amounts are raised by. The model names the amount, code adds the tolerance. */
export const APPROXIMATE_MULTIPLIER = 1.1

/** What a text says about the most a shopper pays. Only the first two bound the price. */
export const AnnotationKind = z.enum([
  "hard_upper", // 500元以内, the upper end of an interval
  "approximate_upper", // 500左右
  "no_budget", // nothing about money, or money does not matter
  "lower_only", // 不低于100元
  "non_total_price", // a unit price, a deposit, an instalment
  "ambiguous", // readings that disagree
])
export type AnnotationKind = z.infer<typeof AnnotationKind>

/** The texts of a task, in the order they are asked about. */
export const SourceField = z.enum(["instruction_simple", "instruction"])
export type SourceField = z.infer<typeof SourceField>

/** The judgement of one text, as it is kept with the task. */
export const Annotation = z.strictObject({
  kind: AnnotationKind,
  amount: z.number().nullable(), // as the text names it
  evidence: z.string(), // words of the text, verbatim; empty with `no_budget`
  source_field: SourceField,
  price_upper: z.number().nullable(), // the amount, with the tolerance where it is approximate
  annotation_version: z.literal(ANNOTATION_VERSION),
  approximate_upper_multiplier: z.literal(APPROXIMATE_MULTIPLIER),
})
export type Annotation = z.infer<typeof Annotation>

const Reply = z.strictObject({
  task_id: z.union([z.int(), z.string()]),
  kind: AnnotationKind,
  amount: z.number().nullable(),
  evidence: z.string(),
})

/** A text to judge, and whose it is. */
export interface Question {
  readonly task_id: TaskId
  readonly source_field: SourceField
  readonly text: string
}

const PROMPTS: Readonly<Record<Language, string>> = {
  zh: `你负责标注一条购物需求里的预算：买家为这件商品最多愿意付多少钱。只看给出的文字，不要推测，不要参考商品的市场价。
输入是 JSON：{"task_id": 编号, "text": 需求原文}。只输出一个 JSON 对象，不要解释：
{"task_id": 同一编号, "kind": 类别, "amount": 数字或 null, "evidence": 原文片段}
类别：
- hard_upper：有明确上限（以内、以下、不超过、最多、封顶、预算500元）。区间取上端；既有大概价又有明确上限时取上限。
- approximate_upper：只有大概的价位（左右、上下、大约、差不多、出头）。amount 填原文的数，不要自己加浮动。
- no_budget：没有谈到价格，或者说价格无所谓。evidence 为空字符串。
- lower_only：只有下限（不低于、起、以上）。
- non_total_price：谈到的是单价、每月、定金、首付、分期、运费、优惠额，而不是整件商品的价格。
- ambiguous：几种说法互相矛盾，无法决定。
规则：前两类的 amount 是大于 0 的数，单位为元（"两百"填 200，"1.5千"填 1500）；其余类别的 amount 为 null。除 no_budget 外，evidence 必须是 text 中一字不差的连续片段，并且包含判断所依据的价格说法。尺寸、型号、数量、年份不是价格。`,
  en: `You annotate the budget of one shopping request: the most the shopper will pay for the item. Go by the words given; do not guess, and do not think of what such an item usually costs.
The input is JSON: {"task_id": id, "text": the request}. Answer with one JSON object and nothing else:
{"task_id": the same id, "kind": kind, "amount": number or null, "evidence": words of the text}
Kinds:
- hard_upper: a firm ceiling (under, at most, no more than, up to, a budget of $50). Of an interval take the upper end; where there is both an approximate price and a ceiling, take the ceiling.
- approximate_upper: an approximate price only (around, about, roughly, -ish). amount is the number of the text; add nothing to it.
- no_budget: nothing about the price, or that it does not matter. evidence is an empty string.
- lower_only: a floor only (at least, from, over).
- non_total_price: a price per unit or per month, a deposit, an instalment, shipping, a discount; not the price of the item.
- ambiguous: statements that contradict each other.
Rules: with the first two kinds amount is a number above 0 in the store's currency ("two hundred" is 200, "1.5k" is 1500), with all others null. Except with no_budget, evidence is a passage of text, copied exactly and without gaps, that holds the words about the price. Sizes, model numbers, quantities and years are no prices.`,
}

/** SHA-256 of the system prompt. */
export function promptSha256(language: Language): string {
  return sha256Hex(PROMPTS[language])
}

/** The whole conversation about one text. */
export function questionMessages({ task_id, text }: Question, language: Language): Message[] {
  return [
    { role: "system", content: PROMPTS[language] },
    { role: "user", content: JSON.stringify({ task_id: idValue(task_id), text }) },
  ]
}

/** The reply as a strict `response_format`; task ids are numbers unless the tasks have names. */
export function replyFormat({ namedTasks }: { readonly namedTasks: boolean }): JsonObject {
  const properties: JsonObject = {
    task_id: { type: namedTasks ? "string" : "integer" },
    kind: { type: "string", enum: [...AnnotationKind.options] },
    amount: { anyOf: [{ type: "number" }, { type: "null" }] },
    evidence: { type: "string" },
  }
  const schema = { type: "object", properties, required: Object.keys(properties), additionalProperties: false }
  return { type: "json_schema", json_schema: { name: "price_annotation", strict: true, schema } }
}

/** Whether a task is known by a name rather than a number. */
export function isNamed(taskId: TaskId): boolean {
  return typeof idValue(taskId) === "string"
}

/** What is wrong with a reply, in words. */
interface Rejected {
  readonly fault: string
}

/**
 * Reads a model's reply: exactly the four members, the task that was asked about, and evidence that is in the text. Never throws.
 *
 * @example readAnnotation('{"task_id":0,"kind":"approximate_upper","amount":100,"evidence":"100元左右"}', question) // price_upper 110
 */
export function readAnnotation(content: string, question: Question): Annotation | Rejected {
  let value: unknown
  try {
    value = JSON.parse(content)
  } catch {
    return { fault: "the reply is not JSON" }
  }
  const reply = Reply.safeParse(value)
  if (!reply.success) {
    const { path, message } = reply.error.issues[0]!
    return { fault: `the reply is wrong${path.length > 0 ? ` at ${path.join(".")}` : ""}: ${message}` }
  }
  const { task_id, kind, amount, evidence } = reply.data
  if (task_id !== idValue(question.task_id)) {
    return { fault: `the reply is about task ${JSON.stringify(task_id)}, not ${question.task_id}` }
  }
  const fault = faultOf({ kind, amount, evidence }, question.text)
  if (fault !== null) return { fault }
  return {
    kind,
    amount,
    evidence,
    source_field: question.source_field,
    price_upper: priceUpper(kind, amount),
    annotation_version: ANNOTATION_VERSION,
    approximate_upper_multiplier: APPROXIMATE_MULTIPLIER,
  }
}

/** What is wrong with an annotation that was kept, given the text it is about; null: nothing. */
export function annotationFault(annotation: Annotation, text: string): string | null {
  const { kind, amount, price_upper } = annotation
  const fault = faultOf(annotation, text)
  if (fault !== null || price_upper === priceUpper(kind, amount)) return fault
  return `price_upper is ${price_upper}, but ${kind} of ${amount} makes ${priceUpper(kind, amount)}`
}

/** Whether the annotation bounds the price, so that nothing else needs to be asked. */
export function bounds({ kind }: Pick<Annotation, "kind">): boolean {
  return kind === "hard_upper" || kind === "approximate_upper"
}

function faultOf({ kind, amount, evidence }: Pick<Annotation, "kind" | "amount" | "evidence">, text: string) {
  if (bounds({ kind })) {
    if (amount === null || !Number.isFinite(amount) || amount <= 0) {
      return `${kind} needs an amount above 0, not ${amount}`
    }
  } else if (amount !== null) return `${kind} has no amount, but the reply says ${amount}`
  if (kind === "no_budget") return evidence === "" ? null : "no_budget has no evidence, but the reply gives some"
  if (evidence === "") return `${kind} needs evidence`
  return text.includes(evidence) ? null : `the evidence ${JSON.stringify(evidence)} is not in the text`
}

function priceUpper(kind: AnnotationKind, amount: number | null): number | null {
  if (amount === null) return null
  return kind === "approximate_upper" ? Math.round(amount * APPROXIMATE_MULTIPLIER * 1e8) / 1e8 : amount
}

function idValue(taskId: TaskId): Json {
  return taskIdValues([taskId])[0]!
}
