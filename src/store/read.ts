import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { z } from "zod"
import { decodeEpisode, decodeHeader, type EpisodeHeader } from "../core/compact.ts"
import { AppError, messageOf } from "../core/errors.ts"
import { Manifest } from "../core/run.ts"
import { Summary } from "../core/score.ts"
import type { EpisodeRecord } from "../core/trace.ts"
import { type Line, openLineReader, readLines } from "../lib/jsonl.ts"

/** The files of a run folder. */
export const FILES = {
  manifest: "manifest.json",
  traces: "traces.jsonl",
  blobs: "blobs",
  progress: "progress.json",
  summary: "summary.json",
} as const

/**
 * The run folder that `path` means: itself, or the only one right inside it. Throws `NOT_FOUND` when there is none, and names them
 * when there are several.
 */
export function findRunFolder(path: string): string {
  if (existsSync(join(path, FILES.manifest))) return path
  if (!existsSync(path)) throw new AppError("NOT_FOUND", `There is no folder ${path}`)
  if (!statSync(path).isDirectory()) throw new AppError("NOT_FOUND", `${path} is a file, not a run's folder`)
  const inside = readdirSync(path).filter((name) => existsSync(join(path, name, FILES.manifest)))
  const [only, ...others] = inside.sort()
  if (only === undefined) {
    throw new AppError("NOT_FOUND", `${path} is not a run's folder: it has no ${FILES.manifest}`)
  }
  if (others.length > 0) {
    throw new AppError("NOT_FOUND", `${path} holds several runs; name one of them: ${inside.slice(0, 12).join(", ")}`)
  }
  return join(path, only)
}

/** Throws `NOT_FOUND` without a manifest, `STORE_CORRUPT` for one that is damaged or of another version. */
export function readManifest(folder: string): Manifest {
  return readJson(join(folder, FILES.manifest), Manifest)
}

/** Undefined when the run has none yet. */
export function readSummary(folder: string): Summary | undefined {
  const path = join(folder, FILES.summary)
  return existsSync(path) ? readJson(path, Summary) : undefined
}

function readJson<T>(path: string, schema: z.ZodType<T>): T {
  let text: string
  try {
    text = readFileSync(path, "utf8")
  } catch (error) {
    throw new AppError("NOT_FOUND", `Cannot read ${path}: ${messageOf(error)}`, { cause: error })
  }
  try {
    return schema.parse(JSON.parse(text))
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error)
    throw new AppError("STORE_CORRUPT", `${path} is damaged or of another version: ${reason}`, { cause: error })
  }
}

/** An episode's header and where its line is. */
export interface EpisodePlace extends Omit<Line, "text"> {
  readonly header: EpisodeHeader
}

/** The headers of all recorded attempts, in order. A folder without traces has none. */
export async function* scanEpisodes(folder: string): AsyncGenerator<EpisodePlace> {
  const path = join(folder, FILES.traces)
  if (!existsSync(path)) return
  for await (const line of readLines(path)) {
    const { text, ...place } = line
    yield { ...place, header: damaged(path, line.number, () => decodeHeader(text)) }
  }
}

/**
 * The episodes of a run folder, streamed: by default the last attempt of each job, in the order they were recorded. Bytes after
 * the last line feed are left out, since a crash may have torn them. Throws `STORE_CORRUPT`, naming the line, for any other damage.
 */
export async function* readEpisodes(
  folder: string,
  { attempts = "last" }: { readonly attempts?: "last" | "all" } = {},
): AsyncGenerator<EpisodeRecord> {
  const path = join(folder, FILES.traces)
  if (!existsSync(path)) return
  const last = attempts === "last" ? await lastLines(path) : undefined
  const blob = blobReader(folder)
  for await (const { text, number } of readLines(path)) {
    if (last !== undefined && !last.has(number)) continue
    yield damaged(path, number, () => decodeEpisode(text, blob))
  }
}

/** One recorded attempt, read again by its place. */
export async function readEpisodeAt(folder: string, place: Omit<EpisodePlace, "header">): Promise<EpisodeRecord> {
  const path = join(folder, FILES.traces)
  const reader = await openLineReader(path)
  try {
    const text = await reader.readAt(place)
    return damaged(path, place.number, () => decodeEpisode(text, blobReader(folder)))
  } finally {
    await reader.close()
  }
}

/** Numbers of the lines that hold the last attempt of a job. */
async function lastLines(path: string): Promise<Set<number>> {
  const lines = new Map<string, number>()
  for await (const { text, number } of readLines(path)) {
    lines.set(
      damaged(path, number, () => episodeIdOf(text)),
      number,
    )
  }
  return new Set(lines.values())
}

/** The id stands near the start of a line, where it can be read without parsing the rest. */
function episodeIdOf(line: string): string {
  const match = /^\{"schema":"[^"\\]*","suite":"[^"\\]*","episode_id":("[^"\\]*")/.exec(line)
  return match === null ? decodeHeader(line).episode_id : (JSON.parse(match[1]!) as string)
}

/** Texts of the folder's `blobs` by hash, each read once; undefined for one that is not there. */
export function blobReader(folder: string): (hash: string) => string | undefined {
  const texts = new Map<string, string>()
  return (hash) => {
    if (!/^[0-9a-f]{64}$/.test(hash)) return undefined
    const known = texts.get(hash)
    if (known !== undefined) return known
    const path = join(folder, FILES.blobs, hash)
    if (!existsSync(path)) return undefined
    const text = readFileSync(path, "utf8")
    texts.set(hash, text)
    return text
  }
}

/** What `read` gives of a line of `path`; whatever it throws becomes `STORE_CORRUPT` and names the line. */
export function damaged<T>(path: string, line: number, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new AppError("STORE_CORRUPT", `${path}, line ${line}: ${messageOf(error)}`, { cause: error })
  }
}
