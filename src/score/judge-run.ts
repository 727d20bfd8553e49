import { setMaxListeners } from "node:events"
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from "node:fs"
import { join } from "node:path"
import { z } from "zod"
import { CaseRecord } from "../core/case-record.ts"
import { AppError, messageOf, throwIfCancelled } from "../core/errors.ts"
import { CaseJudgment, JudgmentSummary } from "../core/judgment.ts"
import { PolicyRules } from "../core/policy.ts"
import type { Manifest } from "../core/run.ts"
import type { EpisodeRecord } from "../core/trace.ts"
import { Verdict } from "../core/verdict.ts"
import { buildingPath, commitFile, writeFileWhole } from "../lib/files.ts"
import { readLines } from "../lib/jsonl.ts"
import { blobReader, readEpisodes, readManifest } from "../store/read.ts"
import { JudgmentTally, judgeCase, PASS_THRESHOLD } from "./case-judgment.ts"
import { inOrder } from "./in-order.ts"
import { isLate, type Judge, type LateJudge } from "./judge.ts"
import { JUDGES } from "./judges/index.ts"

/** A run as it was judged. */
export interface JudgedRun {
  readonly summary: JudgmentSummary
  /** The files that were written: one a judge, with a verdict a line, and the cases. */
  readonly files: readonly string[]
}

/** The figures of a judged run, in `scores/`. */
const JUDGMENT_FILE = "judgment.json"

/** What the last judging of the run in `folder` came to; undefined: it was not judged. Throws `STORE_CORRUPT` for what cannot be read. */
export function readJudgment(folder: string): JudgmentSummary | undefined {
  const path = join(folder, "scores", JUDGMENT_FILE)
  if (!existsSync(path)) return undefined
  const parsed = JudgmentSummary.safeParse(parseJson(readFileSync(path, "utf8"), path))
  if (parsed.success) return parsed.data
  throw new AppError(
    "STORE_CORRUPT",
    `${path}: ${z.prettifyError(parsed.error)}; judge the run again: souk judge ${folder}`,
  )
}

/** The judged cases of the run in `folder`, by episode; undefined: it was not judged. */
export async function readCaseJudgments(folder: string): Promise<Map<string, CaseJudgment> | undefined> {
  const path = casesPath(folder)
  if (!existsSync(path)) return undefined
  const cases = new Map<string, CaseJudgment>()
  for await (const { text, number } of readLines(path)) {
    const judgment = parseCase(text, `${path}, line ${number}`)
    cases.set(judgment.episode_id, judgment)
  }
  return cases
}

/** What one episode's case came to in the last judging; undefined: it was not judged. */
export async function readCaseJudgment(folder: string, episodeId: string): Promise<CaseJudgment | undefined> {
  const path = casesPath(folder)
  if (!existsSync(path)) return undefined
  const named = JSON.stringify(episodeId)
  let found: CaseJudgment | undefined
  for await (const { text, number } of readLines(path)) {
    if (!text.includes(named)) continue
    const judgment = parseCase(text, `${path}, line ${number}`)
    if (judgment.episode_id === episodeId) found = judgment
  }
  return found
}

function casesPath(folder: string): string {
  return join(folder, "scores", "cases.jsonl")
}

function parseCase(text: string, where: string): CaseJudgment {
  const parsed = CaseJudgment.safeParse(parseJson(text, where))
  if (parsed.success) return parsed.data
  throw new AppError("STORE_CORRUPT", `${where}: ${z.prettifyError(parsed.error)}`)
}

/** Every verdict of the last judging of the run in `folder`. */
export async function* readAllVerdicts(folder: string): AsyncGenerator<Verdict> {
  yield* verdictsIn(folder, () => true)
}

/** All verdicts on one episode, by the judges of the last judging. */
export async function readVerdicts(folder: string, episodeId: string): Promise<Verdict[]> {
  const named = JSON.stringify(episodeId)
  const verdicts: Verdict[] = []
  for await (const verdict of verdictsIn(folder, (line) => line.includes(named))) {
    if (verdict.episode_id === episodeId) verdicts.push(verdict)
  }
  return verdicts
}

async function* verdictsIn(folder: string, wanted: (line: string) => boolean): AsyncGenerator<Verdict> {
  for (const judge of readJudgment(folder)?.judges ?? []) {
    const path = join(folder, "scores", `${judge}.jsonl`)
    if (!existsSync(path)) continue
    for await (const { text, number } of readLines(path)) {
      if (!wanted(text)) continue
      const where = `${path}, line ${number}`
      const parsed = Verdict.safeParse(parseJson(text, where))
      if (!parsed.success) throw new AppError("STORE_CORRUPT", `${where}: ${z.prettifyError(parsed.error)}`)
      yield parsed.data
    }
  }
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new AppError("STORE_CORRUPT", `${where} is not JSON: ${messageOf(error)}`, { cause: error })
  }
}

/** The judges with these names. Throws `BAD_INPUT` for one that there is not. */
export function judgesNamed(names: readonly string[]): Judge[] {
  return names.map((name) => {
    if (Object.hasOwn(JUDGES, name)) return JUDGES[name]!
    throw new AppError("BAD_INPUT", `There is no judge ${name}; there is ${Object.keys(JUDGES).join(", ")}`)
  })
}

/**
 * Judges every case of the service run in `folder` from its traces alone and writes `scores/<judge>.jsonl` and `scores/cases.jsonl`, each
 * whole or not at all, in the place of what was there. Throws `BAD_INPUT` for a run of another suite, `STORE_CORRUPT` for a case or rules
 * that cannot be read.
 */
export async function judgeRun(
  folder: string,
  judges: readonly (Judge | LateJudge)[],
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<JudgedRun> {
  const manifest = readManifest(folder)
  if (manifest.plan.suite !== "service") {
    throw new AppError("BAD_INPUT", `${folder} is a run of suite ${manifest.plan.suite}; only service runs are judged`)
  }
  const rules = rulesOf(folder, manifest)
  const threshold = rules?.pass_threshold ?? PASS_THRESHOLD
  const planned = new Set(manifest.plan.jobs.map(({ key }) => key))
  const tally = new JudgmentTally(
    judges.map(({ name }) => name),
    threshold,
  )
  const names = [...judges.map(({ name }) => name), "cases"]
  mkdirSync(join(folder, "scores"), { recursive: true })
  const files = names.map((name) => openLines(join(folder, "scores", `${name}.jsonl`)))
  const late = judges.filter(isLate)
  const stop = new AbortController()
  const call = { signal: signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]) }
  setMaxListeners(0, call.signal) // everything that is asked waits for it

  /** Verdicts by judge; a promise only where somebody has to be asked. */
  const verdictsOn = (record: CaseRecord): Verdict[][] | Promise<Verdict[][]> => {
    const context = { rules }
    if (late.length === 0) return judges.map((judge) => (isLate(judge) ? [] : judge.judge(record, context)))
    return Promise.all(judges.map((judge) => judge.judge(record, context, call)))
  }
  const write = ({ episode, record, byJudge }: JudgedCase) => {
    const judged = answeredElsewhere(byJudge).map((own) =>
      own.map((verdict): Verdict => ({ ...verdict, episode_id: episode.episode_id })),
    )
    const verdicts = judged.flat()
    const judgment = record === undefined ? unseen(episode) : judgeCase(episode, record, verdicts, threshold)
    for (const [index, own] of judged.entries()) for (const verdict of own) files[index]!.write(verdict)
    files.at(-1)!.write(judgment)
    tally.add(judgment, verdicts)
  }
  try {
    await inOrder(readEpisodes(folder), {
      ahead: Math.min(...late.map(({ concurrency }) => concurrency)),
      work(episode): JudgedCase | null | Promise<JudgedCase> {
        throwIfCancelled(signal)
        if (!planned.has(episode.episode_id)) return null
        const record = caseOf(episode, folder)
        if (record === undefined) return { episode, record, byJudge: judges.map(() => []) }
        const byJudge = verdictsOn(record)
        if (byJudge instanceof Promise) return byJudge.then((verdicts) => ({ episode, record, byJudge: verdicts }))
        return { episode, record, byJudge }
      },
      handOn: (judged) => judged !== null && write(judged),
      stop: () => stop.abort(),
    })
    for (const file of files) file.commit()
    writeFileWhole(join(folder, "scores", JUDGMENT_FILE), `${JSON.stringify(summary(), null, 2)}\n`)
  } catch (error) {
    for (const file of files) file.drop()
    throw error
  }
  return { summary: summary(), files: files.map(({ path }) => path) }

  function summary(): JudgmentSummary {
    const reports = Object.fromEntries(late.map((judge) => [judge.name, judge.report()]))
    return { ...tally.summary(), ...(late.length > 0 && { judge_reports: reports }) }
  }
}

interface JudgedCase {
  readonly episode: EpisodeRecord
  /** Undefined: nothing was seen. */
  readonly record: CaseRecord | undefined
  readonly byJudge: readonly (readonly Verdict[])[]
}

/** What one judge leaves to a model (`needs_model`) is not said where another one answers it. */
function answeredElsewhere(byJudge: readonly (readonly Verdict[])[]): Verdict[][] {
  return byJudge.map((own, index) =>
    own.filter(({ code, check_id }) => {
      const others = () => byJudge.flatMap((verdicts, other) => (other === index ? [] : verdicts))
      return code !== "needs_model" || !others().some((verdict) => verdict.check_id === check_id)
    }),
  )
}

/** The rules of the run's pack, by the hash in its plan; null where the pack has none. */
function rulesOf(folder: string, { plan }: Manifest): PolicyRules | null {
  const hash = plan.environment.rules_sha256
  if (typeof hash !== "string") return null
  const text = blobReader(folder)(hash)
  if (text === undefined) throw new AppError("STORE_CORRUPT", `${folder} lacks its pack's rules: blobs/${hash}`)
  try {
    return PolicyRules.parse(JSON.parse(text))
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error)
    throw new AppError("STORE_CORRUPT", `${folder}: the pack's rules cannot be read: ${reason}`, { cause: error })
  }
}

/** What was seen of the case; undefined where an attempt broke before there was a record. */
function caseOf({ evidence, episode_id }: EpisodeRecord, folder: string): CaseRecord | undefined {
  if (evidence.case === undefined) return undefined
  const parsed = CaseRecord.safeParse(evidence.case)
  if (parsed.success) return parsed.data
  throw new AppError("STORE_CORRUPT", `${folder}, episode ${episode_id}: ${z.prettifyError(parsed.error)}`)
}

/** A case without a record: nothing was seen of it, or an attempt broke in the middle. */
function unseen({ episode_id, job, status, evidence, events }: EpisodeRecord): CaseJudgment {
  const seen = z.looseObject({ messages: z.array(z.unknown()) }).safeParse(evidence.seen)
  const nothing = status === "failed" && (!seen.success || seen.data.messages.length === 0)
  const start = events.find(({ type }) => type === "episode_start")
  const { category, language } = start?.type === "episode_start" ? start.info : {}
  return {
    case_id: job.task_id,
    episode_id,
    category: typeof category === "string" ? category : null,
    language: language === "en" ? "en" : "zh",
    state: nothing ? "excluded" : "not_scored",
    ...(nothing
      ? { exclusion: "no_observation" as const }
      : { status: status === "cancelled" ? ("cancelled" as const) : ("failed" as const) }),
    verdicts: { pass: 0, fail: 0, not_applicable: 0, unjudgeable: 0 },
    failed: [],
  }
}

interface LinesFile {
  readonly path: string
  write(value: unknown): void
  commit(): void
  drop(): void
}

/** Lines that are written together. */
const BATCH = 1000

/** JSON Lines that take the place of `path` when they are whole. */
function openLines(path: string): LinesFile {
  const building = buildingPath(path)
  const descriptor = openSync(building, "w")
  let lines: string[] = []
  let open = true
  const flush = () => {
    writeSync(descriptor, lines.join(""))
    lines = []
  }
  const close = () => {
    if (open) closeSync(descriptor)
    open = false
  }
  return {
    path,
    write(value) {
      lines.push(`${JSON.stringify(value)}\n`)
      if (lines.length >= BATCH) flush()
    },
    commit() {
      flush()
      close()
      commitFile(building, path)
    },
    drop() {
      close()
      rmSync(building, { force: true })
    },
  }
}
