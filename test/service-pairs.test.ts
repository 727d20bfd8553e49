import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, it } from "vitest"
import { run } from "../src/assemble.ts"
import type { CaseRecord, HumanPlan } from "../src/core/case-record.ts"
import type { ServiceSpec } from "../src/core/service-spec.ts"
import { comparisonDocument } from "../src/report/comparison.ts"
import { documentText } from "../src/report/formats/text.ts"
import { compare } from "../src/score/compare.ts"
import { readEpisodes, readManifest } from "../src/store/read.ts"
import { changedPack } from "../src/testing/changed-pack.ts"

const folder = mkdtempSync(join(tmpdir(), "souk-service-pairs-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const plan: HumanPlan = { kind: "correction", turn: 1, phase: "after-reply", text: "A colleague here: it is in stock." }
const pack = changedPack(
  fileURLToPath(new URL("../data/service-en", import.meta.url)),
  join(folder, "pack"),
  (script) => (script.phase === "presales" ? { ...script, human_actions: [plan] } : script),
)

async function play(
  name: string,
  insights: Partial<ServiceSpec["insights"]>,
  {
    seed = 7,
    role = {},
    limit,
  }: { readonly seed?: number; readonly role?: Partial<ServiceSpec["role"]>; readonly limit?: number } = {},
) {
  const { folder: at } = await run(
    {
      suite: "service",
      experiment: { name, output_dir: folder, concurrency: 2, seed },
      pack: pack.folder,
      role,
      insights: { analyzer: "lexical", ...insights },
    },
    limit === undefined ? {} : { limit },
  )
  return at
}

async function casesOf(at: string): Promise<CaseRecord[]> {
  const cases: CaseRecord[] = []
  for await (const { evidence } of readEpisodes(at)) cases.push(evidence.case as unknown as CaseRecord)
  return cases.sort((a, b) => (a.case_id < b.case_id ? -1 : 1))
}

describe("a pair of runs", () => {
  it("an agent that makes nothing of its notes is told apart from itself by nothing, and the report says so", {
    timeout: 60_000,
  }, async () => {
    const [untold, told] = [
      await play("untold", { annotate: false, pair: "p-1" }),
      await play("told", { annotate: true, pair: "p-1" }),
    ]
    const [first, second] = [readManifest(untold), readManifest(told)]
    expect([first.execution.pair, second.execution.pair]).toEqual([
      { id: "p-1", annotation: false },
      { id: "p-1", annotation: true },
    ])
    expect(second.fingerprint).not.toBe(first.fingerprint)
    expect(second.plan.environment.human).toEqual(first.plan.environment.human)
    const notes = (cases: CaseRecord[]) =>
      cases.flatMap(({ messages }) => messages.filter((m) => m.sender === "system"))
    const [plain, noted] = [await casesOf(untold), await casesOf(told)]
    expect(notes(plain)).toEqual([])
    expect(notes(noted).length).toBeGreaterThan(20)
    const scores = (cases: CaseRecord[]) =>
      cases.map(({ sales }) => sales?.purchase_intent?.map((point) => "score" in point && point.score))
    expect(scores(noted)).toEqual(scores(plain))

    const comparison = await compare(untold, told)
    expect(comparison.sales_pair).toEqual({
      pair_id: "p-1",
      first: { annotation: false },
      second: { annotation: true },
    })
    expect(comparison.differences.map(({ path }) => path)).toEqual(["agent.context.injection"])
    expect(comparison.warnings.map(({ code }) => code)).not.toContain("not_a_pair")
    expect(comparison.measures.purchase_intent).toMatchObject({ mean: 0, interval: { low: 0, high: 0 }, p: 1 })
    const report = documentText(comparisonDocument(comparison))
    expect(report).toContain("untold with the annotation off, told with the annotation on.")
    expect(report).toContain("Of selling, nothing can be told apart.")
  })

  it("sides that differ in more than the annotation, or not in it, are warned of", { timeout: 60_000 }, async () => {
    const [one, other, twin] = [
      await play("one", { annotate: false, pair: "p-2" }),
      await play("other", { annotate: true, pair: "p-2" }, { seed: 8 }),
      await play("twin", { annotate: false, pair: "p-2" }),
    ]
    const warning = async (first: string, second: string) =>
      (await compare(first, second, { allowDifferent: true })).warnings.find(({ code }) => code === "not_a_pair")
    expect(await warning(one, other)).toMatchObject({
      message: expect.stringMatching(/differ in more than the annotation: .*sampling\.seed/),
    })
    expect(await warning(one, twin)).toMatchObject({ message: "both sides of the pair have the annotation off" })
  })

  it("a pair of runs with a simulated buyer and colleagues is the same bytes when it is played again", {
    timeout: 60_000,
  }, async () => {
    const role = { kind: "simulated" } as const
    const pair = async (prefix: string) => [
      await play(`${prefix}-untold`, { annotate: false, pair: "p-3" }, { role }),
      await play(`${prefix}-told`, { annotate: true, pair: "p-3" }, { role }),
    ]
    const [once, again] = [await pair("once"), await pair("again")]
    for (const [side, at] of once.entries()) {
      const cases = await casesOf(at)
      expect(JSON.stringify(await casesOf(again[side]!))).toBe(JSON.stringify(cases))
      expect(readManifest(again[side]!).fingerprint).toBe(readManifest(at).fingerprint)
      expect(cases.filter(({ human_actions }) => human_actions.length > 0)).toHaveLength(3)
      const presales = cases.filter(({ sales }) => sales?.phase === "presales")
      expect(presales.length).toBeGreaterThan(4)
      for (const { sales } of presales) expect(sales?.simulated_deal).toEqual(expect.any(Boolean))
    }
    const { measures } = await compare(once[0]!, once[1]!)
    expect(measures.simulated_deal).toMatchObject({ n: expect.any(Number), interval: expect.any(Object) })
  })

  it("a side that is stopped and gone on with is the side played at once, colleagues and notes the same", {
    timeout: 60_000,
  }, async () => {
    const whole = await play("whole", { pair: "p-4" })
    const parts = await play("parts", { pair: "p-4" }, { limit: 9 })
    expect(await casesOf(parts)).toHaveLength(9)
    await play("parts", { pair: "p-4" })
    expect(readManifest(parts).fingerprint).toBe(readManifest(whole).fingerprint)
    expect(JSON.stringify(await casesOf(parts))).toBe(JSON.stringify(await casesOf(whole)))
  })

  it("a pair without an analyzer is refused", async () => {
    await expect(play("bare", { analyzer: "none", pair: "p" })).rejects.toThrow(/insights\.pair/)
  })
})
