import type { ConversationMessage } from "../../core/conversation.ts"
import type { JsonObject } from "../../core/json.ts"

/** What is made of a buyer's words. */
export interface BuyingInsight {
  /** How near to buying the buyer is, 0 to 1. */
  readonly intent: number
  /** What that goes by, in words for the agent. */
  readonly cues?: readonly string[]
}

/** Words of a buyer before the sale, to be made sense of before they are answered. */
export interface InsightRequest {
  readonly language: "zh" | "en"
  /** The buyer's words that nobody has answered yet. */
  readonly words: readonly ConversationMessage[]
  /** All that buyer, agent and colleagues have said to each other, `words` last. */
  readonly said: readonly ConversationMessage[]
}

/** Estimates a buyer's mind: rules, a model, a service elsewhere. */
export interface InsightAnalyzer {
  /** What may change its estimates; never a secret. */
  identity(): JsonObject
  /** Throws where there is no estimate; none is made up then, and no earlier one is taken. */
  analyze(request: InsightRequest, signal: AbortSignal): Promise<BuyingInsight>
}
