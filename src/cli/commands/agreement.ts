import type { Agreement } from "../../score/agreement.ts"
import { readLabels } from "../../score/read-labels.ts"
import { type RunAgreement, runAgreement } from "../../score/run-agreement.ts"
import { findRunFolder } from "../../store/read.ts"
import type { Register } from "../command.ts"

export const registerAgreement: Register = (program, run) => {
  program
    .command("agreement")
    .description("compare the verdicts on a service run with people's labels")
    .argument("<run>", "the run's folder, judged")
    .argument("<labels>", "CSV: case_id, check_id, label and, for several people, annotator")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
A label is pass, fail, not_applicable or unjudgeable. Kappa is agreement beyond chance: 1 is perfect, 0 is what chance gives.

Examples:
  souk agreement runs/service labels.csv
  souk agreement runs/service labels.csv --json`,
    )
    .action(
      run(async (context, path: string, file: string) => {
        const folder = findRunFolder(path)
        const agreement = await runAgreement(folder, await readLabels(file, context.signal))
        context.result({ run_dir: folder, labels: file, ...agreement }, agreementText(agreement))
      }),
    )
}

function agreementText({ all, by_check, unmatched, tied, people }: RunAgreement): string {
  const checks = Object.entries(by_check)
  return [
    `Judge and people: ${line(all)}`,
    ...(people === undefined ? [] : [`People among themselves: ${line(people)}`]),
    ...(unmatched > 0 ? [`${unmatched} labels name no verdict of this run`] : []),
    ...(tied > 0 ? [`${tied} checks on which people were evenly divided are left out`] : []),
    "",
    "People said → the judge said:",
    ...Object.entries(all.confusion).map(
      ([label, row]) =>
        `  ${label}: ${Object.entries(row)
          .map(([state, count]) => `${state} ${count}`)
          .join(", ")}`,
    ),
    ...(checks.length > 1
      ? ["", "By check:", ...checks.map(([check, agreement]) => `  ${check}: ${line(agreement)}`)]
      : []),
  ].join("\n")
}

function line({ pairs, observed, kappa, interval }: Agreement): string {
  const same = observed === undefined ? "" : `, ${(100 * observed).toFixed(1)} % the same`
  const beyond = kappa === undefined ? "no kappa: chance alone would always agree" : `kappa ${kappa.toFixed(2)}`
  const range =
    interval === undefined ? "" : ` (95 % interval ${interval.low.toFixed(2)} to ${interval.high.toFixed(2)})`
  return `${pairs} answers${same}; ${beyond}${range}`
}
