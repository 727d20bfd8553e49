import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { sha256Hex } from "../core/fingerprint.ts"
import type { JsonObject } from "../core/json.ts"
import type { EpisodeRecord } from "../core/trace.ts"
import { openRunFolder } from "../store/run-folder.ts"
import { judgeRun, judgesNamed } from "./judge-run.ts"
import { caseOf } from "./judges/facts/case.fixture.ts"

const root = mkdtempSync(join(tmpdir(), "souk-judge-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const RULES = JSON.stringify({
  schema: "souk.rules/1",
  pass_threshold: 1,
  rules: [{ id: "kind", type: "must_say", text: "Says please", patterns: ["please"], blocking: false }],
})

/** A run whose episodes have this evidence and status, of a pack with rules. */
async function run(
  name: string,
  episodes: readonly { readonly status?: EpisodeRecord["status"]; readonly evidence: JsonObject }[],
  { suite = "service", rules = RULES }: { readonly suite?: string; readonly rules?: string | null } = {},
): Promise<string> {
  const folder = join(root, name)
  const jobs = episodes.map((_, index) => ({
    key: `c${index}`,
    task_id: `c${index}`,
    sample_id: 0,
    seed: 1,
    split: "val",
  }))
  const manifest = {
    schema: "souk.run/1" as const,
    name,
    created_at: "2026-01-01",
    fingerprint: "f",
    fingerprint_version: "1",
    plan: {
      schema: "souk.plan/1" as const,
      suite,
      split: { name: "val", role: "val" as const, task_count: jobs.length, task_ids_sha256: "0" },
      sampling: { version: "1", seed: 1, sample_size: null, repeats: 1 },
      jobs,
      environment: { rules_sha256: rules === null ? null : sha256Hex(rules) },
      model: {},
      agent: {},
      limits: { max_steps: 30 },
      versions: {},
    },
    execution: {},
  }
  const store = await openRunFolder(folder, manifest, { blobs: rules === null ? [] : [rules] })
  for (const [index, { status = "completed", evidence }] of episodes.entries()) {
    await store.append({
      schema: "souk.episode/1",
      suite,
      episode_id: jobs[index]!.key,
      job: jobs[index]!,
      attempt: 1,
      status,
      end_reason: "goal_reached",
      started_at: "2026-01-01T00:00:00.000Z",
      ended_at: "2026-01-01T00:00:01.000Z",
      duration_ms: 1,
      provenance: {},
      usage: { model_calls: 0 },
      messages: [],
      events: [],
      evidence,
    })
  }
  await store.close()
  return folder
}

function played(agent: string): { evidence: JsonObject } {
  const record = caseOf({ language: "en", buyer: "How much is the red M?", agent })
  return { evidence: { case: record as unknown as JsonObject } } // records are JSON
}

function lines(folder: string, file: string): JsonObject[] {
  const text = readFileSync(join(folder, "scores", file), "utf8").trimEnd()
  return text.split("\n").map((line) => JSON.parse(line) as JsonObject)
}

const JUDGES = judgesNamed(["facts", "policy"])

describe("judging a run", () => {
  it("writes a line a verdict and a line a case, and judging again gives the same bytes in their place", async () => {
    const folder = await run("two", [played("The red M is $299, please."), played("The red M is $289, please.")])
    const { summary } = await judgeRun(folder, JUDGES)
    expect(summary).toMatchObject({
      judges: ["facts@1", "policy@1"],
      cases: 2,
      pass_rate: { passed: 1, of: 2 },
      codes: { wrong_price: 1 },
    })
    expect(lines(folder, "cases.jsonl")).toMatchObject([
      { episode_id: "c0", state: "passed" },
      { episode_id: "c1", state: "failed" },
    ])
    expect(lines(folder, "policy@1.jsonl")).toMatchObject([
      { check_id: "policy.kind", state: "pass" },
      { check_id: "policy.kind", state: "pass" },
    ])
    const files = readdirSync(join(folder, "scores"))
    const before = files.map((file) => readFileSync(join(folder, "scores", file), "utf8"))
    writeFileSync(join(folder, "scores", "cases.jsonl"), "of an earlier time\n")
    await judgeRun(folder, JUDGES)
    expect(readdirSync(join(folder, "scores"))).toEqual(files)
    expect(files.map((file) => readFileSync(join(folder, "scores", file), "utf8"))).toEqual(before)
  })

  it("takes rules and threshold from the run's own copy of the pack's rules", async () => {
    const strict = await run("strict", [played("The red M is $299.")])
    expect((await judgeRun(strict, JUDGES)).summary).toMatchObject({
      pass_threshold: 1,
      pass_rate: { passed: 0, of: 1 },
    })
    const without = await run("without", [played("The red M is $299.")], { rules: null })
    expect((await judgeRun(without, JUDGES)).summary).toMatchObject({
      pass_threshold: 0.8,
      pass_rate: { passed: 1, of: 1 },
    })
  })

  it("leaves out cases of which nothing was seen, and does not score episodes that broke", async () => {
    const broke = { ...played("The red M is $289."), status: "failed" as const }
    const unseen = { status: "failed" as const, evidence: { seen: { messages: [] } } }
    const folder = await run("broken", [broke, unseen, { status: "cancelled" as const, evidence: {} }])
    const { summary } = await judgeRun(folder, JUDGES)
    expect(summary).toMatchObject({ cases: 3, pass_rate: { of: 0 }, excluded: { no_observation: 1 }, not_scored: 2 })
  })

  it("refuses other suites, unknown judges and records it cannot read, and leaves no half file", async () => {
    const shopping = await run("shopping", [{ evidence: {} }], { suite: "shopping" })
    await expect(judgeRun(shopping, JUDGES)).rejects.toMatchObject({ code: "BAD_INPUT" })
    expect(() => judgesNamed(["oracle"])).toThrow(/no judge oracle/)
    const damaged = await run("damaged", [{ evidence: { case: { schema: "souk.case/1" } } }])
    await expect(judgeRun(damaged, JUDGES)).rejects.toMatchObject({ code: "STORE_CORRUPT" })
    expect(readdirSync(join(damaged, "scores"))).toEqual([])
    expect(existsSync(join(damaged, "scores", "cases.jsonl"))).toBe(false)
  })
})
