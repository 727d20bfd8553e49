import { canonicalJson } from "../core/fingerprint.ts"
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts"
import type { Message } from "../core/message.ts"
import { EpisodeRecord, knownMembers } from "../core/trace.ts"

/** What leaves a run folder only when it is asked for by name. */
export const PRIVATE = ["reasoning", "goal", "persona"] as const
export type Private = (typeof PRIVATE)[number]

/** Members of a reward's detail that quote the goal. */
const GOAL_DETAILS = ["price_upper", "explanation"]
/** Members, at any depth, that hold what a model thought. */
const REASONING = /^(reasoning(_content|_details)?|thinking|raw_response)$/
/** Thoughts of models whose server leaves them in the text. */
const THOUGHTS = /<think>[\s\S]*?(?:<\/think>\s*|$)/g

/**
 * The record without what `include` does not name, which is then listed in its `left_out`. Where anything is left out, so are members,
 * events and facts that are not known to be free of it.
 */
export function leaveOut(record: EpisodeRecord, include: ReadonlySet<Private>): EpisodeRecord & { left_out?: Json } {
  const missing = PRIVATE.filter((name) => !include.has(name))
  if (missing.length === 0) return record
  let shown = onlyKnown(record)
  if (!include.has("reasoning")) shown = withoutReasoning(shown)
  if (!include.has("goal")) shown = withoutGoal(shown)
  if (!include.has("persona")) shown = withoutPersona(shown)
  return { ...shown, left_out: missing }
}

function onlyKnown(record: EpisodeRecord): EpisodeRecord {
  const members = Object.entries(record).filter(
    ([key]) => Object.hasOwn(EpisodeRecord.shape, key) || key === "selected_skills",
  )
  const { goal, purchase } = record.evidence
  return {
    ...(Object.fromEntries(members) as EpisodeRecord),
    events: record.events.flatMap((event) => knownMembers(event) ?? []),
    evidence: { ...(goal !== undefined && { goal }), ...(purchase !== undefined && { purchase }) },
  }
}

function withoutReasoning(record: EpisodeRecord): EpisodeRecord {
  return {
    ...record,
    messages: record.messages.map((message) =>
      message.role === "assistant" && message.content !== null
        ? { ...message, content: message.content.replace(THOUGHTS, "") }
        : message,
    ),
    events: record.events.map((event) => {
      if (event.type !== "model_call") return event
      const call = withoutKeys(event, REASONING) as typeof event
      return call.content === undefined ? call : { ...call, content: call.content.replace(THOUGHTS, "") }
    }),
  }
}

function withoutKeys<T>(value: T, keys: RegExp): T {
  if (Array.isArray(value)) return value.map((item) => withoutKeys(item, keys)) as T
  if (!isJsonObject(value)) return value
  const kept = Object.entries(value).filter(([key]) => !keys.test(key))
  return Object.fromEntries(kept.map(([key, member]) => [key, withoutKeys(member, keys)])) as T
}

function withoutGoal(record: EpisodeRecord): EpisodeRecord {
  const { purchase } = record.evidence
  const { reward } = record
  const shown: JsonObject = {}
  if (isJsonObject(purchase)) {
    const { instruction_text: _instruction, ...bought } = purchase // may be the goal's own
    shown.purchase = bought
  } else if (purchase !== undefined) shown.purchase = purchase
  if (reward === undefined) return { ...record, evidence: shown }
  const detail = Object.fromEntries(Object.entries(reward.detail).filter(([key]) => !GOAL_DETAILS.includes(key)))
  return { ...record, evidence: shown, reward: { ...reward, detail } }
}

function personaOf({ events }: EpisodeRecord): JsonObject | null {
  for (const event of events) if (event.type === "episode_start") return event.persona
  return null
}

function withoutPersona(record: EpisodeRecord): EpisodeRecord {
  const persona = personaOf(record)
  const { goal } = record.evidence
  let { evidence } = record
  if (isJsonObject(goal)) {
    const { user_persona: _persona, ...rest } = goal
    evidence = { ...evidence, goal: rest }
  }
  if (persona === null) return { ...record, evidence }
  return {
    ...record,
    evidence,
    events: record.events.map((event) => (event.type === "episode_start" ? { ...event, persona: null } : event)),
    messages: record.messages.map((message) => unquoted(message, persona)),
  }
}

/** The message without the profile: as JSON, or the whole text where it is told in other words. */
function unquoted(message: Message, persona: JsonObject): Message {
  if (message.role !== "system" && message.role !== "user") return message
  const content = withoutJson(message.content, persona)
  if (message.role === "user") return { ...message, content }
  const told = leaves(persona).filter((text) => text.length > 1 && content.includes(text))
  return { ...message, content: told.length > 1 ? "(left out: persona)" : content }
}

/** `text` with `{}` in the place of every JSON object that says the same as `wanted`. */
function withoutJson(text: string, wanted: JsonObject): string {
  const same = canonicalJson(wanted)
  let shown = ""
  let from = 0
  for (let at = text.indexOf("{"); at >= 0; at = text.indexOf("{", at + 1)) {
    const end = objectEnd(text, at)
    if (end === undefined) continue
    let value: Json
    try {
      value = JSON.parse(text.slice(at, end)) as Json
    } catch {
      continue // braces of another kind
    }
    if (canonicalJson(value) !== same) continue
    shown += `${text.slice(from, at)}{}`
    from = end
    at = end - 1
  }
  return shown + text.slice(from)
}

/** Where the braces that open at `start` close; strings are skipped. */
function objectEnd(text: string, start: number): number | undefined {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (character === '"') {
      for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === "\\") at++
    } else if (character === "{") depth++
    else if (character === "}" && --depth === 0) return at + 1
  }
  return undefined
}

function leaves(value: Json): string[] {
  if (typeof value === "string") return [value]
  if (typeof value !== "object" || value === null) return []
  return Object.values(value).flatMap(leaves)
}
