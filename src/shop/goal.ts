import { isJsonObject, type Json, type JsonObject } from "../core/json.ts"
import { normalizeOption } from "./price.ts"
import type { Product } from "./product.ts"
import { type Rules, type RulesName, rulesOf } from "./rules.ts"
import type { BudgetReading, ShopTask } from "./task.ts"

/** What a purchase is measured against: the private part of a task, with what is known of the product it was written for. */
export interface Goal {
  readonly asin: string
  /** Title and category path of the product the task was written for. */
  readonly name: string
  readonly category: string
  readonly attributes: readonly string[]
  /** Wanted option values, in the source's spelling. */
  readonly options: readonly string[]
  /** The axis of each wanted option; null, or no list: not known. */
  readonly option_axes?: readonly (string | null)[]
  /** Highest acceptable price in the catalog's currency; null: no budget. */
  readonly price_upper: number | null
  /** How that was read from the text, for the explanation. */
  readonly budget?: BudgetReading
}

/** The goal of `task`, which was written for `product`, under the budget reading of a profile. */
export function goalOf(task: ShopTask, product: Product, rules: RulesName): Goal {
  const budget = task.budget[rules]
  return {
    asin: task.asin,
    name: product.title,
    category: product.category,
    attributes: task.attributes,
    options: task.options,
    option_axes: task.options.map((option, i) => task.option_axes?.[i] ?? onlyAxisWith(product, option)),
    price_upper: budget.upper,
    budget,
  }
}

/** The one axis of `product` that offers `option`; null when none or several do. */
function onlyAxisWith(product: Product, option: string): string | null {
  const key = normalizeOption(option)
  const axes = product.axes.filter(({ values }) => values.some(({ value }) => normalizeOption(value) === key))
  return axes.length === 1 ? axes[0]!.name : null
}

/** The requirement the agent is shown: the short one for a shopper whose profile is known, else the full one. */
export function visibleInstruction(task: ShopTask, { persona }: { persona: boolean }): string {
  if (persona && isKnown(readPersona(task.persona))) return task.instruction_simple ?? task.instruction
  return task.instruction
}

/** The shopper's profile as far as it is public in this mode; null where the episode is played without one. */
export function visiblePersona(
  task: ShopTask,
  { persona, rules }: { persona: boolean; rules: Rules },
): JsonObject | null {
  if (!persona && !rules.personaInStandardMode) return null
  const profile = readPersona(task.persona)
  return isKnown(profile) ? profile : null
}

/** The private goal as it is disclosed when the episode is over, in the reference's keys. */
export function goalRecord(task: ShopTask, product: Product, rules: RulesName): JsonObject {
  const goal = goalOf(task, product, rules)
  const record: JsonObject = {
    task_id: numericId(task.task_id),
    task_uid: task.task_uid,
    source_product_index: task.source_product_index,
    asin: goal.asin,
    category: goal.category,
    name: goal.name,
    instruction_text: task.instruction,
    instruction_simple: task.instruction_simple ?? task.instruction,
    attributes: [...goal.attributes],
    price_upper: goal.price_upper,
    price_constraint: null,
    goal_options: [...goal.options],
    user_persona: readPersona(task.persona_private ?? task.persona),
    reason_key: null,
    weight: 1,
  }
  if (!rulesOf(rules).explained) return record
  return {
    ...record,
    option_axes: [...(goal.option_axes ?? [])],
    budget: { ...task.budget[rules] },
    ...(task.labels !== undefined && { labels: { ...task.labels } }),
  }
}

/** A task's id as the reference has it: a number, unless it is none. */
export function numericId(taskId: string): number | string {
  return /^(?:0|[1-9]\d{0,14})$/.test(taskId) ? Number(taskId) : taskId
}

function readPersona(text: string | null): JsonObject {
  if (text === null) return {}
  const value = JSON.parse(text) as Json // written by the catalog
  return isJsonObject(value) ? value : {}
}

function isKnown(profile: JsonObject): boolean {
  return Object.keys(profile).length > 0
}
