import { type Split, type SplitRole, type TaskId, taskIdsSha256 } from "../../core/task.ts"

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
