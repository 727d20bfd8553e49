import { z } from "zod"

/** Any value that JSON can carry. */
export type Json = null | boolean | number | string | Json[] | JsonObject
export type JsonObject = { [key: string]: Json }

export const JsonObject: z.ZodType<JsonObject> = z.record(z.string(), z.json()) as z.ZodType<JsonObject>

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
