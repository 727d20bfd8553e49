import { isUtf8 } from "node:buffer"
import { AppError, throwIfCancelled } from "../core/errors.ts"
import type { ByteSource } from "./byte-source.ts"

/** Longer records are reported and passed over instead of held in memory. */
const MAX_RECORD_BYTES = 64 << 20

/** The text of one record of a file, not yet parsed. `text` is null where the record is too long to hold; `reason` says so. */
export interface JsonRecord {
  readonly index: number // from 0
  readonly line: number // where it begins, from 1
  readonly text: string | null
  readonly reason: string
}

/** What a file holds: records in an array or one a line, or one object whose members (`"key": value`) are the records. */
type Form = "records" | "members"

/**
 * Cuts a JSON array, or JSON Lines, into the texts of its records without holding more than one of them (and one chunk) in
 * memory. A faulty record does not hide the next one: only brackets and quotes are looked at here, and parsing is the
 * caller's. Files that begin with `[` are arrays, everything else is one record a line.
 * Throws `BAD_INPUT`, naming file and place, for what leaves nothing to go on with: an empty file, text that is not UTF-8,
 * an array that is not closed, text after it, damaged gzip.
 */
export async function* readJsonRecords(
  source: ByteSource,
  signal?: AbortSignal,
  form: Form = "records",
): AsyncGenerator<JsonRecord[]> {
  const splitter = new RecordSplitter(source.name, form)
  for await (const chunk of source.chunks()) {
    throwIfCancelled(signal)
    const records = splitter.push(chunk)
    if (records.length > 0) yield records
  }
  const last = splitter.end()
  if (last.length > 0) yield last
}

type Mode = "start" | "array" | "lines" | "finished"

class RecordSplitter {
  readonly #name: string
  readonly #open: number
  readonly #close: number
  readonly #what: "array" | "object"
  #mode: Mode = "start"
  #parts: Buffer[] = [] // of the record under way, from earlier chunks
  #partBytes = 0
  #tooLong = false
  #offset = 0 // of the current chunk in the data
  #line = 1
  #recordLine = 1
  #index = 0
  #depth = 0
  #inString = false
  #escaped = false
  #blank = true // nothing but white space in the record so far
  #found: JsonRecord[] = []

  constructor(name: string, form: Form) {
    this.#name = name
    this.#open = form === "records" ? 0x5b : 0x7b
    this.#close = form === "records" ? 0x5d : 0x7d
    this.#what = form === "records" ? "array" : "object"
  }

  push(chunk: Buffer): JsonRecord[] {
    this.#found = []
    let at = 0
    if (this.#mode === "start") at = this.#begin(chunk)
    if (this.#mode === "lines") this.#lines(chunk, at)
    else if (this.#mode === "array") this.#array(chunk, at)
    else if (this.#mode === "finished") this.#nothingMore(chunk, at)
    this.#offset += chunk.length
    return this.#found
  }

  end(): JsonRecord[] {
    this.#found = []
    if (this.#mode === "start") throw this.#error("is empty", 1)
    if (this.#mode === "array") {
      const place = this.#blank
        ? `after item ${this.#index - 1}`
        : `inside item ${this.#index}, which begins on line ${this.#recordLine}`
      throw this.#error(`ends in the middle of its ${this.#what}, ${place}`, this.#line)
    }
    if (this.#mode === "lines" && this.#partBytes > 0) this.#finish(Buffer.alloc(0))
    return this.#found
  }

  /** Decides the form by the first bytes; returns where to go on. Stays at `start` while there is only white space. */
  #begin(chunk: Buffer): number {
    let at = 0
    if (this.#offset === 0) {
      if (chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf) at = 3
      if ((chunk[0] === 0xff && chunk[1] === 0xfe) || (chunk[0] === 0xfe && chunk[1] === 0xff)) {
        throw this.#error("is UTF-16; save it as UTF-8", 1)
      }
    }
    for (; at < chunk.length; at++) {
      const byte = chunk[at]!
      if (byte === 0x0a) this.#line += 1
      else if (byte === this.#open) {
        this.#mode = "array"
        this.#recordLine = this.#line
        return at + 1
      } else if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) {
        this.#mode = "lines"
        this.#recordLine = this.#line
        return at
      }
    }
    return at
  }

  #lines(chunk: Buffer, from: number): void {
    let start = from
    for (;;) {
      const end = chunk.indexOf(0x0a, start)
      if (end < 0) break
      this.#finish(chunk.subarray(start, end))
      this.#line += 1
      this.#recordLine = this.#line
      start = end + 1
    }
    this.#hold(chunk.subarray(start))
  }

  /** Only depth and quotes matter here; whether a record is JSON is for its parser to say. */
  #array(chunk: Buffer, from: number): void {
    let start = from
    let inString = this.#inString
    let escaped = this.#escaped
    let depth = this.#depth
    let blank = this.#blank
    const close = this.#close
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at]!
      if (inString) {
        if (escaped) escaped = false
        else if (byte === 0x5c) escaped = true
        else if (byte === 0x22) inString = false
        else if (byte === 0x0a) this.#line += 1
        continue
      }
      if (byte === 0x20 || byte === 0x09 || byte === 0x0d) continue
      if (byte === 0x0a) {
        this.#line += 1
        continue
      }
      if (depth === 0 && (byte === 0x2c || byte === close)) {
        if (blank) this.#recordLine = this.#line
        if (!(byte === close && blank && this.#index === 0)) this.#finish(chunk.subarray(start, at))
        start = at + 1
        blank = true
        if (byte === 0x2c) continue
        this.#mode = "finished"
        this.#nothingMore(chunk, start)
        return
      }
      if (blank) {
        blank = false
        this.#recordLine = this.#line
        start = at
      }
      if (byte === 0x22) inString = true
      else if (byte === 0x7b || byte === 0x5b) depth += 1
      else if ((byte === 0x7d || byte === 0x5d) && depth > 0) depth -= 1
    }
    this.#inString = inString
    this.#escaped = escaped
    this.#depth = depth
    this.#blank = blank
    if (!blank) this.#hold(chunk.subarray(start))
  }

  #nothingMore(chunk: Buffer, from: number): void {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at]!
      if (byte === 0x0a) this.#line += 1
      else if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) {
        throw this.#error(`has text after its ${this.#what}, at byte ${this.#offset + at}`, this.#line)
      }
    }
  }

  #hold(part: Buffer): void {
    if (part.length === 0) return
    this.#partBytes += part.length
    if (this.#partBytes > MAX_RECORD_BYTES) {
      this.#tooLong = true
      this.#parts = []
    } else this.#parts.push(Buffer.from(part)) // a copy: the chunk's memory is reused
  }

  #finish(rest: Buffer): void {
    const bytes = this.#parts.length === 0 ? rest : Buffer.concat([...this.#parts, rest])
    const tooLong = this.#tooLong || bytes.length > MAX_RECORD_BYTES
    this.#parts = []
    this.#partBytes = 0
    this.#tooLong = false
    if (tooLong) this.#add(null, `is longer than ${MAX_RECORD_BYTES >> 20} MiB`)
    else if (!isUtf8(bytes)) throw this.#notUtf8(bytes)
    else {
      const text = bytes.toString("utf8").trimEnd()
      if (this.#mode === "array" || text !== "") this.#add(text, "")
    }
  }

  #add(text: string | null, reason: string): void {
    this.#found.push({ index: this.#index, line: this.#recordLine, text, reason })
    this.#index += 1
  }

  #notUtf8(bytes: Buffer): AppError {
    const text = bytes.toString("utf8")
    let at = text.indexOf("\ufffd")
    for (; at >= 0; at = text.indexOf("\ufffd", at + 1)) {
      const offset = Buffer.byteLength(text.slice(0, at))
      if (!bytes.subarray(offset, offset + 3).equals(Buffer.from("\ufffd"))) {
        return this.#error(`is not UTF-8, at byte ${offset} of item ${this.#index}`, this.#recordLine)
      }
    }
    return this.#error(`is not UTF-8, in item ${this.#index}`, this.#recordLine)
  }

  #error(what: string, line: number): AppError {
    return new AppError("BAD_INPUT", `${this.#name}:${line}: the file ${what}`, {
      details: { file: this.#name, line, index: this.#index },
    })
  }
}
