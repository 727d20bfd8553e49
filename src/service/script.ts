import { z } from "zod"
import { Check, HumanPlan, ReadRef, RequiredFact } from "../core/case-record.ts"
import { ConversationMessage } from "../core/conversation.ts"
import { isJsonObject, type JsonObject } from "../core/json.ts"
import { ScriptTime } from "../core/time.ts"

const json = z.custom<JsonObject>(isJsonObject, "expected an object")

export const SCRIPT_SCHEMA = "souk.script/1"

/** One recorded answer of the shop: what a command gave when it was asked. */
export const ReplayEntry = z.looseObject({
  shop_id: z.string(),
  case_id: z.string(),
  /** Absent: of every revision of the case. */
  case_revision: z.int().nonnegative().optional(),
  command: z.string().min(1),
  /** Canonical arguments, without `at`. */
  arguments: json,
  observed_at: ScriptTime,
  /** From when in the story it may be told, where that is not when it was observed. */
  valid_from: ScriptTime.optional(),
  valid_through: ScriptTime.optional(), // told, never enforced
  /** Either a result, or why there is none. */
  result: z.json().optional(),
  unavailable: z.looseObject({ reason: z.string() }).optional(),
})
export type ReplayEntry = z.infer<typeof ReplayEntry>

/** One thing that an agent does in its turn. */
export const AgentStep = z.union([
  z.strictObject({ say: z.string().min(1) }),
  z.strictObject({ call: z.strictObject({ name: z.string().min(1), arguments: json }) }),
  z.strictObject({ hand_off: z.string().min(1) }),
])
export type AgentStep = z.infer<typeof AgentStep>

/** How the script can be passed, and what must come of it. */
const Gold = z.looseObject({
  /** The calls that bring about the wanted state. */
  actions: z.array(z.looseObject({ name: z.string(), arguments: json })).default([]),
  /** What the agent must tell the buyer. */
  outputs: z.array(z.string()).default([]),
  /** A whole good play of the agent's side, by buyer message. */
  turns: z.array(z.array(AgentStep)).optional(),
})

/** The frozen play of one case. A version (`id`) never changes; what is only for the buyer or the judge never reaches the agent. */
export const Script = z.looseObject({
  schema: z.literal(SCRIPT_SCHEMA),
  id: z.string().min(1),
  case_id: z.string().min(1),
  case_revision: z.int().nonnegative().default(1),
  language: z.enum(["zh", "en"]),
  time_zone: z.string().default("Asia/Shanghai"),
  title: z.string().optional(),
  category: z.string().nullable().default(null), // `presales`, `order`, `return`, `complaint`, `safety`, …
  difficulty: z.string().optional(),
  phase: z.enum(["presales", "other"]).optional(),
  /** Who writes, as the channel knows it: `shop_id`, `customer_id`, … */
  identity: json.default({}),
  starts_at: ScriptTime,
  /** What the buyer wants; private. */
  goal: z.string().default(""),
  reference_outcome: z.string().optional(),
  /** How the play ends when it is played to its end. */
  outcome: z.enum(["goal_reached", "abandoned"]).default("goal_reached"),
  /** What the deterministic buyer says, and when. */
  segments: z.array(z.looseObject({ at: ScriptTime, texts: z.array(z.string().min(1)).min(1) })).default([]),
  human_actions: z.array(HumanPlan).default([]),
  /** What a colleague does whom the agent asks to take over. Absent: takes over, and the case ends there. */
  handoff: z
    .looseObject({
      confirmed: z.boolean().default(true),
      /** What the colleague says to the buyer. */
      text: z.string().min(1).optional(),
      /** Whether the agent goes on afterwards. */
      resume: z.boolean().default(false),
    })
    .optional(),
  checks: z.array(Check).default([]),
  required_facts: z.array(RequiredFact).default([]),
  required_reads: z.array(ReadRef).default([]),
  order_facts_available: z.boolean().default(false),
  replay: z.array(ReplayEntry).default([]),
  original_messages: z.array(ConversationMessage).default([]),
  /** What a simulated buyer knows and how it is; private. */
  buyer: json.optional(),
  /** Calls that bring a world of tables into the script's starting state. */
  initialization: z.array(z.looseObject({ name: z.string(), arguments: json })).default([]),
  gold: Gold.optional(),
})
export type Script = z.infer<typeof Script>
