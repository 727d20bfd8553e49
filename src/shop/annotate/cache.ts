import { existsSync } from "node:fs"
import { z } from "zod"
import { AppError } from "../../core/errors.ts"
import { Usage } from "../../core/model.ts"
import { TaskId } from "../../core/task.ts"
import { readLines } from "../../lib/jsonl.ts"
import { Annotation, annotationFault, SourceField } from "./protocol.ts"
import { Annotations, type PricedTask } from "./tasks.ts"

/** What an annotation depends on: only those that agree in all of it are used. */
export const Provenance = z.object({
  annotation_version: z.string(),
  model: z.string(),
  api_url: z.string(),
  prompt_sha256: z.string(),
  source_archive_sha256: z.string(),
})
export type Provenance = z.infer<typeof Provenance>

/** One line of the cache: a text that was judged, by whom, and what it took. */
export const CacheRecord = z.object({
  ...Provenance.shape,
  task_id: TaskId,
  task_uid: z.string(),
  source_field: SourceField,
  annotation: Annotation,
  trace_id: z.string().nullable(), // the provider's, from the answer's head
  request_id: z.string().nullable(),
  system_fingerprint: z.string().nullable(),
  usage: Usage.nullable(),
})
export type CacheRecord = z.infer<typeof CacheRecord>

/** What a cache holds for these tasks. */
export interface CacheContent {
  readonly annotations: Annotations
  /** Lines with another provenance, or about other tasks. */
  readonly others: number
}

/**
 * Reads the cache at `path`, which need not be there. Of lines about the same text the last one counts; bytes after the last line feed
 * are a line that a crash tore, and are left out. Throws `BAD_INPUT` naming the line for anything that is not JSON, and for a line of
 * this provenance that no reply could have become.
 */
export async function readCache(
  path: string,
  { provenance, tasks }: { readonly provenance: Provenance; readonly tasks: readonly PricedTask[] },
): Promise<CacheContent> {
  const annotations = new Annotations()
  const content = { annotations, others: 0 }
  if (!existsSync(path)) return content
  const byId = new Map(tasks.map((task) => [task.task_id, task]))
  for await (const { text, number } of readLines(path)) {
    const where = `${path}:${number}`
    const value = parseLine(text, where)
    const task = byId.get(String((value as { task_id?: unknown } | null)?.task_id))
    if (task === undefined || !agrees(value, provenance)) {
      content.others += 1
      continue
    }
    annotations.set(task.task_id, checked(value, task, where))
  }
  return content
}

function parseLine(text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new AppError("BAD_INPUT", `${where} is not JSON; mend or remove the line`, { cause: error })
  }
}

function agrees(value: unknown, provenance: Provenance): boolean {
  const found = Provenance.safeParse(value)
  if (!found.success) return false
  return (Object.keys(provenance) as (keyof Provenance)[]).every((key) => found.data[key] === provenance[key])
}

function checked(value: unknown, task: PricedTask, where: string): Annotation {
  const refuse = (why: string) => new AppError("BAD_INPUT", `${where}: ${why}; mend or remove the line`)
  const record = CacheRecord.safeParse(value)
  if (!record.success) throw refuse(`is no annotation:\n${z.prettifyError(record.error)}`)
  const { annotation, source_field, task_uid } = record.data
  if (task_uid !== task.task_uid) throw refuse(`is about ${task_uid}, but task ${task.task_id} is ${task.task_uid}`)
  if (annotation.source_field !== source_field) throw refuse("names two source fields")
  const text = source_field === "instruction" ? task.instruction : (task.instruction_simple ?? task.instruction)
  const fault = annotationFault(annotation, text)
  if (fault !== null) throw refuse(fault)
  return annotation
}
