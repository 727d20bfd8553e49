import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Manifest } from "../../core/run.ts"
import { FILES, readManifest } from "../../store/read.ts"

/** A manifest whose list of jobs is only counted. */
export interface LeanManifest {
  readonly manifest: Manifest
  readonly jobs: number
}

const PLAN = Buffer.from('\n  "plan": {\n')
const JOBS = Buffer.from('\n    "jobs": [\n')
const END = Buffer.from("\n    ]")
const JOB = Buffer.from("\n      {")

/**
 * The manifest of a run without its jobs. Of one that we wrote, indented, they are cut out before it is parsed: no string holds a line
 * feed, so an indentation stands for a place. Throws like `readManifest`.
 */
export function readLeanManifest(folder: string): LeanManifest {
  const cut = withoutJobs(readFileSync(join(folder, FILES.manifest)))
  if (cut !== undefined) return cut
  const { plan, ...rest } = readManifest(folder)
  return { manifest: { ...rest, plan: { ...plan, jobs: [] } }, jobs: plan.jobs.length }
}

/** Undefined: it is written in another way, or damaged. */
function withoutJobs(bytes: Buffer): LeanManifest | undefined {
  const plan = bytes.indexOf(PLAN)
  const from = plan < 0 ? -1 : bytes.indexOf(JOBS, plan)
  const to = from < 0 ? -1 : bytes.indexOf(END, from + JOBS.length - 1)
  if (to < 0) return undefined
  let jobs = 0
  for (let at = bytes.indexOf(JOB, from); at >= 0 && at < to; at = bytes.indexOf(JOB, at + 1)) jobs++
  try {
    const text = bytes.toString("utf8", 0, from + JOBS.length) + bytes.toString("utf8", to)
    const parsed = Manifest.safeParse(JSON.parse(text))
    return parsed.success ? { manifest: parsed.data, jobs } : undefined
  } catch {
    return undefined
  }
}
