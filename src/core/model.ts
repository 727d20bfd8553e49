import { z } from "zod"
import type { Json, JsonObject } from "./json.ts"
import type { Message, ToolCall, ToolDefinition } from "./message.ts"

/** Tokens as the provider counted them; absent fields were not reported. */
export const Usage = z.object({
  prompt_tokens: z.number().optional(),
  completion_tokens: z.number().optional(),
  total_tokens: z.number().optional(),
  cached_tokens: z.number().optional(),
  reasoning_tokens: z.number().optional(),
})
export type Usage = z.infer<typeof Usage>

/** Adds tokens, in place; a kind that nobody reported stays absent. */
export function addUsage(total: Usage, more: { readonly [kind: string]: unknown } | null | undefined): void {
  for (const kind of Usage.keyof().options) {
    const tokens = more?.[kind]
    if (typeof tokens === "number") total[kind] = (total[kind] ?? 0) + tokens
  }
}

/** A call that parsed: arguments are an object, the raw text is kept beside it. */
export const ParsedCall = z.object({
  call_id: z.string(),
  name: z.string(),
  arguments: z.record(z.string(), z.json()),
  raw_arguments: z.string(),
})
export type ParsedCall = z.infer<typeof ParsedCall>

/** A call as it stands in a conversation: its arguments as the model wrote them. */
export function wireCall({ call_id, name, raw_arguments }: ParsedCall): ToolCall {
  return { id: call_id, type: "function", function: { name, arguments: raw_arguments } }
}

export interface ModelRequest {
  readonly messages: readonly Message[]
  readonly tools: readonly ToolDefinition[]
  /** Step seed, unsigned 32 bits. */
  readonly seed?: number
  /** What the endpoint is told beside the messages, as `metadata`. */
  readonly metadata?: JsonObject
}

/** What came back from a model, whatever became of it. */
export interface ModelReply {
  readonly content: string | null
  readonly reasoning: string | null
  readonly tool_calls: readonly ParsedCall[]
  readonly finish_reason: string | null
  readonly usage: Usage | null
  readonly response_id: string | null
  readonly metadata: JsonObject
  readonly latency_ms: number
  /** Only for rejected replies: the body as it came. */
  readonly raw_response?: Json
}

/**
 * The three ways a call can end without being the infrastructure's fault. Infrastructure failures are thrown as `AppError`.
 * - `reply`: exactly one usable function call (or, when no tools were offered, text).
 * - `protocol_error`: the model's malformed reply; costs a step and is repaired in place.
 * - `policy_failure`: the model's truncated reply; ends the episode with a zero score.
 */
export type ModelOutcome =
  | { readonly type: "reply"; readonly reply: ModelReply }
  | { readonly type: "protocol_error"; readonly code: string; readonly message: string; readonly reply: ModelReply }
  | { readonly type: "policy_failure"; readonly code: string; readonly message: string; readonly reply: ModelReply }

/** Something that answers messages, with function tools or without. */
export interface Model {
  /** Everything that may change answers, without secrets; goes into the fingerprint. */
  identity(): JsonObject
  /** Rejects with `AppError` for infrastructure failures, `CANCELLED` when `signal` aborts. */
  generate(request: ModelRequest, call: { readonly signal: AbortSignal }): Promise<ModelOutcome>
  close(): Promise<void>
}
