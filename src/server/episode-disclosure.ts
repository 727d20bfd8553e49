import { CaseRecord } from "../core/case-record.ts"
import { ConversationMessage, ToolRecord } from "../core/conversation.ts"
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts"
import type { EpisodeEvent, EpisodeRecord } from "../core/trace.ts"
import { leaveOut, type Private } from "../store/leave-out.ts"
import { publicDetail, publicPurchase } from "./disclosure.ts"

/** What readers of an episode are shown unless they ask for all: what the agent saw and did, its thoughts, and how it ended. */
const SHOWN: ReadonlySet<Private> = new Set(["reasoning", "persona"])

/** Members of a case's evidence where it has no record. */
const SEEN = ["messages", "tools", "turns", "human_actions", "first_replies", "usage"] as const

/** What an environment tells at the start and no agent is shown; a server that was asked for its goal may have put it there. */
const PRIVATE_INFO = new Set(["goal", "purchase", "reward_detail", "price_upper"])

/**
 * The episode without what no model was shown (goal, budget and what quotes them; hidden facts; the buyer's side), and without members and
 * events that are not known to be free of it. `withheld` names what was left out, as paths.
 */
export function publicEpisode(record: EpisodeRecord): { readonly episode: EpisodeRecord; readonly withheld: string[] } {
  const { left_out: _, ...left } = leaveOut(record, SHOWN)
  const shown = left as EpisodeRecord // nothing but `left_out` was taken from it
  const { evidence, reward } = shown
  const played = CaseRecord.safeParse(record.evidence.case)
  const episode: EpisodeRecord = {
    ...shown,
    ...(reward !== undefined && { reward: { ...reward, detail: publicDetail(reward.detail) } }),
    events: shown.events.map(publicEvent),
    evidence: {
      ...(isJsonObject(evidence.purchase) ? { purchase: publicPurchase(evidence.purchase) } : evidence),
      ...kept(record.evidence, ["first_replies"]),
      ...(isJsonObject(record.evidence.seen) && { seen: kept(record.evidence.seen, SEEN) }),
      ...(played.success && { case: publicCase(played.data).record as JsonObject }),
    },
  }
  const { events: _events, messages: _messages, ...rest } = record as unknown as JsonObject // a record is JSON
  const lost = new Set(record.events.map(({ type }) => type))
  for (const { type } of episode.events) lost.delete(type)
  return {
    episode,
    withheld: [...leftOut(rest, episode as unknown as JsonObject), ...[...lost].map((type) => `events.${type}`)],
  }
}

function publicEvent(event: EpisodeEvent): EpisodeEvent {
  switch (event.type) {
    case "episode_start":
      return { ...event, info: without(event.info, PRIVATE_INFO) }
    case "message":
      return { ...event, message: known(event.message, ConversationMessage.shape) }
    case "tool":
      return { ...event, tool: known(event.tool, ToolRecord.shape) }
    default:
      return event
  }
}

/** The case without what its agent could not know: facts, expectations, the original conversation, the state of its world. */
export function publicCase(record: CaseRecord): { readonly record: CaseRecord; readonly withheld: string[] } {
  const { judge_inputs, sales } = record
  const { simulated_deal: _, human_comparisons: __, ...phase } = sales ?? {}
  const shown: CaseRecord = {
    ...(kept(record as JsonObject, CASE_SHOWN) as unknown as CaseRecord), // with what follows, it has all that it needs
    messages: record.messages.map((message) => known(message, ConversationMessage.shape)),
    tools: record.tools.map((tool) => known(tool, ToolRecord.shape)),
    original_messages: [],
    judge_inputs: {
      checks: judge_inputs.checks.map(({ id, kind, text, weight, blocking }) => {
        return { id, kind, text, weight, blocking, fact_keys: [], required_reads: [] }
      }),
      required_facts: [],
      required_reads: [],
      order_facts_available: judge_inputs.order_facts_available,
    },
    ...(sales !== undefined && { sales: phase as typeof sales }), // what is left is of the same kind
    ...(record.buyer_invalid_reason !== undefined && { buyer_invalid_reason: "withheld" }), // it may quote what was held back
  }
  return { record: shown, withheld: leftOut(record as JsonObject, shown as JsonObject) }
}

const CASE_SHOWN = [
  "schema",
  "case_id",
  "case_revision",
  "script_id",
  "language",
  "time_zone",
  "category",
  "end_reason",
  "ended_at",
  "turns",
  "human_actions",
  "usage",
  "error",
]

function kept(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => keys.includes(key)))
}

function without(object: JsonObject, keys: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.has(key)))
}

/** The object with the members that `shape` names. */
function known<T extends object>(object: T, shape: object): T {
  return Object.fromEntries(Object.entries(object).filter(([key]) => Object.hasOwn(shape, key))) as T // optional members may be missing
}

/** Paths of what `after` has no more, or has empty or changed; items of a list share one path. */
function leftOut(before: Json | undefined, after: Json | undefined, path = ""): string[] {
  if (after === undefined) return [path]
  if (Array.isArray(before) && Array.isArray(after)) {
    if (before.length !== after.length) return [path]
    return [...new Set(before.flatMap((item, index) => leftOut(item, after[index], path)))]
  }
  if (isJsonObject(before) && isJsonObject(after)) {
    return Object.entries(before).flatMap(([key, value]) => {
      return value === undefined ? [] : leftOut(value, after[key], path === "" ? key : `${path}.${key}`)
    })
  }
  return before === after ? [] : [path]
}
