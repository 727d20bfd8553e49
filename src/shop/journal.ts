import {
  closeSync,
  existsSync,
  fdatasync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  writeSync,
} from "node:fs"
import { join } from "node:path"
import { StringDecoder } from "node:string_decoder"
import { z } from "zod"
import { AppError, messageOf } from "../core/errors.ts"
import { TaskId } from "../core/task.ts"
import { type FolderLock, lockFolder } from "../lib/folder-lock.ts"
import { InteractionMode, RulesName } from "./rules.ts"

/**
 * The memory of a shop server: one line per thing that happened to a session, written before the caller hears of it, so that
 * after kill -9 every session is where its holder believes it to be. A session is its start and its actions; playing them again
 * gives the same pages.
 *
 * A line reaches the kernel before the reply goes out (one `write` each: grouping several saved nothing measurable), so a dead
 * process loses nothing. It reaches the disk within about a second (`fdatasync` in the background): a power cut may lose the last
 * second, and the session is then a few actions younger than its holder thinks, who is told the step that is expected.
 */

const JOURNAL_SCHEMA = "souk.sessions/1"

/** How a session is played; together with its actions it is the whole session. */
export const JournaledStart = z.object({
  lease: z.string().regex(/^[0-9a-f]{32}$/),
  slot: z.number().int().nonnegative(),
  protocol: z.enum(["native", "reference"]),
  task_id: TaskId,
  rules: RulesName,
  mode: InteractionMode,
  persona: z.boolean(),
})
export type JournaledStart = z.infer<typeof JournaledStart>

const TerminationReason = z.enum(["action_limit", "generation_length"])

/** Null stands for a response that was no text. */
const Response = z.string().nullable()

const JournalHeader = z.object({
  type: z.literal("journal"),
  schema: z.literal(JOURNAL_SCHEMA),
  catalog_hash: z.string(),
})

const JournalRecord = z.discriminatedUnion("type", [
  z.object({ type: z.literal("start"), ...JournaledStart.shape }),
  z.object({ type: z.literal("action"), lease: z.string(), step: z.number().int().positive(), response: Response }),
  z.object({ type: z.literal("terminate"), lease: z.string(), reason: TerminationReason }),
  z.object({ type: z.literal("release"), lease: z.string() }),
])
export type JournalRecord = z.infer<typeof JournalRecord>

/** A session as the journal holds it. */
export interface SessionLog {
  readonly start: JournaledStart
  /** What the agent wrote, in order. */
  readonly actions: (string | null)[]
  terminated: z.infer<typeof TerminationReason> | null
}

export interface Journal {
  /** Where it is kept; null when it is off. */
  readonly folder: string | null
  /** The sessions that lived when it was opened. */
  readonly restored: readonly SessionLog[]
  /**
   * Throws `STORE_UNWRITABLE` (retryable) when the line could not be written whole; nothing of it is left then, and what it
   * tells of must not be done.
   */
  append(record: JournalRecord): void
  /** Whether enough of it tells of dead sessions that `compact` is worth its time. */
  readonly overgrown: boolean
  /** Writes it anew with these sessions alone, beside the old one, then in its place. */
  compact(live: Iterable<SessionLog>): void
  close(): void
}

/** No memory: what lives in the process dies with it. */
export const NO_JOURNAL: Journal = {
  folder: null,
  restored: [],
  append() {},
  overgrown: false,
  compact() {},
  close() {},
}

const FILE = "sessions.jsonl"
/** Below this many bytes, dead sessions in it are nobody's trouble. */
const OVERGROWN_BYTES = 64 * 1024 * 1024
const SYNC_MS = 1000

/**
 * Opens the journal in `folder`, for this process alone. Throws `REFUSED` when its sessions belong to another catalog or another
 * process has it, `STORE_CORRUPT` when a line before the last is damaged, `STORE_UNWRITABLE` when it cannot be written.
 */
export function openJournal(
  folder: string,
  { catalogHash, overgrownBytes = OVERGROWN_BYTES }: { catalogHash: string; overgrownBytes?: number },
): Journal {
  const lock = lockFolder(folder, { waitMs: 2000 })
  try {
    return new FileJournal(folder, catalogHash, overgrownBytes, lock)
  } catch (error) {
    lock.close()
    throw error
  }
}

class FileJournal implements Journal {
  readonly folder: string
  readonly restored: readonly SessionLog[]
  readonly #path: string
  readonly #catalogHash: string
  readonly #overgrownBytes: number
  readonly #lock: FolderLock
  #fd = -1
  #length = 0 // bytes that are whole lines of ours
  #compactLength = 0
  #torn = false // bytes beyond #length may be on disk
  #syncing: NodeJS.Timeout | null = null

  constructor(folder: string, catalogHash: string, overgrownBytes: number, lock: FolderLock) {
    this.folder = folder
    this.#path = join(folder, FILE)
    this.#catalogHash = catalogHash
    this.#overgrownBytes = overgrownBytes
    this.#lock = lock
    const found = existsSync(this.#path) ? readJournal(this.#path) : { catalogHash, sessions: [] }
    if (found.sessions.length > 0 && found.catalogHash !== catalogHash) {
      throw new AppError(
        "REFUSED",
        `${this.#path} holds ${found.sessions.length} sessions on catalog ${found.catalogHash.slice(0, 12)}, but this one is ` +
          `${catalogHash.slice(0, 12)}: serve that catalog, name another folder with --state, or delete the file to drop them`,
      )
    }
    this.restored = found.sessions
    this.compact(found.sessions)
  }

  get overgrown(): boolean {
    return this.#length > this.#overgrownBytes && this.#length > 4 * this.#compactLength
  }

  append(record: JournalRecord): void {
    const line = Buffer.from(`${JSON.stringify(record)}\n`)
    try {
      if (this.#fd < 0) throw new Error("the journal is closed")
      if (this.#torn) {
        ftruncateSync(this.#fd, this.#length)
        this.#torn = false
      }
      this.#torn = true
      writeWhole(this.#fd, line, this.#length)
      this.#torn = false
      this.#length += line.length
    } catch (error) {
      this.#trim()
      throw unwritable(this.#path, error)
    }
    this.#syncSoon()
  }

  compact(live: Iterable<SessionLog>): void {
    const fresh = `${this.#path}.new`
    let fd = -1
    try {
      fd = openSync(fresh, "w+", 0o600)
      let length = 0
      let lines: string[] = []
      let size = 0
      const flush = (): void => {
        const bytes = Buffer.from(lines.join(""))
        writeWhole(fd, bytes, length)
        length += bytes.length
        lines = []
        size = 0
      }
      const put = (record: JournalRecord | z.infer<typeof JournalHeader>): void => {
        const line = `${JSON.stringify(record)}\n`
        lines.push(line)
        size += line.length
        if (size > 1 << 20) flush()
      }
      put({ type: "journal", schema: JOURNAL_SCHEMA, catalog_hash: this.#catalogHash })
      for (const log of live) for (const record of recordsOf(log)) put(record)
      flush()
      fsyncSync(fd)
      renameSync(fresh, this.#path)
      syncFolder(this.folder)
      if (this.#fd >= 0) closeSync(this.#fd)
      this.#fd = fd
      this.#length = length
      this.#compactLength = length
      this.#torn = false
    } catch (error) {
      if (fd >= 0 && fd !== this.#fd) closeSync(fd)
      throw unwritable(this.#path, error)
    }
  }

  close(): void {
    if (this.#syncing !== null) clearTimeout(this.#syncing)
    this.#syncing = null
    if (this.#fd >= 0) {
      try {
        fsyncSync(this.#fd)
      } finally {
        closeSync(this.#fd)
        this.#fd = -1
      }
    }
    this.#lock.close()
  }

  /** Cuts off what a failed write may have left; when even that fails, the next append tries again before it writes. */
  #trim(): void {
    if (!this.#torn || this.#fd < 0) return
    try {
      ftruncateSync(this.#fd, this.#length)
      this.#torn = false
    } catch {
      // stays torn: append refuses until the file can be cut
    }
  }

  #syncSoon(): void {
    if (this.#syncing !== null) return
    this.#syncing = setTimeout(() => {
      this.#syncing = null
      if (this.#fd >= 0) fdatasync(this.#fd, () => {}) // a failing disk shows in the next write
    }, SYNC_MS)
    this.#syncing.unref()
  }
}

function* recordsOf(log: SessionLog): Iterable<JournalRecord> {
  const { lease } = log.start
  yield { type: "start", ...log.start }
  for (const [index, response] of log.actions.entries()) yield { type: "action", lease, step: index + 1, response }
  if (log.terminated !== null) yield { type: "terminate", lease, reason: log.terminated }
}

function writeWhole(fd: number, bytes: Buffer, at: number): void {
  let written = 0
  while (written < bytes.length) written += writeSync(fd, bytes, written, bytes.length - written, at + written)
}

function unwritable(path: string, error: unknown): AppError {
  return new AppError("STORE_UNWRITABLE", `Cannot write ${path}: ${messageOf(error)}; nothing was done`, {
    retryable: true,
    details: { problem: "journal_unwritable" },
    cause: error,
  })
}

function syncFolder(folder: string): void {
  const fd = openSync(folder, "r")
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** The living sessions of a journal. A last line without its line feed was torn by a crash and never answered: it is left out. */
function readJournal(path: string): { catalogHash: string; sessions: SessionLog[] } {
  const sessions = new Map<string, SessionLog>()
  let catalogHash = ""
  let number = 0
  for (const line of linesOf(path)) {
    number++
    const problem = (reason: string): AppError =>
      new AppError(
        "STORE_CORRUPT",
        `${path} line ${number}: ${reason}; move the file away to start without its sessions`,
      )
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch {
      throw problem("not JSON")
    }
    if (number === 1) {
      const header = JournalHeader.safeParse(value)
      if (!header.success) throw problem(`not the header of a ${JOURNAL_SCHEMA} file`)
      catalogHash = header.data.catalog_hash
      continue
    }
    const parsed = JournalRecord.safeParse(value)
    if (!parsed.success) throw problem(`not a record: ${parsed.error.issues[0]?.message ?? "unknown"}`)
    const record = parsed.data
    if (record.type === "start") {
      const { type: _, ...start } = record
      sessions.set(record.lease, { start, actions: [], terminated: null })
      continue
    }
    const log = sessions.get(record.lease)
    if (log === undefined) throw problem(`a session that was never started or is released: ${record.lease}`)
    if (record.type === "release") sessions.delete(record.lease)
    else if (record.type === "terminate") log.terminated = record.reason
    else if (record.step !== log.actions.length + 1) throw problem(`step ${record.step} after ${log.actions.length}`)
    else log.actions.push(record.response)
  }
  return { catalogHash, sessions: [...sessions.values()] }
}

function* linesOf(path: string): Iterable<string> {
  const fd = openSync(path, "r")
  try {
    const buffer = Buffer.allocUnsafe(Math.min(1 << 20, Math.max(1, fstatSync(fd).size)))
    const decoder = new StringDecoder("utf8")
    let rest = ""
    for (;;) {
      const read = readSync(fd, buffer, 0, buffer.length, null)
      if (read === 0) return
      const lines = (rest + decoder.write(buffer.subarray(0, read))).split("\n")
      rest = lines.pop()!
      yield* lines
    }
  } finally {
    closeSync(fd)
  }
}
