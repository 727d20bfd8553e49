import { Agent, type Dispatcher, EnvHttpProxyAgent, request } from "undici"
import { messageOf, throwIfCancelled } from "../core/errors.ts"
import type { Clock } from "../lib/clock.ts"
import type { RawReply } from "./reply.ts"

/** A request's body on its way to an endpoint. */
export interface Asked {
  /** JSON text. */
  readonly body: string
  /** The seed of the step that asks, sent or not. */
  readonly seed?: number
}

/** What came back, with the milliseconds until its first byte. */
export interface Answered {
  readonly raw: RawReply
  readonly firstByteMs: number | null
}

/** One request and its whole answer, whatever its status. Rejects with `CANCELLED`, and with an `Error` when there was none. */
export type Exchange = (asked: Asked, call: { readonly signal: AbortSignal }) => Promise<Answered>

interface HttpOptions {
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  /** Texts that no answer and no error shows: `[key]` stands in their place. */
  readonly secrets: readonly string[]
  readonly connectTimeoutMs: number
  readonly firstByteTimeoutMs: number
  readonly totalTimeoutMs: number
  /** Use the proxies named in the environment. */
  readonly trustEnv: boolean
  readonly clock: Clock
}

const LARGEST_BODY_BYTES = 32 * 1024 * 1024
/** Shorter ones, such as `EMPTY`, are no secrets, and their letters may be anywhere. */
const SHORTEST_SECRET = 8

/** Asks by HTTP POST, over connections that are kept. */
export function httpExchange(options: HttpOptions): { readonly ask: Exchange; close(): Promise<void> } {
  const { url, headers, connectTimeoutMs, firstByteTimeoutMs, totalTimeoutMs, clock } = options
  const connection = { connect: { timeout: connectTimeoutMs }, headersTimeout: firstByteTimeoutMs, bodyTimeout: 0 }
  const dispatcher: Dispatcher = options.trustEnv ? new EnvHttpProxyAgent(connection) : new Agent(connection)
  const secrets = options.secrets.filter((text) => text.length >= SHORTEST_SECRET)
  const hide = (text: string) => secrets.reduce((shown, secret) => shown.replaceAll(secret, "[key]"), text)

  const ask: Exchange = async ({ body }, { signal }) => {
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
      const flat = Object.entries(response.headers).map(([name, value]) => [name, hide(String(value))] as const)
      return { raw: { status: response.statusCode, headers: Object.fromEntries(flat), body: text }, firstByteMs }
    } catch (error) {
      throwIfCancelled(signal)
      const cause = stop.signal.aborted ? stop.signal.reason : error
      throw new Error(hide(describeTransport(cause)), { cause })
    } finally {
      clearTimeout(timer)
      signal.removeEventListener("abort", cancel)
    }
  }
  return { ask, close: () => dispatcher.close() }
}

function describeTransport(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  const code = (error as { code?: unknown } | null)?.code
  return [messageOf(error), typeof code === "string" ? code : "", cause === undefined ? "" : messageOf(cause)]
    .filter((part) => part !== "")
    .join("; ")
}
