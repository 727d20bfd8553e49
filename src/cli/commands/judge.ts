import { AppError } from "../../core/errors.ts"
import type { JsonObject } from "../../core/json.ts"
import type { JudgedRate, JudgmentSummary } from "../../core/judgment.ts"
import { ServiceSpec } from "../../core/service-spec.ts"
import { judgeRun } from "../../score/judge-run.ts"
import { findRunFolder } from "../../store/read.ts"
import { type JudgeSettings, openJudges } from "../../suites/judges.ts"
import type { Register } from "../command.ts"
import { seconds, wholeNumber } from "../flags.ts"

interface JudgeFlags {
  readonly judges: string
  readonly rubric: string[]
  readonly model?: string
  readonly baseUrl?: string
  readonly apiKeyEnv: string | false
  readonly draws: string
  readonly concurrency: string
  readonly timeout: string
  readonly price?: string
}

const collect = (value: string, all: string[]) => [...all, value]

export const registerJudge: Register = (program, run) => {
  program
    .command("judge")
    .description("judge the cases of a service run from its traces")
    .argument("<run>", "the run's folder")
    .option("--judges <names>", "which judges, apart by commas: facts, policy, model", "facts,policy")
    .option(
      "--rubric <file>",
      "of model: what it is asked; repeat it for another language; none: only checks of scripts (default: bundled:service-quality)",
      collect,
      [],
    )
    .option("--model <name>", "of model: the model that is asked")
    .option("--base-url <url>", "its endpoint, up to and without /chat/completions")
    .option("--api-key-env <name>", "the variable that holds the key", "OPENAI_API_KEY")
    .option("--no-api-key-env", "the endpoint wants no key")
    .option("--draws <n>", "how often each case is asked about; odd, the majority counts", "3")
    .option("--concurrency <n>", "cases that are asked about at a time", "8")
    .option("--timeout <seconds>", "for one reply of the model", "180")
    .option("--price <in,out,currency>", "money per million prompt and generated tokens, such as 0.5,2,USD")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
facts and policy need no model and no agent. Verdicts go to scores/<judge>.jsonl in the run's folder and cases to scores/cases.jsonl, in the
place of what was there. What a model answered is kept in scores/model-draws.jsonl: given again, the command asks only for what is not there.

Examples:
  souk judge runs/service
  souk judge runs/service --judges facts --json
  souk judge runs/service --judges facts,policy,model --model Qwen/Qwen3-8B --base-url http://127.0.0.1:8000/v1 --no-api-key-env
  souk judge runs/service --judges facts,policy,model --rubric ours.yaml --model gpt-4.1-mini --base-url https://api.openai.com/v1`,
    )
    .action(
      run(async (context, path: string, flags: JudgeFlags) => {
        const folder = findRunFolder(path)
        const settings = settingsOf(flags)
        const concurrency = wholeNumber(flags.concurrency, "--concurrency", { from: 1, to: 1000 })
        const open = await openJudges(settings, { folder, variables: (name) => process.env[name], concurrency })
        try {
          const judged = await judgeRun(folder, open.judges, { signal: context.signal })
          const draws = open.counts()
          const text = judgmentText(judged.summary, judged.files)
          const drawn = draws && `Draws: ${draws.asked} asked for, ${draws.found} kept from earlier`
          context.result({ run_dir: folder, ...judged, ...(draws && { draws }) }, drawn ? `${text}\n${drawn}` : text)
        } finally {
          await open.close()
        }
      }),
    )
}

/** The flags as an experiment file would say them. Throws `BAD_INPUT` naming the flag. */
function settingsOf(flags: JudgeFlags): JudgeSettings {
  const judges = flags.judges
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")
  const { model: name, baseUrl, rubric } = flags
  const asks = judges.includes("model")
  if (asks && (name === undefined || baseUrl === undefined)) {
    throw new AppError("BAD_INPUT", "--judges model needs --model and --base-url: the model to ask and its endpoint")
  }
  const rubrics = rubric.length === 0 ? undefined : rubric.filter((file) => file !== "none")
  const model = {
    name,
    base_url: baseUrl,
    api_key_env: flags.apiKeyEnv === false ? null : flags.apiKeyEnv,
    timeout: seconds(flags.timeout, "--timeout"),
    ...(flags.price !== undefined && { price: priceOf(flags.price) }),
  }
  const draws = wholeNumber(flags.draws, "--draws", { from: 1, to: 99 })
  const parsed = ServiceSpec.shape.judge.safeParse({
    judges,
    model: asks ? model : null,
    draws,
    ...(rubrics !== undefined && { rubrics }),
  })
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new AppError("BAD_INPUT", `--${FLAGS[String(issue?.path.at(-1))] ?? "model"}: ${issue?.message ?? ""}`)
}

const FLAGS: Readonly<Record<string, string>> = { draws: "draws", base_url: "base-url", api_key_env: "api-key-env" }

function priceOf(text: string): { currency: string; input_per_million: number; output_per_million: number } {
  const match = /^(\d+(?:\.\d+)?),(\d+(?:\.\d+)?),([A-Z]{3})$/.exec(text)
  if (match === null) throw new AppError("BAD_INPUT", `--price must be such as 0.5,2,USD, not ${JSON.stringify(text)}`)
  return { input_per_million: Number(match[1]), output_per_million: Number(match[2]), currency: match[3]! }
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
    ...Object.entries(summary.judge_reports ?? {}).flatMap(([judge, report]) => reportText(judge, report)),
    ...files.map((file) => `Written: ${file}`),
  ].join("\n")
}

/** Whom a judge asked, what it could not say, and what that took. */
function reportText(judge: string, report: JsonObject): string[] {
  const number = (key: string) => Number(report[key] ?? 0)
  const usage = (report.usage ?? {}) as JsonObject
  const cost = report.cost as { currency: string; amount: number } | undefined
  const lost = [
    `${number("abstained")} abstained`,
    `${number("no_majority")} without a majority`,
    `${number("judge_faults")} lost to the judge's own faults`,
  ]
  return [
    `${judge}: ${number("asked")} answers wanted of ${number("cases")} cases; ${lost.join(", ")}`,
    `  ${Number(usage.model_calls ?? 0)} calls, ${Number(usage.prompt_tokens ?? 0)} + ${Number(usage.completion_tokens ?? 0)} tokens${cost === undefined ? "" : `, ${cost.amount.toFixed(4)} ${cost.currency}`}`,
    ...(number("flagged") > 0
      ? [`  ${number("flagged")} cases try to instruct the judge; see instructs_judge in the verdicts`]
      : []),
  ]
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
