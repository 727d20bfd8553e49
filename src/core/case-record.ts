import { z } from "zod"
import { ConversationMessage, ToolRecord } from "./conversation.ts"
import { isJsonObject, type JsonObject } from "./json.ts"
import { Usage } from "./model.ts"
import { CaseSales } from "./sales.ts"
import { ScriptTime } from "./time.ts"

const json = z.custom<JsonObject>(isJsonObject, "expected an object")

/** What is looked at in a case; verdicts come later, from a judge. */
export const Check = z.looseObject({
  id: z.string().min(1),
  kind: z.enum([
    "product_fact",
    "order_fact",
    "destination",
    "process",
    "policy",
    "state",
    "communicate",
    "sales",
    "safety",
  ]),
  /** What must hold, for people. */
  text: z.string(),
  fact_keys: z.array(z.string()).default([]),
  required_reads: z.array(z.lazy(() => ReadRef)).default([]),
  weight: z.number().positive().default(1),
  /** A case fails when a blocking check fails. */
  blocking: z.boolean().default(true),
  /** What the check's own judge needs: a rule's name, expected texts, the expected change of state. */
  settings: json.optional(),
})
export type Check = z.infer<typeof Check>

/** A read of the world that a verdict depends on. */
export const ReadRef = z.looseObject({
  command: z.string().min(1),
  item_id: z.string().optional(),
  order_id: z.string().optional(),
  poi_id: z.string().optional(),
  view: z.string().optional(),
})
export type ReadRef = z.infer<typeof ReadRef>

/** A fact that verdicts may need. `available`: the agent had it without asking; a fact on record only has to be read first. */
export const RequiredFact = z.looseObject({
  key: z.string().min(1),
  available: z.boolean(),
  value: z.json().optional(),
  order_ref: z.string().optional(),
})
export type RequiredFact = z.infer<typeof RequiredFact>

/** What a colleague of the agent does in the middle of a case, as the script plans it. */
export const HumanPlan = z.strictObject({
  kind: z.enum(["answer", "correction", "stop", "proposal", "violation"]),
  /** Buyer turns from 1. */
  turn: z.int().positive(),
  phase: z.enum(["before-buyer", "after-buyer", "after-reply"]),
  text: z.string().min(1),
})
export type HumanPlan = z.infer<typeof HumanPlan>

/** A plan that was carried out. */
export const HumanAction = z.looseObject({
  kind: HumanPlan.shape.kind,
  turn: z.int().positive(),
  at: ScriptTime,
  channel: z.enum(["conversation", "private"]),
  text: z.string(),
})
export type HumanAction = z.infer<typeof HumanAction>

/** How a case ended. */
export const CaseEndReason = z.enum([
  "goal_reached",
  "abandoned",
  "reception_paused", // nobody answers any more
  "message_limit", // the buyer's messages are used up; judged like any other
  "timeout", // the attempt itself died of a limit, not merely a turn
  "cancelled",
  "error",
])
export type CaseEndReason = z.infer<typeof CaseEndReason>

/** One buyer turn: how the wait for the answer ended. */
export const TurnRecord = z.looseObject({
  turn: z.int().positive(),
  /** Of the reply wait: the agent ended its turn; time was up; the reception changed; the input was dropped; it was stopped; it broke. */
  ended: z.enum(["answered", "timed_out", "paused", "handed_off", "discarded", "cancelled", "error"]),
})
export type TurnRecord = z.infer<typeof TurnRecord>

/** Version of the record; also the revision of the contract that targets, worlds and judges share. */
export const CASE_SCHEMA = "souk.case/1"

/** What happened in one case: evidence only, no score and no verdict. */
export const CaseRecord = z.looseObject({
  schema: z.literal(CASE_SCHEMA),
  case_id: z.string().min(1),
  case_revision: z.int().nonnegative(),
  script_id: z.string().min(1),
  language: z.enum(["zh", "en"]),
  time_zone: z.string(),
  category: z.string().nullable().default(null),
  end_reason: CaseEndReason,
  /** Never earlier than anything in the record, nor than the end of the last wait. */
  ended_at: ScriptTime,
  messages: z.array(ConversationMessage),
  original_messages: z.array(ConversationMessage),
  tools: z.array(ToolRecord),
  turns: z.array(TurnRecord),
  human_actions: z.array(HumanAction),
  judge_inputs: z.looseObject({
    checks: z.array(Check),
    required_facts: z.array(RequiredFact),
    required_reads: z.array(ReadRef).default([]),
    order_facts_available: z.boolean(),
    /** Who the channel says the buyer is, which chat text cannot change. */
    identity: json.optional(),
  }),
  /** Party (`agent`, `buyer`, …) → tokens. */
  usage: z.record(z.string(), z.looseObject({ model_calls: z.int().nonnegative(), ...Usage.shape })),
  /** What the world leaves for judges: digests of the state before and after, what changed. */
  world: json.optional(),
  sales: CaseSales.optional(),
  /** Why the buyer's side made the case unusable; such a record may hold no message. */
  buyer_invalid_reason: z.string().min(1).optional(),
  error: z.looseObject({ stage: z.string(), code: z.string(), message: z.string() }).optional(),
})
export type CaseRecord = z.infer<typeof CaseRecord>

/**
 * How fast the agent answered one buyer turn, by the host's monotonic clock: from the message being on record as received to the
 * first answer on record as sent. Kept beside the record; changes no verdict.
 */
export const FirstReply = z.looseObject({
  turn: z.int().positive(),
  delivered_ms: z.number().nullable(), // null: no answer
  observed_ms: z.number(), // how long it was watched
  goal_ms: z.number(),
})
export type FirstReply = z.infer<typeof FirstReply>
