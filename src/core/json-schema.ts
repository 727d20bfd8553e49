import { z } from "zod"
import type { JsonObject as Type } from "./json.ts"

/** Checks a JSON object. Apart from `json.ts`, so that the web UI can take from that without zod. */
export const JsonObject: z.ZodType<Type> = z.record(z.string(), z.json()) as z.ZodType<Type>
export type JsonObject = Type
