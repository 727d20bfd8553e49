import { mkdtempSync, readFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { type Experiment, run } from "../src/assemble.ts"
import { BuyerFidelity } from "../src/core/buyer.ts"
import { CaseRecord } from "../src/core/case-record.ts"
import type { Model } from "../src/core/model.ts"
import type { EpisodeRecord } from "../src/core/trace.ts"
import { type MockFault, serveMockModel } from "../src/models/mock-server.ts"
import { type ScriptedReply, scriptedModel } from "../src/models/scripted.ts"
import { episodeText } from "../src/report/formats/episode-text.ts"
import { parseExperiment } from "../src/run/experiment.ts"
import { readCaseJudgments } from "../src/score/judge-run.ts"
import { summarize } from "../src/score/score.ts"
import { importTau2Retail } from "../src/service/tau2/import.ts"
import { readEpisodes } from "../src/store/read.ts"
import { writeTinyRetail } from "../src/testing/tiny-retail-folder.ts"

function folderForTest(): string {
  const folder = mkdtempSync(join(tmpdir(), "souk-buyers-"))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Plays an experiment; gives its summary and its last episodes. */
async function played(spec: object, folder = folderForTest()) {
  const { experiment, ...rest } = spec as { experiment?: object }
  const all = {
    suite: "service",
    pack: "bundled:en",
    experiment: { name: "run", output_dir: folder, max_attempts: 1, ...experiment },
    ...rest,
  }
  const { summary } = await run(all as Experiment)
  const at = join(folder, "run")
  const episodes: EpisodeRecord[] = []
  for await (const episode of readEpisodes(at)) episodes.push(episode)
  return { summary, episodes, at }
}

/** A buyer's endpoint that answers by the number of calls before in the conversation. */
async function buyerEndpoint(
  reply: (turn: number) => ScriptedReply,
  options: { faults?: Partial<Record<MockFault, number>>; latencyMs?: number } = {},
) {
  const model: Model = {
    ...scriptedModel([]),
    generate: (request, call) =>
      scriptedModel([reply(request.messages.filter(({ role }) => role === "assistant").length)]).generate(
        request,
        call,
      ),
  }
  const server = await serveMockModel({ model, ...options })
  onTestFinished(() => server.close())
  const settings = { name: "mock", base_url: server.url, api_key_env: null, max_retries: 1, timeout: 2 }
  return { kind: "simulated", mode: "model", model: settings }
}

const say = (text: string): ScriptedReply => ({ tool: "say", arguments: { text } })
const finish: ScriptedReply = { tool: "finish", arguments: { outcome: "achieved", reason: "done" } }
const one = { experiment: { seed: 3 }, tasks: { sample_size: 1 } }
const recordOf = ({ evidence }: EpisodeRecord) => CaseRecord.parse(evidence.case)
const evidenceOf = ({ evidence }: EpisodeRecord) => JSON.stringify([evidence.case, evidence.buyer])
const buyerOf = ({ evidence }: EpisodeRecord) => BuyerFidelity.parse(evidence.buyer)

it.each(["en", "zh"])(
  "a whole run with the template buyer is the same every time, and its buyer without fault: %s",
  async (language) => {
    const human = { sample_size: 0 } // drawn among the cases that are played
    const spec = { pack: `bundled:${language}`, role: { kind: "simulated" }, human }
    const first = await played({ ...spec, experiment: { concurrency: 4 } })
    const second = await played({ ...spec, tasks: { sample_size: 8 } })
    const again = new Map(first.episodes.map((episode) => [episode.job.task_id, evidenceOf(episode)]))
    expect(second.episodes).toHaveLength(8)
    for (const episode of second.episodes) expect(evidenceOf(episode)).toBe(again.get(episode.job.task_id))
    expect(first.summary.counts).toMatchObject({ completed: 28, invalid: 0, failed: 0 })
    expect(first.summary.buyer).toMatchObject({
      mode: "template",
      cases: 28,
      faulty_turns: { count: 0, rate: 0 },
      invalid_cases: { count: 0, of: 28 },
      faults: { early_end: { count: 0 } },
    })
    expect(first.summary.buyer!.turns).toBeGreaterThan(60)
    expect(first.summary.warnings?.some(({ code }) => code === "buyer_faults")).toBe(false)
    expect(await summarize(first.at)).toEqual(first.summary)
  },
)

it("a run's buyer that leaks until its rewrites run out leaves an empty record with the reason; the run completes, and warns", async () => {
  const role = await buyerEndpoint(() => say("is it order ZZ998877?"))
  const { summary, episodes, at } = await played({ ...one, role })
  expect(summary.counts).toMatchObject({ requested: 1, recorded: 1, invalid: 1, failed: 0 })
  expect(recordOf(episodes[0]!)).toMatchObject({ messages: [], end_reason: "error" })
  expect(recordOf(episodes[0]!).buyer_invalid_reason).toContain("ZZ998877")
  expect(summary.judgment?.excluded.invalid_buyer).toBe(1)
  expect(summary.buyer).toMatchObject({
    turns: 0,
    invalid_cases: { count: 1, of: 1 },
    refused_drafts: { count: 3, of: 3 },
  })
  expect(summary.warnings?.map(({ code }) => code)).toContain("buyer_faults")
  expect([...(await readCaseJudgments(at))!.values()]).toMatchObject([
    { state: "excluded", exclusion: "invalid_buyer" },
  ])
  const shown = episodeText(episodes[0]!)
  expect(shown).toContain("── The simulated buyer (model; none of it is the agent's)\n  0 faults in 0 turns")
  expect(shown.match(/^ {2}– turn 1: a draft was refused: “is it order ZZ998877\?”$/gm)).toHaveLength(3)
})

it("a run's buyer that does nothing twice at once leaves a case without observations, which nobody made up and no agent failed", async () => {
  const role = await buyerEndpoint(() => ({ text: "Let me think about it." }))
  const { summary, episodes, at } = await played({ ...one, role })
  expect(summary.counts).toMatchObject({ failed: 1, invalid: 0 })
  expect(summary.errors).toEqual({ PRACTICE_NO_OBSERVATIONS: 1 })
  expect(episodes[0]!.evidence.case).toBeUndefined()
  expect(buyerOf(episodes[0]!)).toMatchObject({ turns: 0, reminders: 1 })
  expect(summary.judgment?.excluded.no_observation).toBe(1)
  expect([...(await readCaseJudgments(at))!.values()]).toMatchObject([
    { state: "excluded", exclusion: "no_observation" },
  ])
})

it.each<[string, MockFault | "late", string, string]>([
  ["malformed", "bad_arguments", "failed", "PRACTICE_NO_OBSERVATIONS"],
  ["empty", "empty_choices", "failed", "PRACTICE_NO_OBSERVATIONS"],
  ["cut off", "cut_off", "failed", "PRACTICE_NO_OBSERVATIONS"],
  ["refused by the host", "unauthorized", "failed", "MODEL_REJECTED"],
  ["broken host", "server_error", "failed", "MODEL_UNAVAILABLE"],
  ["late", "late", "failed", "BUYER_STEP_TIMEOUT"],
])(
  "replies on the buyer's side that are %s end the case without a score, never as the agent's failure",
  async (_, fault, status, code) => {
    const faults = fault === "late" ? {} : { faults: { [fault]: 1 } as Partial<Record<MockFault, number>> }
    const role = await buyerEndpoint(() => say("hello"), { ...faults, ...(fault === "late" && { latencyMs: 1500 }) })
    const { summary, episodes } = await played({ ...one, role, limits: { buyer_step_timeout: 1 } })
    expect(episodes[0]).toMatchObject({ status, error: { code } })
    expect(summary.counts.scored).toBe(0)
    expect(summary.judgment?.pass_rate).toMatchObject({ passed: 0, of: 0 })
  },
  20_000,
)

it("a buyer that breaks, or refuses to play, after its first words makes the case invalid, not the agent fail", async () => {
  for (const bad of [{ text: "" }, { text: "I'm sorry, I can't continue with this role-play." }] as const) {
    const role = await buyerEndpoint((turn) => (turn === 0 ? say("hello") : bad))
    const { summary, episodes } = await played({ ...one, role })
    expect(episodes[0]).toMatchObject({ status: "invalid" })
    expect(recordOf(episodes[0]!).messages.length).toBeGreaterThan(0)
    expect(summary.judgment?.excluded.invalid_buyer).toBe(1)
  }
})

it("scripts of another benchmark, which plan no lines, are played by a buyer with a model; a template has nothing to say in them", async () => {
  const folder = folderForTest()
  writeTinyRetail(join(folder, "original"))
  importTau2Retail(join(folder, "original"), join(folder, "pack"))
  const pack = { pack: join(folder, "pack"), ...one }
  await expect(played({ ...pack, role: { kind: "simulated" } })).rejects.toThrow("role.mode model")
  const role = await buyerEndpoint((turn) => (turn === 0 ? say("hello, can you help me?") : finish))
  const { summary, episodes } = await played({ ...pack, role })
  expect(summary.counts).toMatchObject({ completed: 1 })
  expect(recordOf(episodes[0]!).messages[0]).toMatchObject({ sender: "buyer", text: "hello, can you help me?" })
  expect(recordOf(episodes[0]!).usage.buyer?.model_calls).toBe(2)
})

it("tokens and money of the buyer's model stand beside the agent's, of attempts that count for nothing too", async () => {
  const role = await buyerEndpoint((turn) => (turn === 0 ? say("hello, can you help me?") : finish))
  const price = { input_per_million: 1000, output_per_million: 2000, currency: "EUR" }
  const { summary, episodes, at } = await played({ ...one, role: { ...role, model: { ...role.model, price } } })
  const used = recordOf(episodes[0]!).usage.buyer!
  expect(used).toMatchObject({ model_calls: 2, prompt_tokens: expect.any(Number) })
  const { parties, tokens } = summary.cost
  expect(tokens).toEqual({}) // the agent has no model
  expect(parties?.buyer).toMatchObject({
    attempts: 1,
    model_calls: 2,
    tokens: { prompt_tokens: used.prompt_tokens, completion_tokens: used.completion_tokens },
  })
  const amount = (used.prompt_tokens! * 1000 + used.completion_tokens! * 2000) / 1e6
  expect(Number(parties?.buyer?.money?.[0]?.amount)).toBeCloseTo(amount, 9)
  expect(await summarize(at)).toEqual(summary)
  const leaking = await buyerEndpoint(() => say("is it order ZZ998877?"))
  const { summary: spoilt } = await played({ ...one, role: leaking })
  expect(spoilt.counts).toMatchObject({ invalid: 1, scored: 0 })
  expect(spoilt.cost.parties?.buyer).toMatchObject({ attempts: 1, model_calls: 3 })
})

it("settings of the buyer that do not go together are refused by their key", () => {
  const file = (role: object) =>
    parseExperiment(JSON.stringify({ suite: "service", pack: "bundled:en", role }), "/x/a.yaml")
  const model = { name: "m", base_url: "http://127.0.0.1:1/v1" }
  expect(() => file({ kind: "simulated", mode: "model" })).toThrow(/role\.model/)
  expect(() => file({ kind: "simulated", check: "model" })).toThrow(/role\.model/)
  expect(() => file({ kind: "simulated", model })).toThrow(/role\.model/)
  expect(() => file({ mode: "model", model })).toThrow(/role\.mode/)
  const spec = file({ kind: "simulated", mode: "model", model: { ...model, cassette: { path: "tape.jsonl" } } })
  expect(spec).toMatchObject({
    role: { model: { cassette: { path: "/x/tape.jsonl" } }, max_rewrites: 2, fault_limit: 0.05 },
  })
  expect(readFileSync(new URL("../schema/experiment.schema.json", import.meta.url), "utf8")).toContain("fault_limit")
})
