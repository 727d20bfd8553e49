import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import type { RunResult } from "../../assemble.ts"
import { RunSpec } from "../../core/run-spec.ts"
import type { Summary } from "../../core/score.ts"
import { ServiceSpec } from "../../core/service-spec.ts"
import { duration, percent } from "../../report/figures.ts"
import { recordText } from "../../report/formats/case-text.ts"
import { readFailedCases } from "../../score/failed-cases.ts"
import { EXIT, type Register } from "../command.ts"
import { exitCodeFor, playShown, resultJson } from "./run.ts"

const LANGUAGES = { zh: "Chinese", en: "English" } as const

interface Played extends RunResult {
  readonly name: string
}

export const registerDemo: Register = (program, run) => {
  program
    .command("demo")
    .description("let the built-in agents shop in the bundled stores and sit at their service desks, no key needed")
    .option("--output <dir>", "folder to keep the runs in; a temporary one when left out")
    .option("--json", "print JSON")
    .action(
      run(async (context, flags: { readonly output?: string }) => {
        const output = flags.output === undefined ? await mkdtemp(join(tmpdir(), "souk-demo-")) : resolve(flags.output)
        const played: Record<"shopping" | "service", Played[]> = { shopping: [], service: [] }
        for (const { suite, language, name, note, spec } of demoRuns(output)) {
          context.note(`${name} ${note}`)
          const result = await playShown(context, spec(language))
          played[suite].push({ name, ...result })
          context.exitCode = Math.max(context.exitCode, exitCodeFor(result))
          if (context.exitCode === EXIT.interrupted) break
        }
        const { shopping, service } = played
        const text = [
          shopping.length > 0 && table(SHOP_HEAD, shopping.map(shopRow)),
          service.length > 0 && table(DESK_HEAD, service.map(deskRow)),
          await failedCaseText(service.at(-1)),
          nextSteps(played),
        ]
        context.result([...shopping, ...service].map(resultJson), text.filter((part) => part !== false).join("\n\n"))
      }),
    )
}

function demoRuns(output: string) {
  const kinds = [
    {
      suite: "shopping",
      note: "store, split val, agent lexical",
      spec: (language: string) => shopSpec(language, output),
    },
    {
      suite: "service",
      note: "service desk, all scripts, simulated buyer without a model, agent lexical",
      spec: (language: string) => deskSpec(language, output),
    },
  ] as const
  return kinds.flatMap((kind) => Object.entries(LANGUAGES).map(([language, name]) => ({ ...kind, language, name })))
}

function shopSpec(language: string, output: string): RunSpec {
  return RunSpec.parse({
    experiment: { name: `demo-${language}`, output_dir: output, concurrency: 4 },
    tasks: { split: "val" },
    environment: { catalog: `bundled:${language}` },
    model: { name: "lexical" },
  })
}

function deskSpec(language: string, output: string): ServiceSpec {
  return ServiceSpec.parse({
    suite: "service",
    experiment: { name: `demo-service-${language}`, output_dir: output, concurrency: 8 },
    pack: `bundled:${language}`,
    role: { kind: "simulated" },
  })
}

const SHOP_HEAD = ["Store", "Episodes", "Success", "95 % interval", "Reward", "Steps", "Time"]

function shopRow({ name, summary, progress }: Played): string[] {
  const { counts, primary, behavior } = summary
  return [
    name,
    `${counts.scored} of ${counts.requested}`,
    ...rateCells(primary.success_rate, primary.success_interval),
    primary.reward_mean?.toFixed(3) ?? "–",
    behavior.steps_mean?.toFixed(1) ?? "–",
    duration(progress.elapsed_ms),
  ]
}

const DESK_HEAD = ["Desk", "Cases", "Passed", "95 % interval", "Checks", "Turns", "Time"]

function deskRow({ name, summary, progress }: Played): string[] {
  const { counts, judgment, primary, behavior } = summary
  return [
    name,
    `${judgment?.pass_rate.of ?? 0} of ${counts.requested}`,
    ...rateCells(judgment?.pass_rate.rate, judgment?.pass_rate.interval),
    primary.reward_mean?.toFixed(3) ?? "–",
    behavior.steps_mean?.toFixed(1) ?? "–",
    duration(progress.elapsed_ms),
  ]
}

function rateCells(rate: number | undefined, interval: Summary["primary"]["success_interval"]): string[] {
  return [
    rate === undefined ? "–" : percent(rate),
    interval === undefined ? "–" : `${percent(interval.low)} to ${percent(interval.high)}`,
  ]
}

/** The first case of the run that failed, with the checks that did; false where there is none. */
async function failedCaseText(run: Played | undefined): Promise<string | false> {
  if (run === undefined) return false
  const [failed] = (await readFailedCases(run.folder, 1))?.cases ?? []
  if (failed === undefined) return false
  const { record, verdicts, job } = failed
  return `A case that failed, ${job.task_id}:\n${recordText(record, { verdicts })}`
}

function nextSteps({ shopping, service }: Record<"shopping" | "service", Played[]>): string {
  const shop = shopping[0]?.folder
  const desk = service.at(-1)?.folder
  const one = shop ?? desk
  const folder = one === undefined ? undefined : dirname(one)
  return [
    "The runs are kept. Next:",
    ...(folder === undefined ? [] : [`  souk serve --runs ${folder}    all of it in the browser`]),
    ...(shop === undefined
      ? []
      : [
          `  souk show ${shop}            figures and episodes`,
          `  souk show ${shop} EPISODE    one episode, step by step`,
        ]),
    ...(desk === undefined
      ? []
      : [
          `  souk show ${desk} CASE    one conversation, with its verdicts`,
          `  souk report ${desk} --out service.html    everything as a page for the browser`,
        ]),
    "  souk run FILE.yaml    an experiment of your own (docs/experiments.md)",
  ].join("\n")
}

function table(head: readonly string[], others: readonly (readonly string[])[]): string {
  const rows = [head, ...others]
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n")
}
