import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { plan, run } from "../../src/assemble.ts"
import type { EpisodeRecord } from "../../src/core/trace.ts"
import { type MockServer, serveMockModel } from "../../src/models/mock-server.ts"
import { scriptedModel } from "../../src/models/scripted.ts"
import { readExperiment } from "../../src/run/experiment.ts"
import { readEpisodes } from "../../src/store/read.ts"
import { tinyCatalog } from "../../src/testing/tiny-catalog.ts"

const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url))
const tsx = import.meta.resolve("tsx")

const KEY = "sk-canary-e2e-cassette"
const folder = mkdtempSync(join(tmpdir(), "souk-e2e-cassette-"))
beforeAll(async () => {
  using _ = await tinyCatalog(folder)
  process.env.SOUK_CASSETTE_KEY = KEY
})
afterAll(() => {
  delete process.env.SOUK_CASSETTE_KEY
  rmSync(folder, { recursive: true, force: true })
})
const open: MockServer[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})

/** A shopper that searches something else whenever it is asked the same, and is often malformed or unreachable. */
async function moodyServer() {
  const model = scriptedModel(({ messages }, index) => {
    const turns = messages.filter(({ role }) => role === "assistant").length
    return turns < 3 ? `search[台灯 ${index % 7}]` : { tool: "click", arguments: { value: "back to search" } }
  })
  const faults = { text_only: 0.1, server_error: 0.1, broken_stream: 0.05, bad_arguments: 0.05 }
  const server = await serveMockModel({ model, faults, seed: 11, apiKey: KEY })
  open.push(server)
  return server
}

let names = 0
/** An experiment file whose cassette is named relative to it. */
function experiment(url: string, mode: string, { model = {}, name = `cassette-${names++}` } = {}) {
  const file = join(folder, `${name}-${mode}.yaml`)
  const spec = {
    experiment: { name: `${name}-${mode}`, output_dir: "runs", concurrency: 4 },
    tasks: { split: "all", repeats: 3 },
    environment: { catalog: "tiny.catalog" },
    runtime: { max_steps: 6 },
    model: {
      ...{ name: "mock", base_url: url, api_key_env: "SOUK_CASSETTE_KEY", trust_env: false, send_seed: false },
      ...{ stream: true, retry_backoff_seconds: 0.001, max_retries: 20 },
      cassette: { path: "tapes/calls.jsonl", mode },
      ...model,
    },
  }
  mkdirSync(join(folder, "tapes"), { recursive: true })
  writeFileSync(file, JSON.stringify(spec)) // JSON is YAML
  return file
}

async function play(file: string) {
  const result = await run(await readExperiment(file))
  const episodes: EpisodeRecord[] = []
  for await (const record of readEpisodes(result.folder)) episodes.push(record)
  return { ...result, episodes: episodes.sort((a, b) => (a.episode_id < b.episode_id ? -1 : 1)) }
}

/** A record without what depends on the time it was made. */
function timeless(record: EpisodeRecord): unknown {
  return JSON.parse(JSON.stringify(record), (key, value) =>
    /(_ms|_at)$/.test(key) ? (typeof value === "number" ? 0 : "") : value,
  )
}

describe("a run on a cassette", () => {
  it("is played again without key or server, to the same traces and figures", async () => {
    const server = await moodyServer()
    const recorded = await play(experiment(server.url, "record"))
    expect(recorded.summary.counts).toMatchObject({ completed: 9, failed: 0 })
    expect(recorded.summary.behavior.protocol_errors).toBeGreaterThan(0)
    const { requests } = server.counts()
    await server.close()
    open.length = 0
    delete process.env.SOUK_CASSETTE_KEY
    try {
      const file = experiment(server.url, "replay")
      const planned = await plan(await readExperiment(file))
      expect(planned.unset_variables).toEqual([])
      const replayed = await play(file)
      expect(replayed.episodes.map(timeless)).toEqual(recorded.episodes.map(timeless))
      expect(replayed.summary.fingerprint).toBe(recorded.summary.fingerprint)
      expect(replayed.summary.behavior).toEqual(recorded.summary.behavior)
      expect(replayed.summary.primary).toEqual(recorded.summary.primary)
      const manifest = JSON.parse(readFileSync(join(replayed.folder, "manifest.json"), "utf8"))
      expect(manifest.execution).toMatchObject({ cassette: "replay" })
    } finally {
      process.env.SOUK_CASSETTE_KEY = KEY
    }
    const calls = readFileSync(join(folder, "tapes/calls.jsonl"), "utf8")
    expect(calls.match(/"type":"call"/g)).toHaveLength(requests)
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      if (/\.(jsonl?|yaml)$/.test(name)) expect(readFileSync(join(folder, name), "latin1"), name).not.toContain(KEY)
    }
  })

  it("fails where it leaves what was recorded, and stops the run with the difference", async () => {
    const file = experiment("http://127.0.0.1:9/v1", "replay", { model: { temperature: 0.7 } })
    const { summary, progress, episodes } = await play(file)
    expect(summary.counts).toMatchObject({ completed: 0, scored: 0 })
    expect(progress).toMatchObject({ state: "stopped", stopped: { code: "cassette_miss" } })
    expect(episodes[0]!.error).toMatchObject({
      code: "MODEL_REJECTED",
      kind: "cassette_miss",
      retryable: false,
      message: expect.stringContaining("differs at request.temperature: recorded 0, now 0.7"),
    })
  })

  it("needs an endpoint to be about, and a file to replay", async () => {
    const [missing, homeless] = [experiment("http://127.0.0.1:9/v1", "replay"), join(folder, "homeless.yaml")]
    writeFileSync(missing, readFileSync(missing, "utf8").replace("tapes/calls.jsonl", "tapes/none.jsonl"))
    await expect(readExperiment(missing).then((spec) => plan(spec))).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: expect.stringMatching(/no cassette .*none\.jsonl to replay/),
    })
    writeFileSync(homeless, "tasks: {split: all}\nmodel:\n  name: mock\n  cassette: {path: calls.jsonl}\n")
    await expect(readExperiment(homeless)).rejects.toMatchObject({
      code: "BAD_INPUT",
      message: expect.stringMatching(/model\.cassette: needs model\.base_url/),
    })
  })

  it("is served by souk mock-model to a run that asks over HTTP", async () => {
    const tape = join(folder, "tapes/calls.jsonl")
    const args = ["mock-model", "--model", "cassette", "--cassette", tape, "--port", "0", "--json"]
    const child = spawn(process.execPath, ["--import", tsx, main, ...args], { stdio: ["ignore", "pipe", "inherit"] })
    const ended = new Promise((resolve) => child.on("close", resolve))
    try {
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
      const { url } = JSON.parse((await lines.next()).value)
      const model = { cassette: undefined, api_key_env: null }
      const { summary } = await play(experiment(url, "served", { model }))
      expect(summary.counts).toMatchObject({ completed: 9, failed: 0 })
      expect(summary.behavior.protocol_errors).toBeGreaterThan(0)
    } finally {
      child.kill("SIGTERM")
      await ended
    }
  })
})
