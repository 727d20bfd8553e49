import { AppError, messageOf } from "../core/errors.ts"
import type { ByteSource } from "./byte-source.ts"

/** A line of a source, or why there is none at that place. */
export type SourceLine = { readonly number: number } & (
  | { readonly text: string; readonly terminated: boolean; readonly bytes: number }
  | { readonly fault: string }
)

const LINE_FEED = 10

/**
 * The lines of `source`, numbered from 1, in memory that depends on the longest line only. The last one may lack its line feed. A
 * line that is not UTF-8 is a fault; so is data that breaks off, as a torn gzip file does, and then nothing follows.
 */
export async function* sourceLines(source: ByteSource): AsyncGenerator<SourceLine> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false })
  let pending: Buffer[] = []
  let number = 1
  const line = (bytes: Buffer, terminated: boolean): SourceLine => {
    const place = { number: number++ }
    try {
      return { ...place, text: decoder.decode(bytes), terminated, bytes: bytes.length }
    } catch {
      return { ...place, fault: "not UTF-8" }
    }
  }
  try {
    for await (const chunk of source.chunks()) {
      let from = 0
      for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
        yield line(Buffer.concat([...pending, chunk.subarray(from, end)]), true)
        pending = []
        from = end + 1
      }
      if (from < chunk.length) pending.push(Buffer.from(chunk.subarray(from)))
    }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "BAD_INPUT") throw error
    yield { number, fault: messageOf(error) }
    return
  }
  if (pending.length > 0) yield line(Buffer.concat(pending), false)
}
