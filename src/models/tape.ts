import { z } from "zod"
import { AppError } from "../core/errors.ts"
import { canonicalJson, fingerprint, sha256Hex } from "../core/fingerprint.ts"
import { isJsonObject, type Json } from "../core/json.ts"
import { JsonObject } from "../core/json-schema.ts"
import { firstDifference } from "../lib/first-difference.ts"
import { openLineReader, openLineWriter, readLines } from "../lib/jsonl.ts"
import type { Answered, Asked } from "./exchange.ts"

/** Version of the file, named in its first line. */
const TAPE_SCHEMA = "souk.cassette/1"

/**
 * A recorded call. In `request`, each message and each tool is replaced by the id of a part: conversations send them again and again.
 * It has either a reply, or the words of the fault that came instead of one.
 */
const Call = z.object({
  type: z.literal("call"),
  key: z.string(), // SHA-256 of the request's canonical JSON
  seed: z.number().optional(), // of the step that asked
  request: JsonObject,
  reply: z.object({ status: z.number(), headers: z.record(z.string(), z.string()), body: z.string() }).optional(),
  fault: z.string().optional(),
  first_byte_ms: z.number().nullable().default(null),
})
type Call = z.infer<typeof Call>

const TapeLine = z.discriminatedUnion("type", [
  z.object({ type: z.literal("cassette"), schema: z.literal(TAPE_SCHEMA) }),
  z.object({ type: z.literal("part"), id: z.string(), value: z.json() }), // a message or a tool
  Call,
])
type TapeLine = z.infer<typeof TapeLine>

/** Members of a request whose items are kept as parts. */
const IN_PARTS = ["messages", "tools"] as const
/** Headers that may change what is made of a reply; nothing else of an answer's head is kept, and nothing of a request's. */
const HEADERS = ["content-type", "retry-after", "retry-after-ms"] as const

/** Where a call is in the file, without its content. */
interface Place {
  readonly key: string
  readonly seed: number | undefined
  readonly offset: number
  readonly length: number
  taken: boolean
}

/** The request a body stands for, and its name. Throws `BAD_INPUT` for what is not JSON. */
export function requestOf({ body }: Asked): { readonly request: JsonObject; readonly key: string } {
  const request: unknown = JSON.parse(body)
  if (!isJsonObject(request)) throw new AppError("BAD_INPUT", "A request to a model is a JSON object")
  return { request, key: fingerprint(request) }
}

/** A tape's calls as they were when it was opened. Contents stay on disk. */
export interface Tape {
  readonly calls: number
  readonly parts: ReadonlySet<string>
  /**
   * The next call with this request: of those recorded under the same seed the first one not taken yet, else the first one of all.
   * With `round`, all of them are there again when the last one is taken.
   */
  take(key: string, seed: number | undefined, options: { readonly round: boolean }): Place | undefined
  /** How often the request was recorded. */
  count(key: string): number
  /** The recorded answer. Rejects with the recorded fault. */
  answer(place: Place): Promise<Answered>
  /** What distinguishes the request from the recorded one that is most like it; null where nothing is recorded. */
  nearest(request: JsonObject): Promise<string | null>
  close(): Promise<void>
}

/** Reads where everything is. Throws `NOT_FOUND`, and `BAD_INPUT` naming the line that is wrong. */
export async function openTape(path: string): Promise<Tape> {
  const places = new Map<string, Place[]>()
  const parts = new Set<string>()
  let calls = 0
  for await (const { line, offset, length } of tapeLines(path)) {
    if (line.type === "part") parts.add(line.id)
    if (line.type !== "call") continue
    calls += 1
    const place = { key: line.key, seed: line.seed, offset, length, taken: false }
    const known = places.get(line.key)
    if (known === undefined) places.set(line.key, [place])
    else known.push(place)
  }
  const reader = await openLineReader(path)
  return {
    calls,
    parts,
    take(key, seed, { round }) {
      const known = places.get(key) ?? []
      if (round && known.every(({ taken }) => taken)) for (const place of known) place.taken = false
      const free = known.filter(({ taken }) => !taken)
      const found = free.find((place) => place.seed !== undefined && place.seed === seed) ?? free[0]
      if (found !== undefined) found.taken = true
      return found
    },
    count: (key) => places.get(key)?.length ?? 0,
    async answer(place) {
      const { reply, fault, first_byte_ms } = Call.parse(JSON.parse(await reader.readAt(place)))
      if (reply === undefined) throw new Error(fault ?? "the call was recorded without a reply")
      return { raw: reply, firstByteMs: first_byte_ms }
    },
    nearest: (request) => describeNearest(path, request),
    close: () => reader.close(),
  }
}

/** Appends calls to a tape. */
export interface TapeWriter {
  /** Resolves when the call is on the disk. Rejects with `STORE_UNWRITABLE`. */
  append(asked: Asked, end: { readonly answered: Answered } | { readonly fault: string }): Promise<void>
  close(): Promise<void>
}

/** Opens the tape at `path`, made if absent, for appending. `tape`: what it holds already. */
export async function openTapeWriter(path: string, tape: Pick<Tape, "parts" | "calls"> | null): Promise<TapeWriter> {
  const writer = await openLineWriter(path)
  const written = new Set(tape?.parts)
  let begun = tape !== null && tape.calls > 0
  return {
    async append(asked, end) {
      const { request, key } = requestOf(asked)
      const lines: TapeLine[] = begun ? [] : [{ type: "cassette", schema: TAPE_SCHEMA }]
      begun = true
      const added: string[] = []
      const part = (value: Json): string => {
        const id = partId(value)
        if (!written.has(id)) {
          written.add(id)
          added.push(id)
          lines.push({ type: "part", id, value })
        }
        return id
      }
      const short = withParts(request, part)
      lines.push({
        type: "call",
        key,
        ...(asked.seed !== undefined && { seed: asked.seed }),
        request: short,
        ...("fault" in end ? { fault: end.fault } : { reply: kept(end.answered.raw) }),
        first_byte_ms:
          "fault" in end || end.answered.firstByteMs === null ? null : Math.round(end.answered.firstByteMs),
      })
      try {
        await writer.append(lines.map((line) => JSON.stringify(line)).join("\n"))
      } catch (error) {
        for (const id of added) written.delete(id)
        throw error
      }
    },
    close: () => writer.close(),
  }
}

async function* tapeLines(path: string) {
  for await (const { text, number, offset, length } of readLines(path)) {
    yield { line: parseLine(text, `${path}:${number}`), number, offset, length }
  }
}

function parseLine(text: string, where: string): TapeLine {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new AppError("BAD_INPUT", `${where} is not JSON, so this is no cassette, or a damaged one`, { cause: error })
  }
  const parsed = TapeLine.safeParse(value)
  if (parsed.success) return parsed.data
  throw new AppError("BAD_INPUT", `${where} is no line of a ${TAPE_SCHEMA} file:\n${z.prettifyError(parsed.error)}`)
}

function partId(value: Json): string {
  return sha256Hex(canonicalJson(value)).slice(0, 16)
}

function withParts(request: JsonObject, part: (value: Json) => Json): JsonObject {
  const short = { ...request }
  for (const member of IN_PARTS) {
    const items = request[member]
    if (Array.isArray(items)) short[member] = items.map(part)
  }
  return short
}

function kept({ status, headers = {}, body }: Answered["raw"]): NonNullable<Call["reply"]> {
  const known = HEADERS.flatMap((name) => {
    const value = headers[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { status, headers: Object.fromEntries(known), body }
}

/** Of a part, what is looked at to find the most similar one. */
const HEAD_CHARACTERS = 400

/**
 * The recorded request that agrees with `request` in the most first messages, then in the most other members, then in the beginning of
 * the first message that is another. Reads the file twice and keeps little of it.
 */
async function describeNearest(path: string, request: JsonObject): Promise<string | null> {
  const asked = withParts(request, partId)
  const heads = new Map<string, string>()
  const headOf = (value: Json | undefined) => canonicalJson(value ?? null).slice(0, HEAD_CHARACTERS)
  let best: { line: number; request: JsonObject; likeness: readonly number[] } | null = null
  for await (const { line, number } of tapeLines(path)) {
    if (line.type === "part") heads.set(line.id, headOf(line.value))
    if (line.type !== "call") continue
    const at = agreeing(line.request.messages, asked.messages)
    const members = Object.keys(asked).filter((key) => same(line.request[key], asked[key])).length
    const recorded = Array.isArray(line.request.messages) ? line.request.messages[at] : undefined
    const now = Array.isArray(request.messages) ? request.messages[at] : undefined
    const likeness = [at, members, commonStart(heads.get(String(recorded)) ?? "", headOf(now))]
    if (best === null || isMore(likeness, best.likeness)) best = { line: number, request: line.request, likeness }
  }
  if (best === null) return null
  const wanted = new Set(IN_PARTS.flatMap((member) => best.request[member]))
  const values = new Map<string, Json>()
  for await (const { line } of tapeLines(path)) {
    if (line.type === "part" && wanted.has(line.id)) values.set(line.id, line.value)
  }
  const whole = withParts(best.request, (id) => (typeof id === "string" ? (values.get(id) ?? id) : id))
  const difference = firstDifference(messagesLast(whole), messagesLast(request), "request")
  if (difference === undefined) return `line ${best.line} seems to be the same`
  const { path: where, expected, found } = difference
  return `the nearest one is in line ${best.line} and differs at ${where}: recorded ${excerpt(expected, found)}, now ${excerpt(found, expected)}`
}

/** Settings first: where one of them differs, it is what one wants to know. */
function messagesLast({ messages = null, ...settings }: JsonObject): JsonObject {
  return { ...settings, messages }
}

function agreeing(recorded: Json | undefined, asked: Json | undefined): number {
  if (!Array.isArray(recorded) || !Array.isArray(asked)) return 0
  const differs = asked.findIndex((id, index) => id !== recorded[index])
  return differs < 0 ? asked.length : differs
}

/** Whether the first number that differs is greater. */
function isMore(numbers: readonly number[], others: readonly number[]): boolean {
  const at = numbers.findIndex((number, index) => number !== others[index])
  return at >= 0 && numbers[at]! > others[at]!
}

function commonStart(left: string, right: string): number {
  let at = 0
  while (at < left.length && left[at] === right[at]) at += 1
  return at
}

function same(left: Json | undefined, right: Json | undefined): boolean {
  return left !== undefined && right !== undefined && canonicalJson(left) === canonicalJson(right)
}

const EXCERPT_CHARACTERS = 60

/** `value` as JSON, of a long text what is around the first character that `other` has otherwise. */
function excerpt(value: Json | undefined, other: Json | undefined): string {
  if (value === undefined) return "nothing"
  const text = JSON.stringify(value)
  if (text.length <= EXCERPT_CHARACTERS) return text
  const at = commonStart(text, JSON.stringify(other ?? null))
  const from = Math.max(0, Math.min(at - 20, text.length - EXCERPT_CHARACTERS))
  const to = from + EXCERPT_CHARACTERS
  return `${from > 0 ? "…" : ""}${text.slice(from, to)}${to < text.length ? "…" : ""}`
}
