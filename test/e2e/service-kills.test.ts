import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it, onTestFinished } from "vitest"
import type { HumanPlan } from "../../src/core/case-record.ts"
import type { Model } from "../../src/core/model.ts"
import type { Summary } from "../../src/core/score.ts"
import { serveMockModel } from "../../src/models/mock-server.ts"
import { type ScriptedReply, scriptedModel } from "../../src/models/scripted.ts"
import { compare } from "../../src/score/compare.ts"
import { changedPack } from "../../src/testing/changed-pack.ts"
import { serveDeskAgent } from "./desk-agent.ts"
import { soukCommand } from "./kill-rounds.ts"
import { killExperiments } from "./run-kills.ts"

const plan: HumanPlan = { kind: "correction", turn: 1, phase: "after-reply", text: "A colleague here: I look into it." }

function folderForTest(): string {
  const folder = mkdtempSync(join(tmpdir(), "souk-service-kills-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The English pack with a colleague's action in every case before the sale. */
function packWithColleagues(folder: string): string {
  const bundled = fileURLToPath(new URL("../../data/service-en", import.meta.url))
  const pack = changedPack(bundled, join(folder, "pack"), (script) =>
    script.category === "presales" ? { ...script, human_actions: [plan] } : script,
  )
  return pack.folder
}

it("a service run that is killed with 64 conversations in flight goes on to what an undisturbed run gives, verdicts and all", async () => {
  const folder = folderForTest()
  const desk = await serveDeskAgent({ delayMs: 15 })
  onTestFinished(() => desk.close())
  const target = { agent: "http", base_url: desk.url, id: "desk" }
  const report = await killExperiments({ command: soukCommand(), folder, kills: 2, seed: 7 }, [
    { name: "http", sections: { suite: "service", pack: "bundled:en", tasks: { repeats: 3 }, target } },
  ])
  expect(report.violations).toEqual([])
  const { starting, playing, ending } = report.kills
  expect(starting + playing + ending).toBe(2)
  expect(playing).toBeGreaterThan(0)
  expect(report.episodes).toBe(report.runs * 84)
  expect(desk.most()).toBeGreaterThanOrEqual(64)
}, 300_000)

it("both sides of a pair with simulated buyers and colleagues that are killed go on to the pair that nothing disturbed", async () => {
  const folder = folderForTest()
  const sections = {
    suite: "service",
    pack: packWithColleagues(folder),
    tasks: { repeats: 2 },
    role: { kind: "simulated" },
    human: { sample_size: 5, seed: "spring" },
  }
  let playing = 0
  for (const [seed, name] of ["untold", "told"].entries()) {
    const insights = { analyzer: "lexical", annotate: name === "told", pair: "p-1" }
    const report = await killExperiments({ command: soukCommand(), folder: inside(folder, name), kills: 2, seed }, [
      { name, sections: { ...sections, insights } },
    ])
    expect(report.violations).toEqual([])
    expect(report.episodes).toBe(report.runs * 56)
    playing += report.kills.playing
  }
  expect(playing).toBeGreaterThan(0)
  const sides = (of: (name: string) => string) =>
    compare(join(folder, "untold", of("untold"), "run"), join(folder, "told", of("told"), "run"))
  const [calm, killed] = [await sides((name) => `undisturbed-${name}`), await sides(() => "killed-0")]
  expect(killed.sales_pair).toEqual(calm.sales_pair)
  expect(killed.differences.map(({ path }) => path)).toEqual(["agent.context.injection"])
  for (const measure of ["success", "simulated_deal", "purchase_intent", "steps"]) {
    expect(killed.measures[measure], measure).toEqual(calm.measures[measure])
    expect(calm.measures[measure]?.interval, measure).toBeDefined()
  }
}, 300_000)

it("a run whose buyers are played by a model goes on after kills with whole cases and with what their models took", async () => {
  const folder = folderForTest()
  const server = await serveMockModel({ model: chattyBuyer(), latencyMs: 15 })
  onTestFinished(() => server.close())
  const model = { name: "mock", base_url: server.url, api_key_env: null, trust_env: false }
  const sections = {
    suite: "service",
    pack: packWithColleagues(folder),
    tasks: { repeats: 2 },
    role: { kind: "simulated", mode: "model", model },
  }
  const report = await killExperiments({ command: soukCommand(), folder, kills: 1, seed: 5 }, [
    { name: "buyers", sections },
  ])
  expect(report.violations).toEqual([])
  expect(report.kills.playing).toBeGreaterThan(0)
  expect(report.episodes).toBe(report.runs * 56)
  const summary = JSON.parse(readFileSync(join(folder, "killed-0", "run", "summary.json"), "utf8")) as Summary
  expect(summary.cost.parties?.buyer).toMatchObject({ model_calls: 56 * 3 })
  expect(summary.buyer).toMatchObject({ mode: "model", cases: 56, turns: 56 * 2 })
}, 300_000)

/** Says two things and leaves, with the same call ids in each conversation. */
function chattyBuyer(): Model {
  const replies: ScriptedReply[] = [
    { tool: "say", arguments: { text: "hello, is anybody there?" } },
    { tool: "say", arguments: { text: "can you help me?" } },
    { tool: "finish", arguments: { outcome: "abandoned", reason: "no time" } },
  ]
  return {
    ...scriptedModel([]),
    async generate(request, call) {
      const turn = request.messages.filter(({ role }) => role === "assistant").length
      const outcome = await scriptedModel([replies[turn]!]).generate(request, call)
      const tool_calls = outcome.reply.tool_calls.map((made) => ({ ...made, call_id: `call-${turn + 1}` }))
      return { type: "reply", reply: { ...outcome.reply, tool_calls } }
    },
  }
}

function inside(folder: string, name: string): string {
  const path = join(folder, name)
  mkdirSync(path)
  return path
}
