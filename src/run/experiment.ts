import { readFile } from "node:fs/promises"
import { basename, dirname, extname, resolve } from "node:path"
import { AppError, messageOf } from "../core/errors.ts"
import { isJsonObject } from "../core/json.ts"
import { RunSpec } from "../core/run-spec.ts"
import { ServiceSpec } from "../core/service-spec.ts"
import { parseYaml } from "../lib/yaml.ts"

/** Catalogs that come with Souk are named, not found on a path. */
const BUNDLED = /^bundled:/

/**
 * The experiment file at `path`, checked, with defaults filled in and paths made absolute (they are relative to the file). Without
 * `experiment.name` the run is called as the file is. Throws `NOT_FOUND`, or `BAD_INPUT` with the line and column of every fault.
 */
export async function readExperiment(path: string): Promise<RunSpec | ServiceSpec> {
  let text: string
  try {
    text = await readFile(path, "utf8")
  } catch (error) {
    throw new AppError("NOT_FOUND", `Cannot read the experiment file ${path}: ${messageOf(error)}`, { cause: error })
  }
  return parseExperiment(text, path)
}

/** As {@link readExperiment}, of a text that is or might be the content of `path`. */
export function parseExperiment(text: string, path: string): RunSpec | ServiceSpec {
  const spec = parseYaml<RunSpec | ServiceSpec>(text, ({ suite }) => (suite === "service" ? ServiceSpec : RunSpec), {
    file: path,
    prepare(written) {
      // A section without anything in it is as good as none.
      const value = Object.fromEntries(Object.entries(written).filter(([, section]) => section !== null))
      const experiment = value.experiment ?? {}
      if (!isJsonObject(experiment) || (experiment.name ?? null) !== null) return value
      return { ...value, experiment: { ...experiment, name: basename(path, extname(path)) } }
    },
  })
  const at = (relative: string) => resolve(dirname(path), relative)
  const maybe = (path: string | null) => (path === null ? null : at(path))
  const experiment = {
    ...spec.experiment,
    output_dir: at(spec.experiment.output_dir),
    dotenv: maybe(spec.experiment.dotenv),
  }
  if (spec.suite === "service") {
    const { target, pack, model, judge, role } = spec
    const { instructions_file } = target
    return {
      ...spec,
      experiment,
      pack: BUNDLED.test(pack) ? pack : at(pack),
      target: { ...target, ...(instructions_file !== undefined && { instructions_file: at(instructions_file) }) },
      model: model === null ? null : placed(model, at),
      role: { ...role, model: role.model === null ? null : placed(role.model, at) },
      judge: {
        ...judge,
        model: judge.model === null ? null : placed(judge.model, at),
        rubrics: judge.rubrics.map((rubric) => (BUNDLED.test(rubric) ? rubric : at(rubric))),
      },
    }
  }
  const { tasks, environment, prompt, skills, model, shopper } = spec
  return {
    ...spec,
    experiment,
    tasks: { ...tasks, split_file: tasks.split_file === null ? null : at(tasks.split_file) },
    environment: {
      ...environment,
      catalog:
        environment.catalog === null || BUNDLED.test(environment.catalog)
          ? environment.catalog
          : at(environment.catalog),
    },
    shopper: shopper && { ...shopper, model: shopper.model && placed(shopper.model, at) },
    model: placed(model, at),
    skills: { ...skills, path: maybe(skills.path), assignment: maybe(skills.assignment) },
    prompt: {
      ...prompt,
      system_prompt_file: prompt.system_prompt_file === null ? null : at(prompt.system_prompt_file),
    },
  }
}

/** The model's settings with the paths in them made absolute. */
function placed(model: RunSpec["model"], at: (relative: string) => string): RunSpec["model"] {
  return {
    ...model,
    ...(model.cassette !== undefined && { cassette: { ...model.cassette, path: at(model.cassette.path) } }),
  }
}
