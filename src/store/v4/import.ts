import { existsSync, renameSync, rmSync } from "node:fs"
import { basename, resolve } from "node:path"
import { AppError, messageOf } from "../../core/errors.ts"
import { sha256Hex } from "../../core/fingerprint.ts"
import { isJsonObject, type JsonObject } from "../../core/json.ts"
import type { Manifest } from "../../core/run.ts"
import type { Job } from "../../core/task.ts"
import type { EpisodeRecord } from "../../core/trace.ts"
import { buildingPath } from "../../lib/files.ts"
import { openRunFolder } from "../run-folder.ts"
import type { RunStore } from "../store.ts"
import { episodeOfV4 } from "./convert.ts"
import { jobOfV4, sharedTexts } from "./from-v4.ts"
import { V4_SCHEMA, type V4Line } from "./line.ts"
import { type GoodLine, type LineProblem, readV4Lines } from "./lines.ts"
import { importedManifest, readV4Run, type Seen } from "./manifest.ts"

export interface V4ImportOptions {
  /** The run folder to make; there must be nothing at that path. */
  readonly out: string
  /** A v4 `manifest.json`, or a file with `{ manifest, summary }`. */
  readonly manifest?: string
  readonly signal?: AbortSignal
  /** Told of every line that was imported. */
  readonly onLine?: (imported: number, of: number) => void
}

export interface V4Import {
  readonly folder: string
  readonly manifest: Manifest
  /** Lines that were imported: attempts. The last one of an episode counts. */
  readonly lines: number
  readonly episodes: number
  /** Lines that a later line of the same episode takes the place of. */
  readonly duplicates: number
  /** Episodes that the manifest does not plan; figures leave them out. */
  readonly unplanned: number
  /** Lines that were left out, the first hundred of them. */
  readonly problems: readonly LineProblem[]
  readonly problem_count: number
  /** The summary that came with the manifest. */
  readonly given_summary: JsonObject | undefined
}

/** Problems that are told one by one. */
const TOLD_PROBLEMS = 100
/** Lines on their way to the disk at the same time. */
const WINDOW = 64
/** System prompts that are kept apart. */
const PROMPTS = 32

/**
 * Makes a run folder of v4 episode files, reading them twice and holding no more than one episode at a time. Lines that are torn or
 * not of the form are left out and reported. Throws `REFUSED` when `out` exists, `BAD_INPUT` when no line is of use.
 */
export async function importV4(files: readonly string[], options: V4ImportOptions): Promise<V4Import> {
  const { out, signal } = options
  if (existsSync(out)) throw new AppError("REFUSED", `${out} exists; choose another folder for the imported run`)
  const run = options.manifest === undefined ? undefined : readV4Run(options.manifest)
  const survey = await look(files, signal)
  const from = { form: V4_SCHEMA, files: files.map((file) => basename(file)) }
  const name = basename(resolve(out))
  const manifest = importedManifest(survey.seen, from, { name, ...(run && { run }) })

  const building = buildingPath(out)
  rmSync(building, { recursive: true, force: true })
  try {
    const filled = await fill(building, manifest, { ...options, files, survey })
    renameSync(building, out)
    const problems = [...survey.problems, ...filled.problems]
    const planned = new Set(manifest.plan.jobs.map(({ key }) => key))
    const attempts = [...filled.jobs.values()].reduce((sum, job) => sum + job.attempts, 0)
    return {
      folder: out,
      manifest,
      lines: attempts,
      episodes: filled.jobs.size,
      duplicates: attempts - filled.jobs.size,
      unplanned: [...filled.jobs.keys()].filter((key) => !planned.has(key)).length,
      problems: problems.slice(0, TOLD_PROBLEMS),
      problem_count: problems.length,
      given_summary: run?.summary,
    }
  } catch (error) {
    rmSync(building, { recursive: true, force: true })
    throw error
  }
}

/** What a first reading finds: jobs, and the texts that episodes share. */
interface Survey {
  readonly seen: Seen
  readonly lines: number
  readonly problems: LineProblem[]
  readonly texts: readonly string[]
}

async function look(files: readonly string[], signal: AbortSignal | undefined): Promise<Survey> {
  const jobs = new Map<string, Job>()
  const texts = new Set<string>()
  const prompts = new Set<string>()
  const problems: LineProblem[] = []
  let lines = 0
  let identities: JsonObject = {}
  let firstStart: string | undefined
  let steps = 1
  const keep = (text: string) => {
    texts.add(text)
    return ""
  }
  for await (const found of readV4Lines(files, signal)) {
    if ("problem" in found) {
      problems.push(found.problem)
      continue
    }
    const { line } = found
    lines++
    const job = jobOfV4(line)
    if (!jobs.has(job.key)) jobs.set(job.key, job)
    sharedTexts(line, { keep })
    const prompt = promptOf(line)
    if (prompt !== undefined && prompts.size < PROMPTS) prompts.add(prompt)
    if (isJsonObject(line.provenance) && Object.keys(identities).length === 0) identities = line.provenance
    if (firstStart === undefined || line.started_at < firstStart) firstStart = line.started_at
    steps = Math.max(steps, line.steps.length)
  }
  if (firstStart === undefined) throw nothingFound(files, problems)
  const seen = { jobs: [...jobs.values()], identities, firstStart, steps }
  return { seen, lines, problems, texts: [...texts, ...prompts] }
}

function nothingFound(files: readonly string[], [first]: readonly LineProblem[]): AppError {
  const why = first === undefined ? "" : `; ${first.file}, line ${first.line}: ${first.reason}`
  return new AppError("BAD_INPUT", `There is no episode of ${V4_SCHEMA} in ${files.join(", ")}${why}`)
}

/** Where a system message goes on with what differs from episode to episode. */
const SECTIONS = ["\n\n用户个人文档：\n", "\n\n[可选策略提示]"]

/** The instructions that open the system message, as far as episodes are likely to share them. */
function promptOf({ conversation }: V4Line): string | undefined {
  const [message] = conversation
  if (message?.role !== "system") return undefined
  const ends = SECTIONS.map((words) => message.content.indexOf(words)).filter((at) => at >= 0)
  const prompt = message.content.slice(0, Math.min(message.content.length, ...ends))
  return /\p{Surrogate}/u.test(prompt) ? undefined : prompt // half a character cannot be kept in a file
}

async function fill(
  folder: string,
  manifest: Manifest,
  { files, survey, signal, onLine }: V4ImportOptions & { files: readonly string[]; survey: Survey },
): Promise<{ jobs: RunStore["jobs"]; problems: LineProblem[] }> {
  const store = await openRunFolder(folder, manifest, { blobs: survey.texts })
  const problems: LineProblem[] = []
  const attempts = new Map<string, number>()
  let writing: Promise<void>[] = []
  let imported = 0
  try {
    for await (const found of readV4Lines(files, signal)) {
      if ("problem" in found) continue // told by the first reading
      const { record, reason } = convert(found.line, manifest.fingerprint)
      if (record === undefined) {
        problems.push({ file: found.file, line: found.number, reason })
        continue
      }
      const attempt = Math.max(record.attempt, (attempts.get(record.episode_id) ?? 0) + 1)
      attempts.set(record.episode_id, attempt)
      writing.push(store.append({ ...record, attempt }))
      if (writing.length === WINDOW) {
        await Promise.all(writing)
        writing = []
      }
      onLine?.(++imported, survey.lines)
    }
    await Promise.all(writing)
    return { jobs: store.jobs, problems }
  } finally {
    await Promise.allSettled(writing)
    await store.close()
  }
}

function convert(
  line: GoodLine["line"],
  run: string,
): { record: EpisodeRecord; reason?: never } | { record?: never; reason: string } {
  try {
    return { record: episodeOfV4(line, { run, kept: { keep: sha256Hex } }) }
  } catch (error) {
    const isLines = error instanceof SyntaxError || (error instanceof AppError && error.code === "BAD_INPUT")
    if (isLines) return { reason: messageOf(error) }
    throw error
  }
}
