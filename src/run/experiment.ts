import { readFile } from "node:fs/promises"
import { basename, dirname, extname, resolve } from "node:path"
import { AppError, messageOf } from "../core/errors.ts"
import { isJsonObject } from "../core/json.ts"
import { RunSpec } from "../core/run-spec.ts"
import { parseYaml } from "../lib/yaml.ts"

/** Catalogs that come with Souk are named, not found on a path. */
const BUNDLED = /^bundled:/

/**
 * The experiment file at `path`, checked, with defaults filled in and paths made absolute (they are relative to the file). Without
 * `experiment.name` the run is called as the file is. Throws `NOT_FOUND`, or `BAD_INPUT` with the line and column of every fault.
 */
export async function readExperiment(path: string): Promise<RunSpec> {
  let text: string
  try {
    text = await readFile(path, "utf8")
  } catch (error) {
    throw new AppError("NOT_FOUND", `Cannot read the experiment file ${path}: ${messageOf(error)}`, { cause: error })
  }
  return parseExperiment(text, path)
}

/** As {@link readExperiment}, of a text that is or might be the content of `path`. */
export function parseExperiment(text: string, path: string): RunSpec {
  const spec = parseYaml(text, RunSpec, {
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
  const { experiment, tasks, environment, prompt, skills, model } = spec
  const maybe = (path: string | null) => (path === null ? null : at(path))
  return {
    ...spec,
    experiment: {
      ...experiment,
      output_dir: at(experiment.output_dir),
      dotenv: experiment.dotenv === null ? null : at(experiment.dotenv),
    },
    tasks: { ...tasks, split_file: tasks.split_file === null ? null : at(tasks.split_file) },
    environment: {
      ...environment,
      catalog:
        environment.catalog === null || BUNDLED.test(environment.catalog)
          ? environment.catalog
          : at(environment.catalog),
    },
    model: {
      ...model,
      ...(model.cassette !== undefined && { cassette: { ...model.cassette, path: at(model.cassette.path) } }),
    },
    skills: { ...skills, path: maybe(skills.path), assignment: maybe(skills.assignment) },
    prompt: {
      ...prompt,
      system_prompt_file: prompt.system_prompt_file === null ? null : at(prompt.system_prompt_file),
    },
  }
}
