import { z } from "zod"
import { TaskId } from "../core/task.ts"

/** How a text's budget was read. Only `upper` and `range` bound the price. */
export const BudgetKind = z.enum([
  "upper", // 不超过500元 · under $50 · 500左右 (approximate, with tolerance)
  "range", // 100到200元; `upper` is the upper end
  "floor_only", // 不低于100元
  "unit_price", // 每平米30元, deposits and instalments too: not the price of the item
  "explicitly_none", // 预算不限
  "ambiguous", // several readings that disagree
  "not_stated",
])
export type BudgetKind = z.infer<typeof BudgetKind>

export const BudgetReading = z.object({
  kind: BudgetKind,
  upper: z.number().nullable(), // in the catalog's currency; null unless kind is `upper` or `range`
  lower: z.number().nullable(),
  approximate: z.boolean(), // a tolerance of 10 % was added to the amount named
  evidence: z.string(), // the words it was read from, verbatim; empty when not stated
  parser: z.string(), // the parser's version
})
export type BudgetReading = z.infer<typeof BudgetReading>

/** One shopping task with its private goal. Nothing but the shown instruction (and, in persona mode, the persona) is public. */
export const ShopTask = z.object({
  task_id: TaskId,
  task_uid: z.string(), // `shopsim-` + 24 hex digits
  source_product_index: z.number().int(),
  instruction_index: z.number().int(),
  asin: z.string(),
  instruction: z.string(), // the full requirement
  instruction_simple: z.string().nullable(), // what a shopper with a persona says at first
  attributes: z.array(z.string()),
  options: z.array(z.string()), // wanted option values, source spelling, no axes
  option_axes: z.array(z.string().nullable()).optional(), // the axis each wanted option belongs to, where it is known
  price_upper: z.number().nullable(), // as the source states it; null: parse the text
  price_annotated: z.boolean(), // the source says how the budget was annotated: its null means "none" in profile `souk`
  budget: z.object({ v8: BudgetReading, souk: BudgetReading }), // after the goal-level precedence of each profile
  persona: z.string().nullable(), // JSON text of an object, `__reasoning__` already removed
  persona_private: z.string().optional(), // the same with `__reasoning__`, where the source has it: part of the private goal
  source_split: z.string().nullable(),
  labels: z.record(z.string(), z.string()).optional(), // slices: domain, difficulty, phrasing
})
export type ShopTask = z.infer<typeof ShopTask>
