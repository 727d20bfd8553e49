import type { CaseEndReason, FirstReply, HumanAction, HumanPlan, TurnRecord } from "../core/case-record.ts"
import type { ConversationMessage, ToolRecord } from "../core/conversation.ts"
import type { ScriptTime } from "../core/time.ts"
import { scriptTimePlus } from "../core/time.ts"
import type { Emit } from "../core/trace.ts"
import type { HostClock } from "../lib/clock.ts"
import { type CaseFault, type CaseStage, faultOf } from "./failure.ts"
import { channelOf } from "./human.ts"
import type { EvaluationRole, RoleAction } from "./role.ts"
import type { RunnerConfig } from "./runner-config.ts"
import type { Script } from "./script.ts"
import type { ScriptClock } from "./script-clock.ts"
import { EvaluationReplyTimeout, type ReplyObservation, type TargetSession } from "./target.ts"

/** What a case has gathered so far. Grows only; whatever breaks, this is kept. */
export class CaseNotes {
  readonly messages: ConversationMessage[] = []
  readonly tools: ToolRecord[] = []
  readonly turns: TurnRecord[] = []
  readonly humanActions: HumanAction[] = []
  readonly firstReplies: FirstReply[] = []
  /** The buyer turn under way, or the last one. */
  turn = 0
  buyerMessages = 0
  /** Until when the story has been waited through: a wait that ran out took its time of the story too. */
  waitedUntil: ScriptTime | undefined
  readonly #known = new Set<string>()

  add(messages: readonly ConversationMessage[]): void {
    for (const message of messages) {
      if (this.#known.has(message.id)) continue
      this.#known.add(message.id)
      this.messages.push(message)
    }
  }
}

export type DialogueEnd =
  | {
      readonly kind: "ended"
      readonly reason: Extract<CaseEndReason, "goal_reached" | "abandoned" | "reception_paused" | "message_limit">
    }
  | { readonly kind: "failed"; readonly fault: CaseFault; readonly error?: unknown }
  | { readonly kind: "invalid"; readonly reason: string }
  | { readonly kind: "buyer_timeout"; readonly fault: CaseFault }
  | { readonly kind: "cancelled" }

export interface DialogueParts<Binding> {
  readonly script: Script
  readonly role: EvaluationRole<Binding>
  readonly session: TargetSession<Binding>
  readonly clock: ScriptClock
  readonly hostClock: HostClock
  readonly config: RunnerConfig
  readonly human: HumanPlan | undefined
  readonly notes: CaseNotes
  /** The first fault of the world, if there was one. */
  readonly worldFault: () => unknown
  readonly emit: Emit
  readonly signal: AbortSignal
}

/**
 * Plays a case: asks the role what it does, has the target do it, gives the role what came of it. Resolves for every way this can
 * end; evidence is in `notes`. One buyer turn is: a colleague before the buyer, the buyer's words (with a colleague after them), the
 * answer, a colleague after the answer.
 */
export async function playDialogue<Binding>(parts: DialogueParts<Binding>): Promise<DialogueEnd> {
  return new Dialogue(parts).play()
}

/** A step that broke, with the stage it broke in. */
class StepFault extends Error {
  readonly stage: CaseStage
  override readonly cause: unknown

  constructor(stage: CaseStage, cause: unknown) {
    super(stage)
    this.stage = stage
    this.cause = cause
  }
}

class Dialogue<Binding> {
  readonly #parts: DialogueParts<Binding>
  readonly #roleOver = new AbortController()
  readonly #actions: AsyncGenerator<RoleAction, void, ReplyObservation | undefined>

  constructor(parts: DialogueParts<Binding>) {
    this.#parts = parts
    const { role, script, session, signal } = parts
    this.#actions = role.actions(script, AbortSignal.any([signal, this.#roleOver.signal]), session.binding)
  }

  async play(): Promise<DialogueEnd> {
    let end: DialogueEnd
    try {
      end = await this.#steps()
    } catch (error) {
      end = failed(error)
    }
    try {
      // A role that took too long still thinks: it was told to stop, and is not waited for.
      if (end.kind !== "buyer_timeout") await this.#actions.return()
    } catch (error) {
      if (end.kind === "ended") end = failed(error)
    }
    this.#roleOver.abort()
    return this.#parts.signal.aborted ? { kind: "cancelled" } : end
  }

  async #steps(): Promise<DialogueEnd> {
    const { script, config, notes, signal, clock, emit } = this.#parts
    let idle = 0
    let back: ReplyObservation | undefined
    for (;;) {
      if (signal.aborted) return { kind: "cancelled" }
      const next = await this.#next(back)
      back = undefined
      if (next === "timeout") return buyerTimeout(config.buyerStepTimeoutMs)
      const action: RoleAction = next.done ? { kind: "idle" } : next.value
      idle = action.kind === "idle" ? (next.done ? 2 : idle + 1) : 0
      switch (action.kind) {
        case "advance":
          await this.#step("advance", (until) => this.#parts.session.advance(action.to, until))
          emit({ type: "clock", step: notes.turn, turn: notes.turn, at: clock.now() })
          break
        case "send": {
          if (notes.buyerMessages >= config.maxBuyerMessages) return { kind: "ended", reason: "message_limit" }
          const result = await this.#turn(action.text)
          if ("kind" in result) return result
          back = result
          break
        }
        case "end":
          return { kind: "ended", reason: action.outcome }
        case "invalid":
          return { kind: "invalid", reason: action.reason }
        case "idle":
          if (idle < 2) break
          if (notes.buyerMessages === 0) return { kind: "failed", fault: nothingSaid() }
          return { kind: "ended", reason: script.outcome }
        default:
          action satisfies never
      }
    }
  }

  /** The role's next action, or `timeout` when it has taken its time; it is told to stop then. */
  async #next(back: ReplyObservation | undefined): Promise<IteratorResult<RoleAction, void> | "timeout"> {
    const { hostClock, config } = this.#parts
    const asked = this.#actions.next(back)
    let called: () => void = () => {}
    const late = new Promise<"timeout">((resolve) => {
      called = hostClock.after(config.buyerStepTimeoutMs, () => resolve("timeout"))
    })
    const next = await Promise.race([asked, late]).finally(() => called())
    if (next === "timeout") {
      this.#roleOver.abort(new Error("The buyer's step took too long"))
      asked.catch(() => {})
    }
    return next
  }

  /** One buyer turn. Gives what the role may see of it, or how it ended the case. */
  async #turn(text: string): Promise<ReplyObservation | DialogueEnd> {
    const { session, notes, human } = this.#parts
    const turn = notes.turn + 1
    const seen: ConversationMessage[] = []
    const due = human?.turn === turn ? human : undefined
    notes.turn = turn
    if (due?.phase === "before-buyer") {
      const end = this.#look(await this.#intervene(due), seen)
      if (end !== undefined) return end
    }
    const accepted = due?.phase === "after-buyer" ? { plan: due, accepted: this.#accepted(due) } : undefined
    let observed = await this.#step("send", (until) => session.send(text, until, accepted))
    this.#sent(observed)
    let end = this.#look(observed, seen)
    while (end === undefined && observed.ended === "handed_off") {
      if (session.resume === undefined) return { kind: "ended", reason: "reception_paused" }
      const words = this.#parts.script.handoff?.text ?? null
      observed = await this.#step("resume", (until) => session.resume!(words, until))
      end = this.#look(observed, seen)
    }
    if (end !== undefined) return end
    if (due?.phase === "after-reply") {
      end = this.#look(await this.#intervene(due), seen)
      if (end !== undefined) return end
    }
    return { ...observed, messages: seen }
  }

  async #intervene(plan: HumanPlan): Promise<ReplyObservation> {
    const { session } = this.#parts
    const intervene = session.intervene?.bind(session)
    if (intervene === undefined) return { turn: plan.turn, ended: "answered", messages: [] } // it knows no colleagues
    return this.#step("intervene", (until) => intervene(plan, until, this.#accepted(plan)))
  }

  /** Puts a colleague's action on record, once, whatever the target says. */
  #accepted(plan: HumanPlan): () => void {
    let done = false
    return () => {
      if (done) return
      done = true
      const { notes, clock, emit } = this.#parts
      const { kind, turn, text } = plan
      const action: HumanAction = { kind, turn, at: clock.now(), channel: channelOf(kind), text }
      notes.humanActions.push(action)
      emit({ type: "human_action", step: turn, action })
    }
  }

  /** The buyer's words went out: the turn is played, and its first reply measured. */
  #sent(observed: ReplyObservation): void {
    const { notes, clock, config, emit } = this.#parts
    const { ended, first_reply } = observed
    if (ended === "error" && !observed.messages.some(({ sender, turn }) => sender === "buyer" && turn === notes.turn)) {
      notes.turn -= 1 // an earlier failure was met first: nothing was said
      return
    }
    const turn = notes.turn
    notes.buyerMessages += 1
    if (ended === "timed_out") notes.waitedUntil = scriptTimePlus(clock.now(), config.responseTimeoutMs)
    notes.turns.push({ turn, ended })
    if (first_reply !== undefined) notes.firstReplies.push({ turn, ...first_reply, goal_ms: config.firstReplyTargetMs })
    emit({ type: "reply", step: turn, turn, at: clock.now(), ended, ...first_reply })
  }

  /** Keeps what a step brought. Gives how the case ends because of it, if it does; `seen` collects what the buyer sees. */
  #look(observed: ReplyObservation, seen: ConversationMessage[]): DialogueEnd | undefined {
    const { notes, signal, worldFault } = this.#parts
    notes.add(observed.messages)
    seen.push(...observed.messages.filter(({ channel, delivery }) => channel === "conversation" && delivery === "sent"))
    if (signal.aborted) return { kind: "cancelled" }
    const broken = worldFault()
    if (broken !== undefined) return { kind: "failed", fault: faultOf("world", broken), error: broken }
    if (observed.error !== undefined) return { kind: "failed", fault: observed.error }
    if (observed.ended === "error" || observed.ended === "cancelled") return { kind: "failed", fault: unexplained() }
    if (observed.ended === "paused") return { kind: "ended", reason: "reception_paused" }
    return undefined
  }

  /** Does one step of the target with the time it has. */
  async #step<T>(stage: CaseStage, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { signal, hostClock, config } = this.#parts
    const timeUp = new AbortController()
    const called = hostClock.after(config.responseTimeoutMs, () =>
      timeUp.abort(new EvaluationReplyTimeout(`No answer within ${config.responseTimeoutMs} ms`)),
    )
    try {
      return await work(AbortSignal.any([signal, timeUp.signal]))
    } catch (error) {
      throw new StepFault(stage, error)
    } finally {
      called()
    }
  }
}

function failed(error: unknown): DialogueEnd {
  const known = error instanceof StepFault
  const cause = known ? error.cause : error
  return { kind: "failed", fault: faultOf(known ? error.stage : "role", cause), error: cause }
}

function unexplained(): CaseFault {
  const message = "The target ended the step as failed, and did not say why"
  return { stage: "agent", code: "TARGET_UNAVAILABLE", message, retryable: false }
}

function buyerTimeout(limitMs: number): DialogueEnd {
  const message = `The buyer's side did not act within ${limitMs} ms`
  return { kind: "buyer_timeout", fault: { stage: "role", code: "BUYER_STEP_TIMEOUT", message, retryable: true } }
}

function nothingSaid(): CaseFault {
  const message = "The buyer's side did nothing, twice, before saying anything"
  return { stage: "role", code: "PRACTICE_NO_OBSERVATIONS", message, retryable: true }
}
