import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { z } from "zod"
import { agentIdentity, agentTexts, createAgent } from "./agent/agent.ts"
import { type Prompt, type PromptLanguage, promptOf } from "./agent/prompt.ts"
import { assignedProvider, bankProvider, NO_SKILLS, parseSkillBank } from "./agent/skill.ts"
import { AppError, messageOf } from "./core/errors.ts"
import { isJsonObject, type Json, type JsonObject } from "./core/json.ts"
import type { Model } from "./core/model.ts"
import type { Manifest, Progress } from "./core/run.ts"
import { RunSpec } from "./core/run-spec.ts"
import type { Summary } from "./core/score.ts"
import type { SkillProvider } from "./core/skill.ts"
import type { Suite } from "./core/suite.ts"
import { type Split, taskIdsSha256 } from "./core/task.ts"
import { systemClock } from "./lib/clock.ts"
import { type Variables, variablesWith } from "./lib/dotenv.ts"
import { nearest } from "./lib/nearest.ts"
import { packageVersion } from "./lib/package-version.ts"
import { connectModel, type ModelConnection } from "./models/connect.ts"
import { scriptedModel } from "./models/scripted.ts"
import { playEpisode } from "./run/episode.ts"
import { type Expectation, expectation } from "./run/expectation.ts"
import { type FinalWish, guardFinal, ledgerPath, recordFinal } from "./run/final.ts"
import { planRun } from "./run/plan.ts"
import { manifestOf, type PlayOptions, playOwed } from "./run/run.ts"
import { chooseSplit, personaOf } from "./run/split.ts"
import { summarize } from "./score/score.ts"
import { lexicalModel } from "./shop/baselines/lexical.ts"
import type { Catalog } from "./shop/catalog.ts"
import { languageOf, openPlace } from "./shop/place.ts"
import { checkSplits } from "./shop/split/check.ts"
import { readSplitFile } from "./shop/split/split-file.ts"
import { differences } from "./store/differences.ts"
import { FILES, readManifest, readSummary } from "./store/read.ts"
import { openRunFolder } from "./store/run-folder.ts"

/** What a run is played with, once its names have become live parts. */
interface Assembly {
  readonly folder: string
  readonly manifest: Manifest
  readonly suite: Suite
  /** Texts that many episodes share. */
  readonly blobs: readonly string[]
  readonly split: Split
  /** The file that the split is from. */
  readonly source: string
}

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
export async function run(spec: z.input<typeof RunSpec>, options: RunOptions = {}): Promise<RunResult> {
  const checked = checkSpec(spec)
  const { concurrency, resume, max_attempts, stop_after_failures } = checked.experiment
  const signal = options.signal ?? new AbortController().signal
  const { folder, manifest, suite, blobs, split, source } = await assemble(checked, {
    signal,
    ...(options.skills && { skills: options.skills }),
  })
  try {
    const wish: FinalWish = {
      split,
      ledger: ledgerPath(source),
      fingerprint: manifest.fingerprint,
      run: manifest.name,
      modelId: checked.model.id ?? checked.model.name,
      skills: suiteSkills(manifest, checked),
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
        ...(checked.model.price !== undefined && { price: checked.model.price }),
      })
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
export async function plan(
  spec: z.input<typeof RunSpec>,
  { skills }: Pick<RunOptions, "skills"> = {},
): Promise<RunPlan> {
  const checked = checkSpec(spec)
  const { folder, manifest, suite } = await assemble(checked, {
    signal: new AbortController().signal,
    ...(skills && { skills }),
    offline: true,
  })
  await suite.close()
  const variables = await variablesWith(checked.experiment.dotenv)
  const { model, environment } = checked
  const names = [
    ...(model.base_url === undefined ? [] : [model.api_key_env === undefined ? "OPENAI_API_KEY" : model.api_key_env]),
    ...Object.values(model.headers_env ?? {}),
    environment.token_env,
  ]
  const unset = names.filter((name): name is string => name !== null && !variables(name))
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
    expected: expectation(checked, manifest.plan.jobs.length, kept === null ? null : (readSummary(folder) ?? null)),
  }
}

function checkSpec(spec: z.input<typeof RunSpec>): RunSpec {
  const parsed = RunSpec.safeParse(spec)
  if (parsed.success) return parsed.data
  throw new AppError("BAD_INPUT", `The experiment is not valid:\n${z.prettifyError(parsed.error)}`)
}

function suiteSkills({ plan }: Manifest, { skills }: RunSpec): FinalWish["skills"] {
  const identity = plan.agent.skills
  if (isJsonObject(identity) && identity.provider === "none") return "none"
  return skills.frozen ? "frozen" : "open"
}

/** With `offline` nobody is spoken to and no key is needed: good for looking at the plan, not for playing it. */
async function assemble(
  spec: RunSpec,
  { signal, skills: given, offline = false }: { signal: AbortSignal; skills?: SkillProvider; offline?: boolean },
): Promise<Assembly> {
  const { experiment, environment, tasks, runtime } = spec
  const known = await variablesWith(experiment.dotenv)
  const variables = offline ? null : known
  const model = modelFor(spec.model, variables)
  try {
    const place = await openPlace(environment, { variables, signal })
    try {
      const split = findSplit(spec, place.catalog)
      const persona = personaOf(split, environment.persona)
      const identity = await place.identity(persona, { signal })
      const prompt = await findPrompt(spec, languageOf(place.rules, identity))
      const skills = given ?? (await findSkills(spec))
      const plan = planRun(spec, split, {
        environment: identity,
        model: model.open().identity(),
        agent: agentIdentity(prompt, skills),
      })
      const execution: JsonObject = {
        souk: packageVersion(),
        node: process.version,
        platform: `${process.platform}-${process.arch}`,
        concurrency: experiment.concurrency,
        ...(environment.base_url === null ? { catalog: environment.catalog } : { base_url: environment.base_url }),
        split_source: tasks.split_file ?? "catalog",
        model_id: spec.model.id ?? spec.model.name,
        ...(spec.model.base_url !== undefined && { model_base_url: spec.model.base_url }),
        ...(spec.model.price !== undefined && { price: { ...spec.model.price } }),
      }
      const suite: Suite = {
        name: spec.suite,
        play: (job, call) =>
          playEpisode(
            job,
            {
              environment: place.open(persona),
              actor: createAgent({ model: model.open(), prompt, skills }),
              maxSteps: runtime.max_steps,
            },
            call,
          ),
        ...(model.limiter !== undefined && { limiter: model.limiter }),
        async close() {
          place.close()
          await model.close()
        },
      }
      return {
        folder: join(experiment.output_dir, experiment.name),
        manifest: manifestOf(experiment.name, plan, execution, systemClock.now()),
        suite,
        blobs: agentTexts(prompt),
        split,
        source: tasks.split_file ?? place.catalog?.path ?? "",
      }
    } catch (error) {
      place.close()
      throw error
    }
  } catch (error) {
    await model.close()
    throw error
  }
}

/** The split to play: of the split file or the catalog, where `all` is every task. Its ids are the frozen ones, all of them there. */
function findSplit({ tasks }: RunSpec, catalog: Catalog | null): Split {
  if (tasks.split_file !== null) {
    const known = catalog === null ? {} : { exists: (taskId: string) => catalog.task(taskId) !== undefined }
    return chooseSplit(tasks.split, readSplitFile(tasks.split_file, known), tasks.split_file)
  }
  if (catalog === null) {
    throw new AppError(
      "BAD_INPUT",
      "tasks.split_file is needed: a server's catalog cannot be looked into for its splits",
    )
  }
  const splits = catalog.splits()
  checkSplits(splits, { where: catalog.path, exists: (taskId) => catalog.task(taskId) !== undefined })
  const task_ids = catalog.taskIds()
  const all: Split = { name: "all", role: null, task_ids, task_ids_sha256: taskIdsSha256(task_ids), persona: null }
  return chooseSplit(tasks.split, [...splits, all], catalog.path)
}

async function findPrompt({ prompt }: RunSpec, pages: PromptLanguage): Promise<Prompt> {
  const language = prompt.language ?? pages
  if (prompt.system_prompt_file === null) return promptOf(language, prompt.system_prompt ?? undefined)
  try {
    return promptOf(language, (await readFile(prompt.system_prompt_file, "utf8")).trim())
  } catch (error) {
    throw new AppError("NOT_FOUND", `Cannot read the prompt file ${prompt.system_prompt_file}: ${messageOf(error)}`)
  }
}

async function findSkills({ skills }: RunSpec): Promise<SkillProvider> {
  const { path, assignment, max_skills } = skills
  if (path === null) return NO_SKILLS
  const read = async (file: string, key: string) => {
    try {
      return await readFile(file, "utf8")
    } catch (error) {
      throw new AppError("NOT_FOUND", `Cannot read ${key} ${file}: ${messageOf(error)}`, { cause: error })
    }
  }
  const bank = parseSkillBank(await read(path, "skills.path"), path)
  if (assignment === null) return bankProvider(bank, max_skills)
  return assignedProvider(bank, await read(assignment, "skills.assignment"), assignment)
}

/** What plays all episodes of a run. */
type SharedModel = Pick<ModelConnection, "open" | "close"> & Partial<Pick<ModelConnection, "limiter">>

/** Models that are built in, by name. */
const BUILT_IN: Readonly<Record<string, (settings: RunSpec["model"]) => () => Model>> = {
  lexical: () => lexicalModel,
  scripted({ replies }) {
    if (replies === undefined) {
      throw new AppError("BAD_INPUT", "model.name is scripted, which needs model.replies: one action per turn")
    }
    return () => scriptedModel(replies)
  },
}

function modelFor(settings: RunSpec["model"], variables: Variables | null): SharedModel {
  const { name, base_url } = settings
  if (base_url !== undefined) return connectModel({ ...settings, base_url }, variables)
  const make = Object.hasOwn(BUILT_IN, name) ? BUILT_IN[name] : undefined
  if (make !== undefined) return { open: make(settings), close: async () => {} }
  const known = Object.keys(BUILT_IN)
  const guess = nearest(name, known)
  throw new AppError(
    "BAD_INPUT",
    `There is no built-in model ${JSON.stringify(name)}; ${guess === undefined ? `there is ${known.join(", ")}` : `did you mean ${guess}?`} An endpoint's model needs model.base_url`,
  )
}
