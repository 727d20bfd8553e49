import { createHash } from "node:crypto"
import type { Split, SplitRole, TaskId } from "../../core/task.ts"

/** Task ids as files list them: numbers where they are numbers, names where they are names. */
export function taskIdValues(taskIds: readonly TaskId[]): (number | string)[] {
  return taskIds.map((id) => (/^(?:0|[1-9]\d{0,14})$/.test(id) ? Number(id) : id))
}

/** SHA-256 of the compact JSON list of ids, in the order given. */
export function taskIdsSha256(taskIds: readonly TaskId[]): string {
  return createHash("sha256")
    .update(JSON.stringify(taskIdValues(taskIds)))
    .digest("hex")
}

/** Numbers by value, before names by code unit. */
export function compareTaskIds(left: TaskId, right: TaskId): number {
  const [a, b] = [Number(left), Number(right)]
  const numbers = [/^\d+$/.test(left), /^\d+$/.test(right)] as const
  if (numbers[0] && numbers[1]) return a - b
  if (numbers[0] !== numbers[1]) return numbers[0] ? -1 : 1
  return left < right ? -1 : left > right ? 1 : 0
}

/** A split of these ids, with its hash. */
export function makeSplit(
  name: string,
  taskIds: readonly TaskId[],
  { role, persona }: { role: SplitRole | null; persona: boolean | null },
): Split {
  return { name, role, task_ids: [...taskIds], task_ids_sha256: taskIdsSha256(taskIds), persona }
}
