import { z } from "zod"
import { AppError } from "../../core/errors.ts"
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts"
import { Message } from "../../core/message.ts"

/** The form of episode lines that `shopsimrl` writes: one object a line, every page and every tool in full. */
export const V4_SCHEMA = "shopsimrl-episode-v4"

const json = z.custom<JsonObject>(isJsonObject, "expected an object")
const object = z.custom<JsonObject | null | undefined>(
  (value) => value === undefined || value === null || isJsonObject(value),
  "expected an object or null",
)

const V4Step = z.looseObject({
  step_index: z.int().positive(),
  tools: z.array(json),
  model: json,
  action: z.string().nullable(),
  environment: object,
})
export type V4Step = z.infer<typeof V4Step>

/** What of a line has to be right for it to be read; all else is kept as it is. */
const V4Line = z.looseObject({
  schema_version: z.literal(V4_SCHEMA),
  episode_id: z.string().min(1),
  status: z.enum(["completed", "failed"]),
  job: z.looseObject({
    task_id: z.union([z.int().nonnegative(), z.string().min(1)]),
    sample_id: z.int().nonnegative(),
    seed: z.int().nonnegative(),
    split: z.string(),
  }),
  provenance: object,
  started_at: z.string(),
  ended_at: z.string(),
  duration_ms: z.number(),
  reset: object,
  conversation: z.array(Message),
  steps: z.array(V4Step),
  final: object,
  error: object,
})
export type V4Line = z.infer<typeof V4Line>

/** `value` as a line of the form. Nothing of it is taken away. Throws `BAD_INPUT` naming what is wrong. */
export function checkV4Line(value: unknown): V4Line & JsonObject {
  const parsed = V4Line.safeParse(value)
  if (parsed.success) return value as V4Line & JsonObject // as it came: parsing strips what messages have besides
  const { schema_version } = isJsonObject(value) ? value : {}
  if (schema_version !== V4_SCHEMA) {
    const found = schema_version === undefined ? "no schema_version" : JSON.stringify(schema_version)
    throw new AppError("BAD_INPUT", `not an episode of ${V4_SCHEMA}: ${found.slice(0, 80)}`)
  }
  const [issue] = parsed.error.issues
  throw new AppError("BAD_INPUT", `${pathText(issue?.path ?? [])}: ${issue?.message ?? "not valid"}`)
}

function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((key, index) => (typeof key === "number" ? `[${key}]` : `${index > 0 ? "." : ""}${String(key)}`))
    .join("")
}

/** A text, or undefined. */
export function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined
}

/** An object with something in it, or undefined: the form writes `{}` for nothing. */
export function filledObject(value: Json | undefined): JsonObject | undefined {
  return isJsonObject(value) && Object.keys(value).length > 0 ? value : undefined
}
