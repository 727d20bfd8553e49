import { decodeEpisode } from "../../core/compact.ts"
import { isJsonObject, type Json } from "../../core/json.ts"
import { type EpisodeEvent, type EpisodeRecord, EpisodeStatus } from "../../core/trace.ts"
import { LineTexts } from "../line-texts.ts"
import { endOfValue, forEachItem, forEachMember, keyIs, memberAt, stringAt } from "./json-bytes.ts"

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
  readonly steps: number
  readonly protocol_errors: number
  readonly invalid_actions: number
  readonly instruction: string
  readonly category: string | null
}

const INSTRUCTION_LENGTH = 200

/**
 * The row of a line of `traces.jsonl`. Of a line that `encodeEpisode` wrote, the head is parsed, events are walked through, and texts
 * and conversation are stepped over; others are decoded whole. Of another version's line, what it has. Undefined: no episode.
 */
export function indexRowOf(line: Buffer): IndexRow | undefined {
  const texts = line.indexOf(TEXTS)
  if (texts >= 0 && line[line.length - 1] === CLOSE) {
    try {
      const header = JSON.parse(`${line.toString("utf8", 0, texts)}}`) as Json
      return rowOf(header, playedIn(line, texts + TEXTS.length))
    } catch {
      // Not as we write it: the first mark was nested, or somebody else wrote the line.
    }
  }
  return foreignRow(line)
}

const TEXTS = Buffer.from(',"texts":[')
const EVENTS = Buffer.from('],"events":[')
const AFTER_EVENTS = Buffer.from(',"messages":')
const AFTER_MESSAGES = Buffer.from(',"evidence":')
const CLOSE = 0x7d
const KEYS = Object.fromEntries(
  [
    ...["type", "outcome", "feedback", "tool", "instruction", "info", "message"],
    ...["valid", "ok", "sender", "text", "category", "product_category", "goal"],
  ].map((key) => [key, Buffer.from(`"${key}"`)]),
) as Readonly<Record<string, Buffer>>
const MODEL_CALL = Buffer.from('"model_call"')
const FEEDBACK = Buffer.from('"feedback"')
const REPLY = Buffer.from('"reply"')
const TOOL = Buffer.from('"tool"')
const MESSAGE = Buffer.from('"message"')
const START = Buffer.from('"episode_start"')
const PROTOCOL_ERROR = Buffer.from('"protocol_error"')
const BUYER = Buffer.from('"buyer"')
const TRUE = Buffer.from("true")
const POINTER = /^@\/(\d+)\/feedback$/

/** Throws an `Error` where the line is not laid out as `encodeEpisode` does. */
function playedIn(line: Buffer, textsAt: number): Played & { readonly replies: number; readonly said: boolean } {
  const eventsAt = line.indexOf(EVENTS, textsAt - 1)
  if (eventsAt < 0) throw new Error("no events")
  const texts = new LineTexts(line, textsAt, eventsAt)
  const resolved = (at: number): string | null => textOf(stringAt(line, at), texts)
  let calls = 0
  let replies = 0
  let protocolErrors = 0
  let invalid = 0
  let instruction: string | null = null
  let words: string | null = null
  let category: string | null = null
  const refused = new Set<number>() // events whose feedback was no
  let number = 0
  const listAt = eventsAt + EVENTS.length - 1
  const eventsEnd = forEachItem(line, listAt, (at) => {
    let type = -1
    let outcome = -1
    let feedback = -1
    let tool = -1
    let message = -1
    let task = -1
    let info = -1
    const end = forEachMember(line, at, (key, value) => {
      if (keyIs(line, key, KEYS.type!)) type = value
      else if (keyIs(line, key, KEYS.outcome!)) outcome = value
      else if (keyIs(line, key, KEYS.feedback!)) feedback = value
      else if (keyIs(line, key, KEYS.tool!)) tool = value
      else if (keyIs(line, key, KEYS.message!)) message = value
      else if (keyIs(line, key, KEYS.instruction!)) task = value
      else if (keyIs(line, key, KEYS.info!)) info = value
    })
    if (type < 0) throw new Error("an event has no type")
    if (keyIs(line, type, MODEL_CALL)) {
      calls++
      if (outcome >= 0 && keyIs(line, outcome, PROTOCOL_ERROR)) protocolErrors++
    } else if (keyIs(line, type, REPLY)) replies++
    else if (keyIs(line, type, FEEDBACK) && feedback >= 0) {
      if (line[feedback] === OPEN) {
        const valid = memberAt(line, feedback, KEYS.valid!)
        if (valid < 0 || !keyIs(line, valid, TRUE)) refused.add(number)
      } else {
        const [, like] = POINTER.exec(stringAt(line, feedback) ?? "") ?? []
        if (like === undefined || refused.has(Number(like))) refused.add(number)
      }
      if (refused.has(number)) invalid++
    } else if (keyIs(line, type, TOOL)) {
      const ok = tool >= 0 && line[tool] === OPEN ? memberAt(line, tool, KEYS.ok!) : -1
      if (ok < 0 || !keyIs(line, ok, TRUE)) invalid++
    } else if (words === null && keyIs(line, type, MESSAGE) && message >= 0 && line[message] === OPEN) {
      const sender = memberAt(line, message, KEYS.sender!)
      const text = memberAt(line, message, KEYS.text!)
      if (sender >= 0 && keyIs(line, sender, BUYER) && text >= 0) words = resolved(text)
    } else if (keyIs(line, type, START)) {
      if (task >= 0) instruction = resolved(task)
      const named = info >= 0 && line[info] === OPEN ? memberAt(line, info, KEYS.category!) : -1
      if (named >= 0) category = resolved(named)
    }
    number++
    return end
  })
  expect(line, eventsEnd, AFTER_EVENTS)
  const messagesEnd = endOfValue(line, eventsEnd + AFTER_EVENTS.length)
  expect(line, messagesEnd, AFTER_MESSAGES)
  const evidence = messagesEnd + AFTER_MESSAGES.length
  if (category === null && line[evidence] === OPEN) {
    const goal = memberAt(line, evidence, KEYS.goal!)
    if (goal >= 0 && line[goal] === OPEN) {
      const path = (key: Buffer) => {
        const at = memberAt(line, goal, key)
        return at < 0 ? null : firstPart(resolved(at))
      }
      category = path(KEYS.category!) ?? path(KEYS.product_category!)
    }
  }
  return {
    steps: calls,
    replies,
    said: words !== null,
    protocol_errors: protocolErrors,
    invalid_actions: invalid,
    instruction: words ?? instruction ?? "",
    category,
  }
}

const OPEN = 0x7b

function expect(line: Buffer, at: number, mark: Buffer): void {
  if (line.compare(mark, 0, mark.length, at, at + mark.length) !== 0) throw new Error(`expected ${mark} at ${at}`)
}

/** A string as it stands in `events` or `evidence`: itself, or a text of the line. Null: a stretch or pointer, or not a string. */
function textOf(written: string | null, texts: LineTexts): string | null {
  if (written === null || !written.startsWith("@")) return written
  if (written.startsWith("@@")) return written.slice(1)
  const [, index] = /^@(\d+)$/.exec(written) ?? []
  return index === undefined ? null : (texts.get(Number(index)) ?? null)
}

/** A line in another layout, or of another version. */
function foreignRow(line: Buffer): IndexRow | undefined {
  const text = line.toString("utf8")
  try {
    const record = decodeEpisode(text, () => "") // what the conversation says does not matter here
    return rowOf(record as unknown as Json, playedOf(record))
  } catch {
    try {
      return rowOf(JSON.parse(text) as Json, null)
    } catch {
      return undefined
    }
  }
}

function playedOf({ events, evidence }: EpisodeRecord): Played & { readonly replies: number; readonly said: boolean } {
  const count = (is: (event: EpisodeEvent) => boolean) => events.filter(is).length
  const start = events.find((event) => event.type === "episode_start")
  const words = events.find((event) => event.type === "message" && event.message.sender === "buyer")
  const said = words?.type === "message" ? words.message.text : undefined
  const goal = isJsonObject(evidence.goal) ? evidence.goal : {}
  return {
    steps: count(({ type }) => type === "model_call"),
    replies: count(({ type }) => type === "reply"),
    said: said !== undefined,
    protocol_errors: count((event) => event.type === "model_call" && event.outcome === "protocol_error"),
    invalid_actions: count(
      (event) => (event.type === "feedback" && !event.feedback.valid) || (event.type === "tool" && !event.tool.ok),
    ),
    instruction: said ?? (start?.type === "episode_start" ? start.instruction : ""),
    category:
      (start?.type === "episode_start" ? stringOf(start.info.category) : null) ??
      firstPart(stringOf(goal.category)) ??
      firstPart(stringOf(goal.product_category)),
  }
}

/** By hand and forgiving: a member that another version writes in another way is one that is not known. */
function rowOf(
  header: Json,
  played: (Played & { readonly replies: number; readonly said: boolean }) | null,
): IndexRow | undefined {
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
    steps: played === null ? null : isTalk ? played.replies : played.steps,
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
