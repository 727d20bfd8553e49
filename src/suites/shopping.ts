import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { agentIdentity, agentTexts, createAgent } from "../agent/agent.ts"
import { type Prompt, type PromptLanguage, promptOf } from "../agent/prompt.ts"
import { assignedProvider, bankProvider, NO_SKILLS, parseSkillBank } from "../agent/skill.ts"
import { AppError, messageOf } from "../core/errors.ts"
import { isJsonObject, type JsonObject } from "../core/json.ts"
import type { Plan } from "../core/run.ts"
import type { RunSpec } from "../core/run-spec.ts"
import type { SkillProvider } from "../core/skill.ts"
import type { Suite } from "../core/suite.ts"
import { type Split, taskIdsSha256 } from "../core/task.ts"
import { systemClock } from "../lib/clock.ts"
import { type Variables, variablesWith } from "../lib/dotenv.ts"
import { packageVersion } from "../lib/package-version.ts"
import { playEpisode } from "../run/episode.ts"
import { assumedShopping } from "../run/expectation.ts"
import { planRun } from "../run/plan.ts"
import { manifestOf } from "../run/run.ts"
import { chooseSplit, personaOf } from "../run/split.ts"
import type { Catalog } from "../shop/catalog.ts"
import { hasShopper, languageOf, openPlace } from "../shop/place.ts"
import { modelShopper } from "../shop/shopper/model.ts"
import { templateShopper } from "../shop/shopper/template.ts"
import { checkSplits } from "../shop/split/check.ts"
import { readSplitFile } from "../shop/split/split-file.ts"
import type { AssembleCall, Assembly } from "./assembly.ts"
import { endpointVariables, modelFor, type SharedModel } from "./model.ts"

/** An agent that shops, in a shop of this process or elsewhere. */
export async function assembleShopping(
  spec: RunSpec,
  { signal, skills: given, offline = false }: AssembleCall,
): Promise<Assembly> {
  const { experiment, environment, tasks, runtime } = spec
  const known = await variablesWith(experiment.dotenv)
  const variables = offline ? null : known
  const talks = hasShopper(environment)
  const model = await modelFor(spec.model, variables, { talks })
  const shopperModel = await shopperModelFor(spec, variables).catch(async (error: unknown) => {
    await model.close()
    throw error
  })
  try {
    const place = await openPlace(environment, {
      variables,
      signal,
      shopper: shopperModel === null ? templateShopper : modelShopper(shopperModel.open),
    })
    try {
      const split = findSplit(spec, place.catalog)
      // A shopper who can be asked tells of themselves; their profile is shown only where that is said.
      const persona = talks ? environment.persona === true : personaOf(split, environment.persona)
      const identity = await place.identity(persona, { signal })
      const prompt = await findPrompt(spec, languageOf(place.rules, identity), talks)
      const skills = given ?? (await findSkills(spec))
      const plan = planRun(spec, split, {
        environment: identity,
        model: model.open().identity(),
        agent: agentIdentity(prompt, skills),
        limits: { max_steps: runtime.max_steps },
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
        ...(spec.model.cassette !== undefined && { cassette: spec.model.cassette.mode }),
        ...(spec.model.price !== undefined && { price: { ...spec.model.price } }),
        ...(spec.shopper?.model?.price !== undefined && { shopper_price: { ...spec.shopper.model.price } }),
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
          await shopperModel?.close()
        },
      }
      return {
        folder: join(experiment.output_dir, experiment.name),
        manifest: manifestOf(experiment.name, plan, execution, systemClock.now()),
        suite,
        blobs: agentTexts(prompt),
        split,
        source: tasks.split_file ?? place.catalog?.path ?? "",
        modelId: spec.model.id ?? spec.model.name,
        ...(spec.model.price !== undefined && { price: spec.model.price }),
        skills: skillsOf(plan, spec),
        variables: [
          ...endpointVariables(spec.model),
          ...(spec.shopper?.model ? endpointVariables(spec.shopper.model) : []),
          ...(environment.token_env === null ? [] : [environment.token_env]),
        ],
        assumed: assumedShopping(spec),
      }
    } catch (error) {
      place.close()
      throw error
    }
  } catch (error) {
    await model.close()
    await shopperModel?.close()
    throw error
  }
}

/** The model that plays the shopper; null where none does. Built-in ones shop, and cannot be asked. */
async function shopperModelFor({ shopper }: RunSpec, variables: Variables | null): Promise<SharedModel | null> {
  if (shopper === null || shopper.model === null) return null
  if (shopper.model.base_url === undefined) {
    throw new AppError(
      "BAD_INPUT",
      "shopper.model needs base_url: no built-in model plays a shopper; leave it out with kind template",
    )
  }
  return modelFor(shopper.model, variables)
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

async function findPrompt({ prompt }: RunSpec, pages: PromptLanguage, talks: boolean): Promise<Prompt> {
  const language = prompt.language ?? pages
  if (prompt.system_prompt_file === null) return promptOf(language, prompt.system_prompt ?? undefined, { talks })
  try {
    return promptOf(language, (await readFile(prompt.system_prompt_file, "utf8")).trim(), { talks })
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

function skillsOf(plan: Plan, { skills }: RunSpec): Assembly["skills"] {
  const identity = plan.agent.skills
  if (isJsonObject(identity) && identity.provider === "none") return "none"
  return skills.frozen ? "frozen" : "open"
}
