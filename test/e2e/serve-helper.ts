import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import { type RunningServer, type ServeOptions, startServer } from "../../src/server/serve.ts"
import type { Catalog } from "../../src/shop/catalog.ts"
import { tinyCatalog } from "../../src/testing/tiny-catalog.ts"

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "souk-serve-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Parsed where it is JSON; else null. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers as a client without types does
  readonly body: any
}

interface Call {
  readonly body?: unknown
  readonly headers?: Record<string, string>
  readonly signal?: AbortSignal
}

/** A server on a free port, talked to over real HTTP. */
export interface TestServer {
  readonly server: RunningServer
  readonly url: string
  call(method: string, path: string, call?: Call): Promise<Answer>
  /** The reference route; the `result` of its answer. */
  shop(body: unknown, call?: Omit<Call, "body">): Promise<Answer>
  readonly logged: string[]
}

/** Serves `catalog` (a new tiny one when left out) until the test is over. */
export async function serveForTest(options: Partial<ServeOptions> & { catalog?: Catalog } = {}): Promise<TestServer> {
  const catalog = options.catalog ?? (await ownCatalog())
  const logged: string[] = []
  const server = await startServer({ port: 0, state: null, log: (text) => logged.push(text), ...options, catalog })
  onTestFinished(() => server.close())
  return { ...clientOf(server.url), server, logged }
}

async function ownCatalog(): Promise<Catalog> {
  const catalog = await tinyCatalog(temporaryFolder())
  onTestFinished(() => catalog.close())
  return catalog
}

export function clientOf(url: string): Omit<TestServer, "server" | "logged"> {
  const call: TestServer["call"] = async (method, path, { body, headers = {}, signal } = {}) => {
    const raw = typeof body === "string" || body instanceof Uint8Array
    const answer = await fetch(url + path, {
      method,
      redirect: "manual",
      headers: { ...(body === undefined || raw ? {} : { "content-type": "application/json" }), ...headers },
      ...(body === undefined ? {} : { body: raw ? body : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })
    const text = await answer.text()
    const isJson = text !== "" && (answer.headers.get("content-type") ?? "").includes("json")
    return { status: answer.status, headers: answer.headers, text, body: isJson ? JSON.parse(text) : null }
  }
  return { url, call, shop: (body, options) => call("POST", "/api/shop_agent", { body, ...options }) }
}

/** Waits until `condition` holds. */
export async function until(condition: () => boolean | Promise<boolean>, { withinMs = 5000 } = {}): Promise<void> {
  const end = performance.now() + withinMs
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`not within ${withinMs} ms: ${condition}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
