import { createParser } from "eventsource-parser"
import { sha256Hex } from "../core/fingerprint.ts"
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts"

/** A stream put together: the completion it spells, as a body that was not streamed would have it. */
export interface AssembledStream {
  readonly completion: JsonObject
  /** `[DONE]` was seen. */
  readonly done: boolean
  /** An error object the server sent in the stream. */
  readonly error: JsonObject | null
  /** Data that is no JSON object: the stream is broken. */
  readonly broken: string | null
  readonly chunks: number
}

interface CallDraft {
  id: string | null
  type: string | null
  name: string | null
  arguments: string
}

/**
 * Puts Chat Completions chunks together: text and reasoning appended, tool calls by their index (servers that leave it out start a
 * new call with every new id), the last finish reason, usage and identity kept. A call without an id gets `call-stream-` and 24 hex
 * digits hashed from response id, index, name and arguments.
 */
export function createStreamAssembler(): { feed(text: string): void; finish(): AssembledStream } {
  const top: JsonObject = {}
  let content: string | null = null
  const reasoning: Record<"reasoning_content" | "reasoning", string | null> = {
    reasoning_content: null,
    reasoning: null,
  }
  const calls = new Map<number, CallDraft>()
  let finishReason: string | null = null
  let usage: Json = null
  let error: JsonObject | null = null
  let broken: string | null = null
  let done = false
  let chunks = 0
  let sawChoice = false

  const takeCall = (delta: Json, position: number) => {
    if (!isJsonObject(delta)) return
    const fn = isJsonObject(delta.function) ? delta.function : {}
    let index = typeof delta.index === "number" ? delta.index : null
    if (index === null) {
      const last = calls.size === 0 ? null : Math.max(...calls.keys())
      const known = last === null ? undefined : calls.get(last)
      const isNew =
        known === undefined ||
        (typeof delta.id === "string" && delta.id !== "" && known.id !== null && known.id !== delta.id)
      index = isNew ? (last === null ? position : last + 1) : last!
    }
    const draft = calls.get(index) ?? { id: null, type: null, name: null, arguments: "" }
    calls.set(index, draft)
    if (typeof delta.id === "string" && delta.id !== "") draft.id ??= delta.id
    if (typeof delta.type === "string") draft.type ??= delta.type
    if (typeof fn.name === "string" && fn.name !== "")
      draft.name = draft.name === null || draft.name === fn.name ? fn.name : draft.name + fn.name
    if (typeof fn.arguments === "string") draft.arguments += fn.arguments
    else if (isJsonObject(fn.arguments)) draft.arguments += JSON.stringify(fn.arguments)
  }

  const takeChunk = (chunk: JsonObject) => {
    chunks += 1
    for (const key of ["id", "created", "model", "system_fingerprint", "service_tier"]) {
      const value = chunk[key]
      if (value !== undefined && value !== null && value !== "") top[key] ??= value
    }
    if (isJsonObject(chunk.usage)) usage = chunk.usage
    if (isJsonObject(chunk.error)) error ??= chunk.error
    else if (typeof chunk.error === "string") error ??= { message: chunk.error }
    if (!Array.isArray(chunk.choices)) return
    for (const choice of chunk.choices) {
      if (!isJsonObject(choice) || (typeof choice.index === "number" && choice.index !== 0)) continue
      sawChoice = true
      if (typeof choice.finish_reason === "string") finishReason = choice.finish_reason
      const delta = isJsonObject(choice.delta) ? choice.delta : isJsonObject(choice.message) ? choice.message : {}
      if (typeof delta.content === "string") content = (content ?? "") + delta.content
      for (const key of ["reasoning_content", "reasoning"] as const) {
        if (typeof delta[key] === "string") reasoning[key] = (reasoning[key] ?? "") + delta[key]
      }
      if (Array.isArray(delta.tool_calls)) delta.tool_calls.forEach(takeCall)
    }
  }

  const parser = createParser({
    onEvent({ data, event }) {
      if (data.trim() === "[DONE]") {
        done = true
        return
      }
      let parsed: unknown
      try {
        parsed = JSON.parse(data)
      } catch {
        broken ??= data.slice(0, 4000)
        return
      }
      if (!isJsonObject(parsed)) broken ??= data.slice(0, 4000)
      else if (event === "error" && parsed.error === undefined) error ??= parsed
      else takeChunk(parsed)
    },
  })

  return {
    feed: (text) => parser.feed(text),
    finish() {
      parser.feed("\n\n") // servers may end without the blank line that closes the last event
      const toolCalls = [...calls.entries()]
        .sort(([a], [b]) => a - b)
        .map(([index, call]) => ({
          id: call.id ?? madeUpId(top.id, index, call),
          type: call.type ?? "function",
          function: { name: call.name, arguments: call.arguments },
        }))
      const message: JsonObject = { role: "assistant", content }
      for (const key of ["reasoning_content", "reasoning"] as const) {
        if (reasoning[key] !== null) message[key] = reasoning[key]
      }
      if (toolCalls.length > 0) message.tool_calls = toolCalls
      const choices: Json[] = sawChoice ? [{ index: 0, message, finish_reason: finishReason }] : []
      return { completion: { ...top, choices, usage }, done, error, broken, chunks }
    },
  }
}

function madeUpId(responseId: Json | undefined, index: number, call: CallDraft): string {
  const parts = [typeof responseId === "string" ? responseId : "", index, call.name, call.arguments]
  return `call-stream-${sha256Hex(JSON.stringify(parts)).slice(0, 24)}`
}
