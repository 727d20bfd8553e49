import type { OrderedObject } from "../../lib/ordered-json.ts"
import type { NumberText, Product } from "../product.ts"

/** What was done about a fault: the product or the task was left out, or the record was kept without the faulty value. */
export type ProblemEffect = "product_skipped" | "task_skipped" | "kept"

/** One fault of a source record. The importer adds file and line or index. */
export interface FieldProblem {
  readonly field: string // a path: `customization_options.颜色[2].price`
  readonly reason: string // `is text; expected a list`
  readonly effect: ProblemEffect
}

/** A task as a source states it, before ids and budgets are settled. */
export interface SourceTask {
  readonly position: number // place in the record's list of instructions, from 0
  readonly task_id: string | null // null: the importer numbers it
  readonly task_uid: string | null
  readonly instruction_index: number | null
  readonly instruction: string
  readonly instruction_simple: string | null
  readonly attributes: string[] // empty: nothing to score, the task is excluded
  readonly options: string[]
  readonly option_axes: (string | null)[] | null
  readonly price_upper: NumberText | null
  readonly price_annotated: boolean
  readonly persona: string | null // JSON text of an object, without `__reasoning__`
  readonly persona_private: string | null // the same with it, where the source has it
  readonly labels: Record<string, string>
}

/** A source record, read and checked. */
export interface SourceRecord {
  readonly product: Product
  readonly source_product_index: number | null
  readonly tag: string | null // the source's own division, `train` or `eval`
  /** Instructions in the source record, usable or not: each takes a task number. */
  readonly instruction_count: number
  readonly tasks: SourceTask[]
  readonly raw: OrderedObject
}

/** Whatever can be read from a record that is not usable as a whole. */
export interface UnusableRecord {
  readonly product: null
  readonly asin: string | null
  readonly instruction_count: number
}
