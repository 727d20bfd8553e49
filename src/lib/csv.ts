import { TextDecoder } from "node:util"
import { AppError, throwIfCancelled } from "../core/errors.ts"
import type { ByteSource } from "./byte-source.ts"

/** A record longer than this many UTF-16 units is taken for one whose quote is never closed. */
const MAX_RECORD_LENGTH = 8_000_000
const DELIMITERS = [",", ";", "\t", "|"] as const

/** One record of a CSV file. */
export interface CsvRow {
  readonly line: number // where it begins, from 1
  readonly cells: readonly string[]
  /** Why the record cannot be trusted: its quotes are wrong. Reading goes on with the line after the one it begins on. */
  readonly fault: string | null
}

/**
 * Reads CSV as spreadsheets and stores write it (RFC 4180 with its usual liberties): cells with quotes may hold delimiters, doubled
 * quotes and line breaks; lines end with LF, CRLF or CR; the delimiter (comma, semicolon, tab or `|`) is the one most frequent in
 * the first line, or what a first line `sep=;` says. UTF-8 with or without byte order mark, UTF-16 with one. Lines without
 * anything are passed over. A wrong quote costs the record it is in and no other.
 * Throws `BAD_INPUT`, naming file and place, for an empty file and for what is no text.
 */
export async function* readCsv(source: ByteSource, signal?: AbortSignal): AsyncGenerator<CsvRow[]> {
  let reader: CsvReader | undefined
  let pending = "" // until there is a whole first line
  let found = false
  for await (const text of decoded(source)) {
    throwIfCancelled(signal)
    if (reader === undefined) {
      pending += text
      if (!/[\r\n]./s.test(pending) && pending.length < MAX_RECORD_LENGTH) continue
      reader = new CsvReader(pending)
    } else reader.push(text)
    const rows = reader.rows(false)
    if (rows.length === 0) continue
    found = true
    yield rows
  }
  reader ??= new CsvReader(pending)
  const rows = reader.rows(true)
  if (rows.length > 0) yield rows
  else if (!found) throw fault(source, 1, "is empty")
}

/** Cuts text into records; what is not whole yet waits for more. */
class CsvReader {
  readonly #delimiter: string
  readonly #plain: RegExp
  #text: string
  #at = 0
  line = 1

  constructor(text: string) {
    const first = /^[^\r\n]*/.exec(text)![0]
    const named = /^"?sep=(.)"?$/i.exec(first)
    this.#delimiter = named?.[1] ?? likeliestDelimiter(first)
    this.#plain = new RegExp(`[^\\r\\n\\x${this.#delimiter.charCodeAt(0).toString(16).padStart(2, "0")}]*`, "y")
    this.#text = text
    if (named === null) return
    this.#at = first.length + (/^\r\n/.test(text.slice(first.length)) ? 2 : 1)
    this.line = 2
  }

  push(text: string): void {
    this.#text = this.#text.slice(this.#at) + text
    this.#at = 0
  }

  /** The records that are whole; with `final` also the last one, which no line break need end. */
  rows(final: boolean): CsvRow[] {
    const rows: CsvRow[] = []
    while (this.#at < this.#text.length) {
      const read = this.#record(final)
      if (read === undefined) break
      const { cells, fault, end } = read
      const line = this.line
      this.line += lineBreaks(this.#text, this.#at, end)
      this.#at = end
      if (fault !== null || cells.length > 1 || cells[0] !== "") rows.push({ line, cells, fault })
    }
    return rows
  }

  #record(final: boolean): { cells: string[]; fault: string | null; end: number } | undefined {
    const text = this.#text
    const cells: string[] = []
    let at = this.#at
    for (;;) {
      const quote = this.#quoteAt(at)
      if (quote === undefined) {
        this.#plain.lastIndex = at
        this.#plain.test(text)
        const end = this.#plain.lastIndex
        cells.push(text.slice(at, end))
        at = end
      } else {
        const closed = closingQuote(text, quote + 1, final)
        if (closed === undefined) {
          if (!final && text.length - this.#at < MAX_RECORD_LENGTH) return undefined
          return this.#broken(cells, quote, "a quote is opened here and never closed")
        }
        cells.push(text.slice(quote + 1, closed).replaceAll('""', '"'))
        at = closed + 1
        while (text[at] === " " && text[at] !== this.#delimiter) at += 1
      }
      const next = text[at]
      if (next === this.#delimiter) {
        at += 1
        continue
      }
      if (next === undefined) return final ? { cells, fault: null, end: at } : undefined
      if (next === "\n") return { cells, fault: null, end: at + 1 }
      if (next === "\r") {
        if (text[at + 1] === undefined && !final) return undefined
        return { cells, fault: null, end: text[at + 1] === "\n" ? at + 2 : at + 1 }
      }
      return this.#broken(cells, at, "text follows a closing quote; quotes inside a text are written twice")
    }
  }

  /** Where a cell that begins at `at` opens its quote, after spaces; undefined: it has none. */
  #quoteAt(at: number): number | undefined {
    let quote = at
    while (this.#text[quote] === " ") quote += 1
    return this.#text[quote] === '"' ? quote : undefined
  }

  /** Gives the record up at the end of its first line. */
  #broken(cells: string[], place: number, why: string): { cells: string[]; fault: string; end: number } {
    const text = this.#text
    const lines = lineBreaks(text, this.#at, place)
    const line = lines === 0 ? "" : ` (on line ${this.line + lines})`
    const end = /\r\n|\n|\r|$/g
    end.lastIndex = this.#at
    const found = end.exec(text)!
    return {
      cells,
      fault: `${why}, in cell ${cells.length + (why.startsWith("text") ? 0 : 1)}${line}`,
      end: found.index + found[0].length,
    }
  }
}

/** The quote that ends a quoted text which goes on at `from`; undefined: none, or it cannot be known yet. */
function closingQuote(text: string, from: number, final: boolean): number | undefined {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] === undefined && !final) return undefined
    if (text[at + 1] !== '"') return at
  }
  return undefined
}

function lineBreaks(text: string, from: number, to: number): number {
  let count = 0
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x0a || (code === 0x0d && text.charCodeAt(at + 1) !== 0x0a)) count += 1
  }
  return count
}

function likeliestDelimiter(line: string): string {
  const bare = line.replace(/"(?:[^"]|"")*"/g, "")
  const count = (delimiter: string) => bare.split(delimiter).length
  return DELIMITERS.reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best))
}

async function* decoded(source: ByteSource): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined
  let bytes = 0
  for await (const chunk of source.chunks()) {
    decoder ??= decoderFor(source, chunk)
    let text: string
    try {
      text = decoder.decode(chunk, { stream: true })
    } catch {
      throw fault(source, null, `is not text in ${decoder.encoding}, somewhere after byte ${bytes}${ADVICE}`)
    }
    if (text.includes("\0")) throw fault(source, null, `holds zero bytes and is no text, somewhere after byte ${bytes}`)
    bytes += chunk.length
    if (text !== "") yield text
  }
  try {
    const rest = decoder?.decode() ?? ""
    if (rest !== "") yield rest
  } catch {
    throw fault(source, null, `ends in the middle of a character${ADVICE}`)
  }
}

const ADVICE = "; save it as UTF-8 (in Excel: CSV UTF-8)"

function decoderFor(source: ByteSource, start: Buffer): TextDecoder {
  if (start.subarray(0, 4).equals(Buffer.from("PK\x03\x04"))) {
    throw fault(source, null, "is a workbook or another zip archive, not CSV; export the sheet as CSV")
  }
  const utf16 =
    start[0] === 0xff && start[1] === 0xfe
      ? "utf-16le"
      : start[0] === 0xfe && start[1] === 0xff
        ? "utf-16be"
        : undefined
  return new TextDecoder(utf16 ?? "utf-8", { fatal: true })
}

function fault(source: ByteSource, line: number | null, what: string): AppError {
  const place = line === null ? source.name : `${source.name}:${line}`
  return new AppError("BAD_INPUT", `${place}: the file ${what}`, { details: { file: source.name, line } })
}
