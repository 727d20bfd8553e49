import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { Command } from "commander"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { run } from "../src/assemble.ts"
import { runCommands } from "../src/cli/command.ts"
import { registerScoring } from "../src/cli/commands/score.ts"
import { registerTraces } from "../src/cli/commands/traces.ts"
import { registerVerify } from "../src/cli/commands/verify.ts"
import type { EpisodeRecord } from "../src/core/trace.ts"
import { serveMockModel } from "../src/models/mock-server.ts"
import { lexicalModel } from "../src/shop/baselines/lexical.ts"
import { importCatalog } from "../src/shop/catalog/import.ts"
import { readEpisodes, readManifest } from "../src/store/read.ts"
import { testData } from "../src/testing/data.ts"
import { TINY_CANARIES, tinyCatalog } from "../src/testing/tiny-catalog.ts"

const folder = mkdtempSync(join(tmpdir(), "souk-traces-v4-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const at = (name: string) => join(folder, name)

/** Runs a command line; gives exit code, what it printed, and that as JSON where it is JSON. */
async function souk(...args: string[]) {
  let out = ""
  let code = 0
  const program = new Command().exitOverride()
  const commands = runCommands({
    signal: new AbortController().signal,
    write: (text) => {
      out += text
    },
    warn: (text) => {
      out += text
    },
    exit: (value) => {
      code = value
    },
  })
  for (const register of [registerTraces, registerScoring, registerVerify]) register(program, commands)
  await program.parseAsync(["node", "souk", ...args])
  return { code, out, json: args.includes("--json") ? JSON.parse(out) : undefined }
}

async function episodes(runFolder: string): Promise<EpisodeRecord[]> {
  const found: EpisodeRecord[] = []
  for await (const record of readEpisodes(runFolder, { attempts: "all" })) found.push(record)
  return found
}

const jsonLines = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
const ALL = "reasoning,goal,persona"

describe("a run of ours", () => {
  let catalog: string
  const played: string[] = []
  beforeAll(async () => {
    using opened = await tinyCatalog(folder)
    catalog = opened.path
    const actions = [
      "search[台灯]",
      "click[nowhere]",
      "click[100000000000]",
      "click[尺寸=大号]",
      "click[颜色分类=白色]",
      "click[buy now]",
    ]
    for (const rules of ["souk", "v8"] as const) {
      const { folder: made } = await run({
        experiment: { name: rules, output_dir: folder },
        tasks: { split: "all", repeats: 2 },
        environment: { catalog, rules, persona: true },
        runtime: { max_steps: 12 },
        model: rules === "souk" ? { name: "lexical" } : { name: "scripted", replies: actions },
      })
      played.push(made)
    }
  })

  it("goes to v4 and comes back as it was, figures too", async () => {
    for (const [index, made] of played.entries()) {
      const [lines, card, back] = [at(`out-${index}.jsonl.gz`), at(`out-${index}.run.json`), at(`back-${index}`)]
      const exported = await souk("traces", "export", made, "--with", ALL, "--out", lines, "--manifest", card, "--json")
      expect(exported).toMatchObject({ code: 0, json: { lines: 6, left_out: [] } })
      const imported = await souk("traces", "import", lines, "--manifest", card, "--out", back, "--json")
      expect(imported).toMatchObject({ code: 0, json: { run_dir: back, lines: 6, duplicates: 0, problems: [] } })
      expect(await episodes(back)).toEqual(await episodes(made))
      expect(readManifest(back).plan).toEqual(readManifest(made).plan)
      expect(readFileSync(join(back, "summary.json"), "utf8")).toBe(readFileSync(join(made, "summary.json"), "utf8"))
      expect((await souk("verify", back, "--json")).json).toMatchObject({ verified: 6, different: 0 })
    }
  })

  it("whose model ran out of room goes to v4 and comes back, and is verified both times", async () => {
    const server = await serveMockModel({
      model: lexicalModel(),
      port: 0,
      faults: { context_overflow: 0.15, cut_off: 0.15 },
      seed: 5,
    })
    const { folder: made } = await run({
      experiment: { name: "no-room", output_dir: folder },
      tasks: { split: "all", repeats: 8 },
      environment: { catalog, rules: "v8" },
      runtime: { max_steps: 12 },
      model: { name: "mock", base_url: server.url, api_key_env: null },
    })
    await server.close()
    const before = await episodes(made)
    const reasons = new Set(before.map(({ end_reason }) => end_reason))
    expect([...reasons]).toEqual(expect.arrayContaining(["context_overflow", "generation_length"]))
    const [lines, card, back] = [at("no-room.jsonl"), at("no-room.run.json"), at("no-room-back")]
    await souk("traces", "export", made, "--with", ALL, "--out", lines, "--manifest", card)
    const ends = jsonLines(readFileSync(lines, "utf8")).map(({ final, steps }) => [
      final.termination_reason,
      steps.at(-1).policy_failure?.code,
    ])
    expect(ends).toContainEqual(["generation_length", "context_overflow"])
    expect(ends.flat()).toContain("generation_length")
    expect(ends.map(([reason]) => reason)).not.toContain("context_overflow")
    await souk("traces", "import", lines, "--manifest", card, "--out", back)
    expect(await episodes(back)).toEqual(before)
    expect(readFileSync(join(back, "summary.json"), "utf8")).toBe(readFileSync(join(made, "summary.json"), "utf8"))
    for (const kept of [made, back]) {
      expect((await souk("verify", kept, "--json")).json).toMatchObject({ verified: 24, different: 0 })
    }
    // The form's own words are enough to play it again.
    const plain = at("no-room-plain.jsonl")
    const foreign = jsonLines(readFileSync(lines, "utf8")).map(({ souk: _, ...line }) => `${JSON.stringify(line)}\n`)
    writeFileSync(plain, foreign.join(""))
    await souk("traces", "import", plain, "--out", at("no-room-plain"))
    const verified = await souk("verify", at("no-room-plain"), "--catalog", catalog, "--json")
    expect(verified.json).toMatchObject({ verified: 24, different: 0 })
  })

  it("keeps its secrets when it is exported, unless they are asked for", async () => {
    const out = at("shown.jsonl")
    await souk("traces", "export", played[1]!, "--out", out)
    const text = readFileSync(out, "utf8")
    for (const canary of Object.values(TINY_CANARIES)) expect(text).not.toContain(String(canary))
    for (const line of jsonLines(text)) {
      expect(line.reset.user_persona).toEqual({})
      expect(line.final).toMatchObject({ done: true, goal: {} })
    }
    const whole = at("whole.jsonl")
    await souk("traces", "export", played[1]!, "--out", whole, "--with", ALL)
    expect(readFileSync(whole, "utf8")).toContain(TINY_CANARIES.attribute)
    expect(await souk("traces", "export", played[1]!, "--out", out)).toMatchObject({ code: 3 })
    expect(await souk("traces", "export", played[1]!, "--with", "secrets")).toMatchObject({
      code: 2,
      out: expect.stringContaining('--with takes reasoning, goal, persona, not "secrets"'),
    })
    const back = at("shown")
    expect(await souk("traces", "import", out, "--out", back)).toMatchObject({ code: 0 })
    expect((await souk("verify", back, "--catalog", catalog, "--json")).json).toMatchObject({
      verified: 6,
      different: 0,
    })
  })

  it("is verified, and the first difference named", async () => {
    for (const made of played) {
      expect((await souk("verify", made, "--json")).json).toMatchObject({
        episodes: 6,
        verified: 6,
        different: 0,
        catalog,
      })
    }
    const [lines, wrong] = [at("wrong.jsonl"), at("wrong")]
    await souk("traces", "export", played[1]!, "--with", ALL, "--out", lines)
    const changed = jsonLines(readFileSync(lines, "utf8"))
    changed[3].steps[2].environment.observation_state.product.price = "1"
    writeFileSync(lines, changed.map((line) => `${JSON.stringify(line)}\n`).join(""))
    await souk("traces", "import", lines, "--out", wrong)
    const result = await souk("verify", wrong, "--catalog", catalog)
    expect(result.code).toBe(1)
    expect(result.out).toContain("5 of 6 episodes confirmed")
    expect(result.out).toContain(`${changed[3].episode_id}, step 3, observation.state.product.price`)
    expect(result.out).toMatch(/recorded: "1"\n\s+replayed: "/)
    expect((await souk("verify", played[1]!, "--sample", "2", "--json")).json).toMatchObject({
      episodes: 2,
      verified: 2,
    })
  })

  it("is not verified on another catalog, unless asked to", async () => {
    const other = at("other.catalog")
    const products = JSON.parse(readFileSync(at("tiny.json"), "utf8"))
    products[0].title += "新款"
    writeFileSync(at("other.json"), JSON.stringify(products))
    await importCatalog({ files: [at("other.json")], out: other, language: "zh" })
    expect(await souk("verify", played[1]!, "--catalog", other)).toMatchObject({
      code: 3,
      out: expect.stringContaining("is not the catalog the run was played on"),
    })
    const forced = await souk("verify", played[1]!, "--catalog", other, "--allow-other-catalog", "--json")
    expect(forced).toMatchObject({ code: 1, json: { verified: 0, different: 6 } })
    expect(forced.json.differences[0]).toMatchObject({ step: 1, path: expect.stringMatching(/^observation\./) })
  })

  it("is measured again to the last byte, without the catalog", async () => {
    for (const made of played) {
      expect(await souk("score", made, "--json")).toMatchObject({ code: 0, json: { stored: "equal" } })
      const stored = readFileSync(join(made, "summary.json"), "utf8")
      writeFileSync(join(made, "summary.json"), stored.replace('"requested": 6', '"requested": 7'))
      const score = await souk("score", made)
      expect(score).toMatchObject({ code: 1, out: expect.stringContaining("counts.requested: 7 → 6") })
      expect(await souk("summarize", made)).toMatchObject({ code: 0 })
      expect(readFileSync(join(made, "summary.json"), "utf8")).toBe(stored)
    }
  })

  it("says what it takes on the disk", async () => {
    for (const made of played) {
      const { json } = await souk("traces", "stats", made, "--v4", "--json")
      expect(json).toMatchObject({ lines: 6, episodes: 6, statuses: { completed: 6 } })
      expect(json.v4.bytes).toBeGreaterThan(2 * json.bytes.traces)
      const parts = Object.values(json.share as Record<string, number>)
      expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(1)
    }
    expect((await souk("traces", "stats", played[0]!)).out).toMatch(/6 lines, 6 episodes: completed 6\n/)
  })
})

describe.skipIf(testData() === undefined)("the recorded v4 run", () => {
  const shared = (name: string) => join(testData() ?? "", "shop-v8", name)
  const sample = shared("traces-v4-sample.jsonl.gz")

  it("imports with its figures, exports as it came, verifies on its catalog", async () => {
    const [out, lines, catalog] = [at("sample"), at("sample.jsonl"), at("catalog-1k")]
    const imported = await souk(
      "traces",
      "import",
      sample,
      "--manifest",
      shared("traces-v4-sample.run.json"),
      "--out",
      out,
      "--json",
    )
    expect(imported).toMatchObject({
      code: 0,
      json: { lines: 20, episodes: 20, figures: { equal: 32, differences: [], unknown: [] } },
    })
    await souk("traces", "export", out, "--with", ALL, "--out", lines)
    const given = jsonLines(gunzipSync(readFileSync(sample)).toString("utf8"))
    expect(jsonLines(readFileSync(lines, "utf8"))).toEqual(given)
    expect((await souk("traces", "stats", out, "--v4", "--json")).json.v4.largest_ratio).toBeLessThan(1 / 3)

    await importCatalog({ files: [shared("catalog-1k.json.gz")], out: catalog })
    expect(await souk("verify", out)).toMatchObject({ code: 2, out: expect.stringContaining("--catalog") })
    const verified = await souk("verify", out, "--catalog", catalog, "--json")
    expect(verified).toMatchObject({ code: 0, json: { verified: 20, different: 0, recorded_content_hash: null } })

    const { folder: lexical } = await run({
      experiment: { name: "lexical", output_dir: folder, concurrency: 2 },
      tasks: { split: "all", sample_size: 10 },
      environment: { catalog, rules: "v8" },
      model: { name: "lexical" },
    })
    expect((await souk("traces", "stats", lexical, "--v4", "--json")).json.v4.largest_ratio).toBeLessThan(1 / 3)
    expect((await souk("verify", lexical, "--json")).json).toMatchObject({ verified: 10, different: 0 })
  })
})
