import { AppError } from "../../core/errors.ts"
import type { RunSpec } from "../../core/run-spec.ts"
import type { ServiceSpec } from "../../core/service-spec.ts"
import { readExperiment } from "../../run/experiment.ts"
import { describeError, EXIT, exitCodeOf, type Register } from "../command.ts"
import type { Check } from "../doctor/check.ts"
import { examine } from "../doctor/examine.ts"
import { wholeNumber } from "../flags.ts"

interface DoctorFlags {
  readonly episodes: string
  readonly keep?: string
}

const MARKS = { ok: "ok  ", warning: "warn", failed: "FAIL", skipped: "skip" } as const

export const registerDoctor: Register = (program, run) => {
  program
    .command("doctor")
    .description("check an experiment's files, shop and model with one to three episodes, and say what is wrong")
    .argument("<file>", "experiment file (YAML)")
    .option("--episodes <n>", "trial episodes, from 1 to 3", "2")
    .option("--keep <dir>", "keep the trial run below this folder, to read it with souk show")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
The experiment's own run folder is left alone. Trial episodes cost what episodes cost.
Exit codes: 0 nothing is wrong · 1 something is · 2 the file is not valid

Examples:
  souk doctor experiment.yaml
  souk doctor experiment.yaml --episodes 1 --keep runs/trial`,
    )
    .action(
      run(async (context, file: string, flags: DoctorFlags) => {
        const episodes = wholeNumber(flags.episodes, "--episodes", { from: 1, to: 3 })
        const told: Check[] = []
        const tell = (check: Check) => {
          told.push(check)
          context.note(checkText(check))
        }
        let spec: RunSpec
        try {
          spec = shopping(await readExperiment(file), file)
        } catch (error) {
          tell({ name: "file", result: "failed", detail: describeError(error).message })
          context.exitCode = exitCodeOf(error)
          context.result({ file, ok: false, checks: told }, verdict(told))
          return
        }
        tell({ name: "file", result: "ok", detail: file })
        const keep = flags.keep === undefined ? {} : { keepIn: flags.keep }
        await examine(spec, { episodes, ...keep, signal: context.signal, onCheck: tell })
        const ok = told.every(({ result }) => result !== "failed")
        if (!ok) context.exitCode = EXIT.incomplete
        context.result({ file, ok, checks: told }, verdict(told))
      }),
    )
}

function shopping(spec: RunSpec | ServiceSpec, file: string): RunSpec {
  if (spec.suite === "shopping") return spec
  throw new AppError("BAD_INPUT", `${file} evaluates a service agent; souk plan ${file} checks such a file`)
}

function checkText({ name, result, detail, advice }: Check): string {
  const line = `${MARKS[result]} ${name}: ${detail}`
  return advice === undefined ? line : `${line}\n     ${advice}`
}

function verdict(checks: readonly Check[]): string {
  const failed = checks.filter(({ result }) => result === "failed").map(({ name }) => name)
  const warned = checks.filter(({ result }) => result === "warning").map(({ name }) => name)
  if (failed.length > 0) return `Not ready: ${failed.join(", ")}`
  return warned.length > 0 ? `Ready, but look at: ${warned.join(", ")}` : "Ready to run"
}
