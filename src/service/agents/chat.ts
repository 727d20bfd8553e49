import { modelCall } from "../../agent/model-call.ts"
import { canonicalJson, sha256Hex } from "../../core/fingerprint.ts"
import type { JsonObject } from "../../core/json.ts"
import type { Message, ToolDefinition } from "../../core/message.ts"
import { addUsage, type Model, type ModelOutcome, type ParsedCall, type Usage, wireCall } from "../../core/model.ts"
import { storeTime } from "../../core/time.ts"
import type { ServiceAgent, ServiceConnection, ServiceDesk } from "../service-agent.ts"
import { type OfferedTools, offeredTools } from "./tool-names.ts"
import { serveTurns } from "./turns.ts"
import { messageLine, SERVICE_PROMPT_VERSION, serviceWords } from "./words.ts"

const SEND = "send_message"
const HAND_OFF = "hand_off_to_human"

export interface ChatAgentOptions {
  /** One per conversation; closed with it. */
  readonly open: () => Model
  /** The store's policy, put after the instructions. Null: no system message at all, for endpoints that are agents themselves. */
  readonly policy: string | null
  /** In place of the built-in instructions. */
  readonly instructions?: string
  /** Model calls in one turn; a turn that uses them up ends without further words. */
  readonly maxCalls?: number
  /** Sent with every request as `metadata`, for endpoints that call the world's tools themselves. */
  readonly metadata?: (desk: ServiceDesk) => JsonObject
}

/**
 * A service agent made of a language model. Text without a call is the answer and ends the turn; calls are carried out and their
 * results shown. Beside the world's tools it has `send_message` and `hand_off_to_human`. What the model does wrong is told to it and
 * costs a call; only failures of the way to the model are errors.
 */
export function chatAgent({ open, policy, instructions, maxCalls = 20, metadata }: ChatAgentOptions): ServiceAgent {
  return {
    identity: () => ({
      agent: policy === null ? "endpoint" : "reference",
      version: SERVICE_PROMPT_VERSION,
      model: open().identity(),
      max_calls: maxCalls,
      ...(policy !== null && {
        policy_sha256: sha256Hex(policy),
        instructions_sha256: sha256Hex(instructions ?? canonicalJson([serviceWords("zh"), serviceWords("en")])),
      }),
    }),
    async connect(desk) {
      const model = open()
      const seat = new Seat(model, desk, { policy, instructions, maxCalls, metadata })
      return seat.start()
    },
  }
}

interface SeatOptions {
  readonly policy: string | null
  readonly instructions: string | undefined
  readonly maxCalls: number
  readonly metadata: ChatAgentOptions["metadata"]
}

/** One agent in one conversation. */
class Seat {
  readonly #messages: Message[] = []
  readonly #tools: ToolDefinition[]
  readonly #offered: OfferedTools
  #usage: { model_calls: number } & Usage = { model_calls: 0 }
  #calls = 0

  readonly #model: Model
  readonly #desk: ServiceDesk
  readonly #options: SeatOptions

  constructor(model: Model, desk: ServiceDesk, options: SeatOptions) {
    this.#model = model
    this.#desk = desk
    this.#options = options
    const words = serviceWords(desk.language)
    this.#offered = offeredTools(desk.tools.schemas, options.policy === null ? [] : [SEND, HAND_OFF])
    this.#tools = [...this.#offered.definitions]
    if (options.policy !== null) {
      this.#tools.push(
        tool(SEND, words.send, "text", words.text),
        tool(HAND_OFF, words.handOff, "reason", words.handOffReason),
      )
      this.#say({ role: "system", content: this.#system() })
    }
  }

  start(): ServiceConnection {
    return serveTurns(this.#desk, (batch, signal) => this.#turn(batch, signal), {
      spent: () => this.#usage,
      close: () => this.#model.close(),
    })
  }

  async #turn(batch: Awaited<ReturnType<ServiceDesk["take"]>>, signal: AbortSignal): Promise<void> {
    const { language, timeZone } = this.#desk
    const lines = batch.map((message) => messageLine(message, language)).join("\n")
    const clock = `[${storeTime(this.#desk.now(), timeZone)}]`
    this.#say({ role: "user", content: this.#options.policy === null ? lines : `${clock}\n${lines}` })
    this.#usage = { model_calls: 0 }
    const answers = batch.map(({ id }) => id)
    for (let call = 0; call < this.#options.maxCalls; call++) {
      if (await this.#step(answers, signal)) break
    }
  }

  /** One call of the model; true when the turn is over. */
  async #step(answers: readonly string[], signal: AbortSignal): Promise<boolean> {
    const { metadata } = this.#options
    const outcome = await this.#model.generate(
      {
        messages: [...this.#messages],
        tools: this.#tools,
        ...(metadata !== undefined && { metadata: metadata(this.#desk) }),
      },
      { signal },
    )
    this.#record(usable(outcome))
    const { reply } = outcome
    if (outcome.type === "policy_failure") return true // it ran out of room: nothing to repair, nobody else's fault
    const text = reply.content?.trim() ?? ""
    if (reply.tool_calls.length === 0) {
      if (text !== "" && usable(outcome).type === "reply") {
        this.#say({ role: "assistant", content: text })
        await this.#desk.send(text, { answers })
        return true
      }
      this.#say({
        role: "user",
        content: `${serviceWords(this.#desk.language).repair}${outcome.type === "reply" ? "empty" : outcome.message}`,
      })
      return false
    }
    this.#say({
      role: "assistant",
      content: text === "" ? null : text,
      tool_calls: reply.tool_calls.map(wireCall),
    })
    if (text !== "") await this.#desk.send(text, { answers })
    let over = false
    for (const call of reply.tool_calls) {
      const { content, ends } = await this.#carryOut(call, answers, signal)
      this.#say({ role: "tool", tool_call_id: call.call_id, content })
      over ||= ends
    }
    return over
  }

  async #carryOut(
    call: ParsedCall,
    answers: readonly string[],
    signal: AbortSignal,
  ): Promise<{ content: string; ends: boolean }> {
    const own = this.#options.policy !== null
    if (own && call.name === SEND) {
      const { text } = call.arguments
      if (typeof text !== "string" || text.trim() === "") return { content: "Error: text is empty", ends: false }
      await this.#desk.send(text.trim(), { answers })
      return { content: "sent", ends: false }
    }
    if (own && call.name === HAND_OFF) {
      const { reason } = call.arguments
      const { confirmed } = await this.#desk.handOff(typeof reason === "string" ? reason : "")
      return { content: confirmed ? "A colleague takes over." : "No colleague is free.", ends: confirmed }
    }
    const answer = await this.#desk.tools.call(
      { id: `call-${++this.#calls}`, name: this.#offered.real(call.name), arguments: call.arguments }, // models repeat ids
      { signal },
    )
    return { content: answer.content, ends: false }
  }

  #system(): string {
    const { language, timeZone, customer } = this.#desk
    const words = serviceWords(language)
    return [
      this.#options.instructions ?? words.instructions,
      `${words.policy}\n${this.#options.policy ?? ""}`,
      `${words.time} ${storeTime(this.#desk.now(), timeZone)} (${timeZone})`,
      `${words.customer} ${canonicalJson(customer)}`,
    ].join("\n\n")
  }

  #say(message: Message): void {
    this.#messages.push(message)
    this.#desk.emit({ type: "model_message", message })
  }

  #record(outcome: ModelOutcome): void {
    this.#usage.model_calls++
    addUsage(this.#usage, outcome.reply.usage)
    this.#desk.emit(modelCall(outcome, this.#tools))
  }
}

/** A shopper's reply is one call; in a conversation, text alone is an answer, several calls are fine, and so is text beside a call. */
function usable(outcome: ModelOutcome): ModelOutcome {
  const { type, reply } = outcome
  if (type !== "protocol_error" || (outcome.code !== "tool_call_count" && outcome.code !== "mixed_content"))
    return outcome
  const { raw_response: _, ...read } = reply // kept of replies that could not be used
  return (reply.content?.trim() ?? "") !== "" || reply.tool_calls.length > 0 ? { type: "reply", reply: read } : outcome
}

function tool(name: string, description: string, key: string, meaning: string): ToolDefinition {
  const parameters = {
    type: "object",
    properties: { [key]: { type: "string", description: meaning } },
    required: [key],
  }
  return { type: "function", function: { name, description, parameters } }
}
