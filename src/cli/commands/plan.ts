import { plan as planOf, type RunPlan } from "../../assemble.ts"
import { fingerprint } from "../../core/fingerprint.ts"
import { isJsonObject, type Json } from "../../core/json.ts"
import type { Manifest } from "../../core/run.ts"
import { readExperiment } from "../../run/experiment.ts"
import type { Register } from "../command.ts"

const SHOWN_JOBS = 5

export const registerPlan: Register = (program, run) => {
  program
    .command("plan")
    .description("check an experiment and say what it would play, without speaking to a model or server")
    .argument("<file>", "experiment file (YAML)")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Examples:
  souk plan experiment.yaml
  souk plan experiment.yaml --json`,
    )
    .action(
      run(async (context, file: string) => {
        const plan = await planOf(await readExperiment(file))
        context.result(planJson(plan), planText(plan, file))
      }),
    )
}

function planJson({ folder, manifest, confirmed, unset_variables, changes, expected }: RunPlan): object {
  const { jobs, ...identities } = manifest.plan
  return {
    name: manifest.name,
    run_dir: folder,
    fingerprint: manifest.fingerprint,
    confirmed,
    unset_variables,
    changes,
    expected,
    episodes: jobs.length,
    first_jobs: jobs.slice(0, SHOWN_JOBS),
    plan: identities,
  }
}

function planText(planned: RunPlan, file: string): string {
  const { folder, manifest, confirmed, unset_variables, changes, expected } = planned
  const { jobs, suite } = manifest.plan
  const rows: [string, string][] = [
    ["Run", manifest.name],
    ["Folder", folder],
    ...(suite === "service" ? serviceRows(manifest) : shoppingRows(manifest, confirmed)),
    [
      "Fingerprint",
      confirmed ? manifest.fingerprint : "not known before the server has been asked, which souk run does",
    ],
    ["Expected", expectedText(expected, stepWord(manifest))],
    ...besideRows(manifest),
    [
      "First jobs",
      jobs
        .slice(0, SHOWN_JOBS)
        .map(({ key }) => key)
        .join("  "),
    ],
  ]
  if (unset_variables.length > 0) rows.push(["Not set", unset_variables.join(", ")])
  const width = Math.max(...rows.map(([label]) => label.length))
  const lines = rows.map(([label, text]) => `${label.padEnd(width)}  ${text}`)
  if (changes === null) lines.push("", `The folder is new. Play it:  souk run ${file}`)
  else if (changes.length === 0) lines.push("", `The folder holds this run; souk run ${file} goes on with it.`)
  else
    lines.push(
      "",
      "The folder holds another run, and souk run would be refused. What changes:",
      ...changes.map((c) => `  ${c}`),
    )
  return lines.join("\n")
}

function shoppingRows({ plan }: Manifest, confirmed: boolean): [string, string][] {
  const { jobs, environment, model, agent, limits, sampling } = plan
  return [
    ["Split", splitText(plan, "tasks")],
    ["Episodes", `${jobs.length}: ${tasksOf(plan)} tasks × ${sampling.repeats}, up to ${limits.max_steps} steps each`],
    ["Environment", `${short(environment)}  rules ${String(environment.rules)}${confirmed ? "" : ", unconfirmed"}`],
    ["Model", `${short(model)}  ${String(model.model ?? model.provider)}`],
    ["Agent", short(agent)],
  ]
}

function serviceRows({ plan, execution }: Manifest): [string, string][] {
  const { jobs, environment, model, agent, limits, sampling } = plan
  const { world, role, pack, language } = environment
  const member = (part: unknown, name: string) => String((part as Readonly<Record<string, unknown>> | null)?.[name])
  const most = `up to ${limits.max_steps} messages of the buyer each`
  return [
    ["Pack", `${short(environment)}  ${String(pack)}, language ${String(language)}, world ${member(world, "world")}`],
    ["Split", splitText(plan, "scripts")],
    ["Cases", `${jobs.length}: ${tasksOf(plan)} scripts × ${sampling.repeats}, ${most}`],
    ["Agent", `${short(agent)}  ${String(execution.model_id)}`],
    ...(model.provider === "none" ? [] : [["Model", `${short(model)}  ${String(model.model)}`] as [string, string]]),
    ["Buyer", buyerText(role)],
    ["Judges", Array.isArray(execution.judges) ? execution.judges.join(", ") : "none"],
  ]
}

/** `simulated, by a model (mock)`, `simulated, by rules, drafts checked by a model (mock)`. */
function buyerText(role: Json | undefined): string {
  if (!isJsonObject(role)) return "unknown"
  const { mind, check } = buyerModels(role)
  if (role.role !== "simulated") return String(role.role)
  const parts = [
    mind === undefined ? "by rules" : `by a model (${mind})`,
    ...(check === undefined ? [] : [`drafts checked by a model (${check})`]),
  ]
  return ["simulated", ...parts].join(", ")
}

/** Names of the models that play a buyer and check its drafts. */
function buyerModels(role: Json | undefined): {
  readonly mind?: string | undefined
  readonly check?: string | undefined
} {
  if (!isJsonObject(role)) return {}
  const named = (part: Json | undefined) =>
    isJsonObject(part) && isJsonObject(part.model) ? String(part.model.model) : undefined
  return { mind: named(role.mind), check: isJsonObject(role.check) ? named(role.check.model) : undefined }
}

/** Whose models are asked beside the agent's: the expectation knows nothing of them. */
function besideRows({ plan: { environment }, execution }: Manifest): [string, string][] {
  const { role, shopper } = environment
  const { mind, check } = buyerModels(role)
  const others = [
    ...(mind === undefined && check === undefined ? [] : ["the buyer's model"]),
    ...(isJsonObject(shopper) && isJsonObject(shopper.model) ? ["the shopper's model"] : []),
    ...(Array.isArray(execution.judges) && execution.judges.includes("model") ? ["the judge's model"] : []),
  ]
  return others.length === 0
    ? []
    : [["Beside that", `${others.join(" and ")}; what that takes is not in these figures`]]
}

function splitText({ split }: Manifest["plan"], tasks: string): string {
  return `${split.name}${split.role === null ? "" : ` (${split.role})`}, ${split.task_count} ${tasks}`
}

function tasksOf({ jobs }: Manifest["plan"]): number {
  return new Set(jobs.map(({ task_id }) => task_id)).size
}

function short(identity: Parameters<typeof fingerprint>[0]): string {
  return fingerprint(identity).slice(0, 12)
}

/** What an expectation counts. */
function stepWord({ plan: { suite, model } }: Manifest): string {
  if (suite !== "service") return "steps"
  return model.provider === "none" ? "turns of the buyer" : "model calls"
}

function expectedText(
  { steps, prompt_tokens, completion_tokens, cost, basis }: RunPlan["expected"],
  stepWord: string,
): string {
  const thousands = (tokens: number) => `${Math.ceil(tokens / 1000)} thousand`
  const parts = [`about ${steps} ${stepWord}`]
  if (prompt_tokens > 0)
    parts.push(`${thousands(prompt_tokens)} prompt and ${thousands(completion_tokens)} completion tokens`)
  if (cost !== undefined) parts.push(`${cost.amount.toFixed(2)} ${cost.currency}`)
  return `${parts.join(", ")} (${basis === "recorded" ? "by the episodes on record" : "a rough guess"})`
}
