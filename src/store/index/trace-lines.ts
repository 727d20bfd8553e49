import { open } from "node:fs/promises"
import { throwIfCancelled } from "../../core/errors.ts"
import type { BytePlace } from "./file.ts"

/** What is read at once; also what is worked on between two turns of the event loop. */
const CHUNK = 2 << 20
/** Longer lines are not looked into: no string can hold them. */
const MAX_LINE = 400 << 20
const LINE_FEED = 10

/** A line of a file, without its line feed. `bytes` are only good until the next group is asked for; absent: it is too long. */
export interface TraceLine extends BytePlace {
  readonly bytes: Buffer | undefined
}

/**
 * The whole lines of a file between two bytes, the first of which starts a line, in groups: between two of them the event loop has had
 * its turn. What follows the last line feed is left out. Throws `CANCELLED`.
 */
export async function* readTraceLines(
  path: string,
  { from, to, signal }: { readonly from: number; readonly to: number; readonly signal?: AbortSignal | undefined },
): AsyncGenerator<readonly TraceLine[]> {
  const file = await open(path, "r")
  let reading: Promise<{ bytesRead: number }> | undefined
  try {
    let chunk = Buffer.allocUnsafe(CHUNK)
    let spare = Buffer.allocUnsafe(CHUNK)
    let position = from // of what is read next
    const readInto = (buffer: Buffer) => {
      const read = file.read(buffer, 0, Math.min(CHUNK, to - position), position)
      read.catch(() => {}) // it may fail before anybody waits for it
      return read
    }
    reading = readInto(chunk)
    let start = from // of the line under way
    let parts: Buffer[] = []
    let held = 0 // bytes of `parts`, or of what is too long to be kept
    while (position < to) {
      throwIfCancelled(signal)
      const { bytesRead } = await reading
      if (bytesRead === 0) return // it became shorter
      position += bytesRead
      reading = readInto(spare)
      const lines: TraceLine[] = []
      let at = 0
      for (let end = chunk.indexOf(LINE_FEED); end >= 0 && end < bytesRead; end = chunk.indexOf(LINE_FEED, at)) {
        const rest = chunk.subarray(at, end)
        const length = held + rest.length
        const bytes = held === 0 ? rest : length > MAX_LINE ? undefined : Buffer.concat([...parts, rest], length)
        lines.push({ offset: start, length, bytes })
        start += length + 1
        parts = []
        held = 0
        at = end + 1
      }
      if (lines.length > 0) yield lines
      if (at < bytesRead) {
        held += bytesRead - at
        if (held <= MAX_LINE) parts.push(Buffer.from(chunk.subarray(at, bytesRead)))
        else parts = []
      }
      ;[chunk, spare] = [spare, chunk]
    }
  } finally {
    await reading?.catch(() => {}) // the file is not closed under it
    await file.close()
  }
}
