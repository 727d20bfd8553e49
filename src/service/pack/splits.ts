import { z } from "zod"
import { AppError, messageOf } from "../../core/errors.ts"
import { type Split, SplitRole, type TaskId, taskIdsSha256, taskIdValues } from "../../core/task.ts"

const SplitsFile = z.looseObject({
  splits: z.record(
    z.string().min(1),
    z.looseObject({
      task_ids: z.array(z.union([z.string().min(1), z.int().nonnegative()])),
      role: SplitRole.nullable().default(null),
      task_ids_sha256: z.string().optional(),
    }),
  ),
})

/** A split of these cases, with its hash. */
export function packSplit(name: string, taskIds: readonly TaskId[], role: SplitRole | null): Split {
  return { name, role, task_ids: [...taskIds], task_ids_sha256: taskIdsSha256(taskIds), persona: null }
}

/** The text of `splits.json`, in the form of any split file: `{ "splits": { name: { task_ids, role } } }`. */
export function splitsText(splits: readonly Split[]): string {
  const entries = splits.map(({ name, role, task_ids, task_ids_sha256 }) => [
    name,
    { role, task_ids: taskIdValues(task_ids), task_ids_sha256 },
  ])
  return `${JSON.stringify({ splits: Object.fromEntries(entries) }, null, 2)}\n`
}

/**
 * The splits in `text`. Throws `BAD_INPUT`, which begins with `where`, for anything else, for a hash that is not that of the ids, an
 * id twice in a split, and a case in two splits with a role: what is trained on must not be tested on.
 */
export function parseSplits(text: string, where: string): Split[] {
  let raw: unknown
  try {
    raw = JSON.parse(text)
  } catch (error) {
    throw new AppError("BAD_INPUT", `${where}: not JSON: ${messageOf(error)}`, { cause: error })
  }
  const parsed = SplitsFile.safeParse(raw)
  if (!parsed.success) throw new AppError("BAD_INPUT", `${where}:\n${z.prettifyError(parsed.error)}`)
  const holders = new Map<TaskId, string>()
  return Object.entries(parsed.data.splits).map(([name, { task_ids, role, task_ids_sha256 }]) => {
    const refuse = (why: string) => new AppError("BAD_INPUT", `${where}: split ${name} ${why}`)
    const split = packSplit(name, task_ids.map(String), role)
    if (new Set(split.task_ids).size < split.task_ids.length) throw refuse("names a case twice")
    if (task_ids_sha256 !== undefined && task_ids_sha256 !== split.task_ids_sha256) {
      throw refuse("has another hash than its ids")
    }
    if (role === null) return split
    for (const id of split.task_ids) {
      const holder = holders.get(id)
      if (holder !== undefined) throw refuse(`shares case ${id} with split ${holder}, and both have a role`)
      holders.set(id, name)
    }
    return split
  })
}
