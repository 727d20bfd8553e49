import { existsSync } from "node:fs"
import { join } from "node:path"
import { CaseRecord } from "../core/case-record.ts"
import type { CaseJudgment, FailedCase, FailedCases } from "../core/judgment.ts"
import type { Job } from "../core/task.ts"
import { Verdict } from "../core/verdict.ts"
import { readLines } from "../lib/jsonl.ts"
import { type EpisodePlace, readEpisodeAt, readManifest, scanEpisodes } from "../store/read.ts"
import { readCaseJudgments, readJudgment } from "./judge-run.ts"

/**
 * The failed checks of the judged run in `folder`, whole cases, in the order of the plan: cases that failed before those that passed all
 * the same; at most `checks` of them, or one case. Traces and verdicts are streamed, and only what is chosen is kept. Undefined: the run
 * was not judged. Throws `STORE_CORRUPT` for what cannot be read.
 */
export async function readFailedCases(folder: string, checks: number): Promise<FailedCases | undefined> {
  const judged = await readCaseJudgments(folder)
  if (judged === undefined) return undefined
  const all = failedOf(readManifest(folder).plan.jobs, judged)
  const chosen: typeof all = []
  for (const one of all) {
    if (chosen.length > 0 && checksOf(chosen) + one.judgment.failed.length > checks) break
    chosen.push(one)
  }
  const keys = new Set(chosen.map(({ job }) => job.key))
  const [verdicts, places] = [await failedVerdicts(folder, keys), await placesOf(folder, keys)]
  const cases: FailedCase[] = []
  for (const { job, judgment } of chosen) {
    const place = places.get(job.key)
    if (place === undefined) continue
    const record = CaseRecord.safeParse((await readEpisodeAt(folder, place)).evidence.case)
    if (record.success) cases.push({ job, judgment, record: record.data, verdicts: verdicts.get(job.key) ?? [] })
  }
  return {
    cases,
    shown: { cases: cases.length, checks: checksOf(cases) },
    all: { cases: all.length, checks: checksOf(all) },
  }
}

interface Failed {
  readonly job: Job
  readonly judgment: CaseJudgment
}

function failedOf(jobs: readonly Job[], judged: ReadonlyMap<string, CaseJudgment>): Failed[] {
  const found = jobs.flatMap((job) => {
    const judgment = judged.get(job.key)
    return judgment === undefined || judgment.failed.length === 0 ? [] : [{ job, judgment }]
  })
  return (["failed", "passed"] as const).flatMap((state) => found.filter(({ judgment }) => judgment.state === state))
}

function checksOf(cases: readonly Failed[]): number {
  return cases.reduce((sum, { judgment }) => sum + judgment.failed.length, 0)
}

async function failedVerdicts(folder: string, keys: ReadonlySet<string>): Promise<Map<string, Verdict[]>> {
  const found = new Map<string, Verdict[]>()
  for (const judge of readJudgment(folder)?.judges ?? []) {
    const path = join(folder, "scores", `${judge}.jsonl`)
    if (!existsSync(path)) continue
    for await (const { text } of readLines(path)) {
      if (!text.includes('"fail"')) continue
      const parsed = Verdict.safeParse(JSON.parse(text))
      if (!parsed.success || parsed.data.state !== "fail") continue
      const { episode_id = "" } = parsed.data
      if (keys.has(episode_id)) found.set(episode_id, [...(found.get(episode_id) ?? []), parsed.data])
    }
  }
  return found
}

/** Where the last attempt of each is. */
async function placesOf(folder: string, keys: ReadonlySet<string>): Promise<Map<string, Omit<EpisodePlace, "header">>> {
  const places = new Map<string, Omit<EpisodePlace, "header">>()
  for await (const { header, ...place } of scanEpisodes(folder)) {
    if (keys.has(header.episode_id)) places.set(header.episode_id, place)
  }
  return places
}
