import { foldText } from "../../lib/fold-text.ts"
import type { BudgetReading } from "../task.ts"
import { findAmounts } from "./amounts.ts"
import { decide } from "./decide.ts"
import { findMentions } from "./mentions.ts"
import { findOpenness } from "./openness.ts"
import { tokenize } from "./tokens.ts"

/** Version of our own reading of budgets: a change of any reading changes it. */
export const SOUK_BUDGET_VERSION = "souk-budget-1"

/**
 * Reads a budget the way a shopper means it, in Chinese and English: numbers, currencies, measures and bounds become tokens; each amount
 * is judged by the words of its clause (money or measure, price or part of one, bound or not); then one reading is made of all of them.
 */
export function readSoukBudget(original: string, language: "zh" | "en"): BudgetReading {
  const text = foldText(original)
  const items = findAmounts(text, tokenize(text, language))
  const decision = decide(items, findMentions(text, items), findOpenness(text, items))
  const { kind, upper, lower, approximate, start, end } = decision
  return { kind, upper, lower, approximate, evidence: original.slice(start, end), parser: SOUK_BUDGET_VERSION }
}
