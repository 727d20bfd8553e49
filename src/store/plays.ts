import { existsSync } from "node:fs"
import { join } from "node:path"
import { decodeEpisode } from "../core/compact.ts"
import { isJsonObject, type Json } from "../core/json.ts"
import { decodePlay, type Play, playOf } from "../core/play.ts"
import { readLineBytes } from "../lib/jsonl.ts"
import { blobReader, damaged, FILES } from "./read.ts"

/**
 * All recorded attempts of a run, in order, as plays: read once, without the conversations, each line decoded as far as somebody asks.
 * Good for figures of many episodes; a damaged conversation or page is not noticed. A folder without traces has none. Throws
 * `STORE_CORRUPT`, naming the line, for damage in what is read. A play is only good until the next one is asked for.
 */
export async function* readPlays(folder: string): AsyncGenerator<{ readonly play: Play; readonly number: number }> {
  const path = join(folder, FILES.traces)
  if (!existsSync(path)) return
  const blob = blobReader(folder)
  for await (const { bytes, number } of readLineBytes(path)) {
    yield { play: damaged(path, number, () => playOfLine(bytes, blob)), number }
  }
}

/** Lines that `encodeEpisode` wrote are cut where their long members begin; others are decoded whole. */
function playOfLine(line: Buffer, blob: (hash: string) => string | undefined): Play {
  const parts = partsOf(line)
  return parts === undefined ? playOf(decodeEpisode(line.toString("utf8"), blob)) : decodePlay(parts)
}

const MARKS = [',"texts":[', '],"events":[', '],"messages":[', '],"evidence":{'].map((mark) => Buffer.from(mark))

/**
 * A quote within a string is escaped, so a mark is a key of the line or of something nested in the member before it; cut at a nested
 * one, brackets do not match, and what cannot be parsed is no part.
 */
function partsOf(line: Buffer): Parameters<typeof decodePlay>[0] | undefined {
  const cuts: number[] = []
  for (const mark of MARKS) {
    const at = line.indexOf(mark, cuts.at(-1) ?? 0)
    if (at < 0) return undefined
    cuts.push(at)
  }
  const [texts, events, messages, evidence] = cuts as [number, number, number, number]
  try {
    const header = JSON.parse(`${line.toString("utf8", 0, texts)}}`) as Json
    const list = JSON.parse(line.toString("utf8", events + '],"events":'.length, messages + 1)) as Json
    const rest = JSON.parse(`{${line.toString("utf8", evidence + "],".length)}`) as Json
    if (!isJsonObject(header) || !isJsonObject(rest)) return undefined
    const found = new LineTexts(line, texts + ',"texts":['.length, events)
    return { header, events: list, rest, text: (index) => found.get(index) }
  } catch {
    return undefined
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const BRACKET = 0x5b

/** Looks up texts in a list of them, which is between two bytes of a line; what is not looked up is only skipped. */
class LineTexts {
  readonly #line: Buffer
  readonly #to: number
  readonly #starts: number[] = [] // of the entries found so far
  readonly #texts: (string | undefined)[] = []
  #next: number

  constructor(line: Buffer, from: number, to: number) {
    this.#line = line
    this.#next = from
    this.#to = to
  }

  /** Undefined when there are not so many. Throws an `Error` for what is no text. */
  get(index: number): string | undefined {
    const known = this.#texts[index]
    if (known !== undefined) return known
    this.#findUpTo(index)
    const start = this.#starts[index]
    if (start === undefined) return undefined
    const end = (this.#starts[index + 1] ?? this.#next) - 1 // before the comma
    const entry = JSON.parse(this.#line.toString("utf8", start, end)) as Json
    const text = typeof entry === "string" ? entry : this.#spliced(entry, index)
    this.#texts[index] = text
    return text
  }

  #findUpTo(index: number): void {
    const line = this.#line
    while (this.#starts.length <= index && this.#next < this.#to) {
      const start = this.#next
      const string = line[start] === BRACKET ? line.indexOf(QUOTE, start) : start
      const end = stringEnd(line, string)
      this.#starts.push(start)
      this.#next = (string === start ? end : line.indexOf("]", end) + 1) + 1 // after the comma
    }
  }

  /** A text that is another one with a stretch replaced. */
  #spliced(entry: Json, index: number): string {
    const [base, start, end, middle] = entry as [number, number, number, string]
    const before = base < index ? this.get(base) : undefined
    if (before === undefined) throw new Error(`text ${index} builds on text ${base}, which does not come before it`)
    return before.slice(0, start) + middle + before.slice(end)
  }
}

/** The byte after the string that starts with the quote at `start`. */
function stringEnd(line: Buffer, start: number): number {
  for (let at = line.indexOf(QUOTE, start + 1); at >= 0; at = line.indexOf(QUOTE, at + 1)) {
    let escapes = 0
    while (line[at - 1 - escapes] === BACKSLASH) escapes++
    if (escapes % 2 === 0) return at + 1
  }
  throw new Error("a text does not end")
}
