import type { ReadRef } from "../core/case-record.ts"
import type { ToolRecord } from "../core/conversation.ts"
import type { Json } from "../core/json.ts"
import type { ScriptTime } from "../core/time.ts"
import type { Verdict } from "../core/verdict.ts"

/** Whether what a verdict depends on was read, and which read keeps it from being given. */
export interface Gate {
  readonly state: Verdict["gate"]
  readonly read?: ReadRef
  /** The call that was answered with nothing. */
  readonly tool?: ToolRecord
}

const MEMBERS = ["item_id", "order_id", "poi_id", "view"] as const

/**
 * `open` when each of `reads` was answered by `until` (absent: ever); `closed_environment` when one was made, and nothing that a fair
 * verdict needs was on record; `closed_not_queried` when it could have been made and was not. The environment's fault comes first.
 */
export function queryGate(reads: readonly ReadRef[], tools: readonly ToolRecord[], until?: ScriptTime): Gate {
  const made = until === undefined ? tools : tools.filter(({ at }) => at <= until)
  let missing: ReadRef | undefined
  for (const read of reads) {
    const calls = made.filter((tool) => isRead(tool, read))
    if (calls.some((tool) => tool.ok && tool.class !== "miss")) continue
    const miss = calls.find((tool) => tool.class === "miss" && tool.affects_conclusion === true)
    if (miss !== undefined) return { state: "closed_environment", read, tool: miss }
    missing ??= read
  }
  return missing === undefined ? { state: "open" } : { state: "closed_not_queried", read: missing }
}

/** Whether a call is the read: its command, about the same product, order, place and view. */
function isRead({ name, arguments: given }: ToolRecord, read: ReadRef): boolean {
  return (
    name === read.command &&
    MEMBERS.every((member) => read[member] === undefined || text(given[member]) === read[member])
  )
}

function text(value: Json | undefined): string | undefined {
  return typeof value === "number" ? String(value) : typeof value === "string" ? value : undefined
}

/** A read for people: `catalog.detail item_id 88`. */
export function readText(read: ReadRef): string {
  return [
    read.command,
    ...MEMBERS.flatMap((member) => (read[member] === undefined ? [] : [`${member} ${read[member]}`])),
  ].join(" ")
}
