import { setTimeout as sleep } from "node:timers/promises"
import { request } from "undici"
import { z } from "zod"
import { AppError, messageOf, throwIfCancelled } from "../../core/errors.ts"
import type { Json, JsonObject } from "../../core/json.ts"
import type { ServiceAgent, ServiceDesk } from "../service-agent.ts"
import type { ToolHost } from "../tools.ts"
import type { ToolsServer } from "../tools-server.ts"

export interface HttpAgentOptions {
  /** Up to and without `/conversations`. */
  readonly baseUrl: string
  /** Sent as a bearer token; never part of identity or errors. Null: none. */
  readonly token: string | null
  /** What the operator says is served; recorded as what may change answers. */
  readonly id: string
  /** Where the agent finds the world's tools. */
  readonly tools: ToolsServer
  /** Milliseconds for one request beyond the seconds it was asked to wait. */
  readonly timeoutMs?: number
}

/** What the agent tells of itself, in order; `seq` counts from 1 without gaps. */
const AgentEvent = z.discriminatedUnion("type", [
  z.looseObject({ seq: z.int().positive(), type: z.literal("consumed"), message_ids: z.array(z.string()) }),
  z.looseObject({
    seq: z.int().positive(),
    type: z.literal("message"),
    text: z.string().min(1),
    answers: z.array(z.string()).optional(),
  }),
  z.looseObject({ seq: z.int().positive(), type: z.literal("turn_end") }),
  z.looseObject({ seq: z.int().positive(), type: z.literal("handoff"), reason: z.string().default("") }),
  z.looseObject({
    seq: z.int().positive(),
    type: z.literal("error"),
    code: z.string().default("AGENT_ERROR"),
    message: z.string().default(""),
    retryable: z.boolean().default(false),
  }),
])
/** `push`: the agent sends its events to `events_url`, and is not asked for them. */
const Opened = z.looseObject({ push: z.boolean() })
const Events = z.looseObject({ events: z.array(AgentEvent) })

const WAIT_S = 20
const ATTEMPTS = 4

/**
 * A service agent elsewhere, spoken to over HTTP as `docs/service/agents.md` describes. Reads are repeated when the way fails; a
 * message is posted under its own id, so that an agent that got it twice can tell.
 */
export function httpAgent(options: HttpAgentOptions): ServiceAgent {
  return {
    identity: () => ({ agent: "http", protocol: 1, id: options.id }),
    async connect(desk) {
      let inbox: Inbox | undefined
      let pushes = false
      // What the agent has read before it calls a tool is on record before the call, whichever answer is quicker.
      const host: ToolHost = {
        schemas: desk.tools.schemas,
        async call(request, call) {
          if (inbox !== undefined && !pushes) {
            await inbox.put(await line.call("GET", `${path(desk)}/events?after=${inbox.after}&wait_s=0`, call.signal))
          }
          return desk.tools.call(request, call)
        },
      }
      const { conversationId, signal: deskSignal } = desk
      const tools = options.tools.open({ conversationId, tools: host, signal: deskSignal }, (events) =>
        inbox === undefined ? Promise.resolve() : inbox.put(events),
      )
      const line = new Line(options, tools.token)
      inbox = new Inbox(desk, line.where)
      const stop = new AbortController()
      const signal = AbortSignal.any([desk.signal, stop.signal])
      try {
        const answer = await line.call("POST", "/conversations", signal, {
          id: desk.conversationId,
          language: desk.language,
          time_zone: desk.timeZone,
          now: desk.now(),
          customer: desk.customer,
          tools_url: tools.url,
          tools_token: tools.token,
          events_url: tools.eventsUrl,
        })
        pushes = Opened.safeParse(answer).data?.push === true
      } catch (error) {
        tools.close()
        throw error
      }
      const fail = (error: unknown) => {
        if (signal.aborted) return
        const known = error instanceof AppError ? error : new AppError("INTERNAL", messageOf(error))
        desk.endTurn({
          reason: "error",
          error: { code: known.code, message: known.message, retryable: known.retryable },
        })
        stop.abort()
      }
      const told = inbox
      const work = Promise.all([
        forward(line, desk, signal).catch(fail),
        pushes ? undefined : follow(line, desk, told, signal).catch(fail),
      ])
      return {
        async stop() {
          stop.abort()
          await work
          tools.close()
          // The case is over either way; an agent that is gone cannot be told.
          await line.call("DELETE", path(desk), AbortSignal.timeout(5_000)).catch(() => {})
        },
      }
    },
  }
}

const path = (desk: ServiceDesk) => `/conversations/${encodeURIComponent(desk.conversationId)}`

/** The customer's words, to the agent. */
async function forward(line: Line, desk: ServiceDesk, signal: AbortSignal): Promise<void> {
  for (;;) {
    for (const message of await desk.take(signal, { read: false })) {
      await line.call("POST", `${path(desk)}/messages`, signal, {
        id: message.id,
        text: message.text,
        parts: (message.parts ?? [{ type: "text", text: message.text }]) as Json, // parsed from JSON
        sender: message.sender,
        private: message.channel === "private",
        at: message.at,
      })
    }
  }
}

/** The agent's words and marks, asked for again and again. */
async function follow(line: Line, desk: ServiceDesk, inbox: Inbox, signal: AbortSignal): Promise<void> {
  for (;;) {
    throwIfCancelled(signal)
    const query = `after=${inbox.after}&wait_s=${WAIT_S}`
    await inbox.put(await line.call("GET", `${path(desk)}/events?${query}`, signal))
  }
}

/** Takes the agent's events to the conversation, each once and in order, whichever way they come. */
class Inbox {
  after = 0
  readonly #desk: ServiceDesk
  readonly #where: string
  #last: Promise<void> = Promise.resolve()

  constructor(desk: ServiceDesk, where: string) {
    this.#desk = desk
    this.#where = where
  }

  /** Resolves when all of them are with the conversation. Rejects with `ENVIRONMENT_UNAVAILABLE` for what is not as agreed. */
  put(answer: unknown): Promise<void> {
    const { events } = read(answer, this.#where)
    const work = this.#last.then(async () => {
      for (const event of events) {
        if (event.seq <= this.after) continue // said before
        if (event.seq !== this.after + 1) {
          throw new AppError(
            "ENVIRONMENT_UNAVAILABLE",
            `${this.#where} left out event ${this.after + 1} of the conversation`,
          )
        }
        this.after = event.seq
        await this.#take(event)
      }
    })
    this.#last = work.catch(() => {}) // the next ones are told of their own faults
    return work
  }

  async #take(event: z.infer<typeof AgentEvent>): Promise<void> {
    const desk = this.#desk
    switch (event.type) {
      case "consumed":
        return desk.consumed(event.message_ids)
      case "message":
        try {
          await desk.send(event.text, event.answers === undefined ? {} : { answers: event.answers })
        } catch (error) {
          // A human has taken over, or nobody knows whether the words arrived: neither is the agent's fault, and they are not sent again.
          const known = error instanceof AppError && (error.code === "CONFLICT" || error.code === "DELIVERY_UNKNOWN")
          if (!known) throw error
        }
        return
      case "turn_end":
        return desk.endTurn({ reason: "completed" })
      case "handoff":
        await desk.handOff(event.reason)
        return
      case "error":
        return desk.endTurn({
          reason: "error",
          error: { code: event.code, message: event.message, retryable: event.retryable },
        })
      default:
        event satisfies never
    }
  }
}

function read(answer: unknown, where: string): z.infer<typeof Events> {
  const parsed = Events.safeParse(answer)
  if (parsed.success) return parsed.data
  throw new AppError(
    "ENVIRONMENT_UNAVAILABLE",
    `${where} answered with events that are not as agreed: ${z.prettifyError(parsed.error)}`,
  )
}

/** One agent's address. */
class Line {
  readonly where: string
  readonly #options: HttpAgentOptions

  /** An agent may echo what it was sent: none of these is shown. */
  readonly #secrets: readonly string[]

  constructor(options: HttpAgentOptions, toolsToken: string) {
    this.#options = options
    this.#secrets = [options.token, toolsToken].filter((secret): secret is string => secret !== null && secret !== "")
    this.where = `The agent at ${options.baseUrl}`
  }

  /** Repeats what failed on its way; every request of the protocol may be repeated. */
  async call(
    method: "GET" | "POST" | "DELETE",
    path: string,
    signal: AbortSignal,
    body?: JsonObject,
  ): Promise<unknown> {
    const { baseUrl, token, timeoutMs = 30_000 } = this.#options
    for (let attempt = 1; ; attempt++) {
      throwIfCancelled(signal)
      let fault: AppError
      try {
        const response = await request(`${baseUrl.replace(/\/+$/, "")}${path}`, {
          method,
          signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs + WAIT_S * 1000)]),
          headers: {
            ...(body !== undefined && { "content-type": "application/json" }),
            ...(token !== null && { authorization: `Bearer ${token}` }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
        const text = await response.body.text()
        if (response.statusCode < 300) return text === "" ? null : JSON.parse(text)
        const retryable = response.statusCode >= 500 || response.statusCode === 429
        const said = this.#secrets.reduce((shown, secret) => shown.replaceAll(secret, "[token]"), text)
        fault = new AppError(
          retryable ? "MODEL_UNAVAILABLE" : "MODEL_REJECTED",
          `${this.where} answered ${method} ${path} with ${response.statusCode}: ${said.slice(0, 300)}`,
          { retryable },
        )
      } catch (error) {
        throwIfCancelled(signal)
        fault = new AppError(
          "MODEL_UNAVAILABLE",
          `${this.where} did not answer ${method} ${path}: ${messageOf(error)}`,
          {
            retryable: true,
            cause: error,
          },
        )
      }
      if (!fault.retryable || attempt === ATTEMPTS) throw fault
      await sleep(100 * 3 ** (attempt - 1), undefined, { signal }).catch(() => {})
    }
  }
}
