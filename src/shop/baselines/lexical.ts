import { throwIfCancelled } from "../../core/errors.ts"
import type { Message, ToolDefinition } from "../../core/message.ts"
import type { Model, ModelReply } from "../../core/model.ts"
import type { Language } from "../catalog.ts"
import { nextQuestion } from "./lexical/ask.ts"
import { type Memory, remember } from "./lexical/memory.ts"
import { type Request, readRequest } from "./lexical/request.ts"
import { type Choice, decide, HABITS, type Offer } from "./lexical/shopper.ts"

/** Version of everything that decides what `lexical` does: a change of any of its words, weights or rules changes it. */
const LEXICAL_VERSION = "souk-lexical-1"
/** Version of what it asks a shopper, and of what it makes of the answers. */
const TALK_VERSION = "souk-lexical-talk-1"

/**
 * A model without weights or key that shops like a careful, simple customer: it compares the words of the request with those of
 * pages. Everything it knows is in the messages and tools of the request, which are all it is given; the same request gets the same
 * reply. It serves as a baseline, and lets the whole pipeline run offline. Where there is a shopper it heeds what they say; with `talk: "asks"`
 * it also puts questions to them.
 *
 * Never rejects but with `CANCELLED`. Where it is offered nothing to call it says so in text.
 */
export function lexicalModel({
  language,
  talk,
}: {
  readonly language?: Language
  readonly talk?: "asks" | "listens"
} = {}): Model {
  return {
    identity: () => ({
      provider: "builtin",
      model: "lexical",
      version: LEXICAL_VERSION,
      habits: { ...HABITS },
      ...(language !== undefined && { language }),
      ...(talk !== undefined && { talk, talk_version: TALK_VERSION }),
    }),
    async generate({ messages, tools }, { signal }) {
      throwIfCancelled(signal)
      const memory = remember(messages)
      const spoken = language ?? languageOf(memory.instruction)
      const request = requestIn(messages, memory, spoken)
      const question = talk === "asks" ? nextQuestion(memory, request, { language: spoken, tools }) : null
      const choice: Choice | null =
        question === null ? decide(memory, request, offerOf(tools)) : { tool: "ask", argument: question }
      return { type: "reply", reply: replyOf(choice, memory.steps + 1) }
    },
    close: async () => {},
  }
}

/** A conversation keeps its first messages, so that what was read of them holds for all of its turns. */
const requests = new WeakMap<
  Message,
  {
    readonly persona: readonly string[]
    readonly told: readonly string[]
    readonly language: Language
    readonly request: Request
  }
>()

function requestIn(messages: readonly Message[], { instruction, persona, told }: Memory, language: Language): Request {
  const task = messages.find(({ role }) => role === "user")
  const before = task && requests.get(task)
  if (before?.language === language && isSame(before.persona, persona) && isSame(before.told, told))
    return before.request
  const request = readRequest(withTold(instruction, told, language), persona, language)
  if (task !== undefined) requests.set(task, { persona, told, language, request })
  return request
}

/** All that the shopper said, as if at once. */
function withTold(instruction: string, told: readonly string[], language: Language): string {
  return [instruction, ...told].join(language === "zh" ? "。" : ". ")
}

/** Of what the shopper says, not of the page: `v8` pages of an English store are Chinese. */
function languageOf(instruction: string): Language {
  return /\p{Script=Han}/u.test(instruction) ? "zh" : "en"
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((text, i) => text === right[i])
}

/** What the tools allow: whether there is a search, and the values `click` takes. */
function offerOf(tools: readonly ToolDefinition[]): Offer {
  const click = tools.find((tool) => tool.function.name === "click")
  const properties = click?.function.parameters.properties as { value?: { enum?: unknown } } | undefined // read with care below
  const values: unknown = properties?.value?.enum
  return {
    canSearch: tools.some((tool) => tool.function.name === "search"),
    labels: Array.isArray(values) ? values.filter((value) => typeof value === "string") : [],
  }
}

const ARGUMENTS = { search: "query", click: "value", ask: "question" } as const

function replyOf(choice: Choice | null, number: number): ModelReply {
  const values = choice === null ? {} : { [ARGUMENTS[choice.tool]]: choice.argument }
  const call = choice && {
    call_id: `call-${number}`,
    name: choice.tool,
    arguments: values,
    raw_arguments: JSON.stringify(values),
  }
  return {
    content: call === null ? "There is nothing here that I could do." : null,
    reasoning: null,
    tool_calls: call === null ? [] : [call],
    finish_reason: call === null ? "stop" : "tool_calls",
    usage: null,
    response_id: null,
    metadata: {},
    latency_ms: 0,
  }
}
