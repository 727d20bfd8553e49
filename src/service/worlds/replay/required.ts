import type { ReadRef } from "../../../core/case-record.ts"
import type { JsonObject } from "../../../core/json.ts"
import type { PackTool } from "../../tool-pack.ts"

const SAME = ["item_id", "order_id", "poi_id", "view"] as const

/**
 * Whether a verdict needed what a read would have given: the same command about the same thing in the same view. Where nothing is
 * required, every read of the shop was needed; a platform's never is unless it is required.
 */
export function isRequired({ name, source }: PackTool, given: JsonObject, required: readonly ReadRef[]): boolean {
  if (required.length === 0) return source === "shop"
  return required.some((read) => read.command === name && SAME.every((key) => read[key] === given[key]))
}
