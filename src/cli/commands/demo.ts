import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { RunSpec } from "../../core/run-spec.ts"
import { duration, percent } from "../../report/figures.ts"
import { EXIT, type Register } from "../command.ts"
import { exitCodeFor, playShown, resultJson } from "./run.ts"

const LANGUAGES = { zh: "Chinese", en: "English" } as const

export const registerDemo: Register = (program, run) => {
  program
    .command("demo")
    .description("let the built-in agent shop in the bundled stores, no key needed")
    .option("--output <dir>", "folder to keep the runs in; a temporary one when left out")
    .option("--json", "print JSON")
    .action(
      run(async (context, flags: { readonly output?: string }) => {
        const output = flags.output === undefined ? await mkdtemp(join(tmpdir(), "souk-demo-")) : resolve(flags.output)
        const results = []
        for (const [language, name] of Object.entries(LANGUAGES)) {
          context.note(`${name} store, split val, agent lexical`)
          const result = await playShown(context, demoSpec(language, output))
          results.push({ name, ...result })
          context.exitCode = Math.max(context.exitCode, exitCodeFor(result))
          if (context.exitCode === EXIT.interrupted) break
        }
        const rows = results.map(({ name, summary: { counts, primary, behavior }, progress }) => [
          name,
          `${counts.scored} of ${counts.requested}`,
          primary.success_rate === undefined ? "–" : percent(primary.success_rate),
          primary.success_interval === undefined
            ? "–"
            : `${percent(primary.success_interval.low)} to ${percent(primary.success_interval.high)}`,
          primary.reward_mean?.toFixed(3) ?? "–",
          behavior.steps_mean?.toFixed(1) ?? "–",
          duration(progress.elapsed_ms),
        ])
        const head = ["Store", "Episodes", "Success", "95 % interval", "Reward", "Steps", "Time"]
        const folder = results[0]!.folder
        const next = [
          "The runs are kept. Next:",
          `  souk show ${folder}            figures and episodes`,
          `  souk show ${folder} EPISODE    one episode, step by step`,
          "  souk run FILE.yaml             an experiment of your own (docs/experiments.md)",
        ]
        context.result(results.map(resultJson), `${table([head, ...rows])}\n\n${next.join("\n")}`)
      }),
    )
}

function demoSpec(language: string, output: string): RunSpec {
  return RunSpec.parse({
    experiment: { name: `demo-${language}`, output_dir: output, concurrency: 4 },
    tasks: { split: "val" },
    environment: { catalog: `bundled:${language}` },
    model: { name: "lexical" },
  })
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n")
}
