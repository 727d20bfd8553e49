import { runDocument } from "../../report/run.ts"
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
The figures are made of the traces, whatever summary.json says. HTML is one file without scripts. Tasks, goals and profiles are not in it.

Examples:
  souk report runs/first
  souk report runs/first --out first.html
  souk report runs/first --format md --language zh`,
    )
    .action(
      run(async (context, path: string, flags: ReportFlags) => {
        const folder = findRunFolder(path)
        const summary = await summarize(folder)
        const document = runDocument(readManifest(folder), summary, flags.language)
        giveReport(context, { run_dir: folder, summary }, document, flags)
      }),
    )
}
