import { isJsonObject, type Json, type JsonObject } from "../core/json.ts"
import type { ParsedCall, Usage } from "../core/model.ts"
import { createStreamAssembler } from "./stream.ts"

/** An HTTP answer as it came: `body` is the text of a Chat Completions object or of an event stream. */
export interface RawReply {
  readonly status: number
  readonly headers?: { readonly [name: string]: string | undefined }
  readonly body: string
}

/**
 * Who a reply's fault belongs to, and what was in it.
 * - `ok`: exactly one usable call (or text, when no tools were offered).
 * - `protocol_error`: the model's malformed reply.
 * - `policy_failure`: the model ran out of room: its reply was cut off (`generation_length`), or the conversation no longer fits
 *   (`context_overflow`).
 * - `infrastructure_error`: the server's or the way's; `retryable` says whether the same request may succeed later.
 */
export interface ClassifiedReply {
  readonly outcome: "ok" | "protocol_error" | "policy_failure" | "infrastructure_error"
  /** `ok`, or what is wrong: see docs/models.md. */
  readonly code: string
  readonly message: string
  readonly retryable: boolean
  /** The one call of an `ok` reply. */
  readonly call?: ParsedCall
  /** Milliseconds the server asked to wait before the next request. */
  readonly retry_after_ms?: number
  readonly content: string | null
  readonly reasoning: string | null
  /** Calls that could be read, also of rejected replies. */
  readonly tool_calls: readonly ParsedCall[]
  readonly finish_reason: string | null
  readonly usage: Usage | null
  readonly response_id: string | null
  readonly metadata: JsonObject
}

/** A tool that was offered: its name, or its definition. */
export type OfferedTool = string | { readonly function: { readonly name: string } }

interface Verdict {
  readonly outcome: ClassifiedReply["outcome"]
  readonly code: string
  readonly message: string
  readonly retryable?: boolean
  readonly call?: ParsedCall
}

type Contents = Pick<
  ClassifiedReply,
  "content" | "reasoning" | "tool_calls" | "finish_reason" | "usage" | "response_id" | "metadata"
>

const NOTHING: Contents = {
  content: null,
  reasoning: null,
  tool_calls: [],
  finish_reason: null,
  usage: null,
  response_id: null,
  metadata: {},
}

/**
 * Reads one reply of a Chat Completions endpoint, streamed or not, and says whose fault it is if it is one. Pure; never throws.
 * `tools` are those offered; without any, text is an answer. `now`: milliseconds since the epoch, for a `Retry-After` date.
 *
 * @example classifyReply({ status: 200, body }, { tools: ["search"] }) // { outcome: "ok", code: "ok", call: { name: "search", … } }
 */
export function classifyReply(
  reply: RawReply,
  { tools = [], now }: { readonly tools?: readonly OfferedTool[]; readonly now?: number } = {},
): ClassifiedReply {
  const names = tools.map((tool) => (typeof tool === "string" ? tool : tool.function.name))
  const [verdict, contents] = judgeHttp(reply, names)
  const wait = retryAfter(reply.headers, now)
  return {
    ...contents,
    ...verdict,
    retryable: verdict.retryable ?? false,
    ...(wait !== undefined && verdict.outcome === "infrastructure_error" && { retry_after_ms: wait }),
  }
}

type Judged = readonly [Verdict, Contents]

const infrastructure = (code: string, message: string, retryable: boolean): Verdict => {
  return { outcome: "infrastructure_error", code, message, retryable }
}
const malformed = (code: string, message: string): Verdict => ({ outcome: "protocol_error", code, message })

function judgeHttp(reply: RawReply, tools: readonly string[]): Judged {
  const { status } = reply
  const body = reply.body.replace(/^\ufeff/, "")
  if (status < 200 || status > 299) return [judgeRefusal(status, parseJson(body), body), NOTHING]
  const start = body.trimStart()
  if (start === "") return [infrastructure("empty_body", "The server sent an empty body", true), NOTHING]
  if (start.startsWith("<")) {
    return [
      infrastructure("html_body", "The server, or a proxy before it, sent a page instead of a reply", true),
      NOTHING,
    ]
  }
  if (isStream(start, reply.headers)) return judgeStream(body, tools)
  const value = parseJson(body)
  if (value === undefined) return [malformed("invalid_json_response", "The reply is not JSON"), NOTHING]
  return judgeCompletion(value, tools)
}

/** An event stream, by its type or by its looks: some servers stream without saying so. */
function isStream(start: string, headers: RawReply["headers"]): boolean {
  if (/^(data|event|id|retry)?:/.test(start)) return true
  return /text\/event-stream/i.test(header(headers, "content-type") ?? "") && !start.startsWith("{")
}

function judgeStream(body: string, tools: readonly string[]): Judged {
  const assembler = createStreamAssembler()
  assembler.feed(body)
  const { completion, done, error, broken } = assembler.finish()
  if (error !== null) return [judgeErrorObject(error, 200), NOTHING]
  if (broken !== null) return [infrastructure("broken_stream", "The stream holds data that is not JSON", true), NOTHING]
  if (!done) return [infrastructure("incomplete_stream", "The stream ended before [DONE]", true), NOTHING]
  return judgeCompletion(completion, tools)
}

/** Every HTTP status but 2xx. */
function judgeRefusal(status: number, value: Json | undefined, body: string): Verdict {
  const error = errorObject(value) ?? { message: body.trim().slice(0, 500) }
  return judgeErrorObject(error, status)
}

function errorObject(value: Json | undefined): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined
  if (isJsonObject(value.error)) return value.error
  if (typeof value.error === "string") return { ...value, message: value.error }
  if (value.object === "error" || typeof value.message === "string" || typeof value.detail === "string") {
    return { ...value, message: value.message ?? value.detail ?? null }
  }
  return undefined
}

const OVERFLOW =
  /context[_ ](?:length|window|size)|maximum context|max(?:imum)?[_ ](?:model|prompt|input)[_ ]len|too many (?:input )?tokens|(?:prompt|input|request)(?: (?:is|was))? too (?:long|large)|exceeds? (?:the )?(?:available )?(?:context|(?:maximum|max)[_ ](?:allowed )?(?:input|token|sequence|model)|model'?s? (?:context|maximum))|超(?:出|过).{0,12}(?:上下文|最大长度|最大.{0,4}token)/i
const QUOTA =
  /insufficient[_ ]quota|exceeded your current quota|billing|余额|欠费|insufficient (?:balance|credit|funds)|credit balance/i

/** An error a server described, with the HTTP status it came with (200: inside a reply that claimed success). */
function judgeErrorObject(error: JsonObject, status: number): Verdict {
  const said = [error.code, error.type, error.message].filter((part) => part !== undefined && part !== null).join(" ")
  const message = `${status === 200 ? "Error inside a reply" : `HTTP ${status}`}: ${String(error.message ?? "").slice(0, 500) || "no message"}`
  const claimed = [status, Number(error.code), Number(error.status)].find((code) => code >= 400 && code < 600) ?? status
  if (OVERFLOW.test(said) && claimed !== 429 && claimed < 500) {
    return { outcome: "policy_failure", code: "context_overflow", message }
  }
  if (QUOTA.test(said) || claimed === 402) return infrastructure("quota_exhausted", message, false)
  if (claimed === 429 || /rate[_ ]?limit|too many requests/i.test(said))
    return infrastructure("rate_limited", message, true)
  if (claimed === 401 || claimed === 403) return infrastructure("unauthorized", message, false)
  if (claimed === 404) return infrastructure("not_found", message, false)
  if (claimed === 408 || claimed === 409 || claimed === 425) return infrastructure("server_busy", message, true)
  if (claimed >= 500) return infrastructure("server_error", message, claimed !== 501 && claimed !== 505)
  if (status >= 300 && status < 400) return infrastructure("redirected", message, false)
  if (status === 200) return infrastructure("error_in_reply", message, !/invalid|unsupported|not found/i.test(said))
  return infrastructure("request_rejected", message, false)
}

function judgeCompletion(value: Json, tools: readonly string[]): Judged {
  if (!isJsonObject(value)) return [malformed("invalid_response_body", "The reply is not a JSON object"), NOTHING]
  const error = value.error
  if (isJsonObject(error) || (typeof error === "string" && error !== "")) {
    return [judgeErrorObject(isJsonObject(error) ? error : { message: error }, 200), NOTHING]
  }
  const about: Contents = {
    ...NOTHING,
    usage: readUsage(value.usage),
    response_id: typeof value.id === "string" ? value.id : null,
    metadata: pick(value, ["created", "model", "system_fingerprint", "service_tier"]),
  }
  const { choices } = value
  if (!Array.isArray(choices) || choices.length === 0) {
    if (value.choices === undefined && value.object === "error") return [judgeErrorObject(value, 200), NOTHING]
    return [malformed("missing_choices", "The reply has no choices"), about]
  }
  const choice = choices[0]
  if (!isJsonObject(choice)) return [malformed("invalid_choice", "The first choice is not an object"), about]
  const finish_reason = typeof choice.finish_reason === "string" ? choice.finish_reason : null
  if (!isJsonObject(choice.message)) {
    return [malformed("invalid_message", "The first choice has no message"), { ...about, finish_reason }]
  }
  return judgeMessage(choice.message, tools, { ...about, finish_reason })
}

function judgeMessage(message: JsonObject, tools: readonly string[], about: Contents): Judged {
  const content = textOf(message.content)
  const reasoning = textOf(message.reasoning_content) ?? textOf(message.reasoning)
  const said: Contents = { ...about, content, reasoning }
  const cutOff = about.finish_reason === "length"
  const truncated = (contents: Contents): Judged => [
    { outcome: "policy_failure", code: "generation_length", message: "The reply was cut off by its length" },
    contents,
  ]

  const listed = message.tool_calls ?? []
  if (!Array.isArray(listed)) return [malformed("invalid_tool_calls", "tool_calls is not a list"), said]
  const calls: ParsedCall[] = []
  for (const item of listed) {
    const read = readCall(item)
    if ("fault" in read) return cutOff ? truncated(said) : [read.fault, { ...said, tool_calls: calls }]
    calls.push(read.call)
  }
  const contents: Contents = { ...said, tool_calls: calls }
  const unavailable = calls.find((call) => !tools.includes(call.name))
  if (unavailable !== undefined) {
    const name = JSON.stringify(unavailable.name.slice(0, 80))
    return [malformed("unavailable_tool", `There is no tool ${name}; offered: ${tools.join(", ") || "none"}`), contents]
  }
  const visible = content?.trim() ?? ""
  if (cutOff && (tools.length === 0 ? visible === "" : calls.length !== 1)) return truncated(contents)
  if (tools.length === 0) {
    if (visible === "") return [malformed("empty_response", "The reply is empty"), contents]
    return [{ outcome: "ok", code: "ok", message: "" }, contents]
  }
  if (calls.length !== 1) {
    return [malformed("tool_call_count", `Expected exactly one tool call, got ${calls.length}`), contents]
  }
  if (visible !== "") return [malformed("mixed_content", "Visible text came together with the call"), contents]
  return [{ outcome: "ok", code: "ok", message: "", call: calls[0]! }, contents]
}

function readCall(item: Json): { call: ParsedCall } | { fault: Verdict } {
  const fault = (code: string, message: string) => ({ fault: malformed(code, message) })
  if (!isJsonObject(item) || (item.type !== undefined && item.type !== null && item.type !== "function")) {
    return fault("invalid_tool_call", "A tool call is not of type function")
  }
  if (!isJsonObject(item.function)) return fault("missing_function", "A tool call names no function")
  const { name, arguments: text } = item.function
  if (typeof item.id !== "string" || item.id === "") return fault("missing_tool_call_id", "A tool call has no id")
  if (typeof name !== "string" || name === "") return fault("missing_tool_name", "A tool call has no name")
  if (typeof text !== "string") return fault("invalid_arguments_type", "A call's arguments are not a JSON text")
  const parsed = parseJson(text)
  if (parsed === undefined) return fault("invalid_arguments_json", "A call's arguments are not JSON")
  if (!isJsonObject(parsed)) return fault("invalid_arguments_object", "A call's arguments are not a JSON object")
  return { call: { call_id: item.id, name, arguments: parsed, raw_arguments: text } }
}

/** Content as text: a list of parts is joined; null when there is none. */
function textOf(content: Json | undefined): string | null {
  if (typeof content === "string") return content
  if (!Array.isArray(content)) return null
  const parts = content.flatMap((part) => {
    if (typeof part === "string") return [part]
    return isJsonObject(part) && typeof part.text === "string" ? [part.text] : []
  })
  return parts.length === 0 ? null : parts.join("")
}

function readUsage(usage: Json | undefined): Usage | null {
  if (!isJsonObject(usage)) return null
  const details = (key: string, field: string) => (isJsonObject(usage[key]) ? usage[key][field] : undefined)
  const read = {
    prompt_tokens: usage.prompt_tokens,
    completion_tokens: usage.completion_tokens,
    total_tokens: usage.total_tokens,
    cached_tokens: details("prompt_tokens_details", "cached_tokens") ?? usage.prompt_cache_hit_tokens,
    reasoning_tokens: details("completion_tokens_details", "reasoning_tokens") ?? usage.reasoning_tokens,
  }
  const counted = Object.entries(read).filter(([, value]) => typeof value === "number" && Number.isFinite(value))
  return counted.length === 0 ? null : (Object.fromEntries(counted) as Usage)
}

/** Seconds or a date; not more than an hour. */
function retryAfter(headers: RawReply["headers"], now: number | undefined): number | undefined {
  const milliseconds = Number(header(headers, "retry-after-ms") ?? Number.NaN)
  const text = header(headers, "retry-after")
  const seconds = text === undefined ? Number.NaN : Number(text)
  const date = text !== undefined && now !== undefined ? Date.parse(text) - now : Number.NaN
  const wait = [milliseconds, seconds * 1000, date].find((value) => Number.isFinite(value) && value >= 0)
  return wait === undefined ? undefined : Math.min(wait, 3_600_000)
}

function header(headers: RawReply["headers"], name: string): string | undefined {
  if (headers === undefined) return undefined
  const key = Object.keys(headers).find((candidate) => candidate.toLowerCase() === name)
  return key === undefined ? undefined : headers[key]
}

function pick(value: JsonObject, keys: readonly string[]): JsonObject {
  const entries = keys.flatMap((key) => {
    const member = value[key]
    return member === undefined || member === null ? [] : [[key, member] as const]
  })
  return Object.fromEntries(entries)
}

function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
