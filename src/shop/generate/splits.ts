import { hashSeed } from "../../core/random.ts"
import type { Split, SplitRole, TaskId } from "../../core/task.ts"
import { linkTasks, type PersonaTask } from "../split/persona-splits.ts"
import { makeSplit } from "../split/task-ids.ts"

/** Shares of all groups of linked tasks. */
const ROLES: readonly (readonly [SplitRole, number])[] = [
  ["train", 0.6],
  ["val", 0.2],
  ["test", 0.2],
]

/**
 * Divides written tasks into `train`, `val`, `test` (played with the whole request) and `persona-train`, `persona-val`,
 * `persona-test` (those with a persona). A task's role is drawn from the hash of its group, so that no two tasks that share a
 * product, a wording or a shopper have different roles. Names without tasks are left out.
 */
export function divideTasks(tasks: Iterable<PersonaTask>): Split[] {
  const all = [...tasks]
  const roleOf = new Map<TaskId, SplitRole>()
  for (const { id, task_ids } of linkTasks(all)) {
    const role = drawRole(hashSeed("task-role-1", id) / 2 ** 32)
    for (const taskId of task_ids) roleOf.set(taskId, role)
  }
  const splits: Split[] = []
  for (const persona of [false, true]) {
    for (const [role] of ROLES) {
      const ids = all.filter((task) => (task.persona !== null) === persona && roleOf.get(task.task_id) === role)
      const name = persona ? `persona-${role}` : role
      if (ids.length > 0)
        splits.push(
          makeSplit(
            name,
            ids.map(({ task_id }) => task_id),
            { role, persona },
          ),
        )
    }
  }
  return splits
}

function drawRole(draw: number): SplitRole {
  let left = draw
  for (const [role, share] of ROLES) {
    left -= share
    if (left < 0) return role
  }
  return "train"
}
