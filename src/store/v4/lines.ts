import { AppError, messageOf, throwIfCancelled } from "../../core/errors.ts"
import type { JsonObject } from "../../core/json.ts"
import { fileSource } from "../../lib/byte-source.ts"
import { sourceLines } from "../../lib/source-lines.ts"
import { checkV4Line, type V4Line } from "./line.ts"

/** A line that was left out. */
export interface LineProblem {
  readonly file: string
  readonly line: number
  readonly reason: string
}

export interface GoodLine {
  readonly line: V4Line & JsonObject
  readonly file: string
  readonly number: number
}

/** The episodes in `files` (`.jsonl`, gzipped or not), in order, or what is wrong with a line. Blank lines do not count. */
export async function* readV4Lines(
  files: readonly string[],
  signal?: AbortSignal,
): AsyncGenerator<GoodLine | { readonly problem: LineProblem }> {
  for (const file of files) {
    for await (const found of sourceLines(await fileSource(file))) {
      throwIfCancelled(signal)
      const { number } = found
      if ("fault" in found) {
        yield { problem: { file, line: number, reason: found.fault } }
        continue
      }
      if (found.text.trim() === "") continue
      try {
        yield { line: checkV4Line(JSON.parse(found.text)), file, number }
      } catch (error) {
        yield { problem: { file, line: number, reason: reasonOf(error, found) } }
      }
    }
  }
}

function reasonOf(error: unknown, { terminated }: { terminated: boolean }): string {
  if (error instanceof AppError && error.code === "BAD_INPUT") return error.message
  if (error instanceof SyntaxError)
    return terminated ? `not JSON: ${messageOf(error)}` : "torn: the file ends within it"
  throw error
}
