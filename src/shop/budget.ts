import { AppError } from "../core/errors.ts"
import { readSoukBudget, SOUK_BUDGET_VERSION } from "./budget/souk.ts"
import { readV8Budget, V8_BUDGET_VERSION } from "./budget/v8.ts"
import type { Language } from "./catalog.ts"
import type { RulesName } from "./rules.ts"
import type { BudgetReading } from "./task.ts"

/** Versions of the two readings, as `BudgetReading.parser` names them. */
export const BUDGET_VERSIONS = { v8: V8_BUDGET_VERSION, souk: SOUK_BUDGET_VERSION } as const
/** `BudgetReading.parser` where a source stated the budget in a field of its own and no text agrees with it. */
export const STATED_BUDGET = "stated"

export interface BudgetOptions {
  /** `souk` (the default) reads what a shopper means; `v8` what the reference environment makes of it. */
  readonly rules?: RulesName
  /** The catalog's language, `zh` by default. Texts may mix both; it decides what `w` means in `2w` and in `60w`. */
  readonly language?: Language
}

/**
 * Reads the budget out of a shopping instruction.
 *
 * `upper` and `lower` are amounts in the catalog's currency, whatever currency the text names; both are positive and finite, or null.
 * Approximate amounts (`500左右`, `about $50`) get a tolerance of 10 %. `evidence` is the stretch of `text` that was read. Never throws;
 * time is linear in the text.
 *
 * ```ts
 * parseBudget("价格不低于100元，不超过300元的台灯") // kind "range", lower 100, upper 300
 * parseBudget("under $50, 5 pounds at most", { language: "en" }) // kind "upper", upper 50
 * parseBudget("价格不低于100元", { rules: "v8" }) // kind "upper", upper 100: the reference takes a floor for a ceiling
 * ```
 */
export function parseBudget(text: string, { rules = "souk", language = "zh" }: BudgetOptions = {}): BudgetReading {
  return rules === "v8" ? readV8Budget(text) : readSoukBudget(text, language)
}

/** What a source says about a task's budget. */
export interface BudgetSource {
  /** The full requirement. */
  readonly instruction: string
  /** What a shopper with a persona says at first, or null. */
  readonly instructionSimple: string | null
  /** The source's own figure: a number, its text, or nothing (null, undefined, an empty text). */
  readonly priceUpper?: unknown
  /** The source says how it came by the figure, so that its null means "no limit" rather than "not known". */
  readonly priceAnnotated: boolean
}

/**
 * The budget that a task is judged by: the source's own figure, else what the simple text says, else what the full one says.
 *
 * Under `souk` an annotated null is no limit, whatever the texts say. A stated figure takes kind, floor and evidence from the text that
 * names the same amount. Where no text bounds the price, the one that says more about it gives the kind. Never derived from the price of
 * the wanted product.
 *
 * Throws `BAD_INPUT` when the figure is not a finite number of at least 0.
 */
export function goalBudget(
  { instruction, instructionSimple, priceUpper, priceAnnotated }: BudgetSource,
  { rules = "souk", language = "zh" }: BudgetOptions = {},
): BudgetReading {
  const simple = parseBudget(instructionSimple ?? instruction, { rules, language })
  const hasFull = instructionSimple !== null && instructionSimple !== instruction
  const full = hasFull ? parseBudget(instruction, { rules, language }) : simple
  const stated = statedAmount(priceUpper)
  if (stated !== null) return statedReading(stated, [simple, full])
  if (rules === "souk" && priceAnnotated) return unlimited(simple, full)
  if (simple.upper !== null) return simple
  if (full.upper !== null) return withFloorOf(simple, full)
  return moreTelling(simple, full)
}

function statedAmount(value: unknown): number | null {
  if (value === null || value === undefined || (typeof value === "string" && value.trim() === "")) return null
  const amount = typeof value === "string" ? Number(value) : value
  if (typeof amount === "number" && Number.isFinite(amount) && amount >= 0) return amount
  const shown = typeof value === "string" ? JSON.stringify(value.slice(0, 40)) : String(value).slice(0, 40)
  throw new AppError(
    "BAD_INPUT",
    `price_upper is ${shown}; write a number of at least 0, or null to have the text read`,
  )
}

function statedReading(upper: number, texts: readonly BudgetReading[]): BudgetReading {
  const agreeing = texts.find((reading) => reading.upper !== null && Math.abs(reading.upper - upper) < 1e-6)
  if (agreeing !== undefined) return { ...agreeing, upper }
  return { kind: "upper", upper, lower: null, approximate: false, evidence: "", parser: STATED_BUDGET }
}

function unlimited(simple: BudgetReading, full: BudgetReading): BudgetReading {
  const telling = moreTelling(simple, full)
  if (telling.upper === null && telling.kind !== "not_stated") return telling
  return { kind: "explicitly_none", upper: null, lower: null, approximate: false, evidence: "", parser: STATED_BUDGET }
}

/** The full text's ceiling over a floor that only the simple text names. */
function withFloorOf(simple: BudgetReading, full: BudgetReading): BudgetReading {
  const { lower } = simple
  if (simple.kind !== "floor_only" || lower === null || full.lower !== null || lower > full.upper!) return full
  return { ...full, kind: "range", lower }
}

const TELLING: readonly BudgetReading["kind"][] = [
  ...(["not_stated", "unit_price", "ambiguous", "explicitly_none", "floor_only", "range", "upper"] as const),
]

function moreTelling(first: BudgetReading, second: BudgetReading): BudgetReading {
  return TELLING.indexOf(second.kind) > TELLING.indexOf(first.kind) ? second : first
}
