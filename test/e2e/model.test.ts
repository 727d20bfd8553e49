import { spawn } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { Command } from "commander"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { plan, run } from "../../src/assemble.ts"
import { type Register, runCommands } from "../../src/cli/command.ts"
import { registerInit } from "../../src/cli/commands/init.ts"
import { registerPlan } from "../../src/cli/commands/plan.ts"
import { SERVERS } from "../../src/cli/init-file.ts"
import type { EpisodeRecord } from "../../src/core/trace.ts"
import { type MockModelOptions, type MockServer, serveMockModel } from "../../src/models/mock-server.ts"
import { scriptedModel } from "../../src/models/scripted.ts"
import { startServer } from "../../src/server/serve.ts"
import { openCatalog } from "../../src/shop/catalog/open.ts"
import { readEpisodes } from "../../src/store/read.ts"
import { tinyCatalog } from "../../src/testing/tiny-catalog.ts"

const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url))
const tsx = import.meta.resolve("tsx")

const CANARY = "canary-key-5f0c2b77aa91"
const HEADER_CANARY = "canary-header-77e1"
const folder = mkdtempSync(join(tmpdir(), "souk-e2e-model-"))
let catalog: string
beforeAll(async () => {
  using opened = await tinyCatalog(folder)
  catalog = opened.path
  process.env.SOUK_TEST_KEY = CANARY
  process.env.SOUK_TEST_HEADER = HEADER_CANARY
})
afterAll(() => {
  delete process.env.SOUK_TEST_KEY
  delete process.env.SOUK_TEST_HEADER
  rmSync(folder, { recursive: true, force: true })
})

/** Buys the first lamp, white and large: what task 0 asks for. */
const BUY_LAMP = [
  "search[护眼台灯 0号]",
  "click[100000000000]",
  "click[颜色分类=白色]",
  "click[尺寸=大号]",
  "click[buy now]",
]

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})

/** Serves a shopper of lamps that goes by the conversation, so that malformed replies and many episodes do not confuse it. */
async function lampServer(options: Partial<MockModelOptions> = {}): Promise<MockServer> {
  const model = scriptedModel(
    ({ messages }) =>
      BUY_LAMP[
        messages.filter(({ role, content }) => role === "tool" && !/tool_protocol_error/.test(content ?? "")).length
      ]!,
  )
  const server = await serveMockModel({ model, apiKey: CANARY, ...options })
  open.push(server)
  return server
}

let names = 0
function spec(url: string, { model = {}, environment = {}, experiment = {}, tasks = {} }: Record<string, object> = {}) {
  return {
    experiment: { name: `model-${names++}`, output_dir: join(folder, "runs"), concurrency: 3, ...experiment },
    tasks: { split: "all", ...tasks },
    environment: { catalog, ...environment },
    model: {
      name: "mock",
      base_url: url,
      api_key_env: "SOUK_TEST_KEY",
      headers_env: { "X-Account": "SOUK_TEST_HEADER" },
      trust_env: false,
      retry_backoff_seconds: 0.001,
      ...model,
    },
  }
}

async function episodes(runFolder: string): Promise<EpisodeRecord[]> {
  const found: EpisodeRecord[] = []
  for await (const record of readEpisodes(runFolder)) found.push(record)
  return found
}

function everyFile(path: string): string {
  const parts = readdirSync(path, { withFileTypes: true, recursive: true }).flatMap((entry) =>
    entry.isFile() ? [readFileSync(join(entry.parentPath, entry.name), "latin1")] : [],
  )
  return parts.join("\n")
}

for (const stream of [false, true]) {
  describe(`a run against an endpoint over HTTP, ${stream ? "streamed" : "whole"}`, () => {
    it("plays, counts tokens and money, and shows its limiter", async () => {
      const server = await lampServer()
      const price = { input_per_million: 2, output_per_million: 8 }
      const { folder: at, summary, progress } = await run(spec(server.url, { model: { stream, price } }))
      expect(summary.counts).toMatchObject({ completed: 3, scored: 3 })
      expect(summary.primary.success_rate).toBeCloseTo(1 / 3)
      const { prompt_tokens = 0, completion_tokens = 0 } = progress.usage
      expect(prompt_tokens).toBeGreaterThan(0)
      expect(progress.cost).toEqual({ currency: "USD", amount: (prompt_tokens * 2 + completion_tokens * 8) / 1e6 })
      expect(progress.limiter).toMatchObject({ granted: 15, in_flight: 0, refused: 0 })
      const manifest = JSON.parse(readFileSync(join(at, "manifest.json"), "utf8"))
      expect(manifest.plan.model).toMatchObject({ provider: "openai_compatible", model: "mock" })
      expect(JSON.stringify(manifest.plan)).not.toContain(server.url)
    })

    it("repairs malformed replies in place and retries a faulty server, to the same end", async () => {
      const faults = {
        server_error: 0.1,
        broken_stream: 0.1,
        html: 0.05,
        text_only: 0.1,
        bad_arguments: 0.05,
        two_calls: 0.05,
      }
      const server = await lampServer({ faults, seed: 5 })
      const { summary, folder: at } = await run(
        spec(server.url, { model: { stream, max_retries: 20 }, tasks: { repeats: 4 } }),
      )
      expect(summary.counts).toMatchObject({ completed: 12, failed: 0 })
      expect(summary.primary.success_rate).toBeCloseTo(1 / 3)
      expect(summary.behavior.protocol_errors).toBeGreaterThan(0)
      expect(server.counts().requests).toBeGreaterThan(60 + summary.behavior.protocol_errors)
      const calls = (await episodes(at)).flatMap(({ events }) =>
        events.flatMap((e) => (e.type === "model_call" ? [e] : [])),
      )
      const rejected = calls.filter(({ outcome }) => outcome === "protocol_error")
      expect(rejected.every(({ raw_response }) => raw_response !== undefined)).toBe(true)
    })

    it.each(["cut_off", "context_overflow"] as const)(
      "%s ends an episode with zero, under its own name",
      async (fault) => {
        const server = await lampServer({ faults: { [fault]: 1 } })
        const { folder: at, summary } = await run(spec(server.url, { model: { stream } }))
        const code = fault === "cut_off" ? "generation_length" : fault
        expect(summary.behavior).toMatchObject({ policy_failures: 3, termination_reasons: { [code]: 3 } })
        expect(summary.primary.reward_mean).toBe(0)
        const [first] = await episodes(at)
        expect(first!.events).toContainEqual(expect.objectContaining({ type: "model_call", code }))
        expect(first!.events).toContainEqual(expect.objectContaining({ type: "limit", limit: "generation_length" }))
      },
    )
  })
}

describe("secrets", () => {
  it("stand in no file, error or progress, whatever fails", async () => {
    const echo = await serveMockModel({
      model: scriptedModel(() => ({ text: `key ${CANARY}, account ${HEADER_CANARY}` })),
    })
    open.push(echo)
    const outputs: string[] = []
    const onProgress = (progress: object) => void outputs.push(JSON.stringify(progress))
    const play = (url: string, model = {}) =>
      run(spec(url, { model: { max_retries: 1, ...model } }), {
        onProgress,
        onEpisode: (record) => outputs.push(JSON.stringify(record)),
      })
    await play(echo.url)
    await play((await lampServer({ apiKey: "another" })).url) // 401
    await play((await lampServer({ faults: { error_in_reply: 1 } })).url, { stream: true })
    await play("http://127.0.0.1:9/v1")
    const all = `${everyFile(join(folder, "runs"))}${outputs.join("\n")}`
    expect(all.length).toBeGreaterThan(10_000)
    expect(all).not.toContain(CANARY)
    expect(all).not.toContain(HEADER_CANARY)
    expect(all).toContain("[key]")
  })

  it("are not told by the command line either, with debug output on", async () => {
    const server = await lampServer({ apiKey: "another" })
    const path = join(folder, "debug.yaml")
    const { experiment, tasks, environment, model } = spec(server.url)
    writeFileSync(path, JSON.stringify({ experiment, tasks, environment, model })) // JSON is YAML
    const child = spawn(process.execPath, ["--import", tsx, main, "run", path], {
      env: { ...process.env, SOUK_DEBUG: "1", DEBUG: "*", NODE_DEBUG: "undici,http,net" },
    })
    let said = ""
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        said += text
      })
    }
    expect(await new Promise((resolve) => child.on("close", resolve))).toBe(1)
    expect(said).toContain("HTTP 401")
    expect(said).not.toContain(CANARY)
    expect(said).not.toContain(HEADER_CANARY)
  })

  it("come from the environment or a dotenv file; without one nothing is played", async () => {
    const server = await lampServer()
    const dotenv = join(folder, "keys.env")
    writeFileSync(dotenv, `export SOUK_OTHER_KEY="${CANARY}"\nSOUK_TEST_HEADER=overridden\n`)
    const named = { model: { api_key_env: "SOUK_OTHER_KEY" } }
    await expect(run(spec(server.url, named))).rejects.toMatchObject({
      code: "BAD_INPUT",
      message: expect.stringContaining("SOUK_OTHER_KEY, named by model.api_key_env, is not set"),
    })
    expect(server.counts().requests).toBe(0)
    const { summary } = await run(spec(server.url, { ...named, experiment: { dotenv } }))
    expect(summary.counts.completed).toBe(3)
  })
})

describe("a run that cannot mean anything", () => {
  it("stops after five episodes without a usable reply, with advice", async () => {
    const server = await lampServer({ faults: { text_only: 1 } })
    const { progress, summary } = await run(
      spec(server.url, { tasks: { repeats: 10 }, experiment: { concurrency: 1 } }),
    )
    expect(progress).toMatchObject({ state: "stopped", stopped: { code: "tool_call_count" } })
    expect(progress.stopped?.message).toMatch(/first 5 episodes all got no usable reply.*tool parser/)
    expect(summary.counts).toMatchObject({ requested: 30, recorded: 5 })
  })
})

describe("a shop server", () => {
  it("is asked what it is before anything is written, and plays to the same figures as in process", async () => {
    using opened = openCatalog(catalog)
    const server = await startServer({ catalog: opened, port: 0, state: null, log: () => {} })
    open.push(server)
    const model = await lampServer()
    const split_file = join(folder, "splits.json")
    writeFileSync(split_file, JSON.stringify({ splits: { all: { task_ids: [0, 1, 2] } } }))
    const tasks = { split_file }
    const remote = { catalog: null, base_url: server.url }
    const inProcess = await run(spec(model.url, { tasks }))
    const native = await run(spec(model.url, { tasks, environment: remote }))
    expect(native.summary.primary).toEqual(inProcess.summary.primary)
    expect(native.summary.fingerprint).toBe(inProcess.summary.fingerprint)
    const reference = await run(spec(model.url, { tasks, environment: { ...remote, protocol: "reference" } }))
    expect(reference.summary.counts.completed).toBe(3)
    const manifest = JSON.parse(readFileSync(join(reference.folder, "manifest.json"), "utf8"))
    expect(manifest.plan.environment).toMatchObject({
      rules: "v8",
      environment_version: "shopsimulator-paper-aligned-v8",
    })
  })
})

describe("souk mock-model", () => {
  it("serves the lexical shopper to a run, until it is told to stop", async () => {
    const child = spawn(process.execPath, ["--import", tsx, main, "mock-model", "--port", "0", "--json"], {
      stdio: ["ignore", "pipe", "inherit"],
    })
    const ended = new Promise<number | null>((resolve) => child.on("close", resolve))
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const ready = JSON.parse((await lines.next()).value)
    expect(ready).toMatchObject({ event: "ready" })
    const { summary } = await run(spec(ready.url, { model: { api_key_env: null, stream: true } }))
    expect(summary.counts).toMatchObject({ completed: 3, failed: 0 })
    expect(summary.primary.success_rate).toBeGreaterThan(0)
    child.kill("SIGTERM")
    expect(JSON.parse((await lines.next()).value)).toMatchObject({ event: "stopped", faults: 0 })
    expect(await ended).toBe(0)
  })
})

/** A command in this process, as the command line runs it. */
async function souk(register: Register, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const said = { code: -1, out: "", err: "" }
  const wrap = runCommands({
    signal: new AbortController().signal,
    write: (text) => {
      said.out += text
    },
    warn: (text) => {
      said.err += text
    },
    exit: (code) => {
      said.code = code
    },
  })
  const program = new Command().exitOverride()
  register(program, wrap)
  await program.parseAsync(args, { from: "user" })
  return said
}

describe("souk init and souk plan", () => {
  it.each(SERVERS)("a starter file for %s is valid and plans without a key or a server", async (server) => {
    const path = join(folder, `${server}.yaml`)
    const written = await souk(registerInit, "init", path, "--for", server)
    expect(written).toMatchObject({ code: 0, err: "" })
    expect((await souk(registerInit, "init", path)).code).toBe(3)
    const local = readFileSync(path, "utf8").replace("bundled:en ", `${catalog} `).replace("split: val", "split: all")
    writeFileSync(path, local.replace("sample_size: 20", "sample_size: 2"))
    const planned = await souk(registerPlan, "plan", path, "--json")
    const plan = JSON.parse(planned.out)
    expect(plan).toMatchObject({
      name: server,
      confirmed: true,
      episodes: 2,
      changes: null,
      expected: { basis: "assumed" },
    })
    expect(plan.fingerprint).toMatch(/^[0-9a-f]{64}$/)
    expect((await souk(registerPlan, "plan", path)).out).toContain("The folder is new")
  })

  it("a plan has the run's fingerprint, and says what has changed against it and which keys are missing", async () => {
    const server = await lampServer()
    const name = `planned-${names++}`
    const asked = spec(server.url, { experiment: { name } })
    const before = await plan(asked)
    expect(server.counts().requests).toBe(0)
    const played = await run(asked)
    expect(played.summary.fingerprint).toBe(before.manifest.fingerprint)
    const after = await plan(asked)
    expect(after).toMatchObject({ changes: [], expected: { basis: "recorded", steps: 15 } })
    const changed = await plan({
      ...asked,
      model: { ...asked.model, temperature: 0.5, api_key_env: "SOUK_NO_SUCH_KEY" },
    })
    expect(changed.changes).toEqual(["model.sampling.temperature: 0 → 0.5"])
    expect(changed.unset_variables).toEqual(["SOUK_NO_SUCH_KEY"])
  })

  it("a server's identity stays unconfirmed", async () => {
    const split_file = join(folder, "plan-splits.json")
    writeFileSync(split_file, JSON.stringify({ splits: { all: { task_ids: [0, 1] } } }))
    const environment = { catalog: null, base_url: "http://127.0.0.1:9" }
    const planned = await plan(spec("http://127.0.0.1:9/v1", { tasks: { split_file }, environment }))
    expect(planned).toMatchObject({ confirmed: false, changes: null })
    expect(planned.manifest.plan.jobs.length).toBe(2)
  })
})
