import { z } from "zod"
import { HumanAction, TurnRecord } from "./case-record.ts"
import { ConversationMessage, Reception, ToolRecord } from "./conversation.ts"
import { fingerprint } from "./fingerprint.ts"
import { isJsonObject, type JsonObject } from "./json.ts"
import { Message, ToolCall } from "./message.ts"
import { addUsage, Usage } from "./model.ts"
import { ShopperExchange } from "./shopper.ts"
import type { Skill } from "./skill.ts"
import { Job } from "./task.ts"
import { ScriptTime } from "./time.ts"

/** Version of an episode's record; a line of `traces.jsonl` is one record in the compact form of `compact.ts`. */
export const EPISODE_SCHEMA = "souk.episode/1"

/** How an episode ended as a piece of work; says nothing about how well it was played. */
export const EpisodeStatus = z.enum([
  "completed", // played to an end of its own, scored
  "failed", // something other than the agent broke: never scored, played again
  "cancelled", // stopped from outside: never scored, played again
  "invalid", // played, but what it measured does not count
])
export type EpisodeStatus = z.infer<typeof EpisodeStatus>

/** What stopped an episode, and where: `reset`, `model_step_3`, `environment_step_3`, `cleanup`, … */
export const EpisodeError = z.looseObject({
  stage: z.string(),
  code: z.string(),
  message: z.string(),
  retryable: z.boolean(),
  kind: z.string().optional(), // of a model's endpoint: `unauthorized`, `connection_failed`, …
  cleanup_errors: z.array(z.string()).optional(), // faults while closing, after the first one
})
export type EpisodeError = z.infer<typeof EpisodeError>

// Traces come out of JSON.parse: that a value is an object is all there is to check.
const json = z.custom<JsonObject>(isJsonObject, "expected an object")

/** As `ActionFeedback` of `environment.ts`. */
const Feedback = z.looseObject({
  action: z.string(),
  valid: z.boolean(),
  reason: z.string(),
  message: z.string(),
  missing_option_axes: z.array(z.string()).optional(),
})

/** Common to all events. `at_ms`: milliseconds since the episode started, stamped by the recorder. */
const event = { at_ms: z.number().optional(), step: z.number().int().optional() }

const KNOWN_EVENTS = {
  /** The task as the agent is shown it. Always first. */
  episode_start: z.looseObject({
    type: z.literal("episode_start"),
    ...event,
    instruction: z.string(),
    persona: json.nullable(),
    info: json,
  }),
  /** A page: exactly the text a model reads, and the same page as data. */
  observation: z.looseObject({ type: z.literal("observation"), ...event, text: z.string(), state: json }),
  /** One reply of a model, whatever became of it. Absent members were null or empty. */
  model_call: z.looseObject({
    type: z.literal("model_call"),
    ...event,
    outcome: z.enum(["reply", "protocol_error", "policy_failure"]),
    code: z.string().optional(), // of the error or failure
    message: z.string().optional(),
    seed: z.number().optional(),
    tools: z.array(z.string()), // names of the tools offered
    content: z.string().optional(),
    reasoning: z.string().optional(),
    tool_calls: z.array(ToolCall).optional(),
    finish_reason: z.string().optional(),
    usage: Usage.optional(),
    response_id: z.string().optional(),
    metadata: json.optional(),
    latency_ms: z.number(),
    raw_response: z.json().optional(), // only of rejected replies
  }),
  /** What reached the environment. */
  action: z.looseObject({ type: z.literal("action"), ...event, action: z.string() }),
  /** What became of the last action. */
  feedback: z.looseObject({ type: z.literal("feedback"), ...event, feedback: Feedback }),
  /** The shopper answered a question, or declined a purchase: as `ShopperExchange` of `shopper.ts`. */
  shopper: z.looseObject({ type: z.literal("shopper"), ...event, ...ShopperExchange.shape }),
  /** The episode was ended from outside the environment's own rules. */
  limit: z.looseObject({ type: z.literal("limit"), ...event, limit: z.string() }),
  /** Something said in a conversation: a buyer's words as they are received, an agent's when it is known what became of them. */
  message: z.looseObject({ type: z.literal("message"), ...event, message: ConversationMessage }),
  /** A tool that a service agent called, when it is answered. */
  tool: z.looseObject({ type: z.literal("tool"), ...event, tool: ToolRecord }),
  /** The story's clock was moved. */
  clock: z.looseObject({ type: z.literal("clock"), ...event, turn: z.int(), at: ScriptTime }),
  reception: z.looseObject({
    type: z.literal("reception"),
    ...event,
    turn: z.int(),
    at: ScriptTime,
    reception: Reception,
    reason: z.string(),
  }),
  /** A service agent ended a turn of its own. */
  turn_end: z.looseObject({
    type: z.literal("turn_end"),
    ...event,
    turn: z.int(),
    at: ScriptTime,
    reason: z.enum(["completed", "error", "aborted", "interrupted"]),
    code: z.string().optional(), // of the error
    message: z.string().optional(),
  }),
  /** A wait for a service agent's answer is over. Milliseconds are the host's. */
  reply: z.looseObject({
    type: z.literal("reply"),
    ...event,
    turn: z.int(),
    at: ScriptTime,
    ended: TurnRecord.shape.ended,
    delivered_ms: z.number().nullable().optional(), // absent: not measured
    observed_ms: z.number().optional(),
  }),
  /** A colleague of the service agent acted as the script plans it. */
  human_action: z.looseObject({ type: z.literal("human_action"), ...event, action: HumanAction }),
  /** A fault of anything but the agent. */
  error: z.looseObject({
    type: z.literal("error"),
    ...event,
    stage: z.string(),
    code: z.string(),
    message: z.string(),
    retryable: z.boolean(),
  }),
} as const

/** An event of a kind this version knows. Readers meet others too (`default` in a switch): newer writers, other suites. */
export type EpisodeEvent = z.infer<(typeof KNOWN_EVENTS)[keyof typeof KNOWN_EVENTS]>

const EpisodeEventSchema = z.unknown().check(({ value, issues }) => {
  if (!isJsonObject(value) || typeof value.type !== "string") {
    issues.push({ code: "custom", message: "expected an event", input: value })
    return
  }
  if (!Object.hasOwn(KNOWN_EVENTS, value.type)) return
  const checked = KNOWN_EVENTS[value.type as keyof typeof KNOWN_EVENTS].safeParse(value)
  for (const { path, message } of checked.error?.issues ?? [])
    issues.push({ code: "custom", path, message, input: value })
}) as unknown as z.ZodType<EpisodeEvent> // unknown types pass on purpose: see EpisodeEvent

/** The event with the members that its kind is known to have, and no others; undefined for an event of another kind. */
export function knownMembers(event: EpisodeEvent): EpisodeEvent | undefined {
  if (!Object.hasOwn(KNOWN_EVENTS, event.type)) return undefined
  const { shape } = KNOWN_EVENTS[event.type]
  return Object.fromEntries(Object.entries(event).filter(([key]) => Object.hasOwn(shape, key))) as EpisodeEvent
}

/**
 * One attempt as it was played: everything that viewers and scoring need, so that no environment is opened again.
 * `messages` is the conversation with the model, word for word; it never holds reasoning or the goal. The goal is in `evidence`.
 */
export const EpisodeRecord = z.looseObject({
  schema: z.literal(EPISODE_SCHEMA),
  suite: z.string(),
  episode_id: z.string(), // the job's key
  job: Job,
  attempt: z.number().int().positive(),
  status: EpisodeStatus,
  end_reason: z.string(), // `purchase`, `action_limit`, `generation_length`, …; `error`; `cancelled`
  started_at: z.string(), // UTC, ISO 8601
  ended_at: z.string(),
  duration_ms: z.number(),
  /** Hashes of what the manifest holds in full: the plan (`run`) and the identities of its parts. */
  provenance: z.record(z.string(), z.string()),
  usage: z.looseObject({ model_calls: z.number().int(), ...Usage.shape }),
  /** Absent where the episode was not scored. `value` is the primary figure, `detail` its parts. */
  reward: z.looseObject({ value: z.number(), detail: json }).optional(),
  error: EpisodeError.optional(),
  /** The skills that the agent was given; absent: none. */
  selected_skills: z.array(json).optional(),
  messages: z.array(Message),
  events: z.array(EpisodeEventSchema),
  evidence: json, // facts for scoring, private ones too: `goal`, `purchase`
})
export type EpisodeRecord = z.infer<typeof EpisodeRecord>

/** What a suite says at the end of a play; the recorder adds the rest. */
export type EpisodeEnd = Pick<EpisodeRecord, "status" | "end_reason" | "reward" | "error" | "evidence">

/** A message that joined the conversation with the model. The recorder keeps these as `messages`, not among the events. */
export interface ModelMessage {
  readonly type: "model_message"
  readonly message: Message
}

/** Skills that the agent was given. The recorder keeps them as `selected_skills`, not among the events. */
interface SkillsSelected {
  readonly type: "skills_selected"
  readonly skills: readonly Skill[]
}

/** What happens in an episode goes through one `Emit`, in order: to the recorder and to whoever watches. */
export type Emit = (happening: EpisodeEvent | ModelMessage | SkillsSelected) => void

/** Gathers what is emitted during one attempt into its record. `now` gives milliseconds since the epoch, `elapsed` since the start. */
export function createRecorder(
  episode: Pick<EpisodeRecord, "suite" | "job" | "attempt" | "provenance">,
  { now, onEvent }: { now: () => number; onEvent?: (event: EpisodeEvent) => void },
): { readonly emit: Emit; finish(end: EpisodeEnd): EpisodeRecord } {
  const startedAt = now()
  const messages: Message[] = []
  let selected: JsonObject[] = []
  const events: EpisodeEvent[] = []
  return {
    emit(happening) {
      if (happening.type === "model_message") {
        messages.push((happening as ModelMessage).message)
        return
      }
      if (happening.type === "skills_selected") {
        selected = (happening as SkillsSelected).skills.map((skill) => ({
          ...skill,
          content_sha256: fingerprint(skill.content),
        }))
        return
      }
      const stamped = { ...happening, at_ms: now() - startedAt } as EpisodeEvent
      events.push(stamped)
      onEvent?.(stamped)
    },
    finish(end) {
      const endedAt = now()
      return {
        schema: EPISODE_SCHEMA,
        suite: episode.suite,
        episode_id: episode.job.key,
        job: episode.job,
        attempt: episode.attempt,
        status: end.status,
        end_reason: end.end_reason,
        started_at: new Date(startedAt).toISOString(),
        ended_at: new Date(endedAt).toISOString(),
        duration_ms: endedAt - startedAt,
        provenance: episode.provenance,
        usage: usageOf(events),
        ...(end.reward && { reward: end.reward }),
        ...(end.error && { error: end.error }),
        ...(selected.length > 0 && { selected_skills: selected }),
        messages,
        events,
        evidence: end.evidence,
      }
    },
  }
}

/** Tokens over all model calls; a kind that no reply reported stays absent. */
export function usageOf(events: readonly EpisodeEvent[]): EpisodeRecord["usage"] {
  const total: EpisodeRecord["usage"] = { model_calls: 0 }
  for (const event of events) {
    if (event.type !== "model_call") continue
    total.model_calls++
    addUsage(total, event.usage)
  }
  return total
}
