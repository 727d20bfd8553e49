import { isJsonObject, type Json } from "../../../core/json.ts"
import type { Message } from "../../../core/message.ts"
import { findPage, type SeenPage } from "./pages.ts"

/** One call that was made, and the page it led to (null: what came back was no page). */
interface Turn {
  readonly tool: string
  readonly argument: string
  readonly page: SeenPage | null
}

/** All that can be remembered of an episode: the conversation, read again from its beginning. */
export interface Memory {
  /** What the shopper asks for; empty where no page says where it ends. */
  readonly instruction: string
  /** What the shopper's profile says, text by text, without its keys. */
  readonly persona: readonly string[]
  readonly turns: readonly Turn[]
  /** The page to act on: the last one shown. */
  readonly page: SeenPage | null
  /** What the shopper said since, answer by answer. */
  readonly told: readonly string[]
  /** Replies so far, malformed ones too: each cost a step. */
  readonly steps: number
}

export function remember(messages: readonly Message[]): Memory {
  let instruction: string | null = null
  let page: SeenPage | null = null
  const persona: string[] = []
  const told: string[] = []
  const turns: Turn[] = []
  let steps = 0
  let call: { tool: string; argument: string } | null = null
  for (const message of messages) {
    switch (message.role) {
      case "system":
        persona.push(...profileIn(message))
        break
      case "assistant":
        steps += 1
        call = callIn(message)
        break
      case "user":
      case "tool": {
        const seen = pageIn(message)
        if (instruction === null && message.role === "user") instruction = requestBefore(message.content, seen?.start)
        page = seen?.page ?? page
        if (seen?.page.reply !== undefined) told.push(seen.page.reply.text)
        if (call !== null) turns.push({ ...call, page: seen?.page ?? null })
        call = null
        break
      }
      default:
        throw message satisfies never
    }
  }
  return { instruction: instruction ?? "", persona, turns, page, told, steps }
}

/** The task stands before the first page, below a heading such as `Shopping task:`. */
function requestBefore(content: string, end = content.length): string {
  return content
    .slice(0, end)
    .replace(/^[^\n]*[:：][^\S\n]*\n/, "")
    .trim()
}

/** The single argument of the message's first call; null where there is none to be read. */
function callIn({ tool_calls }: Extract<Message, { role: "assistant" }>): { tool: string; argument: string } | null {
  const [call] = tool_calls ?? []
  if (call === undefined) return null
  const values = Object.values(parseObject(call.function.arguments) ?? {})
  return { tool: call.function.name, argument: typeof values[0] === "string" ? values[0].trim() : "" }
}

/** Profiles are shallow; deeper JSON is none. */
const MAX_DEPTH = 20

/** Messages never change, and every turn brings all of them again. */
const pages = new WeakMap<Message, ReturnType<typeof findPage>>()
const profiles = new WeakMap<Message, readonly string[]>()

function pageIn(message: Extract<Message, { role: "user" | "tool" }>): ReturnType<typeof findPage> {
  let page = pages.get(message)
  if (page === undefined) {
    page = findPage(message.content)
    pages.set(message, page)
  }
  return page
}

/** The texts of every line of a system message that is a JSON object: that is how a profile is told. */
function profileIn(message: Extract<Message, { role: "system" }>): readonly string[] {
  let texts = profiles.get(message)
  if (texts === undefined) {
    const objects = message.content.split("\n").flatMap((line) => parseObject(line) ?? [])
    texts = objects.flatMap((object) => leaves(object))
    profiles.set(message, texts)
  }
  return texts
}

function parseObject(text: string): { [key: string]: Json } | null {
  if (!text.trimStart().startsWith("{")) return null
  try {
    const value = JSON.parse(text) as Json // whatever it is, JSON it is
    return isJsonObject(value) ? value : null
  } catch {
    return null // a model may have written anything; what is no object says nothing
  }
}

function leaves(value: Json, depth = 0): string[] {
  if (typeof value === "string") return [value]
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return []
  return Object.values(value).flatMap((member) => leaves(member, depth + 1))
}
