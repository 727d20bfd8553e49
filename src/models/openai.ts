import { AppError, messageOf } from "../core/errors.ts"
import type { Json, JsonObject } from "../core/json.ts"
import type { Model, ModelOutcome, ModelReply, ModelRequest } from "../core/model.ts"
import { type Clock, systemClock } from "../lib/clock.ts"
import { type Pause, pause } from "../lib/pause.ts"
import type { Cassette } from "./cassette.ts"
import { httpExchange } from "./exchange.ts"
import { adaptiveLimiter, type Limiter, noLimiter } from "./limiter.ts"
import { type ClassifiedReply, classifyReply, type RawReply } from "./reply.ts"

/** An OpenAI-compatible Chat Completions endpoint and how to ask it. Times are in milliseconds. */
export interface OpenAiOptions {
  /** The model's name, as the endpoint knows it. */
  readonly model: string
  /** Up to and without `/chat/completions`. */
  readonly baseUrl: string
  /** Sent as a bearer token; never part of identity, errors or raw replies. Null: no authorization. */
  readonly apiKey: string | null
  readonly checkpointId?: string
  readonly temperature?: number
  readonly maxTokens?: number
  readonly topP?: number
  readonly sendSeed?: boolean
  readonly toolChoice?: string
  /** Merged into the body; `top_p`, `seed`, `tools` and `tool_choice` are set after it. */
  readonly extraBody?: JsonObject
  /** Values are secrets, as the key is. */
  readonly headers?: { readonly [name: string]: string }
  readonly stream?: boolean
  readonly connectTimeoutMs?: number
  readonly firstByteTimeoutMs?: number
  readonly totalTimeoutMs?: number
  /** Attempts at one request, the first one included. Waiting for a rate limit spends none. */
  readonly attempts?: number
  readonly backoffMs?: number
  /** A refusal by rate limit is waited out this often before the request is given up. */
  readonly patience?: number
  /** Use the proxies named in the environment. */
  readonly trustEnv?: boolean
  readonly limiter?: Limiter
  /** Records what is asked and answered, or answers in the endpoint's place; then nothing is waited for. Closed with the model. */
  readonly cassette?: Cassette
  /** Headers of the answer that are kept in `metadata.headers`. */
  readonly keepHeaders?: readonly string[]
  readonly clock?: Clock
  /** In [0, 1): spreads retries. */
  readonly jitter?: () => number
}

const LONGEST_BACKOFF_MS = 30_000
const RAW_CHARACTERS = 64 * 1024
const PATIENCE = 60

/**
 * A model behind an OpenAI-compatible endpoint. Faults of the way and of the server are retried here and then thrown:
 * `MODEL_UNAVAILABLE` (may pass by itself) or `MODEL_REJECTED` (key, model name or request must be mended). Everything that is the
 * model's own is returned as an outcome and never asked again.
 */
export function openAiModel(options: OpenAiOptions): Model {
  const { model, baseUrl, apiKey, attempts = 5, backoffMs = 1000, stream = false, trustEnv = true } = options
  const { clock = systemClock, jitter = () => 0, cassette, patience = PATIENCE } = options
  const replays = cassette?.mode === "replay"
  const { limiter = adaptiveLimiter({ clock, jitter }) } = replays ? { limiter: noLimiter } : options
  const wait: Pause = replays ? async () => {} : pause
  const { connectTimeoutMs = 10_000, totalTimeoutMs = 180_000, firstByteTimeoutMs = totalTimeoutMs } = options
  const url = `${baseUrl.replace(/\/+$/, "")}/chat/completions`

  const sampling = {
    temperature: options.temperature ?? 0,
    max_tokens: options.maxTokens ?? 512,
    top_p: options.topP ?? null,
    send_seed: options.sendSeed ?? true,
    tool_choice: options.toolChoice ?? "auto",
    extra_body: options.extraBody ?? {},
  }

  const bodyOf = ({ messages, tools, seed, metadata }: ModelRequest): string => {
    return JSON.stringify({
      model,
      messages,
      stream,
      ...(stream && { stream_options: { include_usage: true } }),
      temperature: sampling.temperature,
      max_tokens: sampling.max_tokens,
      ...sampling.extra_body,
      ...(sampling.top_p !== null && { top_p: sampling.top_p }),
      ...(sampling.send_seed && seed !== undefined && { seed }),
      ...(tools.length > 0 && { tools, tool_choice: sampling.tool_choice }),
      ...(metadata !== undefined && { metadata }),
    })
  }

  const http = httpExchange({
    url,
    headers: {
      ...options.headers,
      "content-type": "application/json",
      accept: stream ? "text/event-stream" : "application/json",
      ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
    },
    secrets: [apiKey ?? "", ...Object.values(options.headers ?? {})],
    connectTimeoutMs,
    firstByteTimeoutMs,
    totalTimeoutMs,
    trustEnv,
    clock,
  })
  const ask = cassette === undefined ? http.ask : cassette.through(http.ask)

  return {
    identity: () => ({
      provider: "openai_compatible",
      model,
      ...(options.checkpointId !== undefined && { checkpoint_id: options.checkpointId }),
      sampling,
    }),

    async generate(modelRequest, { signal }): Promise<ModelOutcome> {
      const body = bodyOf(modelRequest)
      const { seed } = modelRequest
      let failures = 0
      let refusals = 0
      for (;;) {
        const permit = await limiter.take({ signal })
        const started = clock.now()
        let fault: { code: string; message: string; retryable: boolean; retryAfterMs?: number }
        try {
          const { raw, firstByteMs } = await ask({ body, ...(seed !== undefined && { seed }) }, { signal })
          const reply = classifyReply(raw, { tools: modelRequest.tools, now: clock.now() })
          const refused = reply.code === "rate_limited"
          permit.ended({
            refused,
            ...(reply.retry_after_ms !== undefined && { retryAfterMs: reply.retry_after_ms }),
            ...(reply.usage?.total_tokens !== undefined && { tokens: reply.usage.total_tokens }),
          })
          if (reply.outcome !== "infrastructure_error") {
            const extra: JsonObject = {}
            if (stream && firstByteMs !== null) extra.time_to_first_token_ms = firstByteMs
            if (options.keepHeaders !== undefined) extra.headers = keptHeaders(raw, options.keepHeaders)
            return outcomeOf(reply, rawOf(raw), clock.now() - started, extra)
          }
          if (refused && ++refusals <= patience) continue
          fault = {
            code: reply.code,
            message: reply.message,
            retryable: reply.retryable,
            ...(reply.retry_after_ms !== undefined && { retryAfterMs: reply.retry_after_ms }),
          }
        } catch (error) {
          permit.ended({})
          if (error instanceof AppError) throw error
          fault = { code: "connection_failed", message: messageOf(error), retryable: true }
        }
        failures += 1
        if (!fault.retryable || fault.code === "rate_limited" || failures >= attempts)
          throw unavailable(fault, url, failures)
        const backoff = Math.min(backoffMs * 2 ** (failures - 1), LONGEST_BACKOFF_MS)
        await wait(Math.max(fault.retryAfterMs ?? 0, backoff * (1 + jitter())), signal)
      }
    },

    async close() {
      await http.close()
      await cassette?.close()
    },
  }
}

function unavailable(
  fault: { code: string; message: string; retryable: boolean; retryAfterMs?: number },
  url: string,
  attempts: number,
): AppError {
  const tried = attempts > 1 ? ` (tried ${attempts} times)` : ""
  return new AppError(
    fault.retryable ? "MODEL_UNAVAILABLE" : "MODEL_REJECTED",
    `${new URL(url).origin}: ${fault.message}${tried}${ADVICE[fault.code] ?? ""}`,
    {
      retryable: fault.retryable,
      details: {
        code: fault.code,
        attempts,
        ...(fault.retryAfterMs !== undefined && { retry_after_ms: fault.retryAfterMs }),
      },
    },
  )
}

const ADVICE: Readonly<Record<string, string>> = {
  unauthorized: "; check the key in the variable that model.api_key_env names",
  not_found: "; check model.base_url (it should end before /chat/completions) and model.name",
  quota_exhausted: "; the account has no credit left",
  connection_failed: "; is the server running, and is model.base_url right?",
  html_body: "; model.base_url seems to lead to a web page",
}

function outcomeOf(reply: ClassifiedReply, raw: Json, latency: number, extra: JsonObject): ModelOutcome {
  const read: ModelReply = {
    content: reply.content,
    reasoning: reply.reasoning,
    tool_calls: reply.tool_calls,
    finish_reason: reply.finish_reason,
    usage: reply.usage,
    response_id: reply.response_id,
    metadata: { ...reply.metadata, ...extra },
    latency_ms: latency,
    ...(reply.outcome !== "ok" && { raw_response: raw }),
  }
  const { code, message } = reply
  if (reply.outcome === "policy_failure") return { type: "policy_failure", code, message, reply: read }
  if (reply.outcome === "protocol_error") return { type: "protocol_error", code, message, reply: read }
  return { type: "reply", reply: read }
}

/** A rejected reply as it came: as JSON where it is some, else its text. */
function rawOf({ body: text }: RawReply): Json {
  if (text.length > RAW_CHARACTERS) return `${text.slice(0, RAW_CHARACTERS)}… (${text.length} characters)`
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

function keptHeaders({ headers = {} }: RawReply, names: readonly string[]): JsonObject {
  const kept: JsonObject = {}
  for (const name of names) {
    const value = headers[name]
    if (value !== undefined) kept[name] = value
  }
  return kept
}
