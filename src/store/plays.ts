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
    return { header, events: list, rest, text: textsOf(line, texts + ',"texts":['.length, events) }
  } catch {
    return undefined
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const BRACKET = 0x5b

/** Looks up texts in a list of them that is between `from` and `to`; what is not looked up is only skipped. */
function textsOf(line: Buffer, from: number, to: number): (index: number) => string | undefined {
  const starts: number[] = [] // of the entries found so far
  let next = from
  const ends: number[] = []
  const texts = new Map<number, string>()
  const findUpTo = (index: number) => {
    while (starts.length <= index && next < to) {
      starts.push(next)
      const end =
        line[next] === BRACKET
          ? line.indexOf("]", stringEnd(line, line.indexOf(QUOTE, next))) + 1
          : stringEnd(line, next)
      ends.push(end)
      next = end + 1 // a comma
    }
  }
  const text = (index: number): string | undefined => {
    const known = texts.get(index)
    if (known !== undefined) return known
    findUpTo(index)
    const start = starts[index]
    if (start === undefined) return undefined
    const entry = JSON.parse(line.toString("utf8", start, ends[index])) as Json
    const value = typeof entry === "string" ? entry : spliced(entry, index)
    texts.set(index, value)
    return value
  }
  const spliced = (entry: Json, index: number): string => {
    const [base, start, end, middle] = entry as [number, number, number, string]
    const before = base < index ? text(base) : undefined
    if (before === undefined) throw new Error(`text ${index} builds on text ${base}, which does not come before it`)
    return before.slice(0, start) + middle + before.slice(end)
  }
  return text
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
