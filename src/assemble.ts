import { existsSync } from "node:fs"
import { join } from "node:path"
import { z } from "zod"
import { AppError } from "./core/errors.ts"
import type { Json } from "./core/json.ts"
import type { Manifest, Progress } from "./core/run.ts"
import { RunSpec } from "./core/run-spec.ts"
import type { Summary } from "./core/score.ts"
import { ServiceSpec } from "./core/service-spec.ts"
import type { SkillProvider } from "./core/skill.ts"
import { systemClock } from "./lib/clock.ts"
import { type Variables, variablesWith } from "./lib/dotenv.ts"
import { type Expectation, expectation } from "./run/expectation.ts"
import { type FinalWish, guardFinal, ledgerPath, recordFinal } from "./run/final.ts"
import { type PlayOptions, playOwed } from "./run/run.ts"
import { judgeRun, judgesNamed } from "./score/judge-run.ts"
import { summarize } from "./score/score.ts"
import { differences } from "./store/differences.ts"
import { FILES, readManifest, readSummary } from "./store/read.ts"
import { openRunFolder } from "./store/run-folder.ts"
import type { AssembleCall, Assembly } from "./suites/assembly.ts"
import { checkJudges, type JudgeSettings, openJudges } from "./suites/judges.ts"
import { assembleService } from "./suites/service.ts"
import { assembleShopping } from "./suites/shopping.ts"

/** An experiment of either suite. */
export type Experiment = z.input<typeof RunSpec> | z.input<typeof ServiceSpec>

export interface RunOptions extends Omit<PlayOptions, "concurrency" | "price" | "attempts" | "stopAfter"> {
  /** Needed for a test split, which is then put on record as played. */
  readonly final?: boolean
  /** Why a test split is played by yet another experiment. */
  readonly reason?: string
  /** Chooses skills, instead of what the experiment's `skills` name. */
  readonly skills?: SkillProvider
}

export interface RunResult {
  /** Of the run: `manifest.json`, `traces.jsonl`, `summary.json`, … */
  readonly folder: string
  readonly progress: Progress
  readonly summary: Summary
}

/**
 * Plays the experiment `spec` (relative paths are relative to the working directory) and keeps it in its folder,
 * `output_dir/name`: plans its jobs, plays those that are not on record yet, and sums up. Played again, it goes on where it was.
 * Throws `BAD_INPUT`, `NOT_FOUND` and `REFUSED` before anything is played, `STORE_UNWRITABLE` when an episode cannot be recorded.
 * Episodes that fail are no error: the summary counts them, and the next call plays them again.
 *
 * @example
 * const { summary } = await run({
 *   experiment: { name: "first" }, tasks: { split: "val" }, environment: { catalog: "bundled:en" }, model: { name: "lexical" },
 * })
 */
export async function run(spec: Experiment, options: RunOptions = {}): Promise<RunResult> {
  const checked = checkSpec(spec)
  const { concurrency, resume, max_attempts, stop_after_failures } = checked.experiment
  const variables = await variablesWith(checked.experiment.dotenv)
  if (checked.suite === "service") await checkJudges(checked.judge, variables) // what is wrong is told before anything is played
  const signal = options.signal ?? new AbortController().signal
  const { folder, manifest, suite, blobs, split, source, modelId, skills, price } = await assemble(checked, {
    signal,
    ...(options.skills && { skills: options.skills }),
  })
  try {
    const wish: FinalWish = {
      split,
      ledger: ledgerPath(source),
      fingerprint: manifest.fingerprint,
      run: manifest.name,
      modelId,
      skills,
      final: options.final ?? false,
      reason: options.reason ?? null,
    }
    guardFinal(wish)
    const store = await openRunFolder(folder, manifest, { blobs, resume })
    try {
      recordFinal(wish, systemClock.now())
      const progress = await playOwed(suite, store, {
        ...options,
        concurrency,
        attempts: max_attempts,
        stopAfter: stop_after_failures,
        ...(price !== undefined && { price }),
      })
      if (checked.suite === "service") await judge(folder, checked.judge, { variables, signal })
      const summary = await summarize(folder)
      store.writeSummary(summary)
      return { folder, progress, summary }
    } finally {
      await store.close()
    }
  } finally {
    await suite.close()
  }
}

/** A run that was stopped is judged by what needs nobody. */
async function judge(
  folder: string,
  settings: JudgeSettings,
  { variables, signal }: { readonly variables: Variables; readonly signal: AbortSignal },
): Promise<void> {
  const offline = settings.judges.filter((name) => name !== "model")
  if (signal.aborted) return void (await judgeRun(folder, judgesNamed(offline)))
  const open = await openJudges(settings, { folder, variables })
  try {
    await judgeRun(folder, open.judges, offline.length === open.judges.length ? {} : { signal })
  } finally {
    await open.close()
  }
}

/** What an experiment would do. */
export interface RunPlan {
  readonly folder: string
  readonly manifest: Manifest
  /** False: a server has to be asked before the fingerprint is certain. */
  readonly confirmed: boolean
  /** Variables that the experiment names and that are not set. */
  readonly unset_variables: readonly string[]
  /** What the folder holds: null nothing; else what the plan changes against it, `where: before → after`. */
  readonly changes: readonly string[] | null
  readonly expected: Expectation
}

/**
 * Checks everything that can be checked without speaking to a model or a server, and says what `run` would do. Throws as {@link run}
 * does before it plays.
 *
 * @example const { manifest } = await plan(spec); console.log(manifest.plan.jobs.length)
 */
export async function plan(spec: Experiment, { skills }: Pick<RunOptions, "skills"> = {}): Promise<RunPlan> {
  const checked = checkSpec(spec)
  const assembly = await assemble(checked, {
    signal: new AbortController().signal,
    ...(skills && { skills }),
    offline: true,
  })
  const { folder, manifest, suite } = assembly
  await suite.close()
  const variables = await variablesWith(checked.experiment.dotenv)
  const unset = assembly.variables.filter((name) => !variables(name))
  const { environment: identity } = manifest.plan
  const kept = existsSync(join(folder, FILES.manifest)) ? readManifest(folder).plan : null
  const confirmed = identity.unconfirmed !== true
  // What a server would say of itself is taken from the run on record, where the rest agrees.
  const { unconfirmed, ...asked } = identity
  const compared = confirmed ? manifest.plan : { ...manifest.plan, environment: { ...kept?.environment, ...asked } }
  return {
    folder,
    manifest,
    confirmed,
    unset_variables: unset,
    changes: kept === null ? null : differences(kept as Json, compared as Json),
    expected: expectation(assembly, manifest.plan.jobs.length, kept === null ? null : (readSummary(folder) ?? null)),
  }
}

function checkSpec(spec: Experiment): RunSpec | ServiceSpec {
  const parsed = spec.suite === "service" ? ServiceSpec.safeParse(spec) : RunSpec.safeParse(spec)
  if (parsed.success) return parsed.data
  throw new AppError("BAD_INPUT", `The experiment is not valid:\n${z.prettifyError(parsed.error as z.ZodError)}`)
}

function assemble(spec: RunSpec | ServiceSpec, call: AssembleCall): Promise<Assembly> {
  return spec.suite === "service" ? assembleService(spec, call) : assembleShopping(spec, call)
}
