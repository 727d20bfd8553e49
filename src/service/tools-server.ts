import { randomBytes, timingSafeEqual } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { z } from "zod"
import { AppError, messageOf } from "../core/errors.ts"
import type { JsonObject } from "../core/json.ts"
import type { ServiceDesk } from "./service-agent.ts"

/** Serves the worlds of running conversations to agents elsewhere; each conversation has its own address and token. */
export interface ToolsServer {
  /** `onEvents` is given what the agent sends to `eventsUrl`; what it throws with `ENVIRONMENT_UNAVAILABLE` is told to the agent. */
  open(
    desk: Pick<ServiceDesk, "conversationId" | "tools" | "signal">,
    onEvents?: (body: unknown) => Promise<void>,
  ): {
    readonly url: string
    readonly token: string
    readonly eventsUrl: string
    close(): void
  }
  close(): Promise<void>
}

const Call = z.looseObject({
  id: z.string().min(1).max(200),
  name: z.string().min(1).max(200),
  arguments: z.custom<JsonObject>((value) => typeof value === "object" && value !== null && !Array.isArray(value)),
})
const LARGEST_BODY = 1 << 20

/**
 * `GET <url>` lists the tools as function definitions, `POST <url>/call { id, name, arguments }` calls one and answers
 * `{ ok, content }`. A call that is repeated under its id is answered as before and not made again. Listens on loopback unless
 * `host` says otherwise; `publicUrl` is how the agent reaches it then.
 */
export async function serveTools({
  host = "127.0.0.1",
  port = 0,
  publicUrl,
}: {
  readonly host?: string
  readonly port?: number
  readonly publicUrl?: string
} = {}): Promise<ToolsServer> {
  interface Open {
    readonly desk: Pick<ServiceDesk, "conversationId" | "tools" | "signal">
    readonly token: Buffer
    readonly answers: Map<string, Promise<JsonObject>>
    readonly onEvents: ((body: unknown) => Promise<void>) | undefined
  }
  const worlds = new Map<string, Open>()

  const handle = async (
    incoming: IncomingMessage,
  ): Promise<{ status: number; body: JsonObject | readonly unknown[] }> => {
    const match = /^\/tools\/([0-9a-f]+)(\/call|\/events)?\/?$/.exec((incoming.url ?? "").split("?")[0] ?? "")
    const open = match?.[1] === undefined ? undefined : worlds.get(match[1])
    const given = Buffer.from(/^Bearer (.+)$/i.exec(incoming.headers.authorization ?? "")?.[1] ?? "")
    if (open === undefined || given.length !== open.token.length || !timingSafeEqual(given, open.token)) {
      return problem(
        401,
        "UNAUTHORIZED",
        "No conversation has these tools: take tools_url and tools_token as they were given",
      )
    }
    if (match?.[2] === undefined) {
      if (incoming.method !== "GET")
        return problem(405, "METHOD_NOT_ALLOWED", "Tools are listed by GET and called by POST …/call")
      return { status: 200, body: { tools: open.desk.tools.schemas } as unknown as JsonObject }
    }
    if (incoming.method !== "POST") return problem(405, "METHOD_NOT_ALLOWED", "A tool is called by POST")
    if (match[2] === "/events") {
      if (open.onEvents === undefined) return problem(404, "NOT_FOUND", "Nobody waits for events here")
      await open.onEvents(await readBody(incoming))
      return { status: 200, body: {} }
    }
    const call = Call.safeParse(await readBody(incoming))
    if (!call.success)
      return problem(400, "BAD_INPUT", `Expected { id, name, arguments }: ${z.prettifyError(call.error)}`)
    const { id, name, arguments: values } = call.data
    let answer = open.answers.get(id)
    if (answer === undefined) {
      answer = open.desk.tools
        .call({ id, name, arguments: values }, { signal: open.desk.signal })
        .then(({ ok, content }) => ({ id, ok, content }))
      open.answers.set(id, answer)
      answer.catch(() => open.answers.delete(id)) // a fault of the world may pass; a repeated call is made again then
    }
    return { status: 200, body: await answer }
  }

  const server = createServer((incoming, response) => {
    handle(incoming)
      .catch((error: unknown) => {
        const known =
          error instanceof AppError && (error.code === "BAD_INPUT" || error.code === "ENVIRONMENT_UNAVAILABLE")
        return known ? problem(400, error.code, error.message) : problem(503, "TOOL_FAILED", messageOf(error))
      })
      .then(({ status, body }) => write(response, status, body))
  })
  await new Promise<void>((ready, failed) => {
    server.once("error", failed)
    server.listen(port, host, ready)
  }).catch((error: unknown) => {
    throw new AppError("BAD_INPUT", `Cannot serve tools on ${host}:${port}: ${messageOf(error)}`, { cause: error })
  })
  const { port: bound } = server.address() as AddressInfo // a listening TCP server has one
  const base = (publicUrl ?? `http://${host.includes(":") ? `[${host}]` : host}:${bound}`).replace(/\/+$/, "")

  return {
    open(desk, onEvents) {
      const key = randomBytes(12).toString("hex")
      const token = randomBytes(24).toString("base64url")
      worlds.set(key, { desk, token: Buffer.from(token), answers: new Map(), onEvents })
      const url = `${base}/tools/${key}`
      return { url, token, eventsUrl: `${url}/events`, close: () => void worlds.delete(key) }
    },
    async close() {
      worlds.clear()
      server.closeAllConnections()
      await new Promise<void>((closed) => server.close(() => closed()))
    },
  }
}

function problem(status: number, code: string, message: string) {
  return { status, body: { code, message } }
}

async function readBody(incoming: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of incoming as AsyncIterable<Buffer>) {
    size += part.length
    if (size > LARGEST_BODY) throw new AppError("BAD_INPUT", `A call is at most ${LARGEST_BODY} bytes`)
    parts.push(part)
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString("utf8"))
  } catch (error) {
    throw new AppError("BAD_INPUT", `The call is not JSON: ${messageOf(error)}`, { cause: error })
  }
}

function write(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" })
  response.end(JSON.stringify(body))
}
