import { z } from "zod"
import { ScriptTime } from "./time.ts"

/** A buyer's words that were also said in the original conversation, and how a human answered them there. */
export const HumanComparison = z.looseObject({
  turn: z.int().positive(),
  buyer_message_id: z.string(), // of the play
  original_message_id: z.string(), // the same words in the original conversation
  /** Answers to them there, up to the buyer's next words. */
  human_reply_ids: z.array(z.string()).min(1),
  /** The agent's answers in the same turn of the play. */
  agent_message_ids: z.array(z.string()).min(1),
})
export type HumanComparison = z.infer<typeof HumanComparison>

const point = {
  turn: z.int().positive(),
  buyer_message_id: z.string(),
  /** When the words were really sent. */
  at: ScriptTime,
}

/** Why there is no estimate for a buyer's words. */
const IntentGap = z.enum([
  "analysis_disabled",
  "result_missing", // nobody analysed them
  "cancelled",
  "analysis_failed",
])
export type IntentGap = z.infer<typeof IntentGap>

/** How near to buying the buyer seemed after these words, before they were answered. A gap has its reason, and no figure of another time. */
export const IntentPoint = z.discriminatedUnion("status", [
  z.looseObject({ status: z.literal("observed"), ...point, score: z.number().min(0).max(1) }),
  z.strictObject({ status: z.literal("unavailable"), ...point, reason: IntentGap }),
])
export type IntentPoint = z.infer<typeof IntentPoint>

/** What a case says about selling. A case that is not before the sale says only that. */
export const CaseSales = z.looseObject({
  phase: z.enum(["presales", "other"]),
  /** Whether the buyer that we play came to buy; absent where it has no moods. */
  simulated_deal: z.boolean().optional(),
  human_comparisons: z.array(HumanComparison).optional(),
  /** By buyer message, in their order. Absent: nobody observed. */
  purchase_intent: z.array(IntentPoint).optional(),
})
export type CaseSales = z.infer<typeof CaseSales>

const count = z.int().nonnegative()
const Interval = z.object({ low: z.number(), high: z.number() })

/** A mean with Student's 95 % interval, absent for fewer than two. */
const Mean = z.object({ n: count, mean: z.number(), interval: Interval.optional() })

/** Of a run: its cases before the sale that were played to an end with a usable buyer. */
export const SalesSummary = z.looseObject({
  cases: count,
  /** Of the cases whose buyer has moods; absent where none has. */
  deals: z.object({ count, of: count, rate: z.number(), interval: Interval }).optional(),
  /** Absent: nobody observed. Of 0 to 1; `first` and `last` over the cases in which the first, or last, words have an estimate. */
  intent: z
    .looseObject({
      observed: count, // the buyer's messages with an estimate
      unavailable: z.record(z.string(), count), // reason → messages without
      first: Mean.optional(),
      last: Mean.optional(),
      /** Last less first, over the cases that have both. */
      rise: Mean.optional(),
    })
    .optional(),
  /** Cases with answers that stand beside a human's, and how many such answers. */
  human_comparisons: z.object({ cases: count, pairs: count }).optional(),
})
export type SalesSummary = z.infer<typeof SalesSummary>

/** Of a run: what colleagues of the agent did, as scripts plan it. */
export const ColleagueSummary = z.looseObject({
  planned: count, // cases for which an action was drawn
  acted: count, // of them those in which it came to it
  kinds: z.record(z.string(), count), // kind → actions
})
export type ColleagueSummary = z.infer<typeof ColleagueSummary>
