import type { Split, TaskId } from "../../core/task.ts"
import { makeSplit } from "./task-ids.ts"

/**
 * Where the source put a task: its `tag`, and for ShopSimulator's two tags also whether there is a persona
 * (`persona_eval`, `standard_eval`, `persona_train`, `standard_train`). Kept as provenance; it says nothing about use.
 */
export function sourceSplitOf(tag: string | null, hasPersona: boolean): string | null {
  if (tag === "eval" || tag === "train") return `${hasPersona ? "persona" : "standard"}_${tag}`
  return tag === null || tag.trim() === "" ? null : tag.trim()
}

/** The source's own lists under the names it uses; `standard_eval` holds the persona tasks too, `all_train` both kinds. */
const SOURCE_LISTS: Readonly<Record<string, { of: readonly string[]; persona: boolean | null }>> = {
  persona_eval: { of: ["persona_eval"], persona: true },
  standard_eval: { of: ["persona_eval", "standard_eval"], persona: false },
  persona_train: { of: ["persona_train"], persona: true },
  standard_train: { of: ["standard_train"], persona: false },
  all_train: { of: ["persona_train", "standard_train"], persona: null },
}

/** Splits without a role that tell where each task came from, task ids in the order of `tasks`. */
export function sourceSplits(tasks: Iterable<{ task_id: TaskId; source_split: string | null }>): Split[] {
  const lists = new Map<string, TaskId[]>()
  const namesOf = new Map<string, string[]>()
  for (const [name, { of }] of Object.entries(SOURCE_LISTS)) {
    for (const part of of) namesOf.set(part, [...(namesOf.get(part) ?? []), name])
  }
  for (const { task_id, source_split } of tasks) {
    if (source_split === null) continue
    for (const name of namesOf.get(source_split) ?? [source_split]) {
      const list = lists.get(name)
      if (list === undefined) lists.set(name, [task_id])
      else list.push(task_id)
    }
  }
  return [...lists].map(([name, taskIds]) =>
    makeSplit(name, taskIds, { role: null, persona: SOURCE_LISTS[name]?.persona ?? null }),
  )
}
