import { existsSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { encodeEpisode } from "../core/compact.ts"
import { AppError, messageOf } from "../core/errors.ts"
import { sha256Hex } from "../core/fingerprint.ts"
import type { Json } from "../core/json.ts"
import type { Manifest } from "../core/run.ts"
import type { Summary } from "../core/score.ts"
import { writeFileWhole } from "../lib/files.ts"
import { type FolderLock, lockFolder } from "../lib/folder-lock.ts"
import { type LineWriter, openLineWriter } from "../lib/jsonl.ts"
import { differences } from "./differences.ts"
import { type IndexWriter, openIndexWriter } from "./index/writer.ts"
import { FILES, readEpisodes, readManifest, scanEpisodes } from "./read.ts"
import type { JobState, RunStore } from "./store.ts"

/**
 * Opens the folder of a run for playing it, made if absent: locks it, writes the manifest the first time and compares it every
 * other time, and reads what is recorded. `blobs` are texts that many episodes share; they are kept once, by hash.
 * Throws `REFUSED` when another process plays the run, when the folder holds a run with another fingerprint (the message says what
 * differs), or, with `resume` off, when it holds episodes; `STORE_UNWRITABLE` when it cannot be written.
 */
export async function openRunFolder(
  folder: string,
  manifest: Manifest,
  { blobs = [], resume = true }: { readonly blobs?: readonly string[]; readonly resume?: boolean } = {},
): Promise<RunStore> {
  const lock = lockFolder(folder)
  try {
    const kept = keepManifest(folder, manifest)
    const hashes = new Map(blobs.map((text) => [text, sha256Hex(text)]))
    writing(folder, () => {
      mkdirSync(join(folder, FILES.blobs), { recursive: true })
      for (const [text, hash] of hashes) {
        const path = join(folder, FILES.blobs, hash)
        if (!existsSync(path)) writeFileWhole(path, text)
      }
    })
    const jobs = await readJobs(folder)
    if (!resume && jobs.size > 0) {
      throw new AppError(
        "REFUSED",
        `${folder} holds ${jobs.size} episodes already and experiment.resume is off. Choose another experiment.name`,
      )
    }
    const writer = await openLineWriter(join(folder, FILES.traces))
    const index = await openIndexWriter(folder, writer.size)
    return storeOf({ folder, manifest: kept, jobs, writer, index, lock, hashes })
  } catch (error) {
    lock.close()
    throw error
  }
}

function storeOf(parts: {
  folder: string
  manifest: Manifest
  jobs: Map<string, JobState>
  writer: LineWriter
  index: IndexWriter
  lock: FolderLock
  hashes: ReadonlyMap<string, string>
}): RunStore {
  const { folder, manifest, jobs, writer, index, lock, hashes } = parts
  let closing: Promise<void> | undefined
  return {
    location: folder,
    manifest,
    jobs,
    async append(record) {
      const line = encodeEpisode(record, hashes)
      const offset = await writer.append(line)
      index.add(line, offset)
      count(jobs, record)
    },
    writeProgress: (progress) =>
      writing(folder, () => writeFileWhole(join(folder, FILES.progress), `${JSON.stringify(progress, null, 2)}\n`)),
    writeSummary: (summary) => writeSummary(folder, summary),
    episodes: (options) => readEpisodes(folder, options),
    close() {
      closing ??= writer
        .close()
        .finally(() => index.close())
        .finally(() => lock.close())
      return closing
    },
  }
}

/** Puts `summary` into the folder of a run, whole or not at all. Throws `STORE_UNWRITABLE`. */
export function writeSummary(folder: string, summary: Summary): void {
  writing(folder, () => writeFileWhole(join(folder, FILES.summary), summaryJson(summary)))
}

/** The content of `summary.json`. */
export function summaryJson(summary: Summary): string {
  return `${JSON.stringify(summary, null, 2)}\n`
}

function keepManifest(folder: string, manifest: Manifest): Manifest {
  if (existsSync(join(folder, FILES.manifest))) {
    const kept = readManifest(folder)
    if (kept.fingerprint === manifest.fingerprint) return kept
    const changes = differences(kept.plan as Json, manifest.plan as Json)
    throw new AppError(
      "REFUSED",
      `${folder} holds another run (fingerprint ${kept.fingerprint.slice(0, 12)}…, not ${manifest.fingerprint.slice(0, 12)}…):\n  ${changes.join("\n  ")}\nChoose another experiment.name, or restore the old settings to go on with it`,
      { details: { differences: changes } },
    )
  }
  if (existsSync(join(folder, FILES.traces))) {
    throw new AppError("REFUSED", `${folder} holds ${FILES.traces} but no ${FILES.manifest}: it is not a run of Souk's`)
  }
  writing(folder, () => writeFileWhole(join(folder, FILES.manifest), `${JSON.stringify(manifest, null, 2)}\n`))
  return manifest
}

async function readJobs(folder: string): Promise<Map<string, JobState>> {
  const jobs = new Map<string, JobState>()
  for await (const { header } of scanEpisodes(folder)) count(jobs, header)
  return jobs
}

function count(jobs: Map<string, JobState>, { episode_id, status }: Pick<JobState, "status"> & { episode_id: string }) {
  jobs.set(episode_id, stateOf((jobs.get(episode_id)?.attempts ?? 0) + 1, status))
}

/** States that many jobs share: a run of a hundred thousand jobs has a handful. */
const STATES = new Map<string, JobState>()

function stateOf(attempts: number, status: JobState["status"]): JobState {
  const name = `${attempts} ${status}`
  let state = STATES.get(name)
  if (state === undefined) {
    state = { attempts, status }
    STATES.set(name, state)
  }
  return state
}

function writing<T>(folder: string, write: () => T): T {
  try {
    return write()
  } catch (error) {
    throw new AppError("STORE_UNWRITABLE", `Cannot write to ${folder}: ${messageOf(error)}`, { cause: error })
  }
}
