import type { z } from "zod"
import type { ActionFeedback, Environment, EpisodeOutcome, Observation, StepResult } from "../../core/environment.ts"
import { AppError, type ErrorCode } from "../../core/errors.ts"
import { isJsonObject } from "../../core/json.ts"
import { ServerInfo, SessionCreated, StepAnswer } from "../native-wire.ts"
import type { RemoteOptions } from "../remote.ts"
import { type Exchange, RemoteConnection, type RemoteTimeouts, type Reply, Transport } from "./transport.ts"

/** What a problem's code means to a player. A session that is gone is the environment's failure: another attempt may succeed. */
const ERRORS: Readonly<Record<string, ErrorCode>> = {
  bad_request: "BAD_INPUT",
  unauthorized: "REFUSED",
  forbidden: "REFUSED",
  host_refused: "REFUSED",
  origin_refused: "REFUSED",
  task_not_found: "NOT_FOUND",
  session_over: "CONFLICT",
}

/** How long the server is asked to keep a caller in line before it says "not now"; then it is asked again. */
const WAIT_S = 60
const HEARTBEATS_PER_TTL = 3
const LONGEST_PAUSE_MS = 5 * 60_000 // a timer that is set for weeks would fire at once

interface Episode {
  readonly lease: string
  nextStep: number
  over: boolean
  readonly heartbeat: NodeJS.Timeout
}

/** The shop of a server that speaks the native API. */
export class NativeEnvironment implements Environment {
  readonly #options: RemoteOptions
  readonly #timeouts: RemoteTimeouts
  readonly #transport: Transport
  readonly #connection: RemoteConnection
  #episode: Episode | null = null

  constructor(options: RemoteOptions, timeouts: RemoteTimeouts) {
    this.#options = options
    this.#timeouts = timeouts
    const { baseUrl, token, connection } = options
    this.#transport = new Transport({ baseUrl, token, connection, connectMs: timeouts.connect })
    this.#connection = connection ?? new RemoteConnection()
  }

  async identity({ signal }: { signal: AbortSignal }) {
    return (await this.#info(signal)).identity
  }

  async reset(taskId: string, { signal }: { signal: AbortSignal }) {
    await this.#release()
    if (this.#connection.readsGoal === null) await this.#info(signal)
    const { rules, mode, persona } = this.#options
    const until = this.#timeouts.reset === null ? null : AbortSignal.timeout(this.#timeouts.reset)
    const wish = { task_id: taskId, rules, mode, persona, wait_s: WAIT_S }
    for (;;) {
      const reply = await this.#transport.exchange({
        method: "POST",
        path: "/v1/sessions",
        body: wish,
        signal: until === null ? signal : AbortSignal.any([signal, until]),
        timeoutMs: null,
        repeat: "safe", // the server drops a session whose answer it could not deliver
      })
      if (problemCode(reply) === "too_many_sessions" && !signal.aborted && until?.aborted !== true) continue
      const created = read(SessionCreated, reply, 201)
      const pauseMs = Math.min((created.ttl_s * 1000) / HEARTBEATS_PER_TTL, LONGEST_PAUSE_MS)
      const heartbeat = setInterval(() => this.#beat(created.lease), pauseMs)
      heartbeat.unref()
      this.#episode = { lease: created.lease, nextStep: created.next_step, over: false, heartbeat }
      const { instruction, persona: shown, info } = created
      return { observation: created.observation as Observation, instruction, persona: shown, info }
    }
  }

  async step(action: string, { signal }: { signal: AbortSignal }): Promise<StepResult> {
    const { nextStep } = this.#playing()
    return this.#act("actions", { step: nextStep, action }, signal)
  }

  async terminate(
    reason: "action_limit" | "generation_length",
    { signal }: { signal: AbortSignal },
  ): Promise<StepResult> {
    return this.#act("terminate", { reason }, signal)
  }

  async close(): Promise<void> {
    try {
      await this.#release()
    } finally {
      await this.#transport.close()
    }
  }

  async #act(verb: "actions" | "terminate", body: object, signal: AbortSignal): Promise<StepResult> {
    const episode = this.#playing()
    const goal = this.#connection.readsGoal === true ? "?goal=true" : ""
    const reply = await this.#transport.exchange({
      method: "POST",
      path: `/v1/sessions/${episode.lease}/${verb}${goal}`,
      body,
      signal,
      timeoutMs: this.#timeouts.request,
      repeat: "safe", // a step has a number and is played once; an end is the same end again
    })
    const answer = read(StepAnswer, reply, 200)
    episode.nextStep = answer.next_step
    episode.over = answer.outcome !== null
    return {
      observation: answer.observation as Observation,
      feedback: answer.feedback as ActionFeedback | null,
      outcome: answer.outcome === null ? null : ({ goal: {}, ...answer.outcome } as EpisodeOutcome),
    }
  }

  async #info(signal: AbortSignal): Promise<z.infer<typeof ServerInfo>> {
    const { rules, mode, persona } = this.#options
    const query = new URLSearchParams({ rules, mode, persona: String(persona) })
    const path = `/v1/info?${query}`
    const reply = await this.#transport.exchange({ ...this.#quick("GET", path, signal), repeat: "safe" })
    const info = read(ServerInfo, reply, 200)
    this.#connection.readsGoal = info.caller.role !== "viewer"
    return info
  }

  #playing(): Episode {
    if (this.#episode === null) throw new AppError("CONFLICT", "No episode is being played; call reset first")
    if (this.#episode.over) throw new AppError("CONFLICT", "The episode is over; call reset to play another")
    return this.#episode
  }

  /** A lost heartbeat is no matter: the next one, or the next step, makes up for it. */
  #beat(lease: string): void {
    const path = `/v1/sessions/${lease}/heartbeat`
    const wish: Exchange = { ...this.#quick("POST", path, new AbortController().signal), repeat: "never" }
    this.#transport.exchange(wish).catch(() => {})
  }

  /** A server that cannot be reached lets the lease run out by itself. */
  async #release(): Promise<void> {
    const episode = this.#episode
    if (episode === null) return
    this.#episode = null
    clearInterval(episode.heartbeat)
    const path = `/v1/sessions/${episode.lease}`
    const wish: Exchange = { ...this.#quick("DELETE", path, new AbortController().signal), repeat: "never" }
    await this.#transport.exchange(wish).catch(() => {})
  }

  #quick(method: Exchange["method"], path: string, signal: AbortSignal): Omit<Exchange, "repeat"> {
    return { method, path, signal, timeoutMs: this.#timeouts.request }
  }
}

function problemCode({ status, body }: Reply): string | null {
  return status >= 400 && isJsonObject(body) && typeof body.code === "string" ? body.code : null
}

function read<T extends z.ZodType>(schema: T, reply: Reply, status: number): z.output<T> {
  if (reply.status === status) {
    const parsed = schema.safeParse(reply.body)
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    throw unavailable(`an answer that is not the native API's (${issue?.path.join(".")}: ${issue?.message})`)
  }
  const code = problemCode(reply)
  const detail = isJsonObject(reply.body) && typeof reply.body.detail === "string" ? reply.body.detail : undefined
  const known = code === null ? undefined : ERRORS[code]
  if (known !== undefined)
    throw new AppError(known, `The shop answered: ${detail ?? code}`, { details: { problem: code } })
  throw unavailable(detail ?? `status ${reply.status}; is this the address of a souk server?`)
}

function unavailable(what: string): AppError {
  return new AppError("ENVIRONMENT_UNAVAILABLE", `The shop answered: ${what}`, { retryable: true })
}
