import { existsSync } from "node:fs"
import { z } from "zod"
import { AppError, messageOf } from "../../../core/errors.ts"
import { fingerprint } from "../../../core/fingerprint.ts"
import type { JsonObject } from "../../../core/json.ts"
import { Usage } from "../../../core/model.ts"
import { openLineWriter, readLines } from "../../../lib/jsonl.ts"
import { Answer } from "./answer.ts"
import type { Draw } from "./draw.ts"
import { PROMPT_VERSION } from "./prompt.ts"

/** What an answer depends on. */
interface DrawKey {
  readonly record_sha256: string
  readonly rubric_sha256: string | null
  /** What is asked, of what record and rubric give. */
  readonly criteria: readonly string[]
  /** Identity of the model. */
  readonly model: JsonObject
  /** From 0. */
  readonly draw: number
}

/** A line of the file. */
const Line = z.looseObject({
  key: z.string(),
  answers: z.array(Answer),
  usage: Usage.extend({ model_calls: z.int().nonnegative() }),
})

/** Answers of a model that were paid for, kept by what they depend on. */
export interface DrawCache {
  /** The draw with this key: the kept one, one that is under way, or what `ask` gives. Draws with faults are not kept. */
  get(key: DrawKey, ask: () => Promise<Draw>): Promise<Draw>
  /** Draws that were asked for, and those that were found. */
  counts(): { readonly asked: number; readonly found: number }
  close(): Promise<void>
}

/**
 * Opens the file of kept draws at `path`, made if absent. Each draw is on the disk before it counts, so that whatever kills the process
 * costs the draws under way and no others. Throws `STORE_CORRUPT` for a line that cannot be read.
 */
export async function openDrawCache(path: string): Promise<DrawCache> {
  const draws = new Map<string, Promise<Draw>>()
  if (existsSync(path)) {
    for await (const { text, number } of readLines(path)) {
      const { key, answers, usage } = readLine(text, `${path}, line ${number}`)
      draws.set(key, Promise.resolve({ answers, usage, faults: new Map() }))
    }
  }
  const writer = await openLineWriter(path)
  let asked = 0
  let found = 0
  return {
    get(parts, ask) {
      const key = fingerprint({ prompt: PROMPT_VERSION, ...parts, criteria: [...parts.criteria] })
      const known = draws.get(key)
      if (known !== undefined) {
        found++
        return known
      }
      asked++
      const drawn = (async () => {
        const draw = await ask()
        const { record_sha256, rubric_sha256, draw: number } = parts
        const { answers, usage, faults } = draw
        if (faults.size > 0) return draw
        await writer.append(JSON.stringify({ key, record_sha256, rubric_sha256, draw: number, answers, usage }))
        return draw
      })()
      draws.set(key, drawn)
      return drawn
    },
    counts: () => ({ asked, found }),
    close: () => writer.close(),
  }
}

function readLine(text: string, where: string): z.infer<typeof Line> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw corrupt(where, messageOf(error))
  }
  const parsed = Line.safeParse(value)
  if (parsed.success) return parsed.data
  throw corrupt(where, z.prettifyError(parsed.error))
}

function corrupt(where: string, why: string): AppError {
  return new AppError("STORE_CORRUPT", `${where}: ${why}. Take the line out, and the question is asked once more`)
}
