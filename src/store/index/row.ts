import { unspliceTexts } from "../../core/compact-texts.ts"
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts"
import { decodePlay, type Play } from "../../core/play.ts"
import { EPISODE_SCHEMA, EpisodeStatus } from "../../core/trace.ts"
import { LineTexts } from "../line-texts.ts"
import { EventFigures, textOf } from "./event-figures.ts"
import { endOfValue, forEachMember, memberAt, stringAt } from "./json-bytes.ts"

/** What the index knows of one attempt beside its place. Figures that the record does not have are null. */
export interface IndexRow {
  readonly episode_id: string
  readonly task_id: string
  readonly sample_id: number
  readonly attempt: number
  readonly status: EpisodeStatus
  readonly end_reason: string
  /** Of completed, scored episodes, as the record says; judges may say more. */
  readonly success: boolean | null
  readonly reward: number | null
  /** Model turns; of a conversation, the waits for an answer: the buyer's turns. */
  readonly steps: number | null
  readonly model_calls: number | null
  readonly protocol_errors: number | null
  readonly invalid_actions: number | null
  readonly tokens: number | null
  readonly duration_ms: number
  readonly started_at: string
  /** Code. */
  readonly error: string | null
  /** The task as shown, or a buyer's first words: the first 200 characters. */
  readonly instruction: string
  /** Of a case, its category; of a shopping task, the first part of its product's. */
  readonly category: string | null
}

/** What is read out of events and evidence. */
interface Played {
  readonly calls: number
  readonly replies: number
  /** The buyer said something. */
  readonly said: boolean
  readonly protocol_errors: number
  readonly invalid_actions: number
  readonly instruction: string
  readonly category: string | null
}

const INSTRUCTION_LENGTH = 200

/**
 * The row of a line of `traces.jsonl`. A line that `encodeEpisode` wrote is walked through byte by byte, its texts and conversation
 * stepped over; others are decoded whole. Of another version's line, what it has. Undefined: no episode.
 */
export function indexRowOf(line: Buffer): IndexRow | undefined {
  if (line[line.length - 1] === CLOSE_OBJECT) {
    try {
      const { head, played } = walk(line)
      return rowOf(head, played)
    } catch {
      // Not as we write it.
    }
  }
  return foreignRow(line)
}

const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const EVENTS = Buffer.from('],"events":[')
const quoted = (word: string) => Buffer.from(`"${word}"`)
/** Members of a line that are looked into. Small ones are parsed. */
const SMALL = new Set(["schema", "suite", "episode_id", "job", "attempt", "status", "end_reason"])
for (const key of ["started_at", "duration_ms", "usage"]) SMALL.add(key)
const R_SUCCESS = quoted("r_success")
const VALUE = quoted("value")
const DETAIL = quoted("detail")
const CODE = quoted("code")
const GOAL = quoted("goal")

/** Throws an `Error` where the line is not laid out as `encodeEpisode` does. */
function walk(line: Buffer): { head: JsonObject; played: Played } {
  const head: JsonObject = {}
  let texts: LineTexts | undefined
  let events: EventFigures | undefined
  let category: string | null = null
  const end = forEachMember(line, 0, (key, value) => {
    const name = stringAt(line, key)!
    if (SMALL.has(name)) {
      const after = endOfValue(line, value)
      head[name] = parsed(line, value, after)
      return after
    }
    switch (name) {
      case "reward":
        head.reward = rewardAt(line, value)
        return 0
      case "error": {
        const code = line[value] === OPEN_OBJECT ? memberAt(line, value, CODE) : -1
        if (code >= 0) head.error = { code: stringAt(line, code) }
        return 0
      }
      case "texts": {
        const mark = line.indexOf(EVENTS, value)
        if (mark < 0) throw new Error("no events after the texts")
        texts = new LineTexts(line, value + 1, mark)
        return mark + 1
      }
      case "events": {
        if (texts === undefined) throw new Error("no texts before the events")
        events = new EventFigures(line, texts)
        return events.walk(value)
      }
      case "evidence":
        if (texts !== undefined && events?.category === null) category = goalCategory(line, value, texts)
        return 0
      default:
        return 0
    }
  })
  if (end !== line.length || events === undefined) throw new Error("not a line of ours")
  return { head, played: { ...events.figures(), category: events.category ?? category } }
}

function parsed(line: Buffer, from: number, to: number): Json {
  return JSON.parse(line.toString("utf8", from, to)) as Json
}

function rewardAt(line: Buffer, reward: number): JsonObject {
  const value = memberAt(line, reward, VALUE)
  const detail = memberAt(line, reward, DETAIL)
  const success = detail >= 0 && line[detail] === OPEN_OBJECT ? memberAt(line, detail, R_SUCCESS) : -1
  const number = (at: number) => (at < 0 ? null : parsed(line, at, endOfValue(line, at)))
  return { value: number(value), detail: { r_success: number(success) } }
}

const CATEGORY = quoted("category")
const PRODUCT_CATEGORY = quoted("product_category")

function goalCategory(line: Buffer, evidence: number, texts: LineTexts): string | null {
  const goal = line[evidence] === OPEN_OBJECT ? memberAt(line, evidence, GOAL) : -1
  if (goal < 0 || line[goal] !== OPEN_OBJECT) return null
  const part = (key: Buffer) => {
    const at = memberAt(line, goal, key)
    return at < 0 ? null : firstPart(textOf(stringAt(line, at), texts))
  }
  return part(CATEGORY) ?? part(PRODUCT_CATEGORY)
}

/** A line in another layout, or of another version. */
function foreignRow(line: Buffer): IndexRow | undefined {
  let parsed: Json
  try {
    parsed = JSON.parse(line.toString("utf8")) as Json
  } catch {
    return undefined
  }
  return isJsonObject(parsed) ? rowOf(parsed, foreignPlay(parsed)) : undefined
}

/** Null: it has no events, or references that lead nowhere. */
function foreignPlay({ texts, events, evidence }: JsonObject): Played | null {
  try {
    const list = unspliceTexts(Array.isArray(texts) ? texts : [])
    const rest = { evidence: evidence ?? {} }
    return playedOf(decodePlay({ header: ANY_HEADER, events: events ?? null, rest, text: (index) => list[index] }))
  } catch {
    return null
  }
}

/** The line's own is read by `rowOf`. */
const ANY_HEADER = {
  schema: EPISODE_SCHEMA,
  episode_id: "",
  status: "completed",
  end_reason: "",
  duration_ms: 0,
  usage: {},
}

function playedOf({ events, goal }: Play): Played {
  const of = (type: string) => events.filter((event) => event.type === type)
  const refused = (type: string, key: string) => {
    return of(type).filter((event) => memberOf(event.get(type), key) !== true).length
  }
  const [start] = of("episode_start")
  const words = of("message").find((event) => memberOf(event.get("message"), "sender") === "buyer")
  const said = words === undefined ? null : stringOf(memberOf(words.get("message"), "text"))
  return {
    calls: of("model_call").length,
    replies: of("reply").length,
    said: said !== null,
    protocol_errors: of("model_call").filter((event) => event.get("outcome") === "protocol_error").length,
    invalid_actions: refused("feedback", "valid") + refused("tool", "ok"),
    instruction: said ?? stringOf(start?.get("instruction")) ?? "",
    category:
      stringOf(memberOf(start?.get("info"), "category")) ??
      firstPart(stringOf(goal?.get("category"))) ??
      firstPart(stringOf(goal?.get("product_category"))),
  }
}

function memberOf(value: Json | undefined, key: string): Json | undefined {
  return isJsonObject(value) ? value[key] : undefined
}

/** By hand and forgiving: a member that another version writes in another way is one that is not known. */
function rowOf(header: Json, played: Played | null): IndexRow | undefined {
  if (!isJsonObject(header) || typeof header.schema !== "string" || !header.schema.startsWith("souk.episode/"))
    return undefined
  const { episode_id, status, end_reason, suite } = header
  if (typeof episode_id !== "string" || !isStatus(status)) return undefined
  const job = isJsonObject(header.job) ? header.job : {}
  const usage = isJsonObject(header.usage) ? header.usage : {}
  const reward = isJsonObject(header.reward) && status === "completed" ? header.reward : undefined
  const value = numberOf(reward?.value)
  const detail = isJsonObject(reward?.detail) ? reward.detail : {}
  const isTalk = suite === "service"
  const instruction = played === null || (isTalk && !played.said) ? "" : played.instruction
  return {
    episode_id,
    task_id: stringOf(job.task_id) ?? "",
    sample_id: countOf(job.sample_id) ?? 0,
    attempt: countOf(header.attempt) ?? 1,
    status,
    end_reason: stringOf(end_reason) ?? "",
    success: value === null ? null : detail.r_success === 1,
    reward: value,
    steps: played === null ? null : isTalk ? played.replies : played.calls,
    model_calls: countOf(usage.model_calls),
    protocol_errors: played?.protocol_errors ?? null,
    invalid_actions: played?.invalid_actions ?? null,
    tokens: tokensOf(usage),
    duration_ms: numberOf(header.duration_ms) ?? 0,
    started_at: stringOf(header.started_at) ?? "",
    error: isJsonObject(header.error) ? stringOf(header.error.code) : null,
    instruction: beginning(instruction),
    category: played?.category ?? null,
  }
}

const STATUSES: ReadonlySet<unknown> = new Set(EpisodeStatus.options)

export function isStatus(value: Json | undefined): value is EpisodeStatus {
  return STATUSES.has(value)
}

function tokensOf(usage: { readonly [kind: string]: Json }): number | null {
  const total = countOf(usage.total_tokens)
  if (total !== null) return total
  const [prompt, completion] = [countOf(usage.prompt_tokens), countOf(usage.completion_tokens)]
  return prompt === null && completion === null ? null : (prompt ?? 0) + (completion ?? 0)
}

function stringOf(value: Json | undefined): string | null {
  return typeof value === "string" ? value : null
}

function numberOf(value: Json | undefined): number | null {
  return typeof value === "number" ? value : null
}

function countOf(value: Json | undefined): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null
}

/** Where a category path begins. */
function firstPart(path: string | null): string | null {
  const first = path?.split(/[›>/\\]/)[0]?.trim() ?? ""
  return first === "" ? null : first
}

function beginning(text: string): string {
  if (text.length <= INSTRUCTION_LENGTH) return text
  const high = text.charCodeAt(INSTRUCTION_LENGTH - 1)
  return text.slice(0, high >= 0xd800 && high <= 0xdbff ? INSTRUCTION_LENGTH - 1 : INSTRUCTION_LENGTH)
}
