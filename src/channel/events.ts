import { z } from "zod"
import { ConversationMessage, Reception } from "../core/conversation.ts"
import { Usage } from "../core/model.ts"
import { ScriptTime } from "../core/time.ts"

const ids = z.array(z.string())

/** How an agent's turn ended, as it says so itself. */
export const TurnEnd = z.looseObject({
  reason: z.enum(["completed", "error", "aborted", "interrupted"]),
  error: z.looseObject({ code: z.string(), message: z.string(), retryable: z.boolean() }).optional(),
  usage: z.looseObject({ model_calls: z.int().nonnegative(), ...Usage.shape }).optional(),
})
export type TurnEnd = z.infer<typeof TurnEnd>

/** What may happen in a conversation. A line of its journal is one of these with its `at`. */
export const ChannelEvent = z.discriminatedUnion("type", [
  /** What was said before: to be read, never to be answered. */
  z.looseObject({ type: z.literal("history"), messages: z.array(ConversationMessage) }),
  /** Words for the agent's side are on record. `wakes`: they ask for a turn; others are read along with the next batch. */
  z.looseObject({ type: z.literal("received"), message: ConversationMessage, wakes: z.boolean() }),
  /** The agent was given these. */
  z.looseObject({ type: z.literal("submitted"), message_ids: ids }),
  /** The agent has read these: a turn of its own is under way. */
  z.looseObject({ type: z.literal("consumed"), message_ids: ids }),
  /** Nobody will read these any more. */
  z.looseObject({ type: z.literal("dropped"), message_ids: ids, reason: z.string() }),
  /** The agent's words, before they leave. */
  z.looseObject({ type: z.literal("sending"), message: ConversationMessage }),
  z.looseObject({
    type: z.literal("delivery"),
    message_id: z.string(),
    outcome: z.enum(["sent", "failed", "unknown"]),
  }),
  z.looseObject({ type: z.literal("reception"), reception: Reception, reason: z.string() }),
  z.looseObject({ type: z.literal("turn_end"), ...TurnEnd.shape }),
])
export type ChannelEvent = z.infer<typeof ChannelEvent>

/** An event on record. */
export type LoggedEvent = ChannelEvent & {
  /** From 1, without gaps: the cursor of whoever reads along. */
  readonly seq: number
  /** The story's time. */
  readonly at: ScriptTime
  /** The host's time when it was on record, in milliseconds; of a journal that was opened again: when it was opened. */
  readonly committed_ms: number
}

export const JournalLine = z.intersection(z.looseObject({ at: ScriptTime }), ChannelEvent)
