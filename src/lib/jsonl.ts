import { type FileHandle, open } from "node:fs/promises"
import { AppError, messageOf } from "../core/errors.ts"

/** Where a line of a JSON Lines file is; the line feed is not part of it. */
interface LinePlace {
  /** From 1. */
  readonly number: number
  /** Bytes from the start of the file, and bytes of the line. */
  readonly offset: number
  readonly length: number
}

export interface Line extends LinePlace {
  readonly text: string
}

/** A line as it is stored. `bytes` are only good until the next line is asked for. */
export interface ByteLine extends LinePlace {
  readonly bytes: Buffer
}

const LINE_FEED = 10
const CHUNK = 1 << 18
/** What is read ahead while lines are read. */
const AHEAD = 1 << 20

/**
 * The lines of a file, one after the other, in memory that depends on the longest line only. Bytes after the last line feed are
 * left out: a crash may have torn them, even within a character. Throws `NOT_FOUND` when there is no file.
 */
export async function* readLines(path: string): AsyncGenerator<Line> {
  for await (const { bytes, ...place } of readLineBytes(path)) yield { text: bytes.toString("utf8"), ...place }
}

/** As {@link readLines}, for readers that need little of each line. */
export async function* readLineBytes(path: string): AsyncGenerator<ByteLine> {
  const file = await openForReading(path)
  let chunk = Buffer.allocUnsafe(AHEAD)
  let spare = Buffer.allocUnsafe(AHEAD)
  const readInto = (buffer: Buffer) => {
    const read = file.read(buffer, 0, AHEAD, null)
    read.catch(() => {}) // it may fail before anybody waits for it
    return read
  }
  let reading = readInto(chunk)
  try {
    let pending: Buffer[] = []
    let offset = 0
    let number = 1
    for (;;) {
      const { bytesRead } = await reading
      if (bytesRead === 0) return
      reading = readInto(spare)
      let from = 0
      for (
        let end = chunk.indexOf(LINE_FEED, from);
        end >= 0 && end < bytesRead;
        end = chunk.indexOf(LINE_FEED, from)
      ) {
        const rest = chunk.subarray(from, end)
        const bytes = pending.length === 0 ? rest : Buffer.concat([...pending, rest])
        pending = []
        yield { bytes, number, offset, length: bytes.length }
        offset += bytes.length + 1
        number++
        from = end + 1
      }
      if (from < bytesRead) pending.push(Buffer.from(chunk.subarray(from, bytesRead)))
      ;[chunk, spare] = [spare, chunk]
    }
  } finally {
    await reading.catch(() => {}) // the file is not closed under it
    await file.close()
  }
}

/** Reads lines again by their place. */
export interface LineReader {
  readAt(place: { readonly offset: number; readonly length: number }): Promise<string>
  close(): Promise<void>
}

export async function openLineReader(path: string): Promise<LineReader> {
  const file = await openForReading(path)
  return {
    async readAt({ offset, length }) {
      const bytes = Buffer.allocUnsafe(length)
      const { bytesRead } = await file.read(bytes, 0, length, offset)
      if (bytesRead < length) throw new AppError("STORE_CORRUPT", `${path} ends before byte ${offset + length}`)
      return bytes.toString("utf8")
    },
    close: () => file.close(),
  }
}

/** Appends whole lines to a file; there must be one writer per file. */
export interface LineWriter {
  /**
   * Resolves when the line is on the disk (write and `fdatasync`; lines that wait together share one). Rejects with
   * `STORE_UNWRITABLE`; nothing of the line is left in the file then. Gives the byte at which the line starts.
   */
  append(line: string): Promise<number>
  /** Bytes of the lines on the disk. */
  readonly size: number
  /** Waits for what was appended. */
  close(): Promise<void>
}

/** Opens `path` (made if absent) for appending. A torn last line is cut off first. */
export async function openLineWriter(path: string): Promise<LineWriter> {
  const unwritable = (error: unknown) =>
    new AppError(
      "STORE_UNWRITABLE",
      `Cannot write ${path}: ${messageOf(error)}. When that is mended, the same command goes on from what is recorded`,
      {
        cause: error,
      },
    )
  let file: FileHandle
  let size: number
  try {
    file = await open(path, "a+")
    size = await endOfLastLine(file)
    await file.truncate(size)
  } catch (error) {
    throw unwritable(error)
  }

  let waiting: { line: string; done: (offset: number) => void; failed: (error: unknown) => void }[] = []
  let flushing: Promise<void> | undefined
  const flush = async () => {
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      const bytes = Buffer.from(batch.map(({ line }) => `${line}\n`).join(""), "utf8")
      try {
        await file.appendFile(bytes)
        await file.datasync()
        let offset = size
        size += bytes.length
        for (const { line, done } of batch) {
          done(offset)
          offset += Buffer.byteLength(line) + 1
        }
      } catch (error) {
        await file.truncate(size).catch(() => {}) // readers and the next writer cut a torn line anyway
        for (const { failed } of batch) failed(unwritable(error))
      }
    }
    flushing = undefined
  }
  return {
    get size() {
      return size
    },
    append(line) {
      return new Promise<number>((done, failed) => {
        waiting.push({ line, done, failed })
        flushing ??= flush()
      })
    },
    async close() {
      await flushing
      await file.close()
    },
  }
}

/** Bytes up to and with the last line feed. */
async function endOfLastLine(file: FileHandle): Promise<number> {
  const chunk = Buffer.allocUnsafe(CHUNK)
  let end = (await file.stat()).size
  while (end > 0) {
    const start = Math.max(0, end - CHUNK)
    const { bytesRead } = await file.read(chunk, 0, end - start, start)
    const last = chunk.subarray(0, bytesRead).lastIndexOf(LINE_FEED)
    if (last >= 0) return start + last + 1
    end = start
  }
  return 0
}

async function openForReading(path: string): Promise<FileHandle> {
  try {
    return await open(path, "r")
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error
    throw new AppError("NOT_FOUND", `There is no file ${path}`, { cause: error })
  }
}
