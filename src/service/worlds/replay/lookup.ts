import type { ReplayReason } from "../../../core/conversation.ts"
import { canonicalJson } from "../../../core/fingerprint.ts"
import type { Json, JsonObject } from "../../../core/json.ts"
import type { ScriptTime } from "../../../core/time.ts"
import type { ReplayEntry } from "../../script.ts"
import type { PackTool } from "../../tool-pack.ts"

/** An entry that has something to tell, ready to be found. */
export interface Recorded {
  readonly command: string
  /** Without `at`. */
  readonly arguments: JsonObject
  /** As of when it may be told; equal to the asked time is early enough. */
  readonly at: ScriptTime
  readonly result: Json | null // null: the record says that it could not be had
}

export type Found =
  | { readonly reason: "matched"; readonly record: Recorded; readonly result: Json }
  | { readonly reason: Exclude<ReplayReason, "matched"> }

/** Entry as it is looked up: `valid_through` is not asked, a fact holds until the next one. */
export function recorded({
  command,
  arguments: given,
  observed_at,
  valid_from,
  result,
  unavailable,
}: ReplayEntry): Recorded {
  const { at: _, ...rest } = given
  return {
    command,
    arguments: rest,
    at: valid_from ?? observed_at,
    result: unavailable === undefined ? (result ?? null) : null,
  }
}

/** One command's records: same arguments together, in order of time. */
export class CommandRecords {
  readonly #tool: PackTool
  readonly #byArguments = new Map<string, { readonly record: Recorded; readonly partitions: ReadonlySet<string> }[]>()

  /** Among records of the same time the later one in the list counts. */
  constructor(tool: PackTool, records: readonly Recorded[]) {
    this.#tool = tool
    for (const record of records) {
      if (record.command !== tool.name) continue
      const { key, partitions } = cut(tool, record.arguments)
      const same = this.#byArguments.get(key)
      if (same === undefined) this.#byArguments.set(key, [{ record, partitions }])
      else same.push({ record, partitions })
    }
    // Sorting is stable: the list's order decides among equals.
    for (const same of this.#byArguments.values())
      same.sort((a, b) => (a.record.at < b.record.at ? -1 : a.record.at > b.record.at ? 1 : 0))
  }

  /**
   * The latest record with these arguments that is not later than `cutOff`, or why there is none. What is missing is told in one
   * order: the command, the arguments, the time, the data.
   */
  find(given: JsonObject, cutOff: ScriptTime): Found {
    if (this.#byArguments.size === 0) {
      return { reason: this.#tool.kind === "order" ? "order_not_collected" : "no_command_record" }
    }
    const { key, partitions } = cut(this.#tool, given)
    const matching = (this.#byArguments.get(key) ?? []).filter((kept) => includes(kept.partitions, partitions))
    if (matching.length === 0) return { reason: "arguments_mismatch" }
    const { record } = matching[countUntil(matching, cutOff) - 1] ?? {}
    if (record === undefined) return { reason: "not_yet_available" }
    if (record.result === null) return { reason: "record_unavailable" }
    return { reason: "matched", record, result: record.result }
  }
}

/** The partitions that the arguments of a snapshot ask for: `include_price: true` is `include_price`, `include: ["price"]` is `include.price`. */
export function partitionsOf(given: JsonObject): ReadonlySet<string> {
  const asked = Object.entries(given).flatMap(([name, value]) => {
    if (!isPartition(name, value)) return []
    if (Array.isArray(value)) return value.map((part) => `${name}.${part}`)
    return value === true ? [name] : []
  })
  return new Set(asked)
}

function isPartition(name: string, value: Json): boolean {
  if (!name.startsWith("include")) return false
  return typeof value === "boolean" || (Array.isArray(value) && value.every((part) => typeof part === "string"))
}

/** Arguments as they must be equal, and those that need only be a part. */
function cut(tool: PackTool, { at: _, ...given }: JsonObject): { key: string; partitions: ReadonlySet<string> } {
  if (tool.kind !== "snapshot") return { key: canonicalJson(given), partitions: new Set() }
  const strict = Object.fromEntries(Object.entries(given).filter(([name, value]) => !isPartition(name, value)))
  return { key: canonicalJson(strict), partitions: partitionsOf(given) }
}

function includes(whole: ReadonlySet<string>, part: ReadonlySet<string>): boolean {
  return [...part].every((name) => whole.has(name))
}

/** How many of the records, which are in order of time, are not later than `cutOff`. */
function countUntil(records: readonly { readonly record: Recorded }[], cutOff: ScriptTime): number {
  let low = 0
  let high = records.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (records[middle]!.record.at <= cutOff) low = middle + 1
    else high = middle
  }
  return low
}
