import { statSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { setImmediate as turn } from "node:timers/promises"
import { messageOf } from "../../core/errors.ts"
import { Progress } from "../../core/run.ts"
import type { Summary } from "../../core/score.ts"
import { LruCache } from "../../lib/lru.ts"
import { FILES, readSummary } from "../../store/read.ts"
import type { RunLine, RunView } from "../views.ts"
import { type LeanManifest, readLeanManifest } from "./manifest.ts"
import type { RunIndexes } from "./run-indexes.ts"

/** Progress is written every second while a run is played. */
const FRESH_MS = 10_000
/** A process of the number that played it may be another one, long after. */
const STALE_MS = 600_000
/** Longest stretch of work between two turns of the event loop. */
const STRETCH_MS = 10

/** What a line takes from files that do not change while a run is played, and which state of them. */
interface Facts {
  readonly manifestStamp: string
  readonly summaryStamp: string
  readonly identity: Partial<RunLine>
  readonly results: Partial<RunLine>
  readonly problem: string | null
}

const MANIFESTS_KEPT = 8

/** The runs of a folder without their episodes. Files are read again when they have changed. */
export class RunList {
  readonly #indexes: RunIndexes
  readonly #now: () => number
  readonly #facts = new Map<string, Facts>()
  readonly #manifests = new LruCache<string, LeanManifest>(MANIFESTS_KEPT)

  constructor(indexes: RunIndexes, now: () => number) {
    this.#indexes = indexes
    this.#now = now
  }

  /** All runs, newest first; those that cannot be read are last. */
  async lines(): Promise<RunLine[]> {
    const names = this.#indexes.names()
    const lines: RunLine[] = []
    let since = performance.now()
    for (const name of names) {
      lines.push(await this.#line(name))
      if (performance.now() - since < STRETCH_MS) continue
      await turn()
      since = performance.now()
    }
    const listed = new Set(names)
    for (const name of this.#facts.keys()) if (!listed.has(name)) this.#facts.delete(name)
    return lines.sort((a, b) => compare(b.created_at ?? "", a.created_at ?? "") || compare(a.name, b.name))
  }

  /** One run. Throws the problem `not_found`, and `STORE_CORRUPT` for files that cannot be read. */
  async view(name: string): Promise<Omit<RunView, "trace">> {
    const folder = this.#indexes.folderOf(name)
    const key = `${stampOf(join(folder, FILES.manifest))} ${folder}`
    const { manifest, jobs } = this.#manifests.get(key, () => readLeanManifest(folder))
    const { created_at, fingerprint, plan, execution } = manifest
    const { jobs: _counted, ...rest } = plan
    const progress = await readProgress(folder)
    return {
      name,
      created_at,
      fingerprint,
      plan: { ...rest, job_count: jobs } as RunView["plan"], // a rest loses the type of the members it may have
      execution,
      progress,
      live: this.#isLive(progress),
      summary: readSummary(folder) ?? null,
    }
  }

  async #line(name: string): Promise<RunLine> {
    const { identity, results, problem } = this.#read(name)
    if (problem !== null) return { ...NOTHING, name, problem }
    const progress = await readProgress(join(this.#indexes.root, name))
    const live = this.#isLive(progress)
    const playing = progress === null ? {} : { state: progress.state, ...fromProgress(progress) }
    const figures = live ? { ...results, ...playing } : { ...playing, ...results }
    return { ...NOTHING, name, problem, ...identity, ...figures, live }
  }

  #read(name: string): Facts {
    const folder = join(this.#indexes.root, name)
    const manifestStamp = stampOf(join(folder, FILES.manifest))
    const summaryStamp = stampOf(join(folder, FILES.summary))
    const known = this.#facts.get(name)
    if (known?.manifestStamp === manifestStamp && known.summaryStamp === summaryStamp) return known
    const stamps = { manifestStamp, summaryStamp }
    let facts: Facts
    try {
      const same = known?.manifestStamp === manifestStamp && known.problem === null
      const identity = same ? known.identity : fromManifest(readLeanManifest(folder))
      const summary = readSummary(folder)
      facts = { ...stamps, identity, results: summary === undefined ? {} : fromSummary(summary), problem: null }
    } catch (error) {
      facts = { ...stamps, identity: {}, results: {}, problem: messageOf(error).replaceAll(folder, name) }
    }
    this.#facts.set(name, facts)
    return facts
  }

  #isLive(progress: Progress | null): boolean {
    if (progress === null || (progress.state !== "running" && progress.state !== "stopping")) return false
    const age = this.#now() - Date.parse(progress.updated_at)
    return age < FRESH_MS || (age < STALE_MS && isAlive(progress.pid))
  }
}

const NOTHING: Omit<RunLine, "name" | "problem"> = {
  created_at: null,
  suite: null,
  split: null,
  model: null,
  fingerprint: null,
  jobs: null,
  state: null,
  live: false,
  recorded: null,
  primary: null,
  pass_rate: null,
  scored: null,
  coverage: null,
  tokens: null,
  money: [],
  errors: null,
  warnings: 0,
}

function fromManifest({ manifest, jobs }: LeanManifest): Partial<RunLine> {
  const { created_at, fingerprint, plan, execution } = manifest
  const tried = execution.model_id ?? plan.model.model
  const model = typeof tried === "string" ? tried : null
  return { created_at, suite: plan.suite, split: plan.split.name, model, fingerprint, jobs }
}

/** While a run is played, or when it has no summary: figures of its last invocation. */
function fromProgress(progress: Progress): Partial<RunLine> {
  const { already_complete, completed, failed, cancelled, planned, usage, cost, success_rate, reward_mean } = progress
  const figures = {
    ...(success_rate !== undefined && { success_rate }),
    ...(reward_mean !== undefined && { reward_mean }),
  }
  return {
    recorded: Math.min(planned, already_complete + completed + failed + cancelled),
    primary: Object.keys(figures).length > 0 ? figures : null,
    tokens: tokensOf(usage),
    money: cost === undefined ? [] : [{ amount: String(cost.amount), currency: cost.currency }],
    errors: failed,
  }
}

function fromSummary({ counts, primary, cost, judgment, warnings }: Summary): Partial<RunLine> {
  return {
    recorded: counts.recorded,
    primary,
    pass_rate: judgment?.pass_rate ?? null,
    scored: counts.scored,
    coverage: counts.coverage,
    tokens: tokensOf(cost.tokens),
    money: cost.money ?? [],
    errors: counts.failed,
    warnings: warnings?.length ?? 0,
  }
}

function tokensOf(usage: Readonly<Record<string, unknown>>): number | null {
  const { total_tokens, prompt_tokens, completion_tokens } = usage
  if (typeof total_tokens === "number") return total_tokens
  const parts = [prompt_tokens, completion_tokens].filter((tokens) => typeof tokens === "number")
  return parts.length === 0 ? null : parts.reduce((sum, tokens) => sum + tokens, 0)
}

/** Null when there is none; also in the moment in which it is replaced. */
async function readProgress(folder: string): Promise<Progress | null> {
  try {
    return Progress.parse(JSON.parse(await readFile(join(folder, FILES.progress), "utf8")))
  } catch {
    return null
  }
}

function stampOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? "-" : `${found.ino}:${found.mtimeMs}:${found.size}`
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
