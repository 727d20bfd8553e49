import type { ConversationMessage } from "../core/conversation.ts"
import type { JsonObject } from "../core/json.ts"
import type { Usage } from "../core/model.ts"
import type { ScriptTime } from "../core/time.ts"
import type { Emit } from "../core/trace.ts"
import type { ToolHost } from "./tools.ts"

/** A service agent: an object in this process, or what speaks for one elsewhere (HTTP, an OpenAI-compatible endpoint). */
export interface ServiceAgent {
  identity(): JsonObject
  /** Joins a conversation; one connection is one case. Rejects when the agent cannot be had. */
  connect(desk: ServiceDesk): Promise<ServiceConnection>
}

export interface ServiceConnection {
  /** Stops the agent's work and waits until it has stopped. Stopping twice is fine. */
  stop(): Promise<void>
}

/** What the agent has at its end of the conversation. Public facts only: no goal, no checks, nothing of the script. */
export interface ServiceDesk {
  readonly conversationId: string
  readonly language: "zh" | "en"
  readonly timeZone: string
  /** Who writes, as the channel knows it; facts that the shop's own system would show beside the chat. */
  readonly customer: JsonObject
  readonly tools: ToolHost // calls are recorded as they are made
  readonly emit: Emit
  /** Aborted when the case is over. */
  readonly signal: AbortSignal
  /** The story's time. */
  now(): ScriptTime
  /** All that was said so far, the agent's own words too. */
  history(): readonly ConversationMessage[]
  /**
   * The next batch of unread messages, waited for while the reception is on. Taking it marks it as submitted and as read (`consumed`);
   * with `read: false` as submitted only: a carrier then says `consumed` when the agent at the other end has read them.
   */
  take(signal: AbortSignal, options?: { readonly read?: boolean }): Promise<readonly ConversationMessage[]>
  consumed(messageIds: readonly string[]): void
  /**
   * The only way out. Resolves with the receipt when the words are on record as sent. They go to the buyer, or, where they answer
   * nothing but private words (`answers`, else all that was read in this turn), to the colleague who said those; `to` says otherwise.
   * Throws `CONFLICT` while a human has taken over, `DELIVERY_UNKNOWN` when nobody knows whether they arrived: not to be sent again.
   */
  send(
    text: string,
    options?: { readonly answers?: readonly string[]; readonly to?: "buyer" | "colleague" },
  ): Promise<{ readonly message_id: string }>
  /** Asks for a human; resolves with whether one takes over. */
  handOff(reason: string): Promise<{ readonly confirmed: boolean }>
  /**
   * Ends the turn that `take` (or `consumed`) began. An `error` fails the case unless a later turn of the same input ends well, and
   * that one has to end before anybody looks: an agent that tries again does so before it ends its turn.
   */
  endTurn(end: {
    readonly reason: "completed" | "error" | "aborted" | "interrupted"
    readonly error?: { readonly code: string; readonly message: string; readonly retryable: boolean }
    readonly usage?: { model_calls: number } & Usage
  }): void
}
