import { resolve } from "node:path"
import { describe, expect, it } from "vitest"
import type { RunSpec } from "../core/run-spec.ts"
import { parseExperiment } from "./experiment.ts"

const SMALLEST = "tasks: {split: val}\nenvironment: {catalog: 'bundled:zh'}\nmodel: {name: lexical}\n"
const path = resolve("somewhere/my first run.yaml")

function parseShopping(text: string): RunSpec {
  const spec = parseExperiment(text, path)
  if (spec.suite === "service") throw new Error("Expected a shopping experiment")
  return spec
}

describe("parseExperiment", () => {
  it("needs tasks, catalog and model, and fills in the rest", () => {
    expect(parseExperiment(SMALLEST, path)).toEqual({
      suite: "shopping",
      experiment: {
        name: "my-first-run",
        output_dir: resolve("somewhere/runs"),
        dotenv: null,
        seed: 20260828,
        concurrency: 1,
        resume: true,
        max_attempts: 3,
        stop_after_failures: 10,
      },
      tasks: { split: "val", split_file: null, sample_size: null, repeats: 1 },
      environment: {
        catalog: "bundled:zh",
        base_url: null,
        protocol: null,
        token_env: null,
        timeout: 30,
        rules: null,
        persona: null,
        interaction_mode: "single_turn",
      },
      shopper: null,
      runtime: { max_steps: 30 },
      prompt: { system_prompt: null, system_prompt_file: null, language: null },
      skills: { path: null, max_skills: null, assignment: null, frozen: false },
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
    const spec = parseShopping(text)
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

  it("reads an evaluation file of the reference as it is, and looks for its server where that is", () => {
    const text = `experiment: {name: val-local, output_dir: ../runs, dotenv: ../.env, seed: 1, concurrency: 32, resume: true}
tasks: {split_file: ../splits.json, split: val, sample_size: 400, repeats: 1}
environment: {timeout: 60.0, persona: true}
runtime:
skills: {path: null, max_skills: null}
model:
  name: Qwen/Qwen3-8B
  id: qwen3-8b
  checkpoint_id: base
  base_url: http://127.0.0.1:30000/v1
  api_key_env: null
  temperature: 0.6
  top_p: 1.0
  max_tokens: 4096
  timeout: 180
  max_retries: 3
  retry_backoff_seconds: 1.0
  trust_env: false
  stream: false
  send_seed: false
  tool_choice: auto
  extra_body: {chat_template_kwargs: {enable_thinking: true}}
`
    const spec = parseShopping(text)
    expect(spec.environment).toMatchObject({ base_url: "http://127.0.0.1:5700", catalog: null, timeout: 60 })
    expect(spec.experiment.dotenv).toBe(resolve(".env"))
    expect(spec.model).toMatchObject({
      max_retries: 3,
      extra_body: { chat_template_kwargs: { enable_thinking: true } },
    })
  })

  it("refuses keys in place of their names, addresses with passwords, and endpoint settings without an endpoint", () => {
    const model = (keys: string) => `${SMALLEST.replace("{name: lexical}", `{name: m, ${keys}}`)}`
    const url = "base_url: 'http://localhost:1/v1'"
    expect(() => parseExperiment(model(`${url}, api_key_env: sk-12345`), "x.yaml")).toThrow(
      /^x\.yaml:3:\d+: model\.api_key_env: expected the name of an environment variable, never a key itself$/,
    )
    expect(() => parseExperiment(model(`${url}, api_key: sk-12345`), "x.yaml")).toThrow(/did you mean `api_key_env`\?$/)
    expect(() => parseExperiment(model("base_url: 'http://me:pw@localhost/v1'"), "x.yaml")).toThrow(/no password here/)
    expect(() => parseExperiment(model("temperature: 0.5"), "x.yaml")).toThrow(/temperature: needs model\.base_url$/)
  })

  it("takes no password in an agent's address, in a service experiment either", () => {
    const text = "suite: service\npack: bundled:en\ntarget: {agent: http, base_url: 'http://me:secret@127.0.0.1:9'}\n"
    expect(() => parseExperiment(text, path)).toThrow(/no name and no password/)
  })
})
