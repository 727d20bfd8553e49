import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from "node:fs"
import { join } from "node:path"
import type { Json } from "../core/json.ts"
import { playOf } from "../core/play.ts"
import { Summary } from "../core/score.ts"
import { buildingPath, commitFile } from "../lib/files.ts"
import { differences } from "../store/differences.ts"
import { FILES, readEpisodes, readManifest } from "../store/read.ts"
import { summaryJson } from "../store/run-folder.ts"
import { packOf } from "./packs/pack.ts"
import { type SummarySettings, summarize } from "./score.ts"

/** A run's metrics, made again of its traces. */
export interface Rescore {
  readonly summary: Summary
  /** Whether `summary.json` is the same, byte for byte; `missing`: there is none. */
  readonly stored: "equal" | "different" | "missing"
  /** Where it differs. */
  readonly differences: readonly string[]
  /** The file with the measures of each episode, one a line. */
  readonly scores: string
}

/**
 * Measures every planned episode of the run in `folder` again, from its traces alone, writes the measures to `scores/<pack>.jsonl`,
 * and holds the summary they give against the one on record, which is left alone.
 */
export async function rescore(folder: string): Promise<Rescore> {
  const path = join(folder, FILES.summary)
  const summary = await summarize(folder, settingsOf(path))
  const scores = await writeScores(folder)
  if (!existsSync(path)) return { summary, stored: "missing", differences: [], scores }
  const stored = readFileSync(path, "utf8")
  if (stored === summaryJson(summary)) return { summary, stored: "equal", differences: [], scores }
  return { summary, stored: "different", differences: differing(stored, summary), scores }
}

/** What the summary on record was told to go by. */
function settingsOf(path: string): SummarySettings {
  if (!existsSync(path)) return {}
  try {
    const { settings } = Summary.pick({ settings: true }).parse(JSON.parse(readFileSync(path, "utf8")))
    const { difference, requested } = settings ?? {}
    return { ...(difference !== undefined && { difference }), ...(requested !== undefined && { requested }) }
  } catch {
    return {} // it is told below what is wrong with it
  }
}

function differing(stored: string, summary: Summary): string[] {
  let value: Json
  try {
    value = JSON.parse(stored) as Json
  } catch {
    return [`${FILES.summary} is not JSON`]
  }
  const found = differences(value, JSON.parse(summaryJson(summary)) as Json)
  return found.length > 0 ? found : ["only in spelling or order"]
}

/** Lines that are written together. */
const BATCH = 1000

async function writeScores(folder: string): Promise<string> {
  const { plan } = readManifest(folder)
  const { name, measure } = await packOf(folder, plan)
  mkdirSync(join(folder, "scores"), { recursive: true })
  const path = join(folder, "scores", `${name}.jsonl`)
  const building = buildingPath(path)
  const planned = new Set(plan.jobs.map((job) => job.key))
  const file = openSync(building, "w")
  try {
    let lines: string[] = []
    for await (const record of readEpisodes(folder)) {
      const { episode_id, attempt, status } = record
      if (!planned.has(episode_id)) continue
      lines.push(`${JSON.stringify({ episode_id, attempt, status, ...plain(measure(playOf(record))) })}\n`)
      if (lines.length < BATCH) continue
      writeSync(file, lines.join(""))
      lines = []
    }
    writeSync(file, lines.join(""))
  } catch (error) {
    rmSync(building, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
  commitFile(building, path)
  return path
}

/** Measures under the names they have on disk. */
function plain(measures: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(measures).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value instanceof Map ? Object.fromEntries(value) : value,
    ]),
  )
}
