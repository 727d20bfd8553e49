import { existsSync } from "node:fs"
import { open, rename, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { throwIfCancelled } from "../core/errors.ts"
import type { EpisodeStatus } from "../core/trace.ts"
import { buildingPath } from "../lib/files.ts"
import { EpisodeColumns } from "./index/columns.ts"
import { type BytePlace, encodeRow, INDEX_FILE, INDEX_HEADER, type PlacedLine, readPlaced } from "./index/file.ts"
import { type IndexRow, indexRowOf } from "./index/row.ts"
import { readTraceLines } from "./index/trace-lines.ts"
import { FILES } from "./read.ts"

/** An attempt on record; `place` is for `readEpisodeAt`. */
export interface RecordedAttempt {
  readonly attempt: number
  readonly status: EpisodeStatus
  readonly end_reason: string
  readonly place: { readonly number: number; readonly offset: number; readonly length: number }
}

/** How far an index is. */
interface IndexProgress {
  /** Of the trace, and of those what the index covers; behind that may be a torn line. */
  readonly bytes: number
  readonly indexed_bytes: number
  /** All whole lines are in it. */
  readonly complete: boolean
  /** Lines that are no episode: left out. */
  readonly damaged_lines: number
}

export interface EpisodeIndex {
  readonly columns: EpisodeColumns
  /** Grows with every row that is added: what was worked out from the columns is good while it is the same. */
  readonly version: number
  readonly progress: IndexProgress
  /**
   * Looks whether the trace has grown and takes in what is new; resolves when that is done, or after `waitMs`, while the work goes on.
   * A trace that is another one, or shorter, is read from its start.
   */
  refresh(waitMs?: number): Promise<void>
  /** The row of the job's last attempt; undefined: not on record, or not yet in an index that is not complete. */
  rowOf(episodeId: string): number | undefined
  /** All attempts of a job, in the order recorded. */
  attemptsOf(episodeId: string): RecordedAttempt[]
  /** Ids of the jobs before and after it, by the order in which their last attempts were recorded. */
  neighbours(episodeId: string): { readonly previous: string | null; readonly next: string | null }
  /** Whether the job is on record; waits for work that goes on until that is known. Rejects with `CANCELLED` when it was stopped. */
  has(episodeId: string): Promise<boolean>
}

/** Opening waits so long for the file of an index to be read, which takes less; and so long for an index that has to be made, which goes on behind. */
const FIRST_WAIT_MS = { read: 1200, make: 600 }
const LOOK_AGAIN_MS = 20
const MOST_RESERVED = 256 << 20
/** What the file lacks may be read again each time, up to so many bytes of the trace. */
const MAY_LACK = 16 << 20

/**
 * The index of a run's trace. What `episodes.index` beside it has is taken as it is, as far as it belongs to this trace; what is missing
 * is read from the trace, without holding up the event loop for longer than a few milliseconds. An index that had to be made, or lacked
 * more than `mayLack` bytes of the trace, is put on the disk when it is complete; a folder that cannot be written does no harm. `signal`
 * stops the work.
 */
export async function openEpisodeIndex(
  folder: string,
  { signal, mayLack = MAY_LACK }: { readonly signal?: AbortSignal; readonly mayLack?: number } = {},
): Promise<EpisodeIndex> {
  const index = new TraceIndex(folder, { signal, mayLack })
  await index.refresh(existsSync(join(folder, INDEX_FILE)) ? FIRST_WAIT_MS.read : FIRST_WAIT_MS.make)
  return index
}

interface TraceFile {
  readonly bytes: number
  readonly identity: number
}

class TraceIndex implements EpisodeIndex {
  columns = new EpisodeColumns()
  version = 0
  readonly #folder: string
  readonly #path: string
  readonly #signal: AbortSignal | undefined
  readonly #mayLack: number
  #trace: TraceFile | undefined
  #covered = 0
  #lines = 0
  #damaged: BytePlace[] = []
  #onDisk = 0 // bytes of the trace that the file covers
  #work: Promise<void> | undefined
  #failed = false

  constructor(folder: string, { signal, mayLack }: { signal: AbortSignal | undefined; mayLack: number }) {
    this.#folder = folder
    this.#path = join(folder, FILES.traces)
    this.#signal = signal
    this.#mayLack = mayLack
  }

  get progress(): IndexProgress {
    return {
      bytes: this.#trace?.bytes ?? 0,
      indexed_bytes: this.#covered,
      complete: this.#work === undefined && !this.#failed,
      damaged_lines: this.#damaged.length,
    }
  }

  async refresh(waitMs = Number.POSITIVE_INFINITY): Promise<void> {
    this.#work ??= this.#update()
      .then(
        () => {
          this.#failed = false
        },
        (error: unknown) => {
          this.#failed = true
          throw error
        },
      )
      .finally(() => {
        this.#work = undefined
      })
    const work = this.#work
    if (waitMs === Number.POSITIVE_INFINITY) return work
    let timer: NodeJS.Timeout | undefined
    const waited = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, waitMs)
    })
    work.catch(() => {}) // when it fails later, the next one to ask is told
    await Promise.race([work, waited]).finally(() => clearTimeout(timer))
  }

  async has(episodeId: string): Promise<boolean> {
    while (this.rowOf(episodeId) === undefined && this.#work !== undefined) {
      await Promise.race([this.#work, pause(LOOK_AGAIN_MS)])
    }
    return this.rowOf(episodeId) !== undefined
  }

  rowOf(episodeId: string): number | undefined {
    return this.columns.rowOf(episodeId)
  }

  attemptsOf(episodeId: string): RecordedAttempt[] {
    const last = this.rowOf(episodeId)
    if (last === undefined) return []
    return this.columns.attempts(last).map((at) => {
      const { row, offset, length } = this.columns.read(at)
      const { attempt, status, end_reason } = row
      return { attempt, status, end_reason, place: { number: this.columns.lineNumber[at]!, offset, length } }
    })
  }

  neighbours(episodeId: string): { previous: string | null; next: string | null } {
    const row = this.rowOf(episodeId)
    if (row === undefined) return { previous: null, next: null }
    return { previous: this.#idFrom(row, -1), next: this.#idFrom(row, 1) }
  }

  #idFrom(row: number, step: 1 | -1): string | null {
    const { columns } = this
    for (let at = row + step; at >= 0 && at < columns.count; at += step) {
      if (columns.superseded[at] === 0) return columns.read(at).row.episode_id
    }
    return null
  }

  async #update(): Promise<void> {
    const trace = await traceFile(this.#path)
    const isFirst = this.#trace === undefined
    if (!isFirst && (trace.identity !== this.#trace!.identity || trace.bytes < this.#covered)) this.#forget()
    this.#trace = trace
    if (isFirst) await this.#load(trace)
    while (this.#covered < this.#trace.bytes) {
      const before = this.#covered
      await this.#readOn(this.#trace.bytes)
      this.#trace = await traceFile(this.#path)
      if (this.#covered === before) break // a torn line waits for its end
    }
    if (this.#covered - this.#onDisk > (this.#onDisk === 0 ? 0 : this.#mayLack)) await this.#write()
  }

  #forget(): void {
    this.columns = new EpisodeColumns()
    this.version++
    this.#covered = 0
    this.#lines = 0
    this.#damaged = []
    this.#onDisk = 0
  }

  #add(place: BytePlace, row: IndexRow | undefined, line?: Buffer): void {
    this.#lines++
    this.#covered = place.offset + place.length + 1
    if (row === undefined) this.#damaged.push({ offset: place.offset, length: place.length })
    else this.columns.add({ ...place, row }, this.#lines, line)
    this.version++
  }

  async #readOn(to: number): Promise<void> {
    for await (const lines of readTraceLines(this.#path, { from: this.#covered, to, signal: this.#signal })) {
      for (const { offset, length, bytes } of lines) this.#add({ offset, length }, bytes && indexRowOf(bytes))
    }
  }

  /** Takes over what the file has, up to what is no line of it or does not belong to the trace. */
  async #load({ bytes }: TraceFile): Promise<void> {
    const path = join(this.#folder, INDEX_FILE)
    if (bytes === 0 || !existsSync(path)) return
    let first = true
    const to = (await stat(path)).size
    this.columns.reserve(Math.min(to, MOST_RESERVED))
    load: for await (const group of readTraceLines(path, { from: 0, to, signal: this.#signal })) {
      let lines = group.map((line) => line.bytes ?? NO_BYTES)
      if (first) {
        if (lines[0]!.toString("utf8") !== INDEX_HEADER) return
        lines = lines.slice(1)
        first = false
      }
      for (const [n, placed] of placedIn(lines).entries()) {
        if (placed === undefined || placed.offset !== this.#covered) break load
        this.#add(placed, placed.row, lines[n])
      }
    }
    if (this.#covered > bytes || !(await this.#fits())) this.#forget()
    else this.#onDisk = this.#covered
  }

  /** Whether the first and last rows are where they say. */
  async #fits(): Promise<boolean> {
    const { columns } = this
    if (columns.count === 0) return true
    const file = await open(this.#path, "r")
    try {
      for (const at of [0, columns.count - 1]) {
        const { row, offset, length } = columns.read(at)
        const line = Buffer.alloc(length + 1)
        await file.read(line, 0, line.length, offset)
        if (line[length] !== 10 || !line.includes(JSON.stringify(row.episode_id))) return false
      }
      return true
    } finally {
      await file.close()
    }
  }

  /** In one piece by rename: who plays the run may add to the file that was there, which is then gone, and will be completed again. */
  async #write(): Promise<void> {
    const path = join(this.#folder, INDEX_FILE)
    const building = `${buildingPath(path)}.${process.pid}`
    try {
      const file = await open(building, "w")
      try {
        await writeFile(file, `${INDEX_HEADER}\n`)
        for (const text of this.#texts()) {
          throwIfCancelled(this.#signal)
          await writeFile(file, text)
        }
      } finally {
        await file.close()
      }
      await rename(building, path)
      this.#onDisk = this.#covered
    } catch {
      // A cache that could not be kept: a full disk, or a folder that is only to be read.
      await rm(building, { force: true }).catch(() => {})
    }
  }

  *#texts(): Generator<string> {
    const { columns } = this
    let from = 0
    for (const damaged of this.#damaged) {
      let to = from
      while (to < columns.count && columns.offset[to]! < damaged.offset) to++
      yield* pieces(columns, from, to)
      yield `${encodeRow({ ...damaged, row: undefined })}\n`
      from = to
    }
    yield* pieces(columns, from, columns.count)
  }
}

const ROWS_AT_ONCE = 2000

function* pieces(columns: EpisodeColumns, from: number, to: number): Generator<string> {
  for (let at = from; at < to; at += ROWS_AT_ONCE) yield columns.packed(at, Math.min(at + ROWS_AT_ONCE, to))
}

const NO_BYTES = Buffer.alloc(0)

/** What lines of the file say; undefined for one that is none. All at once, which is quicker than one by one. */
function placedIn(lines: readonly Buffer[]): (PlacedLine | undefined)[] {
  try {
    const values = JSON.parse(listOf(lines)) as unknown[]
    if (values.length === lines.length) return values.map(readPlaced)
  } catch {
    // One of them is damaged.
  }
  return lines.map((line) => {
    try {
      return readPlaced(JSON.parse(line.toString("utf8")))
    } catch {
      return undefined
    }
  })
}

/** `[first,second,…]` */
function listOf(lines: readonly Buffer[]): string {
  const bytes = Buffer.allocUnsafe(lines.reduce((sum, { length }) => sum + length + 1, 2))
  let at = bytes.write("[")
  for (const [n, line] of lines.entries()) {
    if (n > 0) at += bytes.write(",", at)
    bytes.set(line, at)
    at += line.length
  }
  at += bytes.write("]", at)
  return bytes.toString("utf8", 0, at)
}

async function traceFile(path: string): Promise<TraceFile> {
  try {
    const { size, ino } = await stat(path)
    return { bytes: size, identity: ino }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error
    return { bytes: 0, identity: 0 }
  }
}
