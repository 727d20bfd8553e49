import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { z } from "zod"
import { agentIdentity, agentTexts, createAgent } from "./agent/agent.ts"
import { type Prompt, promptOf } from "./agent/prompt.ts"
import { AppError, messageOf } from "./core/errors.ts"
import type { JsonObject } from "./core/json.ts"
import type { Model } from "./core/model.ts"
import { type Manifest, type Progress, RunSpec } from "./core/run.ts"
import type { Summary } from "./core/score.ts"
import type { Suite } from "./core/suite.ts"
import { type Job, type Split, taskIdsSha256 } from "./core/task.ts"
import { systemClock } from "./lib/clock.ts"
import { nearest } from "./lib/nearest.ts"
import { packageVersion } from "./lib/package-version.ts"
import { scriptedModel } from "./models/scripted.ts"
import { playEpisode } from "./run/episode.ts"
import { planRun } from "./run/plan.ts"
import { manifestOf, type PlayOptions, playOwed } from "./run/run.ts"
import { chooseSplit, personaOf } from "./run/split.ts"
import { summarize } from "./score/score.ts"
import { lexicalModel } from "./shop/baselines/lexical.ts"
import { openCatalog } from "./shop/catalog/open.ts"
import { type Catalog, Language } from "./shop/catalog.ts"
import { shopEnvironment } from "./shop/environment.ts"
import { pageLanguage, rulesOf } from "./shop/rules.ts"
import { checkSplits } from "./shop/split/check.ts"
import { readSplitFile } from "./shop/split/split-file.ts"
import { openStore } from "./shop/store.ts"
import { openRunFolder } from "./store/run-folder.ts"

/** What a run is played with, once its names have become live parts. */
interface Assembly {
  readonly folder: string
  readonly manifest: Manifest
  readonly suite: Suite
  /** Texts that many episodes share. */
  readonly blobs: readonly string[]
}

/** A model for one episode. */
type ModelMaker = (job: Job) => Model

export type RunOptions = Omit<PlayOptions, "concurrency">

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
  const { concurrency, resume } = checked.experiment
  const { folder, manifest, suite, blobs } = await assemble(checked)
  try {
    const store = await openRunFolder(folder, manifest, { blobs, resume })
    try {
      const progress = await playOwed(suite, store, { ...options, concurrency })
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

function checkSpec(spec: z.input<typeof RunSpec>): RunSpec {
  const parsed = RunSpec.safeParse(spec)
  if (parsed.success) return parsed.data
  throw new AppError("BAD_INPUT", `The experiment is not valid:\n${z.prettifyError(parsed.error)}`)
}

async function assemble(spec: RunSpec): Promise<Assembly> {
  const { experiment, environment, tasks, runtime } = spec
  const catalog = await openNamed(environment.catalog)
  try {
    const split = findSplit(spec, catalog)
    const persona = personaOf(split, environment.persona)
    const prompt = await findPrompt(spec, catalog)
    const openModel = modelMaker(spec.model)
    const openShop = () =>
      shopEnvironment({ catalog, rules: environment.rules, mode: environment.interaction_mode, persona })

    const plan = planRun(spec, split, {
      environment: await openShop().identity({ signal: new AbortController().signal }),
      model: openModel({ key: "", task_id: "", sample_id: 0, seed: 0, split: split.name }).identity(),
      agent: agentIdentity(prompt),
    })
    const execution: JsonObject = {
      souk: packageVersion(),
      node: process.version,
      platform: `${process.platform}-${process.arch}`,
      concurrency: experiment.concurrency,
      catalog: environment.catalog,
      split_source: tasks.split_file ?? "catalog",
      model_id: spec.model.id ?? spec.model.name,
    }
    const suite: Suite = {
      name: spec.suite,
      play: (job, call) =>
        playEpisode(
          job,
          {
            environment: openShop(),
            actor: createAgent({ model: openModel(job), prompt }),
            maxSteps: runtime.max_steps,
          },
          call,
        ),
      close: async () => catalog.close(),
    }
    return {
      folder: join(experiment.output_dir, experiment.name),
      manifest: manifestOf(experiment.name, plan, execution, systemClock.now()),
      suite,
      blobs: agentTexts(prompt),
    }
  } catch (error) {
    catalog.close()
    throw error
  }
}

/** A catalog file, or one of the bundled stores. */
async function openNamed(name: string): Promise<Catalog> {
  if (!name.startsWith("bundled:")) return openCatalog(name)
  const language = Language.safeParse(name.slice("bundled:".length))
  if (language.success) return openStore(language.data)
  throw new AppError(
    "BAD_INPUT",
    `environment.catalog is ${name}; there is bundled:${Language.options.join(", bundled:")}`,
  )
}

/** The split to play: of the split file or the catalog, where `all` is every task. Its ids are the frozen ones, all of them there. */
function findSplit({ tasks }: RunSpec, catalog: Catalog): Split {
  const exists = (taskId: string) => catalog.task(taskId) !== undefined
  if (tasks.split_file !== null) {
    return chooseSplit(tasks.split, readSplitFile(tasks.split_file, { exists }), tasks.split_file)
  }
  const splits = catalog.splits()
  checkSplits(splits, { where: catalog.path, exists })
  const task_ids = catalog.taskIds()
  const all: Split = { name: "all", role: null, task_ids, task_ids_sha256: taskIdsSha256(task_ids), persona: null }
  return chooseSplit(tasks.split, [...splits, all], catalog.path)
}

async function findPrompt({ prompt, environment }: RunSpec, catalog: Catalog): Promise<Prompt> {
  const language = prompt.language ?? pageLanguage(rulesOf(environment.rules), catalog.manifest.language)
  if (prompt.system_prompt_file === null) return promptOf(language, prompt.system_prompt ?? undefined)
  try {
    return promptOf(language, (await readFile(prompt.system_prompt_file, "utf8")).trim())
  } catch (error) {
    throw new AppError("NOT_FOUND", `Cannot read the prompt file ${prompt.system_prompt_file}: ${messageOf(error)}`)
  }
}

/** Models by name. */
const MODELS: Readonly<Record<string, (settings: RunSpec["model"]) => ModelMaker>> = {
  lexical: () => () => lexicalModel(),
  scripted({ replies }) {
    if (replies === undefined) {
      throw new AppError("BAD_INPUT", "model.name is scripted, which needs model.replies: one action per turn")
    }
    return () => scriptedModel(replies)
  },
}

function modelMaker(settings: RunSpec["model"]): ModelMaker {
  const { name } = settings
  const make = Object.hasOwn(MODELS, name) ? MODELS[name] : undefined
  if (make !== undefined) return make(settings)
  const known = Object.keys(MODELS)
  const guess = nearest(name, known)
  throw new AppError(
    "BAD_INPUT",
    `There is no model ${JSON.stringify(name)}; ${guess === undefined ? `there is ${known.join(", ")}` : `did you mean ${guess}?`}`,
  )
}
