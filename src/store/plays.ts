import { existsSync } from "node:fs"
import { join } from "node:path"
import { decodeEpisode } from "../core/compact.ts"
import { isJsonObject, type Json } from "../core/json.ts"
import { decodePlay, type Play, playOf } from "../core/play.ts"
import { readLineBytes } from "../lib/jsonl.ts"
import { LineTexts } from "./line-texts.ts"
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
