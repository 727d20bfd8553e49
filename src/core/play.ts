import { Decoder, memberAt } from "./compact.ts"
import { isJsonObject, type Json, type JsonObject } from "./json.ts"
import { EPISODE_SCHEMA, type EpisodeRecord, EpisodeStatus } from "./trace.ts"

/*
 * Figures need little of an episode, and most of its line is pages and conversation. A `Play` is an episode as figures see it: of a
 * line, only what is asked for is decoded, which is many times quicker; a whole record gives the same play.
 */

/** Members of an object, by name. */
export interface Members {
  get(key: string): Json | undefined
}

interface PlayEvent extends Members {
  readonly type: string
  /** Of an observation: the page as data. */
  readonly state: Members | undefined
}

/** The part of an episode's header that figures are made of. Costs, which suites may add, are read by who sums them up. */
type PlayHeader = Pick<EpisodeRecord, "episode_id" | "status" | "end_reason" | "duration_ms" | "reward"> & {
  readonly usage: { readonly [kind: string]: unknown }
  readonly error?: { readonly code: string } | undefined
}

/** An episode without its conversation. */
export interface Play {
  readonly header: PlayHeader
  readonly events: readonly PlayEvent[]
  /** The private goal; undefined: not known. */
  readonly goal: Members | undefined
  /** What was collected beside the events. */
  readonly evidence: Members
  /** A member of the record that `PlayHeader` does not have. */
  extra(key: string): Json | undefined
}

/** The play of a whole record. */
export function playOf(record: EpisodeRecord): Play {
  const { goal } = record.evidence
  return {
    header: record,
    events: record.events.map((event) => {
      const members = event as unknown as JsonObject
      return { ...membersOf(members), type: event.type, state: asMembers(members.state) }
    }),
    goal: asMembers(goal),
    evidence: membersOf(record.evidence),
    extra: (key) => record[key] as Json | undefined,
  }
}

/** The parts of a line of `compact.ts` that a play is made of. Texts are asked for when something stands for them. */
export interface PlayParts {
  readonly header: Json
  readonly events: Json
  /** The line's members from `evidence` on. */
  readonly rest: Json
  readonly text: (index: number) => string | undefined
}

/** The play of a line, checked as far as it is decoded. Throws an `Error` for what is no such line. */
export function decodePlay({ header, events, rest, text }: PlayParts): Play {
  if (!Array.isArray(events) || !isJsonObject(rest)) throw new Error("events are not a list, or evidence is no object")
  const known = headerOf(header)
  const decoder: Decoder = new Decoder(
    text,
    () => undefined, // texts of `blobs/` are in messages only
    ([index, key, ...path]) => {
      const event = lazy[Number(index)]
      return key === undefined ? event?.whole() : memberAt(event?.at(key, path), path)
    },
  )
  const lazy: LazyEvent[] = []
  for (const event of events) {
    if (!isJsonObject(event)) throw new Error("an event is not an object")
    lazy.push(new LazyEvent(event, decoder, lazy))
  }
  const evidence = isJsonObject(rest.evidence) ? rest.evidence : {}
  return {
    header: known,
    events: lazy,
    goal: isJsonObject(evidence.goal) ? new LazyMembers(evidence.goal, decoder) : undefined,
    evidence: new LazyMembers(evidence, decoder),
    extra: (key) => (isJsonObject(header) ? header[key] : undefined) ?? rest[key],
  }
}

interface KeyedMembers extends Members {
  keys(): string[]
}

/** By hand: of all that is done for a line, checking it with a schema would take the longest after parsing it. */
function headerOf(value: Json): PlayHeader {
  if (!isJsonObject(value) || value.schema !== EPISODE_SCHEMA)
    throw new Error(`not an episode of schema ${EPISODE_SCHEMA}`)
  const { episode_id, status, end_reason, duration_ms, usage, reward, error } = value
  const wrong = (name: string): never => {
    throw new Error(`${name} is missing or of the wrong kind`)
  }
  if (typeof episode_id !== "string") return wrong("episode_id")
  if (!isStatus(status)) return wrong("status")
  if (typeof end_reason !== "string") return wrong("end_reason")
  if (typeof duration_ms !== "number") return wrong("duration_ms")
  if (!isJsonObject(usage)) return wrong("usage")
  const header = { episode_id, status, end_reason, duration_ms, usage }
  if (error !== undefined && (!isJsonObject(error) || typeof error.code !== "string")) return wrong("error")
  const fault = error === undefined ? {} : { error: { code: error.code as string } }
  if (reward === undefined) return { ...header, ...fault }
  if (!isJsonObject(reward) || typeof reward.value !== "number" || !isJsonObject(reward.detail)) return wrong("reward")
  return { ...header, ...fault, reward: { value: reward.value, detail: reward.detail } }
}

function isStatus(value: Json | undefined): value is EpisodeRecord["status"] {
  return STATUSES.has(value)
}

const STATUSES: ReadonlySet<unknown> = new Set(EpisodeStatus.options)

/** Decodes each member once, when it is asked for: decoding works in place. */
class LazyMembers implements KeyedMembers {
  protected readonly raw: JsonObject
  protected readonly decoder: Decoder
  #decoded: Map<string, Json | undefined> | undefined

  constructor(raw: JsonObject, decoder: Decoder) {
    this.raw = raw
    this.decoder = decoder
  }

  get(key: string): Json | undefined {
    const raw = this.has(key) ? this.raw[written(key)] : undefined
    if (typeof raw === "string" ? !raw.startsWith("@") : typeof raw !== "object" || raw === null) return raw
    if (this.#decoded?.has(key)) return this.#decoded.get(key)
    const value = this.decoder.value(raw!, () => this.pageText())
    this.#decoded ??= new Map()
    this.#decoded.set(key, value)
    return value
  }

  has(key: string): boolean {
    return Object.hasOwn(this.raw, written(key))
  }

  /** Without what says how the object is written. */
  keys(): string[] {
    return Object.keys(this.raw).flatMap((key) =>
      key.startsWith("@@") ? key.slice(1) : key.startsWith("@") ? [] : key,
    )
  }

  /** The text that stretches are taken from. */
  protected pageText(): string | undefined {
    return undefined
  }
}

/** A key as it stands on disk. */
function written(key: string): string {
  return key.startsWith("@") ? `@${key}` : key
}

class LazyEvent extends LazyMembers implements PlayEvent {
  readonly type: string
  readonly #events: readonly LazyEvent[]
  #state: KeyedMembers | undefined | null = null // null: not looked at yet

  constructor(raw: JsonObject, decoder: Decoder, events: readonly LazyEvent[]) {
    super(raw, decoder)
    this.type = typeof raw.type === "string" ? raw.type : ""
    this.#events = events
  }

  override get(key: string): Json | undefined {
    return key === "state" ? whole(this.state) : super.get(key)
  }

  get state(): KeyedMembers | undefined {
    if (this.#state === null) this.#state = this.#readState()
    return this.#state
  }

  /** A member, or for what lies in the state, just that part of it. */
  at(key: string, path: readonly string[]): Json | undefined {
    const [inside] = path
    if (key !== "state" || inside === undefined) return this.get(key)
    const value = this.state?.get(inside)
    return value === undefined ? undefined : { [inside]: value }
  }

  whole(): JsonObject {
    return whole(this)!
  }

  override pageText(): string | undefined {
    const text = super.get("text")
    return typeof text === "string" ? text : undefined
  }

  #readState(): KeyedMembers | undefined {
    const { state } = this.raw
    if (!isJsonObject(state)) return asMembers(super.get("state"))
    const own = new LazyState(state, this.decoder, this)
    const { "@from": from, "@less": less } = state
    if (typeof from !== "number") return own
    const before = this.#events[from]?.state
    if (before === undefined) throw new Error(`event ${from} has no state`)
    return new ChangedState(own, before, Array.isArray(less) ? less : [])
  }
}

class LazyState extends LazyMembers {
  readonly #event: LazyEvent

  constructor(raw: JsonObject, decoder: Decoder, event: LazyEvent) {
    super(raw, decoder)
    this.#event = event
  }

  protected override pageText(): string | undefined {
    return this.#event.pageText()
  }
}

/** A page's state made of an earlier one. */
class ChangedState implements KeyedMembers {
  readonly #own: LazyMembers
  readonly #before: KeyedMembers
  readonly #less: readonly Json[]

  constructor(own: LazyMembers, before: KeyedMembers, less: readonly Json[]) {
    this.#own = own
    this.#before = before
    this.#less = less
  }

  get(key: string): Json | undefined {
    if (this.#own.has(key)) return this.#own.get(key)
    return this.#less.includes(key) ? undefined : this.#before.get(key)
  }

  keys(): string[] {
    const kept = this.#before.keys().filter((key) => !this.#less.includes(key))
    return [...new Set([...kept, ...this.#own.keys()])]
  }
}

function whole(members: KeyedMembers | undefined): JsonObject | undefined {
  if (members === undefined) return undefined
  const entries = members.keys().flatMap((key): [string, Json][] => {
    const value = members.get(key)
    return value === undefined ? [] : [[key, value]]
  })
  return Object.fromEntries(entries)
}

function asMembers(value: Json | undefined): KeyedMembers | undefined {
  return isJsonObject(value) ? membersOf(value) : undefined
}

function membersOf(object: JsonObject): KeyedMembers {
  return {
    get: (key) => (Object.hasOwn(object, key) ? object[key] : undefined),
    keys: () => Object.keys(object),
  }
}
