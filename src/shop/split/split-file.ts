import { readFileSync } from "node:fs"
import { z } from "zod"
import { AppError, messageOf } from "../../core/errors.ts"
import type { JsonObject } from "../../core/json.ts"
import { type Split, SplitRole, type TaskId, taskIdValues } from "../../core/task.ts"
import { checkSplits } from "./check.ts"
import { IDENTITY_NORMALIZATION } from "./identity-keys.ts"
import type { PersonaSplit, PersonaSplitOptions } from "./persona-splits.ts"
import { makeSplit } from "./task-ids.ts"

const FileTaskId = z.custom<number | string>(
  (value) =>
    (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) ||
    (typeof value === "string" && value !== ""),
  { error: ({ input }) => `${JSON.stringify(input)} is no task id; expected a whole number from 0 or a name` },
)
const Bound = z.number().int().nonnegative()
const MAX_RANGE = 10_000_000
const Range = z
  .tuple([Bound, Bound])
  .refine(
    ([start, end]) => start < end && end - start <= MAX_RANGE,
    `a range [start, end) needs start < end, and at most ${MAX_RANGE} ids`,
  )

const Entry = z.looseObject({
  task_ids: z.array(FileTaskId).optional(),
  range: Range.optional(),
  start: Bound.optional(), // with `end`: the same as a range
  end: Bound.optional(),
  role: SplitRole.nullable().default(null),
  persona: z.boolean().nullable().default(null),
  task_ids_sha256: z.string().optional(),
  task_count: Bound.optional(),
})
const SplitFile = z.looseObject({ splits: z.record(z.string().min(1), z.unknown()) })

/**
 * Reads a split file: `{ "splits": { name: { "task_ids": [0, 2, 5], "role": "train" } } }`. Instead of ids an entry may hold
 * `"range": [start, end)`, `"start"` and `"end"`, or be that pair itself: the ids from start to below end, with `exists` those of them that exist.
 * Hashes and counts are checked where they are given.
 * Throws `NOT_FOUND` or `BAD_INPUT` naming file and place; what `checkSplits` refuses is refused.
 */
export function readSplitFile(path: string, { exists }: { exists?: (taskId: TaskId) => boolean } = {}): Split[] {
  const splits: Split[] = []
  for (const [name, value] of Object.entries(parseSplitFile(path).splits)) {
    const refuse = (why: string) => new AppError("BAD_INPUT", `${path}: split ${name} ${why}`)
    const entry = Entry.safeParse(Array.isArray(value) ? { range: value } : value)
    if (!entry.success) throw refuse(`is wrong${firstFault(entry.error)}`)
    const { start, end, task_ids, role, persona, task_count, task_ids_sha256 } = entry.data
    const bounds = Range.safeParse([start, end])
    if ((start !== undefined || end !== undefined) && !bounds.success)
      throw refuse(`is wrong${firstFault(bounds.error)}`)
    const range = entry.data.range ?? bounds.data
    if ((range === undefined) === (task_ids === undefined)) throw refuse("needs either task_ids or a range")
    const ids = task_ids?.map(String) ?? idsIn(range!, exists)
    if (task_count !== undefined && task_count !== ids.length)
      throw refuse(`says it has ${task_count} tasks, but has ${ids.length}`)
    const split = makeSplit(name, ids, { role, persona })
    splits.push(task_ids_sha256 === undefined ? split : { ...split, task_ids_sha256 })
  }
  checkSplits(splits, { where: path, ...(exists === undefined ? {} : { exists }) })
  return splits
}

function idsIn([start, end]: [number, number], exists: ((taskId: TaskId) => boolean) | undefined): TaskId[] {
  const ids = Array.from({ length: end - start }, (_, index) => String(start + index))
  return exists === undefined ? ids : ids.filter(exists)
}

function parseSplitFile(path: string): z.infer<typeof SplitFile> {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(path, "utf8"))
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code === "ENOENT" ? "NOT_FOUND" : "BAD_INPUT"
    throw new AppError(code, `Cannot read the split file ${path}: ${messageOf(error)}`, { cause: error })
  }
  const parsed = SplitFile.safeParse(value)
  if (parsed.success) return parsed.data
  throw new AppError(
    "BAD_INPUT",
    `${path} is not a split file${firstFault(parsed.error)}; expected { "splits": { … } }`,
  )
}

function firstFault(error: z.ZodError): string {
  const issue = error.issues[0]!
  return ` at ${issue.path.join(".") || "its top"}: ${issue.message}`
}

/** The content of a split file for splits built from a catalog, in the keys of the reference's project splits. */
export function personaSplitFile(
  splits: readonly PersonaSplit[],
  {
    name,
    source,
    options,
    taskCount,
  }: { name: string; source: JsonObject; options: PersonaSplitOptions; taskCount: number },
): string {
  const count = (key: "group_count" | "multi_task_group_count") => splits.reduce((sum, split) => sum + split[key], 0)
  const ids = splits.flatMap(({ task_ids }) => task_ids)
  const held = new Set(splits.flatMap((split) => (split.name === "train" ? [] : split.task_ids)))
  const { seed, val, test, maxGroup, keepInTrain = [] } = options
  const file = {
    schema_version: "shopsimrl-persona-splits-v1",
    version: name,
    source,
    policy: {
      version: "exact-linked-components-v1",
      seed,
      val_tasks: val,
      test_tasks: test,
      max_held_out_group: maxGroup,
      keep_in_train: taskIdValues(keepInTrain),
    },
    grouping: {
      normalization: IDENTITY_NORMALIZATION,
      keys: ["asin", "instruction_simple", "instruction", "persona", "user_id"],
      group_count: count("group_count"),
      multi_task_group_count: count("multi_task_group_count"),
      max_group_size: Math.max(...splits.map(({ max_group_size }) => max_group_size)),
    },
    splits: Object.fromEntries(splits.map((split) => [split.name, splitEntry(split)])),
    checks: {
      disjoint: new Set(ids).size === ids.length,
      complete: ids.length === taskCount,
      exclusions_respected: !(options.keepInTrain ?? []).some((id) => held.has(id)),
      task_count: ids.length,
    },
  }
  return `${JSON.stringify(file, null, 2)}\n`
}

function splitEntry({ name, task_ids, ...facts }: PersonaSplit): JsonObject {
  return { persona: true, role: name, task_ids: taskIdValues(task_ids), task_count: task_ids.length, ...facts }
}
