import { createHash } from "node:crypto"
import { goalBudget } from "../budget.ts"
import type { Language } from "../catalog.ts"
import { normalizeOption } from "../price.ts"
import type { Product } from "../product.ts"
import type { SourceTask } from "../sources/source.ts"
import type { ShopTask } from "../task.ts"

/** A task as the catalog keeps it: ids settled, budget read under both profiles, wanted options on their axes. */
export function buildTask(
  source: SourceTask,
  {
    product,
    taskId,
    sourceProductIndex,
    sourceSplit,
    language,
  }: { product: Product; taskId: string; sourceProductIndex: number; sourceSplit: string | null; language: Language },
): ShopTask {
  const instruction_index = source.instruction_index ?? source.position
  const price_upper = source.price_upper === null ? null : Number(source.price_upper)
  const { instruction, instruction_simple, price_annotated, labels } = source
  return {
    task_id: taskId,
    task_uid: source.task_uid ?? taskUid(product.asin, instruction_index, instruction),
    source_product_index: sourceProductIndex,
    instruction_index,
    asin: product.asin,
    instruction,
    instruction_simple,
    attributes: source.attributes,
    options: source.options,
    option_axes: source.option_axes ?? source.options.map((option) => onlyAxisWith(product, option)),
    price_upper,
    price_annotated,
    budget: readBudgets({ instruction, instruction_simple, price_upper, price_annotated }, language),
    persona: source.persona,
    ...(source.persona_private === null ? {} : { persona_private: source.persona_private }),
    source_split: sourceSplit,
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
  }
}

/** A task's budget as each profile reads it. */
export function readBudgets(
  task: Pick<ShopTask, "instruction" | "instruction_simple" | "price_upper" | "price_annotated">,
  language: Language,
): ShopTask["budget"] {
  const source = {
    instruction: task.instruction,
    instructionSimple: task.instruction_simple,
    priceUpper: task.price_upper,
    priceAnnotated: task.price_annotated,
  }
  return {
    v8: goalBudget(source, { rules: "v8", language }),
    souk: goalBudget(source, { rules: "souk", language }),
  }
}

/** A task's lasting name: `shopsim-` and 24 hex digits of SHA-256 over the compact JSON `[asin, instruction index, instruction]`. */
function taskUid(asin: string, instructionIndex: number, instruction: string): string {
  const hash = createHash("sha256").update(JSON.stringify([asin, instructionIndex, instruction]))
  return `shopsim-${hash.digest("hex").slice(0, 24)}`
}

/** The one axis that offers `option`; null when none or several do. */
function onlyAxisWith(product: Product, option: string): string | null {
  const key = normalizeOption(option)
  const axes = product.axes.filter(({ values }) => values.some(({ value }) => normalizeOption(value) === key))
  return axes.length === 1 ? axes[0]!.name : null
}
