import { canonicalJson, sha256Hex } from "../core/fingerprint.ts"
import type { JsonObject } from "../core/json.ts"
import type { Message } from "../core/message.ts"

export type PromptLanguage = "zh" | "en"

/** Version of everything the agent says in this file; its wording is hashed besides. */
const PROMPT_VERSION = "souk-shopping-agent-1"

const WORDS = {
  zh: {
    system: `你正在一家模拟商店里替一位顾客购物。请买到最符合其需求的商品。
你会看到购物需求，有时还有这位顾客的个人资料。店里有许多相似的商品，差别往往在细节。

每一轮只调用一个当前提供的工具：
- search：用简短的关键词搜索。只有当前页面支持搜索时才提供。
- click：点击页面上列出的一个值，必须逐字照抄。

规则：
- 先搜索，再打开并比较商品，核对类别、特征、规格和价格；不要购买只满足部分要求的商品。
- 商品有规格时，每一项都选好之后才能购买。
- 工具返回的就是新的页面。
- 思考请放在推理阶段；回复里只有一个标准的工具调用，不写其他文字、JSON 或 XML。`,
    talks: `

顾客起初只说了个大概。不清楚的地方可以问：
- ask：向顾客提一个问题，答复写在返回的页面里。每个问题花费一次操作。

顾客明显不想要的商品，购买时会被拒绝，并说明原因。`,
    persona: "顾客的个人资料：",
    task: "购物任务：",
    repair: "没有执行任何操作，页面没有变化。请针对同一页面重新回复：只调用一个当前提供的工具，不写其他文字。",
  },
  en: {
    system: `You are shopping for a customer in a simulated store. Buy the product that meets their needs best.
You are given what they want and sometimes their profile. The store holds many similar products that differ in details.

Each turn, call exactly one of the tools offered:
- search: search by a few keywords. Offered only where the page can be searched.
- click: click one value listed on the page, copied exactly.

Rules:
- Search, then open and compare products; check kind, features, options and price. Do not buy what meets only part of the request.
- Where a product has options, choose a value for every one of them before you buy.
- A tool's result is the new page.
- Reason in the thinking phase; the reply is one standard tool call and nothing else: no text, JSON or XML.`,
    talks: `

The customer has told you the outline only. Ask about what is not clear:
- ask: put one question to the customer; the answer is in the page that comes back. Each question costs an action.

A purchase that the customer clearly does not want is declined, with the reason.`,
    persona: "The customer's profile:",
    task: "Shopping task:",
    repair:
      "Nothing was executed and the page has not changed. Reply again for the same page: call exactly one of the tools offered, without any other text.",
  },
} as const

export interface Prompt {
  readonly language: PromptLanguage
  /** The instructions that open the system message. */
  readonly system: string
  /** The customer may be asked. */
  readonly talks: boolean
}

/** The built-in prompt, or `system` in its place. With `talks` the built-in one tells that the customer may be asked. */
export function promptOf(
  language: PromptLanguage,
  system?: string,
  { talks = false }: { readonly talks?: boolean } = {},
): Prompt {
  const { system: builtIn, talks: more } = WORDS[language]
  return { language, system: system ?? (talks ? builtIn + more : builtIn), talks }
}

/** What identifies a prompt in a fingerprint. */
export function promptIdentity({ language, system }: Prompt): JsonObject {
  const { talks: _, ...words } = WORDS[language] // part of the system prompt, where it is used
  return {
    prompt_version: PROMPT_VERSION,
    language,
    system_prompt_sha256: sha256Hex(system),
    words_sha256: sha256Hex(canonicalJson({ ...words, system: "" })),
  }
}

/** System message: the instructions; then, where there are some, the shopper's profile as JSON with sorted keys, and skills. */
export function systemMessage({ system, language }: Prompt, persona: JsonObject | null, skills?: string): Message {
  const sections = [system]
  if (persona !== null && Object.keys(persona).length > 0) {
    sections.push(`${WORDS[language].persona}\n${canonicalJson(persona)}`)
  }
  if (skills !== undefined) sections.push(skills)
  return { role: "system", content: sections.join("\n\n") }
}

/** First user message: the task and the first page. */
export function taskMessage({ language }: Prompt, instruction: string, page: string): Message {
  return { role: "user", content: `${WORDS[language].task}\n${instruction}\n\n${page}` }
}

/** What a malformed reply is answered with, as compact JSON. */
export function protocolFeedback(
  { language }: Prompt,
  { code, message, tools }: { code: string; message: string; tools: readonly string[] },
): string {
  return JSON.stringify({
    type: "tool_protocol_error",
    code,
    message,
    instruction: WORDS[language].repair,
    available_tools: tools,
  })
}
