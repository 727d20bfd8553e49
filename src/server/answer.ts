import type { IncomingMessage, ServerResponse } from "node:http"
import type { Context } from "hono"
import type { Role } from "./callers.ts"
import type { Problem } from "./problem.ts"

/** What every route of the server finds in its context. */
export type ServerEnv = {
  /** Node's own objects; absent, like the object itself, when a request is handed to the app without a socket. */
  Bindings: { incoming?: IncomingMessage; outgoing?: ServerResponse }
  Variables: { /** Null: no token was given where one is needed. */ role: Role | null }
}
export type ServerContext = Context<ServerEnv>

// Plain objects, which the Node adapter writes without making `Headers` of them.
const COMMON = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
}
const JSON_HEADERS = { "content-type": "application/json", ...COMMON }
const PROBLEM_HEADERS = { "content-type": "application/problem+json", ...COMMON }

export function json(value: unknown, status = 200, headers?: Readonly<Record<string, string>>): Response {
  const all = headers === undefined ? JSON_HEADERS : { ...JSON_HEADERS, ...headers }
  return new Response(JSON.stringify(value), { status, headers: all })
}

export function problemAnswer(problem: Problem): Response {
  const headers = { ...PROBLEM_HEADERS, ...problem.headers }
  return new Response(JSON.stringify(problem.body()), { status: problem.status, headers })
}

/** A page without scripts; `style` is the SHA-256 of its one style element, in base64. `framed`: our own pages may show it in them. */
export function html(
  text: string,
  {
    status = 200,
    style,
    framed = false,
    headers = {},
  }: { status?: number; style?: string; framed?: boolean; headers?: Readonly<Record<string, string>> } = {},
): Response {
  const sources = style === undefined ? "" : ` style-src 'sha256-${style}';`
  const ancestors = framed ? "'self'" : "'none'"
  const policy = `default-src 'none';${sources} base-uri 'none'; form-action 'none'; frame-ancestors ${ancestors}`
  const all = { ...COMMON, "content-type": "text/html; charset=utf-8", "content-security-policy": policy, ...headers }
  return new Response(text, { status, headers: all })
}

/** Text of another kind. */
export function text(content: string, type: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(content, { headers: { ...COMMON, "content-type": type, ...headers } })
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Calls `undo` when the answer to this request does not reach the client whole. */
export function ifUndelivered(c: ServerContext, undo: () => void): void {
  const outgoing = c.env?.outgoing
  if (outgoing === undefined) return
  if (outgoing.destroyed) undo()
  else outgoing.once("close", () => outgoing.writableFinished || undo())
}

export function addressOf(c: ServerContext): string {
  return c.env?.incoming?.socket.remoteAddress ?? "in process"
}
