import type { z } from "zod"
import { findList, findRows, type RowPattern, readRow } from "./compact-rows.ts"
import { spliceTexts, unspliceTexts } from "./compact-texts.ts"
import { AppError, messageOf } from "./errors.ts"
import { canonicalJson } from "./fingerprint.ts"
import { isJsonObject, type Json, type JsonObject } from "./json.ts"
import { EPISODE_SCHEMA, EpisodeRecord } from "./trace.ts"

/*
 * A record says the same thing many times: a page is an observation, a message of the conversation, and data whose strings are
 * words of that page; the next page repeats the product of the last one. On disk each thing stands once. Within `events`,
 * `messages` and `evidence` a string that starts with `@` stands for something else:
 *
 *   @12                 text 12 of `texts`: a string, or [n, start, end, middle] for text n with that stretch replaced
 *   @97+12              12 UTF-16 units from unit 97 on of the text of the event it stands in
 *   @97+12/；           a list: that stretch, split at `；`
 *   @/3/state/product   a JSON Pointer into the list of events, to an earlier one
 *   @blob:<sha256>      a text of the run folder's `blobs/`              (only in a message's content)
 *   @json:/0/persona    the canonical JSON of the value pointed at       (only in a message's content)
 *   @@rest              the string `@rest`
 *
 * `{"@columns": […], "@rows": [[…], …]}` is a list of objects with the same keys. With a `"@pattern"` (see `compact-rows.ts`) a row
 * may be the place where it starts in the event's text. `{"@from": 9, "@less": [keys], …}` is the state of event 9 without these keys
 * and with what follows in place of its own. Any other key that starts with `@` is written with one more.
 *
 * A message that is a number is two: the call that this event, a `model_call`, made, and the page of the next observation as its
 * result. A message's content that is a list is to be joined. An event without `at_ms` or `step` has the one of the event before it;
 * null stands for none. All other members are plain JSON.
 */

/** Shorter texts stay where they are. */
const LONG = 24
/** Carried over from one event to the next. */
const CARRIED = ["at_ms", "step"] as const
/** Values this far below an event can be pointed at: a page's state (1), its product (2). */
const POINTED_DEPTH = 2
const BULK = ["texts", "events", "messages", "evidence"] as const

/** A record without what is long: all that a list of episodes needs, cheap to read. */
export const EpisodeHeader = EpisodeRecord.omit({ messages: true, events: true, evidence: true })
export type EpisodeHeader = z.infer<typeof EpisodeHeader>

const HEADER_KEYS = Object.keys(EpisodeHeader.shape) as (keyof EpisodeHeader)[]

/** One line of `traces.jsonl` (without the line feed). `blobs`: text → hash of what the run folder keeps apart. */
export function encodeEpisode(record: EpisodeRecord, blobs: ReadonlyMap<string, string> = new Map()): string {
  const encoder = new Encoder(blobs)
  const events = record.events.map((event, index) => encoder.event(event as unknown as JsonObject, index))
  const messages = encoder.messages(
    record.messages as unknown as JsonObject[],
    record.events as unknown as JsonObject[],
  )
  const evidence = encoder.value(record.evidence, undefined, 0)
  const line: Record<string, unknown> = {}
  for (const key of HEADER_KEYS) if (record[key] !== undefined) line[key] = record[key]
  Object.assign(line, { texts: spliceTexts(encoder.texts), events, messages, evidence })
  for (const key of Object.keys(record)) if (!Object.hasOwn(line, key)) line[key] = record[key]
  return JSON.stringify(line)
}

/** The record of a line; `blob` finds a text by its hash. Throws `STORE_CORRUPT` for what is not such a line. */
export function decodeEpisode(
  line: string,
  blob: (hash: string) => string | undefined = () => undefined,
): EpisodeRecord {
  let parsed: unknown
  try {
    parsed = JSON.parse(line)
  } catch (error) {
    throw new AppError("STORE_CORRUPT", `Not JSON: ${messageOf(error)}`, { cause: error })
  }
  if (!isJsonObject(parsed) || parsed.schema !== EPISODE_SCHEMA) {
    const found = isJsonObject(parsed) ? JSON.stringify(parsed.schema) : typeof parsed
    throw new AppError("STORE_CORRUPT", `Not an episode of schema ${EPISODE_SCHEMA}: ${found}`)
  }
  try {
    const { texts, events, messages, evidence, ...rest } = parsed
    const list = unspliceTexts(listOf(texts, "texts"))
    const decoder = new Decoder((index) => list[index], blob)
    for (const event of listOf(events, "events")) decoder.event(event)
    return EpisodeRecord.parse({
      ...rest,
      messages: listOf(messages, "messages").flatMap((message) => decoder.messages(message)),
      events: decoder.events,
      evidence: decoder.value(evidence ?? {}, undefined),
    })
  } catch (error) {
    const name = typeof parsed.episode_id === "string" ? parsed.episode_id : "without an id"
    throw new AppError("STORE_CORRUPT", `Episode ${name} is damaged: ${messageOf(error)}`, { cause: error })
  }
}

/** The header of a line, without parsing the rest of it where the line was written by `encodeEpisode`. */
export function decodeHeader(line: string): EpisodeHeader {
  const cut = line.indexOf(',"texts":')
  let parsed: unknown
  try {
    parsed = JSON.parse(cut < 0 ? line : `${line.slice(0, cut)}}`)
  } catch {
    parsed = JSON.parse(line) // the first `"texts"` was a nested one
  }
  if (isJsonObject(parsed)) for (const key of BULK) delete parsed[key]
  return EpisodeHeader.parse(parsed)
}

class Encoder {
  readonly texts: string[] = []
  readonly #indexOf = new Map<string, number>()
  readonly #pointers = new Map<string, string>() // JSON of a value in an earlier event → pointer
  readonly #jsons = new WeakMap<object, string>()
  readonly #json = new Map<string, string>() // canonical JSON of an object a message may quote → pointer
  readonly #blobs: ReadonlyMap<string, string>
  readonly #carried: { [key in (typeof CARRIED)[number]]?: Json | undefined } = {}
  readonly #states: { index: number; state: JsonObject }[] = []
  #cursor = 0 // where the last stretch ended: quotes mostly follow each other

  constructor(blobs: ReadonlyMap<string, string>) {
    this.#blobs = blobs
  }

  event(event: JsonObject, index: number): JsonObject {
    const { text, ...rest } = event
    this.#cursor = 0
    const base = typeof text === "string" ? text : undefined
    const encoded = this.value(rest, base, 0) as JsonObject
    if (isJsonObject(rest.state)) {
      const like = this.#likeBefore(rest.state)
      if (like !== undefined)
        encoded.state = { ...like.reference, ...(this.value(like.changed, base, 1) as JsonObject) }
      this.#states.push({ index, state: rest.state })
    }
    for (const key of CARRIED) {
      if (rest[key] === this.#carried[key]) delete encoded[key]
      else encoded[key] = rest[key] ?? null
      this.#carried[key] = rest[key]
    }
    this.#remember(rest, `/${index}`, 0)
    if (isJsonObject(event.persona)) this.#json.set(canonicalJson(event.persona), `/${index}/persona`)
    return text === undefined
      ? encoded
      : { ...encoded, text: base === undefined ? this.value(text, base, 1) : this.#text(base) }
  }

  /** `depth`: how far below an event, a message or the evidence. */
  value(value: Json | undefined, base: string | undefined, depth: number): Json {
    if (typeof value === "string") return this.#stretch(value, base) ?? this.#text(value)
    if (typeof value !== "object" || value === null) return value ?? null
    if (0 < depth && depth <= POINTED_DEPTH) {
      const json = this.#jsonOf(value)
      const pointer = this.#pointers.get(json)
      if (pointer !== undefined && pointer.length + 3 < json.length) return `@${pointer}`
    }
    if (Array.isArray(value)) {
      return (
        this.#list(value, base) ??
        this.#table(value, base, depth) ??
        value.map((item) => this.value(item, base, depth + 1))
      )
    }
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([key, member]) => [key.startsWith("@") ? `@${key}` : key, this.value(member, base, depth + 1)]),
    )
  }

  /** The conversation. A turn that says what its events say, a call and the page it led to, is written as the call's place. */
  messages(messages: readonly JsonObject[], events: readonly JsonObject[]): Json[] {
    const encoded: Json[] = []
    let from = 0
    for (let at = 0; at < messages.length; at++) {
      const index = turnIndex(messages, at, events, from)
      if (index !== undefined) {
        encoded.push(index)
        from = index + 1
        at++ // the result of the call, too
        continue
      }
      const { content, ...rest } = messages[at]!
      const said = typeof content === "string" ? this.content(content) : (content ?? null)
      encoded.push({ ...(this.value(rest, undefined, 0) as JsonObject), content: said })
    }
    return encoded
  }

  /** What of a page's state differs from the most similar of the last ones; undefined when little is alike. */
  #likeBefore(state: JsonObject): { reference: JsonObject; changed: JsonObject } | undefined {
    let best: { reference: JsonObject; changed: JsonObject; length: number } | undefined
    for (const { index, state: before } of this.#states.slice(-6)) {
      const changed = Object.fromEntries(
        Object.entries(state).filter(
          ([key, value]) => !Object.hasOwn(before, key) || !this.#isSame(before[key], value),
        ),
      )
      const less = Object.keys(before).filter((key) => !Object.hasOwn(state, key))
      const reference: JsonObject = less.length === 0 ? { "@from": index } : { "@from": index, "@less": less }
      const length = JSON.stringify(reference).length + JSON.stringify(changed).length
      const isOrdered = Object.keys(withChanges(before, less, changed)).every(
        (key, at) => key === Object.keys(state)[at],
      )
      if (isOrdered && length < (best?.length ?? JSON.stringify(state).length)) best = { reference, changed, length }
    }
    return best
  }

  #isSame(before: Json | undefined, value: Json): boolean {
    if (typeof value !== "object" || value === null) return before === value
    return typeof before === "object" && before !== null && this.#jsonOf(before) === this.#jsonOf(value)
  }

  /** A message's content: made of texts, blobs and quoted objects that are known already, and the words between them. */
  content(content: string): string | string[] {
    if (content.length < LONG || this.#indexOf.has(content)) return this.#text(content)
    const parts = this.#parts(content)
    return parts.length === 1 ? parts[0]! : parts
  }

  #parts(content: string): string[] {
    if (content === "") return []
    let known = ""
    let reference = ""
    const consider = (text: string, token: string) => {
      if (text.length > known.length && text.length >= LONG && content.includes(text)) {
        known = text
        reference = token
      }
    }
    for (const [text, hash] of this.#blobs) consider(text, `@blob:${hash}`)
    for (const [text, pointer] of this.#json) consider(text, `@json:${pointer}`)
    this.texts.forEach((text, index) => {
      consider(text, `@${index}`)
    })
    if (known === "") return [this.#text(content)]
    const at = content.indexOf(known)
    return [...this.#parts(content.slice(0, at)), reference, ...this.#parts(content.slice(at + known.length))]
  }

  #text(text: string): string {
    if (text.length < LONG) return text.startsWith("@") ? `@${text}` : text
    let index = this.#indexOf.get(text)
    if (index === undefined) {
      index = this.texts.push(text) - 1
      this.#indexOf.set(text, index)
    }
    return `@${index}`
  }

  /** `text` as a stretch of the event's text, when it is one and that is shorter to write. */
  #stretch(text: string, base: string | undefined): string | undefined {
    if (base === undefined || text.length < 3) return undefined
    let at = base.indexOf(text, this.#cursor)
    if (at < 0) at = base.indexOf(text)
    if (at < 0) return undefined
    const token = `@${at}+${text.length}`
    if (token.length >= utf8Length(text)) return undefined
    this.#cursor = at + text.length
    return token
  }

  /** A list of strings that stands in the event's text with the same words between all of them. */
  #list(items: readonly Json[], base: string | undefined): string | undefined {
    const place = base === undefined ? undefined : findList(base, items, this.#cursor)
    if (place === undefined) return undefined
    this.#cursor = place.end
    return `@${place.start}+${place.end - place.start}/${place.separator}`
  }

  #table(items: readonly Json[], base: string | undefined, depth: number): JsonObject | undefined {
    const [first] = items
    if (items.length < 2 || !isJsonObject(first)) return undefined
    const columns = Object.keys(first)
    const same = items.every((item) => {
      if (!isJsonObject(item)) return false
      const keys = Object.keys(item)
      return (
        keys.length === columns.length && keys.every((key, index) => key === columns[index] && item[key] !== undefined)
      )
    })
    if (!same || columns.length === 0) return undefined
    const objects = items as JsonObject[]
    const cells = (item: JsonObject) => columns.map((key) => this.value(item[key], base, depth + 2))
    const found = base === undefined ? undefined : findRows(base, objects, columns)
    if (found === undefined) return { "@columns": columns, "@rows": objects.map(cells) }
    const rows = objects.map((item, index) => found.starts[index] ?? cells(item))
    return { "@columns": columns, "@pattern": found.pattern as Json[], "@rows": rows }
  }

  /** What is in a value and long enough to be pointed at. */
  #remember(value: Json, pointer: string, depth: number): void {
    if (typeof value !== "object" || value === null) return
    if (depth > 0) {
      const json = this.#jsonOf(value)
      if (json.length < LONG) return // nothing inside is longer
      if (!this.#pointers.has(json)) this.#pointers.set(json, pointer)
    }
    if (depth === POINTED_DEPTH) return
    for (const [key, member] of Object.entries(value))
      this.#remember(member, `${pointer}/${escapePointer(key)}`, depth + 1)
  }

  #jsonOf(value: object): string {
    let json = this.#jsons.get(value)
    if (json === undefined) {
      json = JSON.stringify(value)
      this.#jsons.set(value, json)
    }
    return json
  }
}

/** The text of the event that a value stands in, or how to come by it when it is needed. */
type Base = string | (() => string | undefined) | undefined

/** Works in place, on a line that was just parsed: most of it stands for itself. */
export class Decoder {
  /** Those decoded so far. */
  readonly events: JsonObject[] = []
  readonly #text: (index: number) => string | undefined
  readonly #blob: (hash: string) => string | undefined
  readonly #find: (path: readonly string[]) => Json | undefined

  /** `find`: what stands at a path into the list of events, instead of in those decoded so far. */
  constructor(
    text: (index: number) => string | undefined,
    blob: (hash: string) => string | undefined,
    find?: (path: readonly string[]) => Json | undefined,
  ) {
    this.#text = text
    this.#blob = blob
    this.#find = find ?? ((path) => memberAt(this.events, path))
  }

  event(event: Json): void {
    if (!isJsonObject(event)) throw new Error("an event is not an object")
    const { text, ...rest } = event
    const base = text === undefined ? undefined : this.value(text, undefined)
    const decoded = this.value(rest, typeof base === "string" ? base : undefined) as JsonObject
    if (base !== undefined) decoded.text = base
    const before = this.events.at(-1)
    for (const key of CARRIED) {
      if (decoded[key] === undefined && before?.[key] !== undefined) decoded[key] = before[key]
      if (decoded[key] === null) delete decoded[key]
    }
    this.events.push(decoded)
  }

  /** What one entry stands for: a message, or the two of a turn. */
  messages(message: Json): JsonObject[] {
    if (typeof message === "number") {
      const turn = turnOf(this.events, message)
      if (turn === undefined) throw new Error(`event ${message} is not a turn`)
      return turn
    }
    if (!isJsonObject(message)) throw new Error("a message is not an object")
    const { content = null, ...rest } = message
    const said = Array.isArray(content) ? content.map((part) => this.#part(part)).join("") : this.#part(content)
    return [{ ...(this.value(rest, undefined) as JsonObject), content: said }]
  }

  value(value: Json, base: Base): Json {
    if (typeof value === "string") return value.startsWith("@") ? this.#reference(value, base) : value
    if (typeof value !== "object" || value === null) return value
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) value[index] = this.value(value[index]!, base)
      return value
    }
    const rows = value["@rows"]
    const columns = value["@columns"]
    if (Array.isArray(rows) && Array.isArray(columns)) {
      return rows.map((row) => {
        if (typeof row === "number") return this.#row(row, value["@pattern"], columns as string[], base)
        const cells = listOf(row, "a row")
        return Object.fromEntries(columns.map((key, index) => [String(key), this.value(cells[index] ?? null, base)]))
      })
    }
    if (typeof value["@from"] === "number") return this.#changed(value, base)
    let renamed = false
    for (const key in value) {
      if (key.startsWith("@")) renamed = true
      setMember(value, key, this.value(value[key]!, base))
    }
    if (!renamed) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key.startsWith("@") ? key.slice(1) : key, member]),
    )
  }

  #changed(value: JsonObject, base: Base): JsonObject {
    const { "@from": from, "@less": less = [], ...changed } = value
    const before = this.#find([String(from), "state"])
    if (!isJsonObject(before)) throw new Error(`event ${String(from)} has no state`)
    return withChanges(before, listOf(less, "@less") as string[], this.value(changed, base) as JsonObject)
  }

  #row(start: number, pattern: Json | undefined, columns: readonly string[], base: Base): JsonObject {
    const found = readRow(baseText(base) ?? "", start, listOf(pattern, "a pattern") as RowPattern, columns)
    if (found === undefined) throw new Error(`there is no row at ${start}`)
    return found.row
  }

  #part(part: Json): Json {
    if (typeof part !== "string") return part
    if (part.startsWith("@json:")) return canonicalJson(this.#pointer(part.slice(6)))
    if (!part.startsWith("@blob:")) return this.value(part, undefined)
    const text = this.#blob(part.slice(6))
    if (text === undefined) throw new Error(`blobs/${part.slice(6)} is missing`)
    return text
  }

  #reference(token: string, base: Base): Json {
    if (token.startsWith("@@")) return token.slice(1)
    if (token.startsWith("@/")) return this.#pointer(token.slice(1))
    const match = /^@(\d+)(?:\+(\d+)(?:\/(.+))?)?$/s.exec(token)
    if (match === null) throw new Error(`unknown reference ${token.slice(0, 60)}`)
    const [, number, length, separator] = match
    if (length === undefined) {
      const text = this.#text(Number(number))
      if (text === undefined) throw new Error(`there is no text ${number}`)
      return text
    }
    const start = Number(number)
    const end = start + Number(length)
    const text = baseText(base)
    if (text === undefined || end > text.length) throw new Error(`${token} is outside its event's text`)
    const stretch = text.slice(start, end)
    return separator === undefined ? stretch : stretch.split(separator)
  }

  #pointer(pointer: string): Json {
    const path = pointer.split("/").slice(1)
    const value = this.#find(path.map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~")))
    if (value === undefined) throw new Error(`${pointer} points at nothing`)
    return value
  }
}

/** What stands in `value` at a path of keys and, in lists, indexes. */
export function memberAt(value: Json | undefined, path: readonly string[]): Json | undefined {
  let at = value
  for (const key of path) {
    at =
      typeof at === "object" && at !== null && Object.hasOwn(at, key)
        ? (at as JsonObject)[key] // lists too: their own keys are their indexes
        : undefined
  }
  return at
}

function baseText(base: Base): string | undefined {
  return typeof base === "function" ? base() : base
}

/** The messages that event `index`, a model's call, makes with the page after it: the call, and the page as its result. */
function turnOf(events: readonly JsonObject[], index: number): [JsonObject, JsonObject] | undefined {
  const call = events[index]
  if (call?.type !== "model_call" || !Array.isArray(call.tool_calls)) return undefined
  const [tool, ...others] = call.tool_calls
  if (!isJsonObject(tool) || typeof tool.id !== "string" || others.length > 0) return undefined
  const page = events.slice(index + 1).find((event) => event.type === "observation" || event.type === "model_call")
  if (typeof page?.text !== "string") return undefined
  return [
    { role: "assistant", content: call.content ?? null, tool_calls: call.tool_calls },
    { role: "tool", tool_call_id: tool.id, content: page.text },
  ]
}

/** The first event from `from` on whose turn the messages at `at` are. */
function turnIndex(
  messages: readonly JsonObject[],
  at: number,
  events: readonly JsonObject[],
  from: number,
): number | undefined {
  const [call, result] = messages.slice(at, at + 2)
  if (call?.role !== "assistant" || result?.role !== "tool") return undefined
  for (let index = from; index < events.length; index++) {
    if (events[index]!.type !== "model_call") continue
    const turn = turnOf(events, index)
    if (turn !== undefined && canonicalJson(turn) === canonicalJson([call, result])) return index
  }
  return undefined
}

/** A state made of an earlier one: keys keep their places, new ones come last. */
function withChanges(before: JsonObject, less: readonly string[], changed: JsonObject): JsonObject {
  return Object.fromEntries([
    ...Object.entries(before)
      .filter(([key]) => !less.includes(key))
      .map(([key, value]): [string, Json] => [key, Object.hasOwn(changed, key) ? changed[key]! : value]),
    ...Object.entries(changed).filter(([key]) => !Object.hasOwn(before, key)),
  ])
}

/** As an assignment, also for a key called `__proto__`. */
function setMember(object: JsonObject, key: string, value: Json): void {
  if (key !== "__proto__") object[key] = value
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
}

function listOf(value: Json | undefined, name: string): readonly Json[] {
  if (!Array.isArray(value)) throw new Error(`${name} is not a list`)
  return value
}

function escapePointer(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1")
}

/** Bytes of `text` in UTF-8; a surrogate counts half of its pair's four. */
function utf8Length(text: string): number {
  let bytes = 0
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 2 : 3
  }
  return bytes
}
