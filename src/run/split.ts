import { readFile } from "node:fs/promises"
import { z } from "zod"
import { AppError, messageOf } from "../core/errors.ts"

import { type Split, SplitRole, taskIdsSha256 } from "../core/task.ts"

/** Task ids as a split file writes them: numbers or texts. */
const Id = z.union([z.int().nonnegative(), z.string().min(1)]).transform(String)

/** A file of named splits: a list of ids, or a range `[start, end)` of numeric ones. Extra keys are provenance and stay unread. */
const SplitFile = z.object({
  splits: z.record(
    z.string(),
    z
      .object({
        task_ids: z.array(Id).optional(),
        start: z.int().nonnegative().optional(),
        end: z.int().nonnegative().optional(),
        role: SplitRole.nullish(),
        persona: z.boolean().nullish(),
        task_ids_sha256: z.string().optional(),
      })
      .refine(({ task_ids, start, end }) => (task_ids === undefined) === (start !== undefined && end !== undefined), {
        message: "needs task_ids, or start and end",
      }),
  ),
})

/** Throws `BAD_INPUT` when a split names a task twice or none, or its list is not the one that was hashed. */
export function checkSplit(split: Split, place: string): Split {
  const { name, task_ids, task_ids_sha256 } = split
  if (task_ids.length === 0) throw new AppError("BAD_INPUT", `Split ${name} of ${place} is empty`)
  const seen = new Set<string>()
  for (const id of task_ids) {
    if (seen.has(id)) throw new AppError("BAD_INPUT", `Split ${name} of ${place} names task ${id} twice`)
    seen.add(id)
  }
  const found = taskIdsSha256(task_ids)
  if (found !== task_ids_sha256) {
    throw new AppError(
      "BAD_INPUT",
      `Split ${name} of ${place} is not the one that was frozen: its ids hash to ${found}, it says ${task_ids_sha256}`,
    )
  }
  return split
}

/** The split called `name` in the JSON file at `path`. Throws `NOT_FOUND` or `BAD_INPUT`. */
export async function readSplit(path: string, name: string): Promise<Split> {
  let text: string
  try {
    text = await readFile(path, "utf8")
  } catch (error) {
    throw new AppError("NOT_FOUND", `Cannot read the split file ${path}: ${messageOf(error)}`, { cause: error })
  }
  let parsed: z.infer<typeof SplitFile>
  try {
    parsed = SplitFile.parse(JSON.parse(text))
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error)
    throw new AppError("BAD_INPUT", `${path} is not a split file: ${reason}`, { cause: error })
  }
  const entry = Object.hasOwn(parsed.splits, name) ? parsed.splits[name] : undefined
  if (entry === undefined) {
    throw new AppError("NOT_FOUND", `${path} has no split ${name}; it has ${Object.keys(parsed.splits).join(", ")}`)
  }
  const { start = 0, end = 0, role = null, persona = null } = entry
  const task_ids =
    entry.task_ids ?? Array.from({ length: Math.max(0, end - start) }, (_, index) => String(start + index))
  const task_ids_sha256 = entry.task_ids_sha256 ?? taskIdsSha256(task_ids)
  return checkSplit({ name, role, task_ids, task_ids_sha256, persona }, path)
}

/** Whether episodes are played with the shopper's profile: as asked, else as the split says, else without. They must not disagree. */
export function personaOf(split: Split, asked: boolean | null): boolean {
  if (asked !== null && split.persona !== null && asked !== split.persona) {
    throw new AppError(
      "BAD_INPUT",
      `environment.persona is ${asked}, but split ${split.name} was made for persona: ${split.persona}`,
    )
  }
  return asked ?? split.persona ?? false
}
