import { REPORTED_CHECKS, reportDocument } from "../../report/any-run.ts"
import { readFailedCases } from "../../score/failed-cases.ts"
import { summarize } from "../../score/score.ts"
import { findRunFolder, readManifest } from "../../store/read.ts"
import type { Register } from "../command.ts"
import { giveReport, type ReportFlags, reportOptions } from "../report-output.ts"

export const registerReport: Register = (program, run) => {
  const command = program
    .command("report")
    .description("a run's figures as a page to keep or pass on")
    .argument("<run>", "the run's folder")
  reportOptions(command)
    .addHelpText(
      "after",
      `
The figures are made of the traces, whatever summary.json says. HTML is one file without scripts. Tasks, goals and profiles are not in it;
a service run's report shows failed checks with what was said, of ${REPORTED_CHECKS} checks at most.

Examples:
  souk report runs/first
  souk report runs/first --out first.html
  souk report runs/first --format md --language zh`,
    )
    .action(
      run(async (context, path: string, flags: ReportFlags) => {
        const folder = findRunFolder(path)
        const summary = await summarize(folder)
        const manifest = readManifest(folder)
        const failed = manifest.plan.suite === "service" ? await readFailedCases(folder, REPORTED_CHECKS) : undefined
        const document = reportDocument(manifest, { summary, failed }, flags.language)
        giveReport(context, { run_dir: folder, summary, ...(failed && { failed }) }, document, flags)
      }),
    )
}
