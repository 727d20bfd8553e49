import { AppError } from "../../core/errors.ts"
import { type Split, type TaskId, taskIdsSha256 } from "../../core/task.ts"

/**
 * Refuses splits that cannot be trusted: a name or a task id twice, a hash that is not that of the ids, a task in two splits
 * with a role (what is trained on must not be tested on), and with `exists`, tasks that are not there.
 * Throws `BAD_INPUT`; `where` begins the message.
 */
export function checkSplits(
  splits: readonly Split[],
  { where, exists }: { where: string; exists?: (taskId: TaskId) => boolean },
): void {
  const names = new Set<string>()
  const holder = new Map<TaskId, Split>()
  for (const split of splits) {
    const refuse = (why: string) => new AppError("BAD_INPUT", `${where}: split ${split.name} ${why}`)
    if (names.has(split.name)) throw refuse("is there twice")
    names.add(split.name)
    const seen = new Set<TaskId>()
    for (const taskId of split.task_ids) {
      if (seen.has(taskId)) throw refuse(`names task ${taskId} twice`)
      seen.add(taskId)
      if (exists !== undefined && !exists(taskId)) throw refuse(`names task ${taskId}, which the catalog does not hold`)
      if (split.role === null) continue
      const other = holder.get(taskId)
      if (other !== undefined)
        throw refuse(`(${split.role}) shares task ${taskId} with split ${other.name} (${other.role})`)
      holder.set(taskId, split)
    }
    const hash = taskIdsSha256(split.task_ids)
    if (split.task_ids_sha256 !== hash) {
      throw refuse(
        `says its ids hash to ${split.task_ids_sha256.slice(0, 12)}…, but they hash to ${hash.slice(0, 12)}…`,
      )
    }
  }
}
