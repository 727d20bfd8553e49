import { appendFileSync, closeSync, fstatSync, ftruncateSync, openSync, readSync, rmSync } from "node:fs"
import { join } from "node:path"
import { openEpisodeIndex } from "../episode-index.ts"
import { type BytePlace, encodeRow, INDEX_FILE, INDEX_HEADER, readPlaced } from "./file.ts"
import { indexRowOf } from "./row.ts"

/** Keeps the index of a trace up to date while the trace is written. It is a cache: nothing it meets is an error. */
export interface IndexWriter {
  /** `line` is in the trace now, at `offset`. */
  add(line: string, offset: number): void
  close(): void
}

const LINE_FEED = 10
/** No row is longer: texts in it are cut, but for ids. */
const LAST_ROW = 1 << 16

/** `traceBytes`: of the trace as it is, to its last line feed. What the index lacks is made up for first. */
export async function openIndexWriter(folder: string, traceBytes: number): Promise<IndexWriter> {
  const path = join(folder, INDEX_FILE)
  let descriptor: number | undefined
  try {
    if (traceBytes === 0) rmSync(path, { force: true })
    else if (!covers(path, traceBytes)) await completed(folder)
    descriptor = openSync(path, "a")
    if (traceBytes === 0) appendFileSync(descriptor, `${INDEX_HEADER}\n`)
    else if (!covers(path, traceBytes)) stop() // it could not be written
  } catch {
    stop()
  }
  return {
    add(line, offset) {
      if (descriptor === undefined) return
      try {
        const bytes = Buffer.from(line)
        const place: BytePlace = { offset, length: bytes.length }
        appendFileSync(descriptor, `${encodeRow({ ...place, row: indexRowOf(bytes) })}\n`)
      } catch {
        stop() // a full disk; whoever reads the index next completes it
      }
    },
    close: stop,
  }

  function stop(): void {
    if (descriptor !== undefined) closeSync(descriptor)
    descriptor = undefined
  }
}

async function completed(folder: string): Promise<void> {
  const index = await openEpisodeIndex(folder, { mayLack: 0 })
  await index.has("") // nobody's id: waits for the end
}

/** Whether the file's last row is about the last line of a trace of so many bytes. A torn row after it is cut off. */
function covers(path: string, traceBytes: number): boolean {
  let file: number
  try {
    file = openSync(path, "r+")
  } catch {
    return false
  }
  try {
    const head = Buffer.alloc(INDEX_HEADER.length + 1)
    readSync(file, head, 0, head.length, 0)
    if (head.toString() !== `${INDEX_HEADER}\n`) return false
    const { size } = fstatSync(file)
    const tail = Buffer.alloc(Math.min(size, LAST_ROW))
    readSync(file, tail, 0, tail.length, size - tail.length)
    const end = tail.lastIndexOf(LINE_FEED)
    const start = tail.lastIndexOf(LINE_FEED, end - 1) + 1
    if (end < 0 || (start === 0 && tail.length < size)) return false
    const placed = readPlaced(JSON.parse(tail.toString("utf8", start, end)))
    if (placed === undefined || placed.offset + placed.length + 1 !== traceBytes) return false
    ftruncateSync(file, size - tail.length + end + 1)
    return true
  } catch {
    return false
  } finally {
    closeSync(file)
  }
}
