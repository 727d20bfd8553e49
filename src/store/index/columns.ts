import { casefold } from "../../lib/casefold.ts"
import { encodeRow, type PlacedRow, readPlaced } from "./file.ts"
import type { IndexRow } from "./row.ts"

/** Words that many rows share, by number; number 0 is none. */
export class Labels {
  readonly words: string[] = [""]
  readonly #numbers = new Map<string, number>()

  /** The word's number, given on first sight. */
  add(word: string | null): number {
    if (word === null) return 0
    let number = this.#numbers.get(word)
    if (number === undefined) {
      number = this.words.push(word) - 1
      this.#numbers.set(word, number)
    }
    return number
  }

  of(number: number): string | null {
    return number === 0 ? null : this.words[number]!
  }
}

const FIRST_CAPACITY = 1024
/** A figure that is not there. */
export const NONE = Number.NaN

/**
 * The attempts of a trace as columns, in the order recorded. An attempt that a later one of its job takes the place of is
 * `superseded` and no row of the table. Figures are `NONE` where they are not there. What is shown but neither sorted nor chosen by
 * stays packed as it is on disk, and is read when a page is made of it; `folded` is what the search looks through, case folded.
 */
export class EpisodeColumns {
  /** Attempts. */
  count = 0
  /** Jobs: rows of the table. */
  get rows(): number {
    return this.#last.size
  }
  readonly statuses = new Labels()
  readonly endReasons = new Labels()
  readonly errors = new Labels()
  readonly categories = new Labels()
  readonly tasks = new Labels()

  superseded = new Uint8Array(FIRST_CAPACITY)
  /** Of the line in the trace, from 1. */
  lineNumber = new Uint32Array(FIRST_CAPACITY)
  /** Where it starts. */
  offset = new Float64Array(FIRST_CAPACITY)
  /** Labels' numbers. */
  status = new Uint32Array(FIRST_CAPACITY)
  endReason = new Uint32Array(FIRST_CAPACITY)
  error = new Uint32Array(FIRST_CAPACITY)
  category = new Uint32Array(FIRST_CAPACITY)
  task = new Uint32Array(FIRST_CAPACITY)
  /** 1, 0, or `NONE`: not scored. */
  success = new Float64Array(FIRST_CAPACITY)
  reward = new Float64Array(FIRST_CAPACITY)
  steps = new Float64Array(FIRST_CAPACITY)
  tokens = new Float64Array(FIRST_CAPACITY)
  duration = new Float64Array(FIRST_CAPACITY)
  /** Milliseconds since the epoch. */
  startedAt = new Float64Array(FIRST_CAPACITY)
  /** Where a row's text starts in `folded`; one more than there are rows. */
  foldedFrom = new Float64Array(FIRST_CAPACITY + 1)
  folded: Buffer = Buffer.allocUnsafe(FIRST_CAPACITY * 64)

  readonly #last = new Map<string, number>() // episode id → its last attempt's row
  #before = new Int32Array(FIRST_CAPACITY) // the attempt before of the same job, or -1
  #packedFrom = new Float64Array(FIRST_CAPACITY + 1)
  #packed: Buffer = Buffer.allocUnsafe(FIRST_CAPACITY * 256)

  /** Makes room for rows that take so many bytes in the file. */
  reserve(bytes: number): void {
    this.#packed = withRoom(this.#packed, this.#packedFrom[this.count]!, bytes, 1)
  }

  /** `line`: the row as the file has it, where it was read from there. */
  add(placed: PlacedRow, lineNumber: number, line: Uint8Array | string = encodeRow(placed)): void {
    const { row } = placed
    const at = this.count
    if (at === this.superseded.length) this.#grow(at * 2)
    this.lineNumber[at] = lineNumber
    this.offset[at] = placed.offset
    this.status[at] = this.statuses.add(row.status)
    this.endReason[at] = this.endReasons.add(row.end_reason)
    this.error[at] = this.errors.add(row.error)
    this.category[at] = this.categories.add(row.category)
    this.task[at] = this.tasks.add(row.task_id)
    this.success[at] = row.success === null ? NONE : Number(row.success)
    this.reward[at] = row.reward ?? NONE
    this.steps[at] = row.steps ?? NONE
    this.tokens[at] = row.tokens ?? NONE
    this.duration[at] = row.duration_ms
    this.startedAt[at] = Date.parse(row.started_at)
    this.#pack(at, line)
    this.#fold(at, row)
    const before = this.#last.get(row.episode_id)
    this.#before[at] = before ?? -1
    if (before !== undefined) this.superseded[before] = 1
    this.#last.set(row.episode_id, at)
    this.count++
  }

  /** The row of a job's last attempt. */
  rowOf(episodeId: string): number | undefined {
    return this.#last.get(episodeId)
  }

  /** All attempts of the job that `row` is one of up to there, the first one first. */
  attempts(row: number): number[] {
    const rows: number[] = []
    for (let at = row; at >= 0; at = this.#before[at]!) rows.push(at)
    return rows.reverse()
  }

  /** A row in full. */
  read(row: number): PlacedRow {
    const line = this.#packed.toString("utf8", this.#packedFrom[row]!, this.#packedFrom[row + 1]!)
    return readPlaced(JSON.parse(line)) as PlacedRow // it was one when it was packed
  }

  /** The rows from `from` up to `to` as they are in the file, with their line feeds. */
  packed(from: number, to: number): string {
    let text = ""
    for (let row = from; row < to; row++) {
      text += `${this.#packed.toString("utf8", this.#packedFrom[row]!, this.#packedFrom[row + 1]!)}\n`
    }
    return text
  }

  #pack(at: number, line: Uint8Array | string): void {
    const from = this.#packedFrom[at]!
    this.#packed = withRoom(this.#packed, from, line.length, typeof line === "string" ? 3 : 1)
    if (typeof line === "string") this.#packedFrom[at + 1] = from + this.#packed.write(line, from, "utf8")
    else {
      this.#packed.set(line, from)
      this.#packedFrom[at + 1] = from + line.length
    }
  }

  #fold(at: number, { episode_id, task_id, instruction, error, category }: IndexRow): void {
    const from = this.foldedFrom[at]!
    const text = casefold(`${episode_id}\n${task_id}\n${instruction}\n${error ?? ""}\n${category ?? ""}\n`)
    this.folded = withRoom(this.folded, from, text.length)
    this.foldedFrom[at + 1] = from + this.folded.write(text, from, "utf8")
  }

  #grow(capacity: number): void {
    this.superseded = grown(this.superseded, new Uint8Array(capacity))
    this.lineNumber = grown(this.lineNumber, new Uint32Array(capacity))
    this.offset = grown(this.offset, new Float64Array(capacity))
    this.status = grown(this.status, new Uint32Array(capacity))
    this.endReason = grown(this.endReason, new Uint32Array(capacity))
    this.error = grown(this.error, new Uint32Array(capacity))
    this.category = grown(this.category, new Uint32Array(capacity))
    this.task = grown(this.task, new Uint32Array(capacity))
    this.success = grown(this.success, new Float64Array(capacity))
    this.reward = grown(this.reward, new Float64Array(capacity))
    this.steps = grown(this.steps, new Float64Array(capacity))
    this.tokens = grown(this.tokens, new Float64Array(capacity))
    this.duration = grown(this.duration, new Float64Array(capacity))
    this.startedAt = grown(this.startedAt, new Float64Array(capacity))
    this.foldedFrom = grown(this.foldedFrom, new Float64Array(capacity + 1))
    this.#before = grown(this.#before, new Int32Array(capacity))
    this.#packedFrom = grown(this.#packedFrom, new Float64Array(capacity + 1))
  }
}

function grown<Numbers extends { set(from: Numbers): void }>(old: Numbers, wider: Numbers): Numbers {
  wider.set(old)
  return wider
}

/** `bytes` with room for `units` more, by default UTF-16 units, after `used` bytes. */
function withRoom(bytes: Buffer, used: number, units: number, unitBytes = 3): Buffer {
  const needed = used + units * unitBytes
  if (needed <= bytes.length) return bytes
  const wider = Buffer.allocUnsafe(Math.max(needed, Math.ceil(bytes.length * 1.5)))
  bytes.copy(wider, 0, 0, used)
  return wider
}
