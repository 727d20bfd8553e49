import { AppError } from "../core/errors.ts"
import { openLineWriter, readLines } from "../lib/jsonl.ts"

/** Where a conversation's events are kept, a line each. */
export interface Journal {
  /** The lines that an earlier process left, in order. Read once, before anything is appended. */
  lines(): AsyncIterable<string>
  /** Resolves when the line will survive a crash. Lines are kept in the order of the calls. */
  append(line: string): Promise<void>
  close(): Promise<void>
}

/** A journal in a file of its own (made if absent), with one writer at a time. Throws `STORE_UNWRITABLE`. */
export async function openJournal(path: string): Promise<Journal> {
  const writer = await openLineWriter(path) // a torn last line is gone then
  return {
    async *lines() {
      try {
        for await (const { text } of readLines(path)) yield text
      } catch (error) {
        if (!(error instanceof AppError && error.code === "NOT_FOUND")) throw error
      }
    },
    append: async (line) => void (await writer.append(line)),
    close: () => writer.close(),
  }
}
