import { Agent, type Dispatcher, EnvHttpProxyAgent, request } from "undici"
import { AppError, messageOf, throwIfCancelled } from "../core/errors.ts"
import type { Json, JsonObject } from "../core/json.ts"
import type { Model, ModelOutcome, ModelReply, ModelRequest } from "../core/model.ts"
import { type Clock, systemClock } from "../lib/clock.ts"
import { adaptiveLimiter, type Limiter } from "./limiter.ts"
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
  /** Use the proxies named in the environment. */
  readonly trustEnv?: boolean
  readonly limiter?: Limiter
  readonly clock?: Clock
  /** In [0, 1): spreads retries. */
  readonly jitter?: () => number
}

const LARGEST_BODY_BYTES = 32 * 1024 * 1024
const LONGEST_BACKOFF_MS = 30_000
const SHORTEST_SECRET = 8
const RAW_CHARACTERS = 64 * 1024
/** A refusal by rate limit is waited out this often before the episode is given up. */
const PATIENCE = 60

/**
 * A model behind an OpenAI-compatible endpoint. Faults of the way and of the server are retried here and then thrown:
 * `MODEL_UNAVAILABLE` (may pass by itself) or `MODEL_REJECTED` (key, model name or request must be mended). Everything that is the
 * model's own is returned as an outcome and never asked again.
 */
export function openAiModel(options: OpenAiOptions): Model {
  const { model, baseUrl, apiKey, attempts = 5, backoffMs = 1000, stream = false, trustEnv = true } = options
  const { clock = systemClock, jitter = () => 0, limiter = adaptiveLimiter({ clock, jitter }) } = options
  const { connectTimeoutMs = 10_000, totalTimeoutMs = 180_000, firstByteTimeoutMs = totalTimeoutMs } = options
  const url = `${baseUrl.replace(/\/+$/, "")}/chat/completions`
  const connection = { connect: { timeout: connectTimeoutMs }, headersTimeout: firstByteTimeoutMs, bodyTimeout: 0 }
  const dispatcher: Dispatcher = trustEnv ? new EnvHttpProxyAgent(connection) : new Agent(connection)
  // Short ones, such as `EMPTY`, are no secrets, and their letters may be anywhere.
  const secrets = [apiKey ?? "", ...Object.values(options.headers ?? {})].filter(
    (text) => text.length >= SHORTEST_SECRET,
  )
  const hide = (text: string) => secrets.reduce((shown, secret) => shown.replaceAll(secret, "[key]"), text)

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

  const headers = {
    ...options.headers,
    "content-type": "application/json",
    accept: stream ? "text/event-stream" : "application/json",
    ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
  }

  /** One request and its whole answer. Rejects with the transport's own error, or `CANCELLED`. */
  const exchange = async (
    body: string,
    signal: AbortSignal,
  ): Promise<{ raw: RawReply; firstByteMs: number | null }> => {
    const stop = new AbortController()
    const cancel = () => stop.abort(signal.reason)
    signal.addEventListener("abort", cancel, { once: true })
    const timer = setTimeout(
      () => stop.abort(new Error(`no complete reply within ${totalTimeoutMs} ms`)),
      totalTimeoutMs,
    )
    try {
      throwIfCancelled(signal)
      const started = clock.now()
      const response = await request(url, { method: "POST", headers, body, dispatcher, signal: stop.signal })
      const parts: Buffer[] = []
      let size = 0
      let firstByteMs: number | null = null
      for await (const part of response.body as AsyncIterable<Buffer>) {
        firstByteMs ??= clock.now() - started
        parts.push(part)
        size += part.length
        if (size > LARGEST_BODY_BYTES) throw new Error(`the reply is larger than ${LARGEST_BODY_BYTES} bytes`)
      }
      const text = hide(Buffer.concat(parts).toString("utf8")) // a server may echo the key
      const flat = Object.entries(response.headers).map(([name, value]) => [name, String(value)] as const)
      return { raw: { status: response.statusCode, headers: Object.fromEntries(flat), body: text }, firstByteMs }
    } catch (error) {
      throwIfCancelled(signal)
      throw stop.signal.aborted ? stop.signal.reason : error
    } finally {
      clearTimeout(timer)
      signal.removeEventListener("abort", cancel)
    }
  }

  return {
    identity: () => ({
      provider: "openai_compatible",
      model,
      ...(options.checkpointId !== undefined && { checkpoint_id: options.checkpointId }),
      sampling,
    }),

    async generate(modelRequest, { signal }): Promise<ModelOutcome> {
      const body = bodyOf(modelRequest)
      let failures = 0
      let refusals = 0
      for (;;) {
        const permit = await limiter.take({ signal })
        const started = clock.now()
        let fault: { code: string; message: string; retryable: boolean; retryAfterMs?: number }
        try {
          const { raw, firstByteMs } = await exchange(body, signal)
          const reply = classifyReply(raw, { tools: modelRequest.tools, now: clock.now() })
          const refused = reply.code === "rate_limited"
          permit.ended({
            refused,
            ...(reply.retry_after_ms !== undefined && { retryAfterMs: reply.retry_after_ms }),
            ...(reply.usage?.total_tokens !== undefined && { tokens: reply.usage.total_tokens }),
          })
          if (reply.outcome !== "infrastructure_error") {
            const timing = stream && firstByteMs !== null ? { time_to_first_token_ms: firstByteMs } : {}
            return outcomeOf(reply, rawOf(raw), clock.now() - started, timing)
          }
          if (refused && ++refusals <= PATIENCE) continue
          fault = {
            code: reply.code,
            message: hide(reply.message),
            retryable: reply.retryable,
            ...(reply.retry_after_ms !== undefined && { retryAfterMs: reply.retry_after_ms }),
          }
        } catch (error) {
          permit.ended({})
          if (error instanceof AppError) throw error
          fault = { code: "connection_failed", message: hide(describeTransport(error)), retryable: true }
        }
        failures += 1
        if (!fault.retryable || fault.code === "rate_limited" || failures >= attempts)
          throw unavailable(fault, url, failures)
        const backoff = Math.min(backoffMs * 2 ** (failures - 1), LONGEST_BACKOFF_MS)
        await pause(Math.max(fault.retryAfterMs ?? 0, backoff * (1 + jitter())), signal)
      }
    },

    close: () => dispatcher.close(),
  }
}

function unavailable(
  fault: { code: string; message: string; retryable: boolean },
  url: string,
  attempts: number,
): AppError {
  const tried = attempts > 1 ? ` (tried ${attempts} times)` : ""
  return new AppError(
    fault.retryable ? "MODEL_UNAVAILABLE" : "MODEL_REJECTED",
    `${new URL(url).origin}: ${fault.message}${tried}${ADVICE[fault.code] ?? ""}`,
    { retryable: fault.retryable, details: { code: fault.code, attempts } },
  )
}

const ADVICE: Readonly<Record<string, string>> = {
  unauthorized: "; check the key in the variable that model.api_key_env names",
  not_found: "; check model.base_url (it should end before /chat/completions) and model.name",
  quota_exhausted: "; the account has no credit left",
  connection_failed: "; is the server running, and is model.base_url right?",
  html_body: "; model.base_url seems to lead to a web page",
}

function outcomeOf(reply: ClassifiedReply, raw: Json, latency: number, timing: JsonObject): ModelOutcome {
  const read: ModelReply = {
    content: reply.content,
    reasoning: reply.reasoning,
    tool_calls: reply.tool_calls,
    finish_reason: reply.finish_reason,
    usage: reply.usage,
    response_id: reply.response_id,
    metadata: { ...reply.metadata, ...timing },
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

function describeTransport(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  const code = (error as { code?: unknown } | null)?.code
  return [messageOf(error), typeof code === "string" ? code : "", cause === undefined ? "" : messageOf(cause)]
    .filter((part) => part !== "")
    .join("; ")
}

/** Resolves after `ms`; rejects with `CANCELLED` when `signal` aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancelled = () => {
      clearTimeout(timer)
      reject(new AppError("CANCELLED", "Cancelled while waiting to try again", { cause: signal.reason }))
    }
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", cancelled)
      resolve()
    }, ms)
    if (signal.aborted) cancelled()
    else signal.addEventListener("abort", cancelled, { once: true })
  })
}
