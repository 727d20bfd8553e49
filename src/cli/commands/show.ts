import { AppError } from "../../core/errors.ts"
import type { CaseJudgment } from "../../core/judgment.ts"
import type { Manifest } from "../../core/run.ts"
import type { Job } from "../../core/task.ts"
import type { EpisodeStatus } from "../../core/trace.ts"
import { nearest } from "../../lib/nearest.ts"
import { episodeText } from "../../report/formats/episode-text.ts"
import { summaryText } from "../../report/summary.ts"
import { readCaseJudgments, readVerdicts } from "../../score/judge-run.ts"
import { summarize } from "../../score/score.ts"
import { type EpisodePlace, findRunFolder, readEpisodeAt, readManifest, scanEpisodes } from "../../store/read.ts"
import type { Register } from "../command.ts"
import { wholeNumber } from "../flags.ts"

interface ShowFlags {
  readonly full?: boolean
  readonly attempt?: string
}

/** Episodes listed below a run's summary. */
const LISTED = 20

export const registerShow: Register = (program, run) => {
  program
    .command("show")
    .description("read a run's figures, or one of its episodes step by step")
    .argument("<run>", "the run's folder")
    .argument("[episode]", "episode id, or the id of its task")
    .option("--full", "show pages and reasoning whole")
    .option("--attempt <n>", "an earlier attempt at the episode")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Examples:
  souk show runs/first
  souk show runs/first 12
  souk show runs/first task-000012__sample-000 --full`,
    )
    .action(
      run(async (context, path: string, episode: string | undefined, flags: ShowFlags) => {
        const folder = findRunFolder(path)
        const manifest = readManifest(folder)
        const recorded = await indexOf(folder)
        if (episode === undefined) {
          const summary = await summarize(folder)
          const service = manifest.plan.suite === "service"
          const judged = service ? await readCaseJudgments(folder) : undefined
          const rows = manifest.plan.jobs.map((job) => ({
            ...(recorded.get(job.key)?.row ?? missingRow(job)),
            ...caseRow(judged?.get(job.key)),
          }))
          const text = [headText(manifest), summaryText(summary), listText(rows, service ? caseLine : episodeLine)]
          context.result({ run_dir: folder, summary, episodes: rows }, text.join("\n\n"))
          return
        }
        const { attempts } = recorded.get(findEpisode(episode, manifest, recorded))!
        const range = { from: 1, to: attempts.length }
        const number = flags.attempt === undefined ? range.to : wholeNumber(flags.attempt, "--attempt", range)
        const record = await readEpisodeAt(folder, attempts[number - 1]!)
        const last = number === attempts.length // verdicts are on the last attempt
        const service = manifest.plan.suite === "service" && last
        const verdicts = service ? await readVerdicts(folder, record.episode_id) : []
        const judgment = service ? (await readCaseJudgments(folder))?.get(record.episode_id) : undefined
        context.result(
          record,
          episodeText(record, { full: flags.full === true, verdicts, ...(judgment && { judgment }) }),
        )
      }),
    )
}

/** An episode in a list, by its last attempt. */
interface Row {
  readonly episode_id: string
  readonly task_id: string
  readonly status: EpisodeStatus | "missing"
  readonly end_reason?: string
  readonly attempt?: number
  readonly reward?: number
  readonly steps?: number
  readonly duration_ms?: number
  /** Of a service run that was judged. */
  readonly judged?: CaseJudgment["state"]
  readonly exclusion?: CaseJudgment["exclusion"]
  readonly checks?: { readonly passed: number; readonly failed: number }
}

interface Recorded {
  readonly attempts: Omit<EpisodePlace, "header">[]
  row: Row
}

async function indexOf(folder: string): Promise<Map<string, Recorded>> {
  const recorded = new Map<string, Recorded>()
  for await (const { header, ...place } of scanEpisodes(folder)) {
    const known = recorded.get(header.episode_id)
    if (known === undefined) recorded.set(header.episode_id, { attempts: [place], row: rowOf(header) })
    else {
      known.attempts.push(place)
      known.row = rowOf(header)
    }
  }
  return recorded
}

/** The id of the recorded episode that `name` means: an id, a task's id (its first sample), or the beginning of one id only. */
function findEpisode(name: string, { plan }: Manifest, recorded: ReadonlyMap<string, unknown>): string {
  if (recorded.has(name)) return name
  const byTask = plan.jobs.find(({ key, task_id }) => task_id === name && recorded.has(key))
  if (byTask !== undefined) return byTask.key
  const beginning = [...recorded.keys()].filter((id) => id.startsWith(name))
  if (beginning.length === 1) return beginning[0]!
  const planned = plan.jobs.some(({ key, task_id }) => key === name || task_id === name)
  if (planned) throw new AppError("NOT_FOUND", `${name} is planned, but not played yet`)
  const guess = nearest(name, [...recorded.keys()])
  throw new AppError(
    "NOT_FOUND",
    `The run has no episode ${name}${guess === undefined ? "" : `; did you mean ${guess}?`}`,
  )
}

function rowOf({
  episode_id,
  job,
  status,
  end_reason,
  attempt,
  reward,
  usage,
  duration_ms,
}: EpisodePlace["header"]): Row {
  return {
    episode_id,
    task_id: job.task_id,
    status,
    end_reason,
    attempt,
    ...(reward !== undefined && { reward: reward.value }),
    steps: usage.model_calls,
    duration_ms,
  }
}

function missingRow({ key, task_id }: Job): Row {
  return { episode_id: key, task_id, status: "missing" }
}

function caseRow(judgment: CaseJudgment | undefined): Partial<Row> {
  if (judgment === undefined) return {}
  const { state, exclusion, verdicts } = judgment
  return {
    judged: state,
    ...(exclusion !== undefined && { exclusion }),
    checks: { passed: verdicts.pass, failed: verdicts.fail },
  }
}

function headText({ name, plan, execution, fingerprint, created_at }: Manifest): string {
  const { model_id } = execution
  const facts = [
    plan.suite,
    `split ${plan.split.name}`,
    plan.suite === "service" ? `agent ${String(model_id ?? "")}` : `model ${String(plan.model.model ?? "")}`,
    `fingerprint ${fingerprint.slice(0, 12)}`,
    created_at,
  ]
  return `${name}\n${facts.join(" · ")}`
}

function listText(rows: readonly Row[], line: (row: Row) => string): string {
  const width = Math.max(0, ...rows.slice(0, LISTED).map((row) => row.episode_id.length))
  const lines = rows.slice(0, LISTED).map((row) => `${row.episode_id.padEnd(width)}  ${line(row)}`)
  const rest = rows.length > LISTED ? [`… ${rows.length - LISTED} more (--json lists all)`] : []
  return [...lines, ...rest].join("\n")
}

function episodeLine(row: Row): string {
  const reward = row.reward === undefined ? "–" : row.reward.toFixed(3)
  return `reward ${reward.padStart(5)}  ${String(row.steps ?? 0).padStart(3)} steps  ${endText(row)}`
}

function caseLine(row: Row): string {
  const { judged, exclusion, checks = { passed: 0, failed: 0 } } = row
  const state = (exclusion ?? judged ?? "–").replaceAll("_", " ")
  return `${state.padEnd(10)}  ${String(checks.passed).padStart(3)} of ${checks.passed + checks.failed} checks  ${endText(row)}`
}

function endText({ end_reason, status }: Row): string {
  if (end_reason === undefined) return status
  return status === "completed" ? end_reason : `${status}: ${end_reason}`
}
