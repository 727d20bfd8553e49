import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { run } from "../src/assemble.ts"
import type { Summary } from "../src/core/score.ts"
import type { EpisodeRecord } from "../src/core/trace.ts"
import { serveMockModel } from "../src/models/mock-server.ts"
import { scriptedModel } from "../src/models/scripted.ts"
import { parseExperiment } from "../src/run/experiment.ts"
import { verifyEpisodes } from "../src/run/verify.ts"
import { type Comparison, compare } from "../src/score/compare.ts"
import { replayEnvironment } from "../src/shop/replay.ts"
import { openStore } from "../src/shop/store.ts"
import { readEpisodes } from "../src/store/read.ts"

/** Asking against not asking on the bundled stores, and whole runs with a shopper. */

const page = readFileSync(fileURLToPath(new URL("../docs/multi-turn.md", import.meta.url)), "utf8")
const folder = mkdtempSync(join(tmpdir(), "souk-multi-turn-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Wish {
  readonly model: string
  readonly language?: "en" | "zh"
  readonly name?: string
  readonly size?: number
  readonly shopper?: { kind: "model"; model: { name: string; base_url: string; api_key_env: null } }
}

const play = ({ model, language = "en", name = `${language}-${model}`, size, shopper }: Wish) =>
  run({
    experiment: { name, output_dir: folder },
    tasks: { split: "persona-train", ...(size !== undefined && { sample_size: size }) },
    environment: { catalog: `bundled:${language}`, interaction_mode: "multi_turn" },
    ...(shopper && { shopper }),
    runtime: { max_steps: 40 },
    model: { name: model },
  })

async function episodes(name: string): Promise<EpisodeRecord[]> {
  const all: EpisodeRecord[] = []
  for await (const episode of readEpisodes(join(folder, name))) all.push(episode)
  return all
}

describe.each([
  ["en", undefined], // all of them: the figures that the page states
  ["zh", 60],
] as const)("asking, on the bundled store in %s", (language, size) => {
  let comparison: Comparison
  let summary: Summary
  beforeAll(async () => {
    const sized = { language, ...(size !== undefined && { size }) }
    const silent = await play({ model: "lexical-silent", ...sized })
    const asking = await play({ model: "lexical", ...sized })
    comparison = await compare(silent.folder, asking.folder)
    summary = asking.summary
  }, 240_000)

  it("beats not asking where the short requirement lacks what the full one has", () => {
    const { success, reward } = comparison.measures
    expect(comparison.jobs.paired).toBe(size ?? 62)
    expect(success!.interval!.low).toBeGreaterThan(0)
    expect(reward!.interval!.low).toBeGreaterThan(0)
    expect(comparison.flips.gained.length).toBeGreaterThan(comparison.flips.lost.length)
  })

  it.skipIf(size !== undefined)("as the page says", () => {
    const { first, second, mean, interval } = comparison.measures.success!
    const percent = (share: number) => `${(100 * share).toFixed(1)} %`
    const points = (share: number) => `+${(100 * share).toFixed(1)}`
    const row = `| \`bundled:${language}\` | ${comparison.jobs.paired} | ${percent(first)} | ${percent(second)} | ${points(mean)} (${points(interval!.low)} to ${points(interval!.high)}) |`
    expect(page).toContain(row)
  })

  it("counts the shopper's faults, of which the template has none", () => {
    const { shopper } = summary
    expect(shopper).toMatchObject({
      withheld: 0,
      leaks: { count: 0 },
      empty: { count: 0 },
      contradictions: { count: 0 },
    })
    expect(shopper!.drafts).toBe(shopper!.answers + shopper!.declines)
    expect(shopper!.answers).toBeGreaterThan(comparison.jobs.paired)
    expect(shopper!.leaks.interval.high).toBeLessThan(0.05)
  })

  it("is on record, and can be played again to the last letter", async () => {
    const recorded = (await episodes(`${language}-lexical`)).slice(0, 20)
    const said = recorded.flatMap(({ events }) => events.filter((event) => event.type === "shopper"))
    expect(said.every(({ answer, question }) => answer !== "" && question !== "")).toBe(true)
    for (const { events } of recorded)
      expect(events.filter(({ type }) => type === "action").length).toBeLessThanOrEqual(40)
    using store = await openStore(language)
    const verified = await verifyEpisodes(iterate(recorded), (record) => replayEnvironment(store, record))
    expect(verified).toMatchObject({ episodes: 20, verified: 20, different: 0 })
  })
})

async function* iterate<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items
}

describe("a shopper played by a model", () => {
  const shopperAt = (base_url: string) =>
    ({ kind: "model", model: { name: "mock", base_url, api_key_env: null } }) as const

  it("is asked with the full requirement, sent back for its faults, and recorded", async () => {
    const asked: string[] = []
    const model = scriptedModel(({ messages }) => {
      asked.push(messages.map(({ content }) => content).join("\n"))
      const again = asked.length % 2 === 0 // every first draft is empty
      return { text: again ? "I would rather have something that suits me." : "…" }
    })
    const server = await serveMockModel({ model })
    try {
      const { summary } = await play({ model: "lexical", name: "model", size: 3, shopper: shopperAt(server.url) })
      expect(summary.counts.completed).toBe(3)
      expect(summary.shopper!.empty.count).toBe(summary.shopper!.drafts / 2)
      expect(summary.shopper!.empty.rate).toBe(0.5)
      const [first] = await episodes("model")
      const goal = first!.evidence.goal as { instruction_text: string; name: string }
      expect(asked.some((text) => text.includes(goal.instruction_text))).toBe(true)
      expect(asked.some((text) => text.includes(goal.name))).toBe(false)
      using store = await openStore("en")
      const all = await episodes("model")
      const verified = await verifyEpisodes(iterate(all), (record) => replayEnvironment(store, record))
      expect(verified).toMatchObject({ verified: 3, different: 0 })
    } finally {
      await server.close()
    }
  }, 60_000)

  it("that fails for good leaves episodes unscored: nothing of it is the agent's failure", async () => {
    const server = await serveMockModel({ model: scriptedModel(() => ({ text: "Any." })), faults: { unauthorized: 1 } })
    try {
      const { summary } = await play({ model: "lexical", name: "refusing", size: 2, shopper: shopperAt(server.url) })
      expect(summary.counts).toMatchObject({ scored: 0, failed: 2 })
    } finally {
      await server.close()
    }
  }, 60_000)
})

describe("an experiment with a shopper", () => {
  const text = (environment: string, shopper: string) =>
    `tasks: {split: val}\nenvironment: ${environment}\nshopper: ${shopper}\nmodel: {name: lexical}\n`

  it.each([
    ["{catalog: bundled:en}", "{kind: template}", /multi_turn only/],
    [
      "{base_url: http://127.0.0.1:1, interaction_mode: multi_turn}",
      "{kind: template}",
      /a shop server has no shopper/,
    ],
    ["{catalog: bundled:en, interaction_mode: multi_turn, rules: v8}", "{}", /by the rules v8 there is no shopper/],
    ["{catalog: bundled:en, interaction_mode: multi_turn}", "{kind: model}", /needs shopper.model/],
    ["{catalog: bundled:en, interaction_mode: multi_turn}", "{model: {name: x}}", /only for shopper.kind model/],
    ["{catalog: bundled:en, interaction_mode: multi_turn}", "{kind: person}", /shopper.kind/],
  ])("refuses %s with %s", (environment, shopper, message) => {
    expect(() => parseExperiment(text(environment, shopper), "x.yaml")).toThrow(message)
  })
})
