import type { Json } from "../../core/json.ts"
import type { IndexRow } from "./row.ts"
import { isStatus } from "./row.ts"

/*
 * The index of a trace on disk: JSON Lines beside it. The first line names the version, every other one is about a line of the trace, in
 * order: `[offset, length]` of a damaged one, or a row,
 *
 *   [offset, length, episode_id, task_id, sample_id, attempt, status, end_reason, success, reward, steps, model_calls, protocol_errors,
 *    invalid_actions, tokens, duration_ms, started_at, error, instruction, category]
 *
 * A line's bytes start where those of the line before it, and its line feed, end. So a file that was torn, or that another trace left
 * behind, is found out, and good up to there.
 */

export const INDEX_FILE = "episodes.index"
export const INDEX_HEADER = '{"schema":"souk.episode-index/1"}'
const MEMBERS = 20

/** Bytes of a line in the trace, without its line feed. */
export interface BytePlace {
  readonly offset: number
  readonly length: number
}

/** `row` is undefined for a damaged line. */
export interface PlacedLine extends BytePlace {
  readonly row: IndexRow | undefined
}

export interface PlacedRow extends BytePlace {
  readonly row: IndexRow
}

/** A line of the file, without its line feed. */
export function encodeRow({ offset, length, row }: PlacedLine): string {
  if (row === undefined) return JSON.stringify([offset, length])
  return JSON.stringify([
    offset,
    length,
    row.episode_id,
    row.task_id,
    row.sample_id,
    row.attempt,
    row.status,
    row.end_reason,
    row.success,
    row.reward,
    row.steps,
    row.model_calls,
    row.protocol_errors,
    row.invalid_actions,
    row.tokens,
    row.duration_ms,
    row.started_at,
    row.error,
    row.instruction,
    row.category,
  ])
}

/** What a line of the file says; undefined: it is none. */
export function readPlaced(value: unknown): PlacedLine | undefined {
  if (!Array.isArray(value)) return undefined
  const [offset, length, ...members] = value as Json[]
  if (!isCount(offset) || !isCount(length)) return undefined
  if (members.length === 0) return { offset, length, row: undefined }
  const row = members.length === MEMBERS - 2 ? readRow(members) : undefined
  return row && { offset, length, row }
}

function readRow(members: readonly Json[]): IndexRow | undefined {
  const [episode_id, task_id, sample_id, attempt, status, end_reason, success, reward, ...more] = members
  const [steps, model_calls, protocol_errors, invalid_actions, tokens, duration_ms, ...texts] = more
  const [started_at, error, instruction, category] = texts
  if (typeof episode_id !== "string" || typeof task_id !== "string" || !isStatus(status)) return undefined
  if (typeof end_reason !== "string" || typeof started_at !== "string" || typeof instruction !== "string")
    return undefined
  if (!isCount(sample_id) || !isCount(attempt) || typeof duration_ms !== "number") return undefined
  if (success !== null && typeof success !== "boolean") return undefined
  if (!isNumberOrNull(reward) || !isTextOrNull(error) || !isTextOrNull(category)) return undefined
  if (!isNumberOrNull(steps) || !isNumberOrNull(model_calls) || !isNumberOrNull(tokens)) return undefined
  if (!isNumberOrNull(protocol_errors) || !isNumberOrNull(invalid_actions)) return undefined
  return {
    episode_id,
    task_id,
    sample_id,
    attempt,
    status,
    end_reason,
    success,
    reward,
    steps,
    model_calls,
    protocol_errors,
    invalid_actions,
    tokens,
    duration_ms,
    started_at,
    error,
    instruction,
    category,
  }
}

function isCount(value: Json | undefined): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 // it is a number
}

function isNumberOrNull(value: Json | undefined): value is number | null {
  return value === null || typeof value === "number"
}

function isTextOrNull(value: Json | undefined): value is string | null {
  return value === null || typeof value === "string"
}
