import { z } from "zod"
import { isJsonObject, type JsonObject } from "./json.ts"
import { ScriptTime } from "./time.ts"

const json = z.custom<JsonObject>(isJsonObject, "expected an object")

/** Who speaks. Chat text never changes who that is, and never grants a permission. */
export const Participant = z.enum([
  "buyer", // the outside party
  "agent", // the system under test
  "human_native", // a colleague of the agent, in the messenger itself
  "human_console", // a colleague of the agent, from the host's console
  "system", // notices of the channel
  "unknown",
])
export type Participant = z.infer<typeof Participant>

/** Whether the agent answers by itself. */
export const Reception = z.enum(["on", "paused", "handed_off"])
export type Reception = z.infer<typeof Reception>

/** What a message is made of. `text` of the message is the rendering that models read. */
export const MessagePart = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("text"), text: z.string() }),
  z.looseObject({ type: z.literal("card"), texts: z.array(z.string()) }),
  z.looseObject({ type: z.literal("link"), url: z.string() }),
  z.looseObject({ type: z.literal("image"), url: z.string().nullable().default(null) }),
  z.looseObject({ type: z.literal("other") }),
])
export type MessagePart = z.infer<typeof MessagePart>

/** What became of a message on its way. `unknown`: it may have arrived or not; it is never sent again by itself. */
export const DeliveryOutcome = z.enum(["pending", "sent", "unknown", "failed"])
export type DeliveryOutcome = z.infer<typeof DeliveryOutcome>

/** One utterance of a conversation. */
export const ConversationMessage = z.looseObject({
  id: z.string().min(1),
  /** Buyer turns from 1; 0: before the first. */
  turn: z.int().nonnegative(),
  sender: Participant,
  /** When it was really sent, by the script's clock. */
  at: ScriptTime,
  text: z.string(),
  parts: z.array(MessagePart).optional(), // absent: the text alone
  /** `private`: seen by the agent only, never by the buyer. */
  channel: z.enum(["conversation", "private"]).default("conversation"),
  origin: z.enum(["simulated", "original"]).default("simulated"),
  /** Ids of the messages it answers, where the agent said so. */
  answers: z.array(z.string()).optional(),
  delivery: DeliveryOutcome.default("sent"),
})
export type ConversationMessage = z.infer<typeof ConversationMessage>

/** Where an answer of a world came from. */
export const ToolClass = z.enum([
  "hit", // recorded facts
  "miss", // there is nothing on record
  "passthrough", // not the world's to answer: a live table, the conversation itself
])
export type ToolClass = z.infer<typeof ToolClass>

/** Why a replayed read gave what it gave. */
export const ReplayReason = z.enum([
  "matched",
  "record_unavailable", // the record says that the data could not be had
  "no_command_record", // nothing is on record for the command
  "order_not_collected", // an order read, and nothing is on record for the command
  "arguments_mismatch", // on record with other arguments only
  "not_yet_available", // on record, but all of it later than the story is
])
export type ReplayReason = z.infer<typeof ReplayReason>

/** One call of a tool by the agent, and what it was answered. */
export const ToolRecord = z.looseObject({
  id: z.string().min(1),
  turn: z.int().nonnegative(),
  at: ScriptTime,
  name: z.string(),
  arguments: json,
  ok: z.boolean(),
  /** The text that the agent was given. */
  content: z.string(),
  /** The same as data, where the world has it so. */
  data: z.json().optional(),
  class: ToolClass,
  reason: ReplayReason.optional(),
  /** A miss that a fair verdict needed. */
  affects_conclusion: z.boolean().optional(),
  /** Whether it changed the world; reads leave it out. */
  write: z.boolean().optional(),
  /** Of a world of tables: digest of the state after the call. */
  state: z.string().optional(),
})
export type ToolRecord = z.infer<typeof ToolRecord>
