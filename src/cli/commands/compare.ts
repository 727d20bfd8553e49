import { comparisonDocument } from "../../report/comparison.ts"
import { compare } from "../../score/compare.ts"
import { findRunFolder } from "../../store/read.ts"
import type { Register } from "../command.ts"
import { giveReport, type ReportFlags, reportOptions } from "../report-output.ts"

interface CompareFlags extends ReportFlags {
  readonly allowDifferent?: boolean
}

export const registerCompare: Register = (program, run) => {
  const command = program
    .command("compare")
    .description("compare two runs by paired job")
    .argument("<first>", "a run's folder")
    .argument("<second>", "another's: differences are second minus first")
    .option("--allow-different", "compare although tasks, shop or limits differ")
  reportOptions(command)
    .addHelpText(
      "after",
      `
Repeats of a task are averaged first; intervals come from resampling tasks, p from flipping signs.

Examples:
  souk compare runs/base runs/tuned
  souk compare runs/base runs/tuned --out tuned.html
  souk compare runs/base runs/tuned --format md --language zh`,
    )
    .action(
      run(async (context, first: string, second: string, flags: CompareFlags) => {
        const comparison = await compare(findRunFolder(first), findRunFolder(second), {
          allowDifferent: flags.allowDifferent === true,
        })
        giveReport(context, comparison, comparisonDocument(comparison, flags.language), flags)
      }),
    )
}
