import { readSoukBudget, SOUK_BUDGET_VERSION } from "../budget/souk.ts"
import { readV8Budget, V8_BUDGET_VERSION } from "../budget/v8.ts"
import type { BudgetReading, ShopTask } from "../task.ts"

// Stands in until the budget's own goal-level reading is there.
export const BUDGET_VERSIONS = { budget_v8: V8_BUDGET_VERSION, budget_souk: SOUK_BUDGET_VERSION }
export function goalBudget(
  task: Pick<ShopTask, "instruction" | "instruction_simple" | "price_upper" | "price_annotated">,
  { language }: { language: "zh" | "en" },
): { v8: BudgetReading; souk: BudgetReading } {
  const read = (parse: (text: string) => BudgetReading): BudgetReading => {
    let reading = parse(task.instruction_simple ?? task.instruction)
    if (reading.upper === null) reading = parse(task.instruction)
    return task.price_upper === null ? reading : { ...reading, kind: "upper", upper: task.price_upper }
  }
  return { v8: read(readV8Budget), souk: read((text) => readSoukBudget(text, language)) }
}
