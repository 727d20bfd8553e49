import { z } from "zod"
import type { ActionFeedback, Environment, Observation, StepResult } from "../../core/environment.ts"
import { AppError } from "../../core/errors.ts"
import { isJsonObject } from "../../core/json.ts"
import { JsonObject } from "../../core/json-schema.ts"
import type { RemoteOptions } from "../remote.ts"
import { type Exchange, type RemoteTimeouts, Transport } from "./transport.ts"

const Page = {
  observation: z.string(),
  observation_state: z.looseObject({
    observation_version: z.string(),
    page_type: z.string(),
    search_available: z.boolean(),
    actions: z.array(z.string().min(1)),
  }),
}
const ResetAnswer = z.looseObject({
  ...Page,
  env_idx: z.int(),
  lease_id: z.string(),
  task_instruction: z.string(),
  task_mode: z.string(),
  environment_version: z.string(),
  user_persona: JsonObject,
  instruction: z.undefined({ error: "a retired field: this server is of an older version" }).optional(),
})
const StepAnswer = z.looseObject({
  ...Page,
  done: z.boolean(),
  reward: z.number(),
  reward_detail: JsonObject,
  purchase: JsonObject,
  goal: JsonObject,
  termination_reason: z.string().optional(),
  action_feedback: z
    .looseObject({ action: z.string(), valid: z.boolean(), reason: z.string(), message: z.string() })
    .optional(),
})
const Health = z.looseObject({
  environment_version: z.string().optional(),
  observation_version: z.string().optional(),
  tasks: z.int().optional(),
})

/** The shop of a server that speaks as the reference does: one route, profile `v8`, integer task ids. */
export class ReferenceEnvironment implements Environment {
  readonly #options: RemoteOptions
  readonly #timeouts: RemoteTimeouts
  readonly #transport: Transport
  #claim: { env_idx: number; lease_id: string } | null = null

  constructor(options: RemoteOptions, timeouts: RemoteTimeouts) {
    this.#options = options
    this.#timeouts = timeouts
    this.#transport = new Transport({ baseUrl: options.baseUrl, token: options.token, connectMs: timeouts.connect })
    if (options.rules !== "v8") {
      throw new AppError("BAD_INPUT", `The reference protocol plays profile v8 only, not ${options.rules}`)
    }
  }

  async identity({ signal }: { signal: AbortSignal }): Promise<JsonObject> {
    const wish: Exchange = {
      method: "GET",
      path: "/healthz",
      signal,
      timeoutMs: this.#timeouts.request,
      repeat: "safe",
    }
    const { body, status } = await this.#transport.exchange(wish)
    const health = Health.safeParse(body)
    if (status !== 200 || !health.success) throw unavailable(`status ${status} to GET /healthz`)
    const { environment_version = null, observation_version = null, tasks = null } = health.data
    const { rules, mode, persona } = this.#options
    return { environment: "shop", rules, mode, persona, environment_version, observation_version, tasks }
  }

  async reset(taskId: string, { signal }: { signal: AbortSignal }) {
    await this.#release()
    if (!/^\d{1,15}$/.test(taskId)) {
      throw new AppError("NOT_FOUND", `The reference protocol has integer task ids, not ${JSON.stringify(taskId)}`)
    }
    const { mode, persona } = this.#options
    const body = {
      action: "reset",
      idx: Number(taskId),
      if_persona: persona,
      include_private_goal: false,
      interaction_mode: mode,
    }
    const answer = await this.#call(ResetAnswer, body, signal, { timeoutMs: this.#timeouts.reset, fails: "NOT_FOUND" })
    this.#claim = { env_idx: answer.env_idx, lease_id: answer.lease_id }
    return {
      observation: observationOf(answer),
      instruction: answer.task_instruction,
      persona: Object.keys(answer.user_persona).length === 0 ? null : answer.user_persona,
      info: {
        task_mode: answer.task_mode,
        interaction_mode: mode,
        rules: "v8",
        environment_version: answer.environment_version,
        observation_version: answer.observation_state.observation_version,
      },
    }
  }

  async step(action: string, { signal }: { signal: AbortSignal }): Promise<StepResult> {
    return this.#result(await this.#act({ action: "interact", response: action }, signal))
  }

  async terminate(
    reason: "action_limit" | "generation_length",
    { signal }: { signal: AbortSignal },
  ): Promise<StepResult> {
    const answer = await this.#act({ action: "terminate", termination_reason: reason }, signal)
    if (answer.termination_reason !== reason)
      throw unavailable(`an end for another reason: ${answer.termination_reason}`)
    return { ...this.#result(answer), feedback: null }
  }

  async close(): Promise<void> {
    try {
      await this.#release()
    } finally {
      await this.#transport.close()
    }
  }

  #act(body: JsonObject, signal: AbortSignal): Promise<z.infer<typeof StepAnswer>> {
    if (this.#claim === null) throw new AppError("CONFLICT", "No episode is being played; call reset first")
    const limits = { timeoutMs: this.#timeouts.request, fails: "CONFLICT" } as const
    return this.#call(StepAnswer, { ...body, ...this.#claim }, signal, limits)
  }

  #result(answer: z.infer<typeof StepAnswer>): StepResult {
    const { done, reward, reward_detail, purchase, goal, termination_reason, action_feedback } = answer
    const bought = Object.keys(purchase).length === 0 ? null : purchase
    return {
      observation: observationOf(answer),
      feedback: (action_feedback as ActionFeedback | undefined) ?? null,
      outcome: done
        ? { termination_reason: termination_reason ?? "unknown", reward, reward_detail, purchase: bought, goal }
        : null,
    }
  }

  /** Steps have no numbers here: what may have arrived is never sent again. */
  async #call<T extends z.ZodType>(
    schema: T,
    body: JsonObject,
    signal: AbortSignal,
    { timeoutMs, fails }: { timeoutMs: number | null; fails: "NOT_FOUND" | "CONFLICT" },
  ): Promise<z.output<T>> {
    const wish: Exchange = { method: "POST", path: "/api/shop_agent", body, signal, timeoutMs, repeat: "unsent" }
    const reply = await this.#transport.exchange(wish)
    const result = isJsonObject(reply.body) ? reply.body.result : undefined
    if (!isJsonObject(result)) throw unavailable(`status ${reply.status} without a result`)
    if (reply.status !== 200 || result.error) {
      const message = `The shop answered ${reply.status}: ${String(result.error)}`
      if (reply.status === 409) throw unavailable(String(result.error))
      if (reply.status === 401 || reply.status === 403) throw new AppError("REFUSED", message)
      if (reply.status === 400) throw new AppError("BAD_INPUT", message)
      // It says 500 to a caller's mistakes as well; which one it is, its wording tells.
      const mistake = /unknown or inactive task|already terminated/.test(String(result.error))
      throw mistake ? new AppError(fails, message) : unavailable(String(result.error))
    }
    const parsed = schema.safeParse(result)
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    throw unavailable(`an answer out of contract (${issue?.path.join(".")}: ${issue?.message})`)
  }

  async #release(): Promise<void> {
    const claim = this.#claim
    if (claim === null) return
    this.#claim = null
    const wish: Exchange = {
      method: "POST",
      path: "/api/shop_agent",
      body: { action: "release_one", ...claim },
      signal: new AbortController().signal,
      timeoutMs: this.#timeouts.request,
      repeat: "never",
    }
    await this.#transport.exchange(wish).catch(() => {}) // a server that cannot be reached lets the lease run out
  }
}

function observationOf({ observation, observation_state }: z.infer<z.ZodObject<typeof Page>>): Observation {
  return { text: observation, state: observation_state as Observation["state"] } // as the schema checked
}

function unavailable(what: string): AppError {
  return new AppError("ENVIRONMENT_UNAVAILABLE", `The shop answered: ${what}`, { retryable: true })
}
