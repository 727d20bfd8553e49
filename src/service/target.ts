import type { HumanPlan, TurnRecord } from "../core/case-record.ts"
import type { ConversationMessage } from "../core/conversation.ts"
import type { JsonObject } from "../core/json.ts"
import type { Usage } from "../core/model.ts"
import type { ScriptTime } from "../core/time.ts"
import type { Emit } from "../core/trace.ts"
import type { Script } from "./script.ts"
import type { ScriptClock } from "./script-clock.ts"
import type { ToolHost } from "./tools.ts"

/** The reason of an abort signal whose wait for an answer was up: work in flight may go on, and comes with the next step. */
export class EvaluationReplyTimeout extends Error {
  override readonly name = "EvaluationReplyTimeout"
}

export interface TargetSetup {
  readonly caseId: string
  readonly script: Script
  readonly clock: ScriptClock
  readonly tools: ToolHost
  readonly emit: Emit
  readonly signal: AbortSignal
}

/** What is evaluated, and how to talk to it. One session is one case. */
export interface EvaluationTarget<Binding = unknown> {
  /** What may change answers, without secrets or addresses. */
  identity(): JsonObject
  /** Rejects when the session cannot be prepared; nothing is left open then. */
  open(setup: TargetSetup): Promise<TargetSession<Binding>>
}

/** What one step brought: messages and calls since the last one, late ones of earlier steps too, each exactly once. */
export interface ReplyObservation {
  readonly turn: number
  /** How the wait ended. */
  readonly ended: TurnRecord["ended"]
  /** New in the conversation, the buyer's own and private ones among them, in the order they were sent. */
  readonly messages: readonly ConversationMessage[]
  /** Milliseconds of the host, see `FirstReply`; absent: this turn is not measured. */
  readonly first_reply?: { readonly delivered_ms: number | null; readonly observed_ms: number }
  /** The failure of the model or the carrier that ends the case (the last turn's, or one that nobody had looked at yet). */
  readonly error?: {
    readonly stage: string
    readonly code: string
    readonly message: string
    readonly retryable: boolean
  }
}

/** Called once a human's words are on record; exactly once, and never for words that were refused. */
export type Accepted = () => void

/** A session under test. Steps come one at a time; whatever happens, `close` is called once at the end. */
export interface TargetSession<Binding = unknown> {
  readonly binding: Binding
  /** Moves the story's clock. */
  advance(to: ScriptTime, signal: AbortSignal): Promise<void>
  /**
   * Says the buyer's words and waits for what comes of it; `human` speaks after they were accepted, before the answer is collected.
   * When `signal` aborts with an `EvaluationReplyTimeout`, what there is by then is given (`timed_out`) and the agent works on; words
   * that were not even accepted by then are a failure, thrown once their acceptance has ended one way or the other. Any other abort
   * stops the agent, is waited out, and gives what there is (`cancelled`).
   */
  send(
    text: string,
    signal: AbortSignal,
    human?: { readonly plan: HumanPlan; readonly accepted: Accepted },
  ): Promise<ReplyObservation>
  /** A human acts before the buyer speaks, or after the answer. */
  intervene?(plan: HumanPlan, signal: AbortSignal, accepted: Accepted): Promise<ReplyObservation>
  /** Turns automatic reception on again after a confirmed hand-off, by the switch that is used in production. */
  resume?(text: string | null, signal: AbortSignal): Promise<ReplyObservation>
  /** Stops the agent, waits until it has stopped, and gives what was not collected yet, with a failure that nobody has looked at yet. */
  close(): Promise<ReplyObservation | null>
  /** Tokens by party so far. */
  usage(): Readonly<Record<string, { model_calls: number } & Usage>>
}
