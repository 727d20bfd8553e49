import type { Observation } from "../core/environment.ts"
import { AppError } from "../core/errors.ts"
import type { ToolDefinition } from "../core/message.ts"
import type { ParsedCall } from "../core/model.ts"
import type { PromptLanguage } from "./prompt.ts"

/** Version of the tools, of how a call becomes an action, and of how a malformed reply is answered. */
export const ACTION_PROTOCOL = "souk-function-tools-1"

const WORDS = {
  zh: {
    search: "在店内按关键词搜索商品，返回第一页结果。",
    query: "简短的关键词，例如商品种类、品牌和关键特征。",
    click: "点击当前页面上列出的一个元素：商品、规格值或按钮。",
    value: "从列出的值中原样选取一个。",
    ask: "向顾客提一个问题；答复写在返回的页面里。",
    question: "一个简短的问题，例如关于预算、特点或规格。",
  },
  en: {
    search: "Search the store by keywords; shows the first page of results.",
    query: "A few keywords, such as the kind of product, brand and decisive features.",
    click: "Click one element listed on the current page: a product, an option value or a button.",
    value: "One of the listed values, copied exactly.",
    ask: "Ask the customer one question; the answer is in the page that comes back.",
    question: "One short question, such as about budget, features or options.",
  },
} as const

/** The tools without what changes from page to page: the text that identifies them. With `talks`, also the one to ask the customer by. */
export function toolTemplates(language: PromptLanguage, { talks }: { readonly talks: boolean }): ToolDefinition[] {
  const words = WORDS[language]
  return [
    tool("search", words.search, "query", { type: "string", minLength: 1, description: words.query }),
    tool("click", words.click, "value", { type: "string", description: words.value }),
    ...(talks ? [askTool(language)] : []),
  ]
}

function askTool(language: PromptLanguage): ToolDefinition {
  const { ask, question } = WORDS[language]
  return tool("ask", ask, "question", { type: "string", minLength: 1, description: question })
}

/**
 * The tools for a page: `search` where it can be searched, `click` with the page's values as an enum where there are any,
 * `ask` where a customer answers.
 * Throws `ENVIRONMENT_UNAVAILABLE` for a page that offers neither or says it wrongly: no model could answer it.
 */
export function toolsFor({ state }: Observation, language: PromptLanguage): ToolDefinition[] {
  const actions: unknown = state.actions
  if (!Array.isArray(actions) || !actions.every((action) => typeof action === "string" && action.trim() !== "")) {
    throw new AppError("ENVIRONMENT_UNAVAILABLE", "The page's actions are not a list of texts")
  }
  const [search, click] = toolTemplates(language, { talks: false }) as [ToolDefinition, ToolDefinition]
  const words = WORDS[language]
  const offered: ToolDefinition[] = []
  if (state.search_available === true) offered.push(search)
  if (actions.length > 0) {
    offered.push(
      tool("click", click.function.description, "value", {
        type: "string",
        enum: [...actions],
        description: words.value,
      }),
    )
  }
  if (state.ask_available === true) offered.push(askTool(language))
  if (offered.length === 0) {
    throw new AppError(
      "ENVIRONMENT_UNAVAILABLE",
      `The page ${state.page_type} can neither be searched nor clicked, yet the episode goes on`,
    )
  }
  return offered
}

function tool(
  name: string,
  description: string,
  argument: string,
  schema: ToolDefinition["function"]["parameters"],
): ToolDefinition {
  const parameters = {
    type: "object",
    properties: { [argument]: schema },
    required: [argument],
    additionalProperties: false,
  }
  return { type: "function", function: { name, description, parameters } }
}

/** Tool → its only argument. */
const ARGUMENTS: Readonly<Record<string, string>> = { search: "query", click: "value", ask: "question" }

/**
 * The action a call stands for, `search[…]`, `click[…]` or `ask[…]`; undefined when its arguments are not exactly the one text it takes.
 * Whether a clicked value is on the page is the environment's business.
 */
export function actionOf(call: ParsedCall): string | undefined {
  const value = call.arguments[ARGUMENTS[call.name] ?? ""]
  if (typeof value !== "string" || value.trim() === "" || Object.keys(call.arguments).length !== 1) return undefined
  return `${call.name}[${value.trim()}]`
}
