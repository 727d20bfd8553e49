import { type Conversation, openConversation } from "../../channel/conversation.ts"
import type { Journal } from "../../channel/journal.ts"
import type { HumanPlan, TurnRecord } from "../../core/case-record.ts"
import type { ConversationMessage, Reception } from "../../core/conversation.ts"
import { AppError, throwIfCancelled } from "../../core/errors.ts"
import type { Usage } from "../../core/model.ts"
import type { ScriptTime } from "../../core/time.ts"
import { type HostClock, systemClock } from "../../lib/clock.ts"
import type { ContextProvider } from "../context.ts"
import { failureOfScope, pendingFailure, type TurnFailure } from "../error-cursor.ts"
import { firstReplyTo } from "../first-reply.ts"
import { channelOf } from "../human.ts"
import { fateOf, waitEnd } from "../reply-wait.ts"
import type { ServiceAgent, ServiceConnection } from "../service-agent.ts"
import {
  type Accepted,
  EvaluationReplyTimeout,
  type EvaluationTarget,
  type ReplyObservation,
  type TargetSession,
  type TargetSetup,
} from "../target.ts"
import { type AgentSeat, type HumanColleague, seatAgent, tell } from "./channel-seat.ts"

export interface ChannelTargetOptions {
  readonly agent: ServiceAgent
  /** The host's clock: delivery marks and first replies. */
  readonly hostClock?: HostClock
  /** What tells the agent more than was said, by private notes beside the buyer's words. */
  readonly context?: ContextProvider
  /** Who answers a hand-off. Absent: as the script's `handoff` says; without one a colleague takes over. */
  readonly human?: HumanColleague
  /** Whether the agent goes on after a confirmed hand-off. Absent: as the script's `handoff` says. */
  readonly resume?: boolean
  /** The switch that turns reception on again, where it is not the conversation's own. */
  readonly switchReception?: (to: Reception, conversation: Conversation) => Promise<void>
  /** Gives each conversation a name; by default the case id, with `~2` and so on for later ones of the same case. */
  readonly conversationId?: (caseId: string) => string
  /** Where a conversation's events are kept; closed with it. */
  readonly journal?: (conversationId: string) => Promise<Journal>
  readonly deliver?: (message: ConversationMessage) => Promise<"sent" | "failed" | "unknown">
  /** Told of each conversation as it opens: a console that looks on, pauses, discards. */
  readonly onConversation?: (conversation: Conversation, caseId: string) => void
  /** How long an agent may take to stop, in milliseconds. */
  readonly stopTimeoutMs?: number
}

/** What a session of a channel is bound to. */
export interface ChannelBinding {
  readonly conversation: Conversation
}

/** A service agent behind a conversation. It does not know that it is being evaluated: the same desk serves real buyers. */
export function channelTarget(options: ChannelTargetOptions): EvaluationTarget<ChannelBinding> {
  const opened = new Map<string, number>()
  const name = (caseId: string) => {
    const count = (opened.get(caseId) ?? 0) + 1
    opened.set(caseId, count)
    return count === 1 ? caseId : `${caseId}~${count}`
  }
  return {
    identity: () => ({
      target: "channel",
      version: 1,
      agent: options.agent.identity(),
      ...(options.context !== undefined && { context: options.context.identity() }),
    }),
    open: (setup) => ChannelSession.open(setup, options, (options.conversationId ?? name)(setup.caseId)),
  }
}

const STOP_TIMEOUT_MS = 30_000

class ChannelSession implements TargetSession<ChannelBinding> {
  readonly binding: ChannelBinding
  readonly resume?: NonNullable<TargetSession["resume"]>
  readonly #conversation: Conversation
  readonly #setup: TargetSetup
  readonly #options: ChannelTargetOptions
  readonly #clock: HostClock
  readonly #over = new AbortController() // tells the agent that the case is over
  readonly #unwatch: () => void
  readonly #seat: AgentSeat
  #connection: ServiceConnection | undefined
  #stopping: Promise<void> | undefined
  #turn = 0
  #examined = 0 // the error cursor
  #collected = 0 // the cursor of observations
  readonly #given = new Set<string>()

  static async open(setup: TargetSetup, options: ChannelTargetOptions, id: string): Promise<ChannelSession> {
    const clock = options.hostClock ?? systemClock
    const journal = await options.journal?.(id)
    const conversation = await openConversation({
      id,
      clock,
      now: () => setup.clock.now(),
      ...(journal !== undefined && { journal }),
      ...(options.deliver !== undefined && { deliver: options.deliver }),
    })
    const session = new ChannelSession(conversation, setup, options, clock)
    const cancel = () => session.#over.abort(setup.signal.reason)
    setup.signal.addEventListener("abort", cancel, { once: true })
    try {
      throwIfCancelled(setup.signal)
      options.onConversation?.(conversation, setup.caseId)
      session.#connection = await options.agent.connect(session.#seat.desk)
      return session
    } catch (error) {
      session.#over.abort()
      session.#unwatch()
      await conversation.close()
      throw error
    } finally {
      setup.signal.removeEventListener("abort", cancel)
    }
  }

  private constructor(conversation: Conversation, setup: TargetSetup, options: ChannelTargetOptions, clock: HostClock) {
    this.binding = { conversation }
    this.#conversation = conversation
    this.#setup = setup
    this.#options = options
    this.#clock = clock
    this.#collected = conversation.log.length
    this.#examined = conversation.log.length
    this.#unwatch = conversation.watch((event) => {
      if (event !== undefined) tell(event, { conversation, turn: this.#turn, emit: setup.emit })
    })
    const { human, context } = options
    this.#seat = seatAgent({ setup, conversation, human, context, signal: this.#over.signal })
    if (options.resume ?? setup.script.handoff?.resume ?? false) this.resume = this.#resume.bind(this)
  }

  async advance(to: ScriptTime): Promise<void> {
    this.#setup.clock.advanceTo(to)
  }

  async send(
    text: string,
    signal: AbortSignal,
    human?: { readonly plan: HumanPlan; readonly accepted: Accepted },
  ): Promise<ReplyObservation> {
    const failure = pendingFailure(this.#conversation.log, this.#examined)
    if (failure !== undefined) return this.#observe("error", { failure })
    const from = this.#conversation.log.length
    const message = await this.#conversation.receive({ sender: "buyer", turn: this.#turn + 1, text })
    this.#turn += 1
    if (isTimeUp(signal)) throw unaccepted("The buyer's words")
    const ids = [message.id]
    if (human !== undefined && !signal.aborted) {
      const said = await this.#speak(human.plan, signal)
      human.accepted()
      if (channelOf(human.plan.kind) === "private") ids.push(said.id)
    }
    return this.#wait(ids, from, signal, message.id)
  }

  async intervene(plan: HumanPlan, signal: AbortSignal, accepted: Accepted): Promise<ReplyObservation> {
    const failure = pendingFailure(this.#conversation.log, this.#examined)
    if (failure !== undefined) return this.#observe("error", { failure })
    const from = this.#conversation.log.length
    const said = await this.#speak(plan, signal)
    accepted()
    if (channelOf(plan.kind) === "conversation") return this.#observe("answered") // a human answered: nobody else has to
    return this.#wait([said.id], from, signal)
  }

  async #resume(text: string | null, signal: AbortSignal): Promise<ReplyObservation> {
    const from = this.#conversation.log.length
    const words = text ?? this.#seat.colleagueText()
    if (words !== undefined) {
      await this.#conversation.receive({ sender: "human_console", turn: this.#turn, text: words, wakes: false })
    }
    const waiting = this.#conversation.waiting
    const to = this.#options.switchReception ?? ((to, conversation) => conversation.setReception(to, "resumed"))
    await to("on", this.#conversation)
    return waiting.length === 0 ? this.#observe("answered") : this.#wait(waiting, from, signal)
  }

  async close(): Promise<ReplyObservation | null> {
    try {
      await this.#stop()
    } finally {
      await this.#conversation.close()
      this.#unwatch()
    }
    const failure = pendingFailure(this.#conversation.log, this.#examined)
    const rest = this.#observe(failure === undefined ? "cancelled" : "error", {
      ...(failure && { failure }),
      all: true,
    })
    return rest.messages.length === 0 && failure === undefined ? null : rest
  }

  usage(): Readonly<Record<string, { model_calls: number } & Usage>> {
    return { agent: this.#seat.usage() }
  }

  /** A colleague's words. Those to the buyer are read along with the next batch; private ones ask for a turn of their own. */
  async #speak(plan: HumanPlan, signal: AbortSignal): Promise<ConversationMessage> {
    const channel = channelOf(plan.kind)
    const said = await this.#conversation.receive({
      sender: "human_console",
      turn: plan.turn,
      text: plan.text,
      channel,
      wakes: channel === "private",
    })
    if (isTimeUp(signal)) throw unaccepted("A colleague's words")
    return said
  }

  /** Waits for what comes of accepted words, and observes it. A caller who stops the case gets the agent stopped first. */
  async #wait(
    ids: readonly string[],
    from: number,
    signal: AbortSignal,
    buyerMessageId?: string,
  ): Promise<ReplyObservation> {
    const ended = await this.#ended(ids, from, signal)
    const untilMs = this.#clock.now()
    const failure = failureOfScope(this.#conversation.log, from)
    const first =
      buyerMessageId === undefined ? undefined : firstReplyTo(buyerMessageId, this.#conversation.log, untilMs)
    if (ended === "cancelled") await this.#stop()
    else this.#examined = this.#conversation.log.length
    if (ended !== "cancelled" && failure !== undefined) {
      return this.#observe("error", { failure, ...(first && { first }) })
    }
    return this.#observe(ended, { ...(first && { first }) })
  }

  #ended(ids: readonly string[], from: number, signal: AbortSignal): Promise<TurnRecord["ended"]> {
    const conversation = this.#conversation
    return new Promise((resolve, reject) => {
      const look = () => {
        const ended = waitEnd({
          accepted: true,
          ...fateOf(ids, conversation.log.slice(from)),
          idle: conversation.idle,
          reception: conversation.reception,
          timeUp: isTimeUp(signal),
          cancelled: signal.aborted && !isTimeUp(signal),
        })
        if (ended === undefined && conversation.fault === undefined) return
        unwatch()
        signal.removeEventListener("abort", look)
        if (ended !== undefined && ended !== "unaccepted") resolve(ended)
        else reject(conversation.fault)
      }
      const unwatch = conversation.watch(look)
      signal.addEventListener("abort", look, { once: true })
      look()
    })
  }

  /** What is new on record since the last observation. `all`: words still on their way too, nothing comes after this. */
  #observe(
    ended: TurnRecord["ended"],
    {
      failure,
      first,
      all = false,
    }: { failure?: TurnFailure; first?: NonNullable<ReplyObservation["first_reply"]>; all?: boolean } = {},
  ): ReplyObservation {
    const ids = this.#conversation.log.slice(this.#collected).flatMap((event) => {
      if (event.type === "received") return [event.message.id]
      return event.type === "delivery" ? [event.message_id] : []
    })
    this.#collected = this.#conversation.log.length
    const fresh = new Set(ids.filter((id) => !this.#given.has(id)))
    for (const id of fresh) this.#given.add(id)
    const messages = this.#conversation
      .messages()
      .filter(({ id, delivery }) => fresh.has(id) || (all && delivery === "pending" && !this.#given.has(id)))
    return {
      turn: this.#turn,
      ended,
      messages,
      ...(first !== undefined && { first_reply: first }),
      ...(failure !== undefined && { error: { stage: "agent", ...failure } }),
    }
  }

  /** Tells the agent that it is over and waits until it has stopped. Throws `TARGET_UNAVAILABLE` when it does not. */
  #stop(): Promise<void> {
    this.#stopping ??= (async () => {
      this.#over.abort(new AppError("CANCELLED", "The case is over"))
      const limitMs = this.#options.stopTimeoutMs ?? STOP_TIMEOUT_MS
      let called: () => void = () => {}
      const late = new Promise<never>((_, reject) => {
        called = this.#clock.after(limitMs, () =>
          reject(
            new AppError("TARGET_UNAVAILABLE", `The agent of ${this.#setup.caseId} did not stop within ${limitMs} ms`),
          ),
        )
      })
      try {
        await Promise.race([this.#connection?.stop(), late])
      } finally {
        called()
      }
    })()
    return this.#stopping
  }
}

function isTimeUp(signal: AbortSignal): boolean {
  return signal.aborted && signal.reason instanceof EvaluationReplyTimeout
}

function unaccepted(what: string): AppError {
  return new AppError("TARGET_UNAVAILABLE", `${what} were not accepted in the time for an answer`)
}
