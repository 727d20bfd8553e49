import type { ConversationMessage } from "../../core/conversation.ts"
import type { JsonObject } from "../../core/json.ts"
import type { Usage } from "../../core/model.ts"
import type { ScriptTime } from "../../core/time.ts"
import type { Script } from "../script.ts"
import type { ReplyObservation } from "../target.ts"
import type { BuyerCard } from "./card.ts"
import type { Finding } from "./knowledge.ts"
import type { WritingStyle } from "./style.ts"

/** How far a buyer has come with the purchase. `ordering`: it would order now. */
export const MOODS = ["cold", "curious", "considering", "hesitating", "ordering", "put_off", "satisfied"] as const
export type Mood = (typeof MOODS)[number]

/** What a buyer does in one step. */
export type BuyerStep =
  | { readonly do: "say"; readonly text: string; readonly at?: ScriptTime }
  | { readonly do: "wait"; readonly until: ScriptTime }
  | { readonly do: "record_mood"; readonly mood: Mood; readonly reason: string; readonly evidence: readonly string[] }
  | { readonly do: "finish"; readonly outcome: "goal_reached" | "abandoned"; readonly reason: string }
  /** No action came of the step. `broken`: what came cannot be used at all, and says nothing about what the buyer wanted. */
  | { readonly do: "nothing"; readonly why: string; readonly broken: boolean }

/** What a buyer is told before its next step. */
export type BuyerNews =
  | { readonly kind: "opened"; readonly now: ScriptTime }
  | {
      readonly kind: "answered"
      readonly now: ScriptTime
      readonly ended: ReplyObservation["ended"]
      /** The buyer's own words, as they were sent. */
      readonly said: string
      /** What others said in the conversation since the last news. */
      readonly messages: readonly ConversationMessage[]
      /** The goodbye of the draft, which waits. */
      readonly held: string | undefined
    }
  | { readonly kind: "rejected"; readonly findings: readonly Finding[]; readonly reason: string }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "done"; readonly now: ScriptTime }
  | { readonly kind: "reminder"; readonly why: string }

/** Who decides what the buyer does: rules with the script's own words, or a model. One per case. */
export interface BuyerMind {
  /** The buyer's next step. Rejects for faults of the model's host. */
  step(news: BuyerNews, signal: AbortSignal): Promise<BuyerStep>
  usage(): ({ model_calls: number } & Usage) | undefined
  close(): Promise<void>
}

/** Makes the mind of one case. */
export interface BuyerMinds {
  readonly mode: "template" | "model"
  identity(): JsonObject
  open(situation: BuyerSituation): BuyerMind
}

/** What a mind is given once, when the case opens. */
export interface BuyerSituation {
  readonly script: Script
  readonly card: BuyerCard
  readonly style: WritingStyle | undefined
}
