import { z } from "zod"
import { AppError, messageOf, throwIfCancelled } from "../../core/errors.ts"
import { fileSource } from "../../lib/byte-source.ts"
import { sourceLines } from "../../lib/source-lines.ts"
import { ReplayEntry } from "../script.ts"

/** A parsed line of a pack's file, and how to blame it. */
export interface PackLine<T> {
  readonly value: T
  /** An error that names the file and the line. */
  fault(message: string, code?: "BAD_INPUT" | "REFUSED"): AppError
}

/**
 * The lines of a JSON Lines file of a pack, checked against `schema`; blank ones are passed over. Throws `NOT_FOUND` without the
 * file and `BAD_INPUT`, naming file and line, for the first line that is not as it should be.
 */
export async function* packLines<T>(
  path: string,
  schema: z.ZodType<T>,
  signal: AbortSignal,
): AsyncGenerator<PackLine<T>> {
  for await (const line of sourceLines(await fileSource(path))) {
    throwIfCancelled(signal)
    const place = `${path}:${line.number}`
    if ("fault" in line) throw new AppError("BAD_INPUT", `${place}: ${line.fault}`)
    if (line.text.trim() === "") continue
    let raw: unknown
    try {
      raw = JSON.parse(line.text)
    } catch (error) {
      throw new AppError("BAD_INPUT", `${place}: not JSON: ${messageOf(error)}`, { cause: error })
    }
    const parsed = schema.safeParse(raw)
    if (!parsed.success) throw new AppError("BAD_INPUT", `${place}:\n${z.prettifyError(parsed.error)}`)
    yield {
      value: parsed.data,
      fault: (message, code = "BAD_INPUT") =>
        new AppError(code, `${place}: ${message}`, { details: { file: path, line: line.number } }),
    }
  }
}

/** An entry that says either what was answered or why nothing was. */
export const CheckedEntry = ReplayEntry.refine(
  ({ result, unavailable }) => (result === undefined) !== (unavailable === undefined),
  "expected either `result` or `unavailable`",
)
