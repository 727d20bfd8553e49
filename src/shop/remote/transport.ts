import { setTimeout as sleep } from "node:timers/promises"
import type { Agent, Dispatcher } from "undici"
import { AppError, messageOf, throwIfCancelled } from "../../core/errors.ts"

/** Milliseconds. */
export interface RemoteTimeouts {
  readonly connect: number
  /** For an answer to anything but a reset. */
  readonly request: number
  /** For a place in the shop, which may mean waiting in line; null: as long as it takes. */
  readonly reset: number | null
}

export const REMOTE_TIMEOUTS: RemoteTimeouts = { connect: 10_000, request: 30_000, reset: null }

/** Waits between tries; together long enough for a server to be started again. */
const PAUSES_MS = [100, 250, 500, 1000, 2000, 4000, 8000]

/** Statuses that say: not now, and nothing was done. */
const NOT_NOW = new Set([429, 502, 503, 504])

/** Loaded with the first exchange: most who use the shop have it in their own process. */
let undici: Promise<typeof import("undici")> | undefined

export interface Reply {
  readonly status: number
  readonly body: unknown
  readonly retryAfterMs: number | null
}

export interface Exchange {
  readonly method: "GET" | "POST" | "DELETE"
  readonly path: string
  readonly body?: unknown
  readonly signal: AbortSignal
  /** Null: no limit. */
  readonly timeoutMs: number | null
  /**
   * When a failed try may be repeated: `safe` always, since the server knows a request it has answered; `unsent` only when it
   * certainly never arrived or was turned away; `never`.
   */
  readonly repeat: "safe" | "unsent" | "never"
}

/** What all episodes on one server may share: its connections, and what it says of its caller. */
export class RemoteConnection {
  agent: Agent | null = null
  /** Whether the caller may see goals; null: the server was not asked yet. */
  readsGoal: boolean | null = null

  async close(): Promise<void> {
    const { agent } = this
    this.agent = null
    await agent?.destroy()
  }
}

/** JSON over HTTP to one server. Failures are `ENVIRONMENT_UNAVAILABLE`, what was aborted is `CANCELLED`. */
export class Transport {
  readonly #origin: string
  readonly #prefix: string
  readonly #authorization: string | undefined
  readonly #connectMs: number
  readonly #shared: boolean
  readonly #connection: RemoteConnection

  /** Without a `connection` it has one of its own, and closes that with itself. */
  constructor({
    baseUrl,
    token,
    connectMs,
    connection,
  }: {
    baseUrl: string
    token?: string | undefined
    connectMs: number
    connection?: RemoteConnection | undefined
  }) {
    const url = parseUrl(baseUrl)
    this.#origin = url.origin
    this.#prefix = url.pathname.replace(/\/+$/, "")
    const given = token ?? (url.password === "" ? undefined : decodeURIComponent(url.password))
    this.#authorization = given === undefined ? undefined : `Bearer ${given}`
    this.#connectMs = connectMs
    this.#shared = connection !== undefined
    this.#connection = connection ?? new RemoteConnection()
  }

  /** The answer, whatever its status; tries again where that is safe. */
  async exchange(wish: Exchange): Promise<Reply> {
    for (const pause of PAUSES_MS) {
      const tried = await this.#try(wish)
      if (tried.reply !== null && !(NOT_NOW.has(tried.reply.status) && wish.repeat !== "never")) return tried.reply
      if (tried.failure !== null && !isRepeatable(tried.failure, wish)) throw this.#unavailable(wish, tried.failure)
      await wait(Math.max(pause, tried.reply?.retryAfterMs ?? 0), wish.signal)
    }
    const last = await this.#try(wish)
    if (last.reply !== null) return last.reply
    throw this.#unavailable(wish, last.failure)
  }

  /** Ends connections that nobody shares; the next exchange opens new ones. */
  async close(): Promise<void> {
    if (!this.#shared) await this.#connection.close()
  }

  async #client(): Promise<{ request: typeof import("undici").request; dispatcher: Agent }> {
    undici ??= import("undici")
    const { Agent, request } = await undici
    const connection = this.#connection
    connection.agent ??= new Agent({
      connect: { timeout: this.#connectMs },
      connections: this.#shared ? null : 2, // of one episode: for steps, and for a heartbeat beside a slow one
      headersTimeout: 0, // limits are signals of ours
      bodyTimeout: 0,
      keepAliveTimeout: 10_000,
    })
    return { request, dispatcher: connection.agent }
  }

  async #try(wish: Exchange): Promise<{ reply: Reply; failure: null } | { reply: null; failure: unknown }> {
    const { method, path, body, signal, timeoutMs } = wish
    throwIfCancelled(signal)
    const limited = timeoutMs === null ? signal : AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    const options: Omit<Dispatcher.RequestOptions, "origin" | "path"> = {
      method,
      signal: limited,
      headers: {
        accept: "application/json",
        ...(this.#authorization === undefined ? {} : { authorization: this.#authorization }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }
    try {
      const { request, dispatcher } = await this.#client()
      const answer = await request(`${this.#origin}${this.#prefix}${path}`, { ...options, dispatcher })
      const text = await answer.body.text()
      const after = Number(answer.headers["retry-after"])
      return {
        reply: {
          status: answer.statusCode,
          body: jsonOrText(text),
          retryAfterMs: Number.isFinite(after) ? after * 1000 : null,
        },
        failure: null,
      }
    } catch (failure) {
      throwIfCancelled(signal)
      return { reply: null, failure }
    }
  }

  #unavailable({ method, path, timeoutMs }: Exchange, failure: unknown): AppError {
    const late = (failure as { name?: string }).name === "TimeoutError"
    const what = late ? `gave no answer within ${timeoutMs} ms` : `failed: ${messageOf(failure) || codeOf(failure)}`
    return new AppError("ENVIRONMENT_UNAVAILABLE", `${method} ${this.#origin}${this.#prefix}${path} ${what}`, {
      retryable: true,
      cause: failure,
    })
  }
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url !== null && /^https?:$/.test(url.protocol)) return url
  throw new AppError("BAD_INPUT", `${JSON.stringify(text)} is no address of a shop; write http://host:port`)
}

function isRepeatable(failure: unknown, { repeat }: Exchange): boolean {
  if (repeat === "safe") return true
  return repeat === "unsent" && ["ECONNREFUSED", "UND_ERR_CONNECT_TIMEOUT", "ENOTFOUND"].includes(codeOf(failure))
}

function codeOf(failure: unknown): string {
  return String((failure as { code?: unknown } | null)?.code ?? "unknown")
}

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal })
  } catch {
    throwIfCancelled(signal)
  }
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
