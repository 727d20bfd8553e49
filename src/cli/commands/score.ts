import { AppError } from "../../core/errors.ts"
import { summaryText } from "../../report/summary.ts"
import { rescore } from "../../score/rescore.ts"
import { type SummarySettings, summarize } from "../../score/score.ts"
import { findRunFolder } from "../../store/read.ts"
import { writeSummary } from "../../store/run-folder.ts"
import { EXIT, type Register } from "../command.ts"
import { wholeNumber } from "../flags.ts"

interface SummarizeFlags {
  readonly requested?: string
  readonly difference?: string
}

function settingsOf({ requested, difference }: SummarizeFlags): SummarySettings {
  const share = Number(difference ?? 0.1)
  if (!(share > 0 && share <= 1)) {
    throw new AppError("BAD_INPUT", `--difference is a share between 0 and 1, such as 0.05, and not ${difference}`)
  }
  return {
    ...(difference !== undefined && { difference: share }),
    ...(requested !== undefined && { requested: wholeNumber(requested, "--requested", { from: 1, to: 1e9 }) }),
  }
}

const registerSummarize: Register = (program, run) => {
  program
    .command("summarize")
    .description("make a run's summary again of its manifest and traces")
    .argument("<run>", "the run's folder")
    .option("--requested <n>", "episodes that were asked for, if not the jobs of the plan")
    .option("--difference <share>", "warn of a success rate less certain than this; 0.1 is ten points (default: 0.1)")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Examples:
  souk summarize runs/first
  souk summarize runs/part --requested 400 --difference 0.05`,
    )
    .action(
      run(async (context, path: string, flags: SummarizeFlags) => {
        const folder = findRunFolder(path)
        const summary = await summarize(folder, settingsOf(flags))
        writeSummary(folder, summary)
        context.result({ run_dir: folder, summary }, summaryText(summary))
      }),
    )
}

const STORED = {
  equal: "The summary on record is the same, byte for byte.",
  different: "The summary on record differs (on record → measured now):",
  missing: "There is no summary on record; souk summarize writes one.",
} as const

const registerScore: Register = (program, run) => {
  program
    .command("score")
    .description("measure a run again from its traces, and check the summary on record")
    .argument("<run>", "the run's folder")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
No environment and no model is needed. Measures of each episode go to scores/ in the run's folder; summary.json is left alone.
Exit codes: 0 the summary on record is the same, or there is none · 1 it differs

Example:
  souk score runs/first`,
    )
    .action(
      run(async (context, path: string) => {
        const folder = findRunFolder(path)
        const scored = await rescore(folder)
        if (scored.stored === "different") context.exitCode = EXIT.incomplete
        const differences = scored.differences.map((line) => `  ${line}`)
        const text = [
          summaryText(scored.summary),
          "",
          STORED[scored.stored],
          ...differences,
          `Measures: ${scored.scores}`,
        ]
        context.result({ run_dir: folder, ...scored }, text.join("\n"))
      }),
    )
}

/** `souk summarize` and `souk score`. */
export const registerScoring: Register = (program, run) => {
  for (const register of [registerSummarize, registerScore]) register(program, run)
}
