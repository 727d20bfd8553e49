import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { AppError, messageOf } from "../core/errors.ts"
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts"
import { Message, ToolDefinition } from "../core/message.ts"
import { type Model, type ModelOutcome, wireCall } from "../core/model.ts"
import { Random } from "../core/random.ts"
import { type Clock, systemClock } from "../lib/clock.ts"
import type { Cassette } from "./cassette.ts"

/** What a mock endpoint can do wrong. Each has a probability per request. */
export const MOCK_FAULTS = [
  "rate_limited", // 429 with Retry-After: 1
  "server_error", // 500 with an error object
  "unauthorized", // 401
  "context_overflow", // 400, as servers word it
  "html", // a proxy's page with status 200
  "error_in_reply", // status 200 with an error object
  "reset", // the connection is cut before an answer
  "hang", // no answer ever comes
  "broken_stream", // the stream ends in the middle (not streamed: the body does)
  "empty_choices",
  "text_only", // words instead of a call
  "two_calls",
  "wrong_case", // the tool's name in upper case
  "bad_arguments", // arguments that are not JSON
  "object_arguments", // arguments as an object
  "missing_id",
  "cut_off", // arguments cut off, finish reason length
] as const
export type MockFault = (typeof MOCK_FAULTS)[number]

export interface MockModelOptions {
  /** Answers the requests; faults are added to its replies. A cassette gives recorded answers as they came. Not closed by the server. */
  readonly model: Model | Cassette
  /** The name `GET /v1/models` lists. */
  readonly name?: string
  readonly host?: string
  /** 0: any free one. */
  readonly port?: number
  /** Before the first byte of every answer. */
  readonly latencyMs?: number
  /** Fault → probability in [0, 1]. At most one fault a request. */
  readonly faults?: Partial<Record<MockFault, number>>
  /** A token bucket: requests beyond it are refused with 429 and `Retry-After`. */
  readonly rateLimit?: { readonly perSecond: number; readonly burst: number }
  /** Wanted as a bearer token, when given. */
  readonly apiKey?: string
  /** Decides which requests go wrong, by their order. */
  readonly seed?: number
  readonly clock?: Clock
}

export interface MockServer {
  /** Base URL for `model.base_url`: it ends in `/v1`. */
  readonly url: string
  /** Requests so far: all, those refused by the rate limit, those with a fault. */
  counts(): { readonly requests: number; readonly refused: number; readonly faults: number }
  close(): Promise<void>
}

const LARGEST_REQUEST = 32 * 1024 * 1024

/** Faults that take the place of an answer, whatever it would have been. */
const WHOLE_FAULTS = new Set<MockFault>(MOCK_FAULTS.slice(0, MOCK_FAULTS.indexOf("broken_stream")))

/**
 * Serves a model as an OpenAI-compatible endpoint (Chat Completions, streamed or not), well or badly behaved. Throws `BAD_INPUT` when it
 * cannot listen, and for a fault that a cassette's answers cannot have.
 */
export async function serveMockModel(options: MockModelOptions): Promise<MockServer> {
  const {
    model,
    name = "mock",
    host = "127.0.0.1",
    port = 0,
    latencyMs = 0,
    rateLimit,
    apiKey,
    clock = systemClock,
  } = options
  const random = new Random("mock-model", options.seed ?? 0)
  const faults = MOCK_FAULTS.flatMap((fault) => {
    const probability = options.faults?.[fault] ?? 0
    return probability > 0 ? [{ fault, probability }] : []
  })
  const misfit = "replay" in model ? faults.find(({ fault }) => !WHOLE_FAULTS.has(fault)) : undefined
  if (misfit !== undefined) {
    throw new AppError(
      "BAD_INPUT",
      `A cassette's answers are given as they were recorded, without ${misfit.fault}; it can go with ${[...WHOLE_FAULTS].join(", ")}`,
    )
  }
  const count = { requests: 0, refused: 0, faults: 0 }
  const stop = new AbortController()
  let bucket = rateLimit?.burst ?? 0
  let bucketAt = clock.now()

  const admit = (): boolean => {
    if (rateLimit === undefined) return true
    const now = clock.now()
    bucket = Math.min(rateLimit.burst, bucket + ((now - bucketAt) * rateLimit.perSecond) / 1000)
    bucketAt = now
    if (bucket < 1) return false
    bucket -= 1
    return true
  }

  const drawFault = (): MockFault | null => {
    let draw = random.next()
    for (const { fault, probability } of faults) {
      if (draw < probability) return fault
      draw -= probability
    }
    return null
  }

  const complete = async (request: IncomingMessage, response: ServerResponse) => {
    const number = ++count.requests
    const body = await readJson(request)
    if (apiKey !== undefined && request.headers.authorization !== `Bearer ${apiKey}`) {
      return refuse(response, 401, "Incorrect API key provided", "invalid_api_key")
    }
    if (!admit()) {
      count.refused += 1
      const wait = Math.max(1, Math.ceil((1 - bucket) / rateLimit!.perSecond))
      return refuse(response, 429, "Rate limit reached for requests", "rate_limit_exceeded", {
        "retry-after": String(wait),
      })
    }
    const fault = drawFault()
    if (fault !== null) count.faults += 1
    if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs))
    if (fault === "hang") return
    if (fault !== null && failHttp(fault, response)) return
    if ("replay" in model) return sendRecorded(model, body, response)
    const {
      messages,
      tools = [],
      seed,
      stream = false,
    } = body as {
      messages: Json
      tools?: Json
      seed?: number
      stream?: boolean
    }
    const outcome = await model.generate(
      {
        messages: Message.array().parse(messages),
        tools: ToolDefinition.array().parse(tools),
        ...(typeof seed === "number" && { seed }),
      },
      { signal: stop.signal },
    )
    const completion = damage(completionOf(outcome, `mock-${number}`, name, body), fault)
    if (stream === true) sendStream(response, completion, fault === "broken_stream")
    else sendWhole(response, completion, fault === "broken_stream")
  }

  const server = createServer((request, response) => {
    const path = (request.url ?? "/").split("?")[0]!
    const answered = (async () => {
      if (request.method === "GET" && path.endsWith("/models")) {
        return send(response, 200, { object: "list", data: [{ id: name, object: "model", owned_by: "souk" }] })
      }
      if (request.method === "POST" && path.endsWith("/chat/completions")) return complete(request, response)
      return refuse(response, 404, `No route ${request.method} ${path}`, "not_found")
    })()
    answered.catch((error) => {
      const bad = error instanceof AppError && error.code === "BAD_INPUT"
      if (!response.headersSent) refuse(response, bad ? 400 : 500, messageOf(error), "mock_failed")
      else response.destroy()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) =>
      reject(new AppError("BAD_INPUT", `Cannot listen on ${host}:${port}: ${error.message}`)),
    )
    server.listen(port, host, resolve)
  })
  const address = server.address() as AddressInfo
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${address.port}/v1`,
    counts: () => ({ ...count }),
    close: () =>
      new Promise((resolve) => {
        stop.abort()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** What was recorded for the request: the answer byte for byte, or a cut connection where none came. */
async function sendRecorded(cassette: Cassette, body: JsonObject, response: ServerResponse): Promise<void> {
  try {
    const { raw } = await cassette.replay({ body: JSON.stringify(body) })
    response.writeHead(raw.status, { ...raw.headers })
    response.end(raw.body)
  } catch (error) {
    if (!(error instanceof AppError)) return void response.destroy()
    refuse(response, 400, error.message, String(error.details.code ?? error.code))
  }
}

async function readJson(request: IncomingMessage): Promise<JsonObject> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size > LARGEST_REQUEST) throw new AppError("BAD_INPUT", "The request is too large")
    parts.push(part)
  }
  let value: unknown
  try {
    value = JSON.parse(Buffer.concat(parts).toString("utf8"))
  } catch {
    throw new AppError("BAD_INPUT", "The request is not JSON")
  }
  if (!isJsonObject(value)) throw new AppError("BAD_INPUT", "The request is not a JSON object")
  return value
}

function send(response: ServerResponse, status: number, value: Json, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers })
  response.end(JSON.stringify(value))
}

function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  code: string,
  headers: Record<string, string> = {},
): void {
  send(response, status, { error: { message, type: "mock_error", code } }, headers)
}

/** Faults that take the place of an answer. False: the fault is one of the reply itself. */
function failHttp(fault: MockFault, response: ServerResponse): boolean {
  switch (fault) {
    case "rate_limited":
      refuse(response, 429, "Rate limit reached for requests", "rate_limit_exceeded", { "retry-after": "1" })
      return true
    case "server_error":
      refuse(response, 500, "The server had an error", "server_error")
      return true
    case "unauthorized":
      refuse(response, 401, "Incorrect API key provided", "invalid_api_key")
      return true
    case "context_overflow":
      refuse(response, 400, "This model's maximum context length is 8192 tokens", "context_length_exceeded")
      return true
    case "html":
      response.writeHead(200, { "content-type": "text/html" })
      response.end("<!doctype html><title>Sign in</title>")
      return true
    case "error_in_reply":
      send(response, 200, { error: { message: "Upstream failed", code: 502 } })
      return true
    case "reset":
      response.destroy()
      return true
    default:
      return false
  }
}

/** A Chat Completions object for an outcome. Tokens are estimated from lengths, so that costs have something to count. */
function completionOf(outcome: ModelOutcome, id: string, name: string, request: JsonObject): JsonObject {
  const { reply } = outcome
  const choices: Json[] = [
    {
      index: 0,
      message: {
        role: "assistant",
        content: reply.content,
        ...(reply.reasoning !== null && { reasoning_content: reply.reasoning }),
        ...(reply.tool_calls.length > 0 && { tool_calls: reply.tool_calls.map(wireCall) }),
      },
      finish_reason: outcome.type === "policy_failure" ? "length" : (reply.finish_reason ?? "stop"),
    },
  ]
  const prompt_tokens = Math.ceil(JSON.stringify(request.messages ?? "").length / 3)
  const completion_tokens = reply.usage?.completion_tokens ?? Math.ceil(JSON.stringify(choices).length / 3)
  return {
    id,
    object: "chat.completion",
    created: 0,
    model: name,
    choices,
    usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
  }
}

type WireMessage = { content: Json; tool_calls?: { id?: string; function: { name: string; arguments: Json } }[] }

/** Faults inside the reply. */
function damage(completion: JsonObject, fault: MockFault | null): JsonObject {
  const choice = (completion.choices as JsonObject[])[0]!
  const message = choice.message as unknown as WireMessage
  const call = message.tool_calls?.[0]
  switch (fault) {
    case "empty_choices":
      return { ...completion, choices: [] }
    case "text_only":
      message.content = `I will call ${call?.function.name ?? "a tool"} now.`
      delete message.tool_calls
      break
    case "two_calls":
      if (call) message.tool_calls!.push({ ...call, id: `${call.id}-again` })
      break
    case "wrong_case":
      if (call) call.function.name = call.function.name.toUpperCase()
      break
    case "bad_arguments":
      if (call) call.function.arguments = "{query: tent"
      break
    case "object_arguments":
      if (call) call.function.arguments = JSON.parse(String(call.function.arguments)) as Json
      break
    case "missing_id":
      if (call) delete call.id
      break
    case "cut_off":
      if (call) call.function.arguments = String(call.function.arguments).slice(0, -3)
      choice.finish_reason = "length"
      break
    default:
  }
  return completion
}

function sendWhole(response: ServerResponse, completion: JsonObject, broken: boolean): void {
  const text = JSON.stringify(completion)
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) })
  if (!broken) return void response.end(text)
  response.write(text.slice(0, text.length / 2))
  response.destroy()
}

/** The completion as chunks: role, reasoning, text, each call in pieces, finish reason, usage, `[DONE]`. */
function sendStream(response: ServerResponse, completion: JsonObject, broken: boolean): void {
  const { id, model, created } = completion
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" })
  const chunk = (fields: JsonObject) => {
    response.write(`data: ${JSON.stringify({ id, object: "chat.completion.chunk", created, model, ...fields })}\n\n`)
  }
  const delta = (fields: JsonObject, finish: Json = null) => {
    chunk({ choices: [{ index: 0, delta: fields, finish_reason: finish }] })
  }
  for (const choice of completion.choices as JsonObject[]) {
    const { content, reasoning_content, tool_calls } = choice.message as JsonObject
    delta({ role: "assistant", content: "" })
    if (typeof reasoning_content === "string") delta({ reasoning_content })
    if (typeof content === "string" && content !== "") delta({ content })
    for (const [index, call] of ((tool_calls ?? []) as JsonObject[]).entries()) {
      const { name, arguments: args } = call.function as JsonObject
      delta({ tool_calls: [{ ...call, index, function: { name: name ?? null, arguments: "" } }] })
      const text = typeof args === "string" ? args : JSON.stringify(args)
      const half = Math.ceil(text.length / 2)
      delta({ tool_calls: [{ index, function: { arguments: text.slice(0, half) } }] })
      if (broken) return void response.destroy()
      delta({ tool_calls: [{ index, function: { arguments: text.slice(half) } }] })
    }
    if (broken) return void response.destroy()
    delta({}, choice.finish_reason ?? null)
  }
  chunk({ choices: [], usage: completion.usage ?? null })
  response.end("data: [DONE]\n\n")
}
