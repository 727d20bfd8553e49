import { z } from "zod"
import { sha256Hex } from "./fingerprint.ts"

/** Names one item to attempt. Text everywhere; numeric ids are written without padding (`"1234"`). */
export const TaskId = z.string().min(1)
export type TaskId = z.infer<typeof TaskId>

/** What a split may be used for. `test` is guarded: it never drives a choice. */
export const SplitRole = z.enum(["train", "val", "test"])
export type SplitRole = z.infer<typeof SplitRole>

/** A frozen, hashed list of task ids. */
export const Split = z.object({
  name: z.string().min(1),
  role: SplitRole.nullable(), // null: kept as provenance only (a source split)
  task_ids: z.array(TaskId),
  task_ids_sha256: z.string(), // over the compact JSON list of ids, numbers where they are numeric
  persona: z.boolean().nullable().default(null),
})
export type Split = z.infer<typeof Split>

/** Task ids as files list them: numbers where they are numbers, names where they are names. */
export function taskIdValues(taskIds: readonly TaskId[]): (number | string)[] {
  return taskIds.map((id) => (/^(?:0|[1-9]\d{0,14})$/.test(id) ? Number(id) : id))
}

/** SHA-256 of the compact JSON list of ids, in the order given: `[3,"a"]`. */
export function taskIdsSha256(taskIds: readonly TaskId[]): string {
  return sha256Hex(JSON.stringify(taskIdValues(taskIds)))
}

/** One episode to play, as the planner wrote it down. */
export const Job = z.object({
  key: z.string(), // `task-000007__sample-000`: stable across resumes; also the episode's id
  task_id: TaskId,
  sample_id: z.number().int().nonnegative(),
  seed: z.number().int().nonnegative(), // unsigned 32 bits
  split: z.string(),
})
export type Job = z.infer<typeof Job>

/** The key of a job: `task-` + six digits + `__sample-` + three digits for numeric task ids; text ids are used as they are. */
export function jobKey(taskId: TaskId, sampleId: number): string {
  const task = /^\d+$/.test(taskId) ? taskId.padStart(6, "0") : taskId
  return `task-${task}__sample-${String(sampleId).padStart(3, "0")}`
}
