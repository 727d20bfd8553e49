import type { JudgedRate, JudgmentSummary } from "../../core/judgment.ts"
import { judgeRun, judgesNamed } from "../../score/judge-run.ts"
import { findRunFolder } from "../../store/read.ts"
import type { Register } from "../command.ts"

export const registerJudge: Register = (program, run) => {
  program
    .command("judge")
    .description("judge the cases of a service run from its traces")
    .argument("<run>", "the run's folder")
    .option("--judges <names>", "which judges, apart by commas", "facts,policy")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
No model and no agent is needed. Verdicts go to scores/<judge>.jsonl in the run's folder and cases to scores/cases.jsonl, in the place
of what was there.

Examples:
  souk judge runs/service
  souk judge runs/service --judges facts --json`,
    )
    .action(
      run(async (context, path: string, options: { judges: string }) => {
        const folder = findRunFolder(path)
        const names = options.judges.split(",").map((name) => name.trim())
        const judged = await judgeRun(folder, judgesNamed(names.filter((name) => name !== "")), {
          signal: context.signal,
        })
        context.result({ run_dir: folder, ...judged }, judgmentText(judged.summary, judged.files))
      }),
    )
}

function judgmentText(summary: JudgmentSummary, files: readonly string[]): string {
  const { excluded, by_category, by_check, codes } = summary
  const exclusions = Object.entries(excluded).flatMap(([reason, count]) => (count > 0 ? [`${count} ${reason}`] : []))
  const left = [
    ...exclusions,
    ...(summary.not_scored > 0 ? [`${summary.not_scored} not scored`] : []),
    ...(summary.not_judged > 0 ? [`${summary.not_judged} without an applicable check`] : []),
  ]
  return [
    `${summary.cases} cases by ${summary.judges.join(" and ")}: passed ${rateText(summary.pass_rate)}`,
    ...(left.length > 0 ? [`Left out: ${left.join(", ")}`] : []),
    ...section("By category", by_category),
    ...section("By check", by_check),
    ...(Object.keys(codes).length > 0
      ? ["Failures:", ...Object.entries(codes).map(([code, count]) => `  ${code}: ${count}`)]
      : []),
    ...files.map((file) => `Written: ${file}`),
  ].join("\n")
}

function section(title: string, rates: Readonly<Record<string, JudgedRate>>): string[] {
  const lines = Object.entries(rates).map(([name, rate]) => `  ${name === "" ? "(none)" : name}: ${rateText(rate)}`)
  return lines.length === 0 ? [] : [`${title}:`, ...lines]
}

function rateText({ passed, of, rate, interval }: JudgedRate): string {
  if (rate === undefined || interval === undefined) return "0 of 0"
  const percent = (share: number) => (100 * share).toFixed(1)
  return `${passed} of ${of} (${percent(rate)} %, 95 % interval ${percent(interval.low)}–${percent(interval.high)})`
}
