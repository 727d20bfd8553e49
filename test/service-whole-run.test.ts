import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { run } from "../src/assemble.ts"
import type { HumanPlan } from "../src/core/case-record.ts"
import type { Json } from "../src/core/json.ts"
import { comparisonDocument } from "../src/report/comparison.ts"
import { documentText } from "../src/report/formats/text.ts"
import { serviceDocument } from "../src/report/service.ts"
import { compare } from "../src/score/compare.ts"
import { readFailedCases } from "../src/score/failed-cases.ts"
import { summarize } from "../src/score/score.ts"
import { readManifest } from "../src/store/read.ts"
import { changedPack } from "../src/testing/changed-pack.ts"
import { episodesOf, timeless } from "./e2e/run-kills.ts"

/*
 * Everything at once: a simulated buyer without a model, the lexical agent, colleagues who act, and both sides of a pair, judged and
 * reported. Played twice, all that is written and shown is the same but for times.
 */

const root = mkdtempSync(join(tmpdir(), "souk-whole-run-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const plans: Record<string, HumanPlan> = {
  presales: { kind: "correction", turn: 1, phase: "after-reply", text: "A colleague here: I am looking into it too." },
  order: { kind: "stop", turn: 1, phase: "before-buyer", text: "Do not change anything without a yes." },
}

const SIDES = ["untold", "told"] as const
type Side = (typeof SIDES)[number]

async function playPair(language: string, output: string): Promise<Record<Side, string>> {
  const bundled = fileURLToPath(new URL(`../data/service-${language}`, import.meta.url))
  const pack = changedPack(bundled, join(output, "pack"), (script) => {
    const plan = plans[String(script.category)]
    return plan === undefined ? script : { ...script, human_actions: [plan] }
  })
  const play = async (name: Side) => {
    const { folder } = await run({
      suite: "service",
      experiment: { name, output_dir: output, concurrency: 3 },
      pack: pack.folder,
      role: { kind: "simulated" },
      human: { sample_size: 5, seed: "spring" },
      insights: { analyzer: "lexical", annotate: name === "told", pair: "p-1" },
    })
    return folder
  }
  return { untold: await play("untold"), told: await play("told") }
}

/** A page's lines, but those that hold how long something took, which sets the width of columns too. */
function withoutTimes(text: string): string {
  return text
    .split("\n")
    .filter((line) => !/\d (?:ms|s|min)\b|created|创建/.test(line))
    .join("\n")
    .replace(/ +/g, " ")
}

/** What a run has written and what is shown of it, by name. */
async function tracesOf(at: string): Promise<Record<string, string>> {
  const episodes = (await episodesOf(at)).sort((a, b) => (a.id < b.id ? -1 : 1))
  const scores = readdirSync(join(at, "scores")).sort()
  const lines = (name: string) =>
    readFileSync(join(at, "scores", name), "utf8")
      .split("\n")
      .sort()
      .join("\n")
  const manifest = readManifest(at)
  const summary = await summarize(at)
  const failed = await readFailedCases(at, 100)
  const pages = (["en", "zh"] as const).map((language) =>
    withoutTimes(documentText(serviceDocument(manifest, summary, failed, language))),
  )
  return {
    fingerprint: manifest.fingerprint,
    plan: JSON.stringify(manifest.plan),
    episodes: episodes.map(({ text }) => text).join("\n"),
    summary: timeless(JSON.parse(readFileSync(join(at, "summary.json"), "utf8")) as Json),
    ...Object.fromEntries(scores.map((name) => [name, lines(name)])),
    en: pages[0]!,
    zh: pages[1]!,
  }
}

describe.each(["en", "zh"])("a whole run with everything in it, %s", (language) => {
  let once: Record<Side, string>
  let again: Record<Side, string>
  beforeAll(async () => {
    once = await playPair(language, join(root, language, "once"))
    again = await playPair(language, join(root, language, "again"))
  }, 120_000)

  it("is the same bytes when it is played again: episodes, verdicts, figures and reports", async () => {
    for (const side of SIDES) {
      const [first, second] = [await tracesOf(once[side]), await tracesOf(again[side])]
      expect(Object.keys(first)).toEqual(
        expect.arrayContaining(["cases.jsonl", "facts@1.jsonl", "policy@1.jsonl", "judgment.json"]),
      )
      for (const [name, text] of Object.entries(first)) {
        expect(second[name] === text, `${side}: ${name} differs`).toBe(true)
        expect(text.length, name).toBeGreaterThan(50)
      }
    }
  })

  it("has colleagues, a simulated buyer, moods and intent in it, and they stand in the summary", async () => {
    const summary = await summarize(once.told)
    expect(summary.counts).toMatchObject({ completed: 28, failed: 0, invalid: 0 })
    expect(summary.colleagues).toMatchObject({ planned: 5, acted: 5 })
    expect(summary.buyer).toMatchObject({ mode: "template", cases: 28, invalid_cases: { count: 0 } })
    expect(summary.sales).toMatchObject({ cases: 7, deals: { of: 7 }, intent: { unavailable: {} } })
    expect(summary.sales?.intent?.observed).toBeGreaterThanOrEqual(14)
    expect(summary.cost.parties).toBeUndefined() // nobody has a model
  })

  it("is compared as a pair: differences with intervals, and that nothing can be told apart", async () => {
    const [first, second] = [await compare(once.untold, once.told), await compare(again.untold, again.told)]
    expect(timeless(second as unknown as Json)).toBe(timeless(first as unknown as Json))
    expect(first.warnings.map(({ code }) => code)).not.toContain("not_a_pair")
    const page = documentText(comparisonDocument(first))
    expect(page).toContain("The two sides of pair p-1: untold with the annotation off, told with the annotation on.")
    expect(page).toContain("Of selling, nothing can be told apart.")
    expect(page).toMatch(/^simulated deal +7 +0\.\d+ +0\.\d+ +0 +0 to 0 +1\.000 +no$/m)
  })
})
