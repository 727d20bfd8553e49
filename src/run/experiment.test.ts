import { resolve } from "node:path"
import { describe, expect, it } from "vitest"
import { parseExperiment } from "./experiment.ts"

const SMALLEST = "tasks: {split: val}\nenvironment: {catalog: 'bundled:zh'}\nmodel: {name: lexical}\n"
const path = resolve("somewhere/my first run.yaml")

describe("parseExperiment", () => {
  it("needs tasks, catalog and model, and fills in the rest", () => {
    expect(parseExperiment(SMALLEST, path)).toEqual({
      suite: "shopping",
      experiment: {
        name: "my-first-run",
        output_dir: resolve("somewhere/runs"),
        seed: 20260828,
        concurrency: 1,
        resume: true,
      },
      tasks: { split: "val", split_file: null, sample_size: null, repeats: 1 },
      environment: { catalog: "bundled:zh", rules: "souk", persona: null, interaction_mode: "single_turn" },
      runtime: { max_steps: 30 },
      prompt: { system_prompt: null, system_prompt_file: null, language: null },
      model: { name: "lexical", id: null },
    })
  })

  it("reads paths from the file's folder", () => {
    const text = `experiment: {name: a/../b, output_dir: ../out}
tasks: {split: val, split_file: splits.json}
environment: {catalog: ./shop.catalog}
prompt: {system_prompt_file: prompts/a.txt}
model: {name: lexical}
`
    const spec = parseExperiment(text, path)
    expect(spec.experiment).toMatchObject({ name: "a-..-b", output_dir: resolve("out") })
    expect(spec.tasks.split_file).toBe(resolve("somewhere/splits.json"))
    expect(spec.environment.catalog).toBe(resolve("somewhere/shop.catalog"))
    expect(spec.prompt.system_prompt_file).toBe(resolve("somewhere/prompts/a.txt"))
  })

  it("refuses what contradicts itself or names no folder", () => {
    const both = `${SMALLEST}prompt: {system_prompt: a, system_prompt_file: b}\n`
    expect(() => parseExperiment(both, path)).toThrow(/:4:9: prompt: give either/)
    expect(() => parseExperiment(`experiment: {name: "..."}\n${SMALLEST}`, path)).toThrow(
      /:1:20: experiment\.name: needs a Latin letter/,
    )
    expect(() => parseExperiment(SMALLEST, "实验.yaml")).toThrow(/experiment\.name: needs a Latin letter/)
  })

  it("names key and place of what it does not know", () => {
    const text =
      "tasks:\n  split: val\n  repeat: 3\nenvironment:\n  catalog: 'bundled:zh'\n  rules: v9\nmodel:\n  name: lexical\n"
    expect(() => parseExperiment(text, "x.yaml")).toThrow(
      'x.yaml:3:3: tasks.repeat: unknown key; did you mean `repeats`?\nx.yaml:6:10: environment.rules: expected one of souk, v8, found "v9"; did you mean v8?',
    )
  })
})
