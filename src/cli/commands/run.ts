import { resolve } from "node:path"
import { run as playRun, type RunOptions, type RunResult } from "../../assemble.ts"
import type { RunSpec } from "../../core/run-spec.ts"
import type { ServiceSpec } from "../../core/service-spec.ts"
import type { EpisodeRecord } from "../../core/trace.ts"
import { summaryText } from "../../report/summary.ts"
import { readExperiment } from "../../run/experiment.ts"
import { type CommandContext, EXIT, type Register } from "../command.ts"
import { wholeNumber } from "../flags.ts"
import { progressView } from "../progress.ts"

interface RunFlags {
  readonly limit?: string
  readonly concurrency?: string
  readonly output?: string
  readonly resume: boolean // false with --no-resume
  readonly retryFailed?: boolean
  readonly only?: string[]
  readonly final?: boolean
  readonly reason?: string
}

/** Failures that are told one by one; the summary counts the rest. */
const TOLD_FAILURES = 5

export const registerRun: Register = (program, run) => {
  program
    .command("run")
    .description("play an experiment, or go on with it, and sum up")
    .argument("<file>", "experiment file (YAML)")
    .option("--limit <n>", "play no more than n episodes now")
    .option("--concurrency <n>", "episodes in flight, instead of experiment.concurrency")
    .option("--output <dir>", "folder for runs, instead of experiment.output_dir")
    .option("--only <task...>", "play only these tasks, or jobs by their keys")
    .option("--retry-failed", "play only what has failed or was cancelled")
    .option("--no-resume", "refuse a folder that holds episodes already")
    .option("--final", "play a test split; this is put on record beside it")
    .option("--reason <text>", "why a test split is played by yet another experiment")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Episodes on record are not played again; failed ones are. Ctrl-C ends the run when the episodes in flight have ended.
Exit codes: 0 every episode is complete · 1 some are not · 2 bad input · 3 refused ·
4 stopped, since too many episodes failed for one reason · 130 interrupted

Examples:
  souk run experiment.yaml
  souk run experiment.yaml --limit 10 --json
  souk run experiment.yaml --retry-failed --concurrency 2
  souk run experiment.yaml --only 12 --only task-000014__sample-000
  souk run test.yaml --final`,
    )
    .action(
      run(async (context, file: string, flags: RunFlags) => {
        const spec = withFlags(await readExperiment(file), flags)
        const limit = flags.limit === undefined ? undefined : wholeNumber(flags.limit, "--limit", { from: 1 })
        const { retryFailed, only, final, reason } = flags
        const result = await playShown(context, spec, {
          ...(limit !== undefined && { limit }),
          ...(only !== undefined && { only }),
          ...(retryFailed !== undefined && { retryFailed }),
          ...(final !== undefined && { final }),
          ...(reason !== undefined && { reason }),
        })
        context.exitCode = exitCodeFor(result)
        context.result(resultJson(result), `${summaryText(result.summary)}\n\n${nextSteps(result)}`)
      }),
    )
}

/** Plays `spec` with progress on stderr, and tells the first failures. */
export async function playShown(
  context: CommandContext,
  spec: RunSpec | ServiceSpec,
  options: RunOptions = {},
): Promise<RunResult> {
  const view = progressView({
    terminal: process.stderr.isTTY === true,
    silent: context.json,
    write: (line) => context.note(line),
  })
  const failures: EpisodeRecord[] = []
  let result: RunResult
  try {
    result = await playRun(spec, {
      ...options,
      signal: context.signal,
      onProgress: (progress) => view.update(progress),
      onEpisode: (record) => {
        if (record.status === "failed" && failures.length < TOLD_FAILURES) failures.push(record)
      },
    })
  } finally {
    view.stop()
  }
  for (const { episode_id, error } of failures) {
    context.note(`${episode_id} failed at ${error?.stage}: ${error?.code}: ${error?.message}`)
  }
  return result
}

export function resultJson({ folder, progress, summary }: RunResult): object {
  return { run_dir: folder, state: progress.state, ...(progress.stopped && { stopped: progress.stopped }), summary }
}

/** 0 when every planned job is complete. */
export function exitCodeFor({ progress, summary: { counts } }: RunResult): number {
  if (progress.state === "interrupted") return EXIT.interrupted
  if (progress.state === "stopped") return EXIT.breaker
  return counts.completed === counts.requested ? EXIT.complete : EXIT.incomplete
}

function withFlags<Spec extends RunSpec | ServiceSpec>(spec: Spec, { concurrency, output, resume }: RunFlags): Spec {
  const { experiment } = spec
  return {
    ...spec,
    experiment: {
      ...experiment,
      resume: experiment.resume && resume,
      ...(output !== undefined && { output_dir: resolve(output) }),
      ...(concurrency !== undefined && {
        concurrency: wholeNumber(concurrency, "--concurrency", { from: 1, to: 10_000 }),
      }),
    },
  }
}

function nextSteps({ folder, progress, summary: { counts, suite } }: RunResult): string {
  const service = suite === "service"
  const episodes = service ? "cases" : "episodes"
  const owed = counts.requested - counts.completed - counts.invalid
  const lines = [`Kept in ${folder}`]
  if (progress.stopped !== undefined) lines.push(`Stopped: ${progress.stopped.message}`)
  if (progress.state === "interrupted")
    lines.push(`Stopped with ${owed} ${episodes} owed; the same command goes on with them.`)
  else if (owed > 0) lines.push(`${owed} ${episodes} are owed; the same command plays them.`)
  lines.push(`Read one:  souk show ${folder} ${service ? "CASE" : "EPISODE"}`)
  if (service) lines.push(`Keep it as a page:  souk report ${folder} --out report.html`)
  return lines.join("\n")
}
