import type { Conversation } from "../channel/conversation.ts"
import type { ConversationMessage } from "../core/conversation.ts"
import type { JsonObject } from "../core/json.ts"

/** Words that the agent is about to be given. */
export interface ContextRequest {
  readonly conversation: Conversation
  readonly language: "zh" | "en"
  readonly batch: readonly ConversationMessage[]
}

/** What tells an agent more than was said: a private note beside a batch of words, which the buyer never sees. */
export interface ContextProvider {
  /** What may change notes, and so answers; never a secret. */
  identity(): JsonObject
  /** Undefined: no note. What it throws is told to viewers and means no note; the words reach the agent either way. */
  note(request: ContextRequest, signal: AbortSignal): Promise<string | undefined>
}
