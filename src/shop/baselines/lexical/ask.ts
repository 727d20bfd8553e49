import type { ToolDefinition } from "../../../core/message.ts"
import { parseBudget } from "../../budget.ts"
import type { Language } from "../../catalog.ts"
import { chooseOption } from "./appraise.ts"
import type { Memory } from "./memory.ts"
import type { Request } from "./request.ts"

/** Questions in one episode: each costs an action. Part of the version of asking. */
const QUESTIONS = 5

const WORDS: Readonly<
  Record<Language, { readonly budget: string; readonly features: string; readonly options: (axes: string[]) => string }>
> = {
  en: {
    budget: "What is your budget?",
    features: "Which features matter to you?",
    options: (axes) => `What would you like as to ${axes.join(" and ")}?`,
  },
  zh: {
    budget: "您的预算是多少？",
    features: "您看重哪些特点？",
    options: (axes) => `${axes.join("、")}想要哪种？`,
  },
}

/**
 * What to ask next, if anything: the features that matter, once; the budget, where nothing was said of it; on a product's page, the
 * options that it lets one choose from and nothing was said of. Nothing is asked twice.
 */
export function nextQuestion(
  { turns, instruction, page }: Memory,
  request: Request,
  { language, tools }: { readonly language: Language; readonly tools: readonly ToolDefinition[] },
): string | null {
  if (!tools.some((tool) => tool.function.name === "ask")) return null
  const asked = turns.flatMap(({ tool, argument }) => (tool === "ask" ? [argument] : []))
  if (asked.length >= QUESTIONS) return null
  const words = WORDS[language]
  if (!asked.includes(words.features)) return words.features
  const saysBudget = parseBudget(instruction, { rules: "souk", language }).kind !== "not_stated"
  if (!saysBudget && request.upper === null && !asked.includes(words.budget)) return words.budget
  if (page?.type !== "product_detail") return null
  const open = page.axes.filter((axis) => {
    const isAsked = asked.some((question) => question.includes(axis.name))
    return !isAsked && axis.values.length > 1 && chooseOption(axis, request).certainty === 0
  })
  return open.length === 0 ? null : words.options(open.map(({ name }) => name))
}
