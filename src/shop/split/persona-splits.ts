import { AppError } from "../../core/errors.ts"
import { sha256Hex } from "../../core/fingerprint.ts"
import { hashRanked } from "../../core/random.ts"
import { type SplitRole, type TaskId, taskIdsSha256 } from "../../core/task.ts"
import type { ShopTask } from "../task.ts"
import { identityKeys } from "./identity-keys.ts"
import { compareTaskIds } from "./task-ids.ts"

/** What of a task decides where it may go. */
export type PersonaTask = Pick<
  ShopTask,
  "task_id" | "asin" | "instruction" | "instruction_simple" | "persona" | "source_split"
>

export interface PersonaSplitOptions {
  readonly seed: number | string
  /** Exact numbers of tasks. */
  readonly val: number
  readonly test: number
  /** Groups larger than this stay in `train`. */
  readonly maxGroup: number
  /** Task ids that must not be held out. */
  readonly keepInTrain?: readonly TaskId[]
}

/** Tasks that belong together, because they share a product, a wording, a persona or a user. */
export interface TaskGroup {
  readonly id: string // `group-` + 16 hex digits
  readonly task_ids: readonly TaskId[] // ascending
}

export interface PersonaSplit {
  readonly name: SplitRole
  readonly task_ids: readonly TaskId[] // ascending
  readonly task_ids_sha256: string
  readonly source_split_counts: Readonly<Record<string, number>>
  readonly group_count: number
  readonly multi_task_group_count: number
  readonly max_group_size: number
}

/**
 * Divides the tasks with a persona into train, val and test so that no two linked tasks are in different ones: tasks are linked
 * when they share an asin, a wording (full or simple), a persona or a user id, and groups of linked tasks go as a whole.
 * For `test` and then `val`, groups in an order hashed from the seed are picked to make up exactly the asked number of tasks.
 * The same tasks and options give the same splits. Throws `BAD_INPUT` when the numbers cannot be met.
 */
export function buildPersonaSplits(tasks: Iterable<PersonaTask>, options: PersonaSplitOptions): PersonaSplit[] {
  const { seed, val, test, maxGroup, keepInTrain = [] } = options
  for (const [name, value] of Object.entries({ val, test, maxGroup })) {
    if (!Number.isInteger(value) || value < 1)
      throw new AppError("BAD_INPUT", `${name} must be a whole number from 1, not ${value}`)
  }
  const withPersona = [...tasks].filter(({ persona }) => persona !== null)
  const groups = linkTasks(withPersona)
  const kept = new Set(keepInTrain)
  const eligible = groups.filter(({ task_ids }) => task_ids.length <= maxGroup && !task_ids.some((id) => kept.has(id)))
  const testGroups = pickGroups(eligible, { seed, name: "test", size: test, maxGroup })
  const held = new Set(testGroups)
  const rest = eligible.filter((group) => !held.has(group))
  const valGroups = pickGroups(rest, { seed, name: "val", size: val, maxGroup })
  for (const group of valGroups) held.add(group)
  const sourceOf = new Map(withPersona.map(({ task_id, source_split }) => [task_id, source_split]))
  return [
    describe(
      "train",
      groups.filter((group) => !held.has(group)),
      sourceOf,
    ),
    describe("val", valGroups, sourceOf),
    describe("test", testGroups, sourceOf),
  ]
}

/** The groups of linked tasks, by group id. */
export function linkTasks(tasks: readonly PersonaTask[]): TaskGroup[] {
  const parent = tasks.map((_, index) => index)
  const rootOf = (index: number): number => {
    let root = index
    while (parent[root] !== root) root = parent[root]!
    for (let at = index; at !== root; ) {
      const next = parent[at]!
      parent[at] = root
      at = next
    }
    return root
  }
  const firstWith = new Map<string, number>()
  for (const [index, task] of tasks.entries()) {
    for (const key of identityKeys(task)) {
      const first = firstWith.get(key)
      if (first === undefined) firstWith.set(key, index)
      else parent[rootOf(index)] = rootOf(first)
    }
  }
  const members = new Map<number, TaskId[]>()
  for (const [index, { task_id }] of tasks.entries()) {
    const root = rootOf(index)
    const group = members.get(root)
    if (group === undefined) members.set(root, [task_id])
    else group.push(task_id)
  }
  const groups = [...members.values()].map((ids): TaskGroup => {
    const task_ids = ids.sort(compareTaskIds)
    return { id: `group-${sha256Hex(task_ids.join(",")).slice(0, 16)}`, task_ids }
  })
  return groups.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
}

/**
 * Groups that make up exactly `size` tasks. Totals that can be reached are tabled while groups come in ranked order; the first
 * way found to a total stays, and the way to `size` is followed back.
 */
function pickGroups(
  groups: readonly TaskGroup[],
  { seed, name, size, maxGroup }: { seed: number | string; name: string; size: number; maxGroup: number },
): TaskGroup[] {
  const ranked = hashRanked(groups, `${seed}:${name}`, ({ id }) => id)
  const reached = new Map<number, { group: TaskGroup; from: number } | null>([[0, null]])
  for (const group of ranked) {
    if (reached.has(size)) break
    for (const from of [...reached.keys()]) {
      const total = from + group.task_ids.length
      if (total <= size && !reached.has(total)) reached.set(total, { group, from })
    }
  }
  if (!reached.has(size)) {
    const available = groups.reduce((sum, { task_ids }) => sum + task_ids.length, 0)
    const nearest = Math.max(...reached.keys())
    throw new AppError(
      "BAD_INPUT",
      `${name} cannot have exactly ${size} tasks: ${available} tasks in ${groups.length} groups of at most ${maxGroup} are left, and the nearest number below that they can make up is ${nearest}`,
    )
  }
  const picked: TaskGroup[] = []
  for (let step = reached.get(size); step != null; step = reached.get(step.from)) picked.push(step.group)
  return picked
}

function describe(
  name: SplitRole,
  groups: readonly TaskGroup[],
  sourceOf: ReadonlyMap<TaskId, string | null>,
): PersonaSplit {
  const task_ids = groups.flatMap(({ task_ids }) => task_ids).sort(compareTaskIds)
  const counts = new Map<string, number>()
  for (const id of task_ids) {
    const source = sourceOf.get(id) ?? "unknown"
    counts.set(source, (counts.get(source) ?? 0) + 1)
  }
  const sizes = groups.map(({ task_ids }) => task_ids.length)
  return {
    name,
    task_ids,
    task_ids_sha256: taskIdsSha256(task_ids),
    source_split_counts: Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1))),
    group_count: groups.length,
    multi_task_group_count: sizes.filter((size) => size > 1).length,
    max_group_size: Math.max(0, ...sizes),
  }
}
