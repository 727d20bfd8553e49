import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { decodeEpisode, decodeHeader } from "../core/compact.ts"
import { throwIfCancelled } from "../core/errors.ts"
import type { Json, JsonObject } from "../core/json.ts"
import type { EpisodeStatus } from "../core/trace.ts"
import { readLines } from "../lib/jsonl.ts"
import { PRIVATE } from "./leave-out.ts"
import { blobReader, FILES, readManifest } from "./read.ts"
import { v4OfEpisode } from "./v4/convert.ts"
import { sharedParts } from "./v4/identities.ts"

/** Members of a line that hold more than facts about the episode. */
const PARTS = ["texts", "events", "messages", "evidence"] as const

/** How many episodes a run holds, and what they take on the disk. Sizes are bytes. */
export interface TraceStats {
  readonly lines: number
  readonly episodes: number
  /** By the last attempt of each episode. */
  readonly statuses: Readonly<Partial<Record<EpisodeStatus, number>>>
  readonly events: Readonly<Record<string, number>>
  readonly messages: number
  readonly bytes: { readonly traces: number; readonly blobs: number }
  readonly line_bytes: { readonly mean: number; readonly median: number; readonly max: number } | null
  /** Which part of the lines' bytes is texts, and so on; `rest`: all else. */
  readonly share: Readonly<Record<(typeof PARTS)[number] | "rest", number>> | null
  /** Bytes of the episodes with everything written out, as readers give them, over bytes of the lines. */
  readonly compaction: number | null
  /** Against lines of the v4 form of the same episodes, spelled as its writer spells them. */
  readonly v4?: {
    readonly bytes: number
    /** Bytes of our lines over theirs: of all together, and of the episode where that is largest. */
    readonly ratio: number
    readonly largest_ratio: number
    readonly largest_episode: string
  }
}

/** Counts and measures the run in `folder`, a line at a time. `v4`: also write every episode in that form, to compare. */
export async function traceStats(
  folder: string,
  { v4 = false, signal }: { v4?: boolean; signal?: AbortSignal } = {},
): Promise<TraceStats> {
  const blob = blobReader(folder)
  const shared = sharedParts(blob, readManifest(folder))
  const last = new Map<string, EpisodeStatus>()
  const events: Record<string, number> = {}
  const sizes: number[] = []
  const parts = { texts: 0, events: 0, messages: 0, evidence: 0 }
  let messages = 0
  let whole = 0
  let theirs = 0
  let largest = { ratio: 0, episode: "" }
  for await (const { text, length } of readLines(join(folder, FILES.traces))) {
    throwIfCancelled(signal)
    const { episode_id, status } = decodeHeader(text)
    last.set(episode_id, status)
    sizes.push(length)
    const line = JSON.parse(text) as JsonObject
    for (const part of PARTS) parts[part] += Buffer.byteLength(JSON.stringify(line[part] ?? null))
    const record = decodeEpisode(text, blob)
    whole += Buffer.byteLength(JSON.stringify(record))
    messages += record.messages.length
    for (const { type } of record.events) events[type] = (events[type] ?? 0) + 1
    if (!v4) continue
    const { souk: _ours, ...other } = v4OfEpisode(record, shared, new Set(PRIVATE))
    const bytes = pythonJsonBytes(other)
    theirs += bytes
    if (length / bytes > largest.ratio) largest = { ratio: length / bytes, episode: episode_id }
  }
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const statuses: Partial<Record<EpisodeStatus, number>> = {}
  for (const status of last.values()) statuses[status] = (statuses[status] ?? 0) + 1
  const some = sizes.length > 0
  return {
    lines: sizes.length,
    episodes: last.size,
    statuses,
    events: Object.fromEntries(Object.entries(events).sort(([a], [b]) => (a < b ? -1 : 1))),
    messages,
    bytes: { traces: total + sizes.length, blobs: folderBytes(join(folder, FILES.blobs)) },
    line_bytes: some ? { mean: total / sizes.length, ...medianAndMax(sizes) } : null,
    share: some ? sharesOf(parts, total) : null,
    compaction: some ? whole / total : null,
    ...(v4 &&
      some && {
        v4: { bytes: theirs, ratio: total / theirs, largest_ratio: largest.ratio, largest_episode: largest.episode },
      }),
  }
}

function sharesOf(parts: Record<(typeof PARTS)[number], number>, total: number): NonNullable<TraceStats["share"]> {
  const { texts, events, messages, evidence } = parts
  const rest = total - texts - events - messages - evidence
  return {
    texts: texts / total,
    events: events / total,
    messages: messages / total,
    evidence: evidence / total,
    rest: rest / total,
  }
}

function medianAndMax(sizes: readonly number[]): { median: number; max: number } {
  const sorted = [...sizes].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle]!
  return { median: sorted.length % 2 === 1 ? upper : (sorted[middle - 1]! + upper) / 2, max: sorted.at(-1)! }
}

function folderBytes(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}

/** Bytes of `value` as Python writes JSON: a space after every comma and colon between values. */
function pythonJsonBytes(value: JsonObject): number {
  return Buffer.byteLength(JSON.stringify(value)) + separators(value)
}

function separators(value: Json | undefined): number {
  if (typeof value !== "object" || value === null) return 0
  const members = Object.values(value)
  const own = Math.max(0, members.length - 1) + (Array.isArray(value) ? 0 : members.length)
  return members.reduce((sum: number, member) => sum + separators(member), own)
}
