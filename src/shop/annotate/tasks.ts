import type { TaskId } from "../../core/task.ts"
import type { ShopTask } from "../task.ts"
import { type Annotation, bounds, type Question, type SourceField } from "./protocol.ts"

/** What of a task its annotation depends on. */
export type PricedTask = Pick<ShopTask, "task_id" | "task_uid" | "asin" | "instruction" | "instruction_simple">

/** Annotations by task and text. */
export class Annotations {
  readonly #found = new Map<string, Annotation>()

  get size(): number {
    return this.#found.size
  }

  get(taskId: TaskId, field: SourceField): Annotation | undefined {
    return this.#found.get(`${field}:${taskId}`)
  }

  /** A later one takes the place of an earlier one. */
  set(taskId: TaskId, annotation: Annotation): void {
    this.#found.set(`${annotation.source_field}:${taskId}`, annotation)
  }
}

/** What a task's annotations come to: the one that holds, or the text that has to be asked about first. */
export type Resolution =
  | { readonly annotation: Annotation; readonly owed?: never }
  | { readonly owed: Question; readonly annotation?: never }

/**
 * The simple text is asked about first; the full one only where the simple one gives no upper bound and says something else. Where
 * neither does, the full one's annotation holds.
 */
export function resolve(task: PricedTask, annotations: Annotations): Resolution {
  const { task_id, instruction, instruction_simple } = task
  const text = instruction_simple ?? instruction
  const simple = annotations.get(task_id, "instruction_simple")
  if (simple === undefined) return { owed: { task_id, source_field: "instruction_simple", text } }
  if (bounds(simple) || text === instruction) return { annotation: simple }
  const full = annotations.get(task_id, "instruction")
  if (full === undefined) return { owed: { task_id, source_field: "instruction", text: instruction } }
  return { annotation: full }
}

/** What has to be asked now, in task order; texts that depend on another answer are not among it. */
export function owedQuestions(tasks: readonly PricedTask[], annotations: Annotations, field: SourceField): Question[] {
  return tasks.flatMap((task) => {
    const { owed } = resolve(task, annotations)
    return owed?.source_field === field ? [owed] : []
  })
}
