import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import type { JsonObject } from "../core/json.ts"
import type { Summary } from "../core/score.ts"
import { openRunFolder, writeSummary } from "../store/run-folder.ts"
import { importV4 } from "../store/v4/import.ts"
import { testData } from "../testing/data.ts"
import { rescore } from "./rescore.ts"
import { summarize } from "./score.ts"
import { checkV4Summary } from "./v4-summary.ts"

const root = mkdtempSync(join(tmpdir(), "souk-rescore-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const jobs = ["1", "2", "3"].map((task_id) => ({
  key: `task-${task_id}`,
  task_id,
  sample_id: 0,
  seed: 1,
  split: "val",
}))

/** A run of three jobs, two of them played. */
async function playedRun(name: string): Promise<string> {
  const folder = join(root, name)
  const plan = {
    schema: "souk.plan/1" as const,
    suite: "shopping",
    split: { name: "val", role: "val" as const, task_count: 3, task_ids_sha256: "0" },
    sampling: { version: "1", seed: 1, sample_size: null, repeats: 1 },
    jobs,
    environment: {},
    model: {},
    agent: {},
    limits: { max_steps: 30 },
    versions: {},
  }
  const manifest = {
    schema: "souk.run/1" as const,
    name,
    created_at: "2026-01-01",
    fingerprint: "f",
    fingerprint_version: "1",
    plan,
    execution: {},
  }
  const store = await openRunFolder(folder, manifest)
  for (const [index, job] of jobs.slice(0, 2).entries()) {
    await store.append({
      schema: "souk.episode/1",
      suite: "shopping",
      episode_id: job.key,
      job,
      attempt: 1,
      status: "completed",
      end_reason: "purchase",
      started_at: "2026-01-01T00:00:00.000Z",
      ended_at: "2026-01-01T00:00:01.000Z",
      duration_ms: 0.1 + index,
      provenance: {},
      usage: { model_calls: 0 },
      reward: { value: 0.1 * (index + 1), detail: { r_type: 0.1, r_success: index } },
      messages: [],
      events: [{ type: "feedback", step: 1, feedback: { action: "a", valid: index === 0, reason: "r", message: "" } }],
      evidence: {},
    })
  }
  await store.close()
  return folder
}

describe("rescore", () => {
  it("gives the summary on record again, byte for byte, and the measures behind it", async () => {
    const folder = await playedRun("equal")
    expect((await rescore(folder)).stored).toBe("missing")
    expect(existsSync(join(folder, "summary.json"))).toBe(false)
    writeSummary(folder, await summarize(folder))
    const again = await rescore(folder)
    expect(again).toMatchObject({
      stored: "equal",
      differences: [],
      scores: join(folder, "scores", "shopping@2.jsonl"),
    })
    const lines = readFileSync(again.scores, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    expect(lines).toMatchObject([
      { episode_id: "task-1", attempt: 1, status: "completed", reward: 0.1, success: false, invalid_actions: 0 },
      { episode_id: "task-2", attempt: 1, reward: 0.2, success: true, components: { r_type: 0.1 }, invalid_actions: 1 },
    ])
  })

  it("goes by what the summary on record was told", async () => {
    const folder = await playedRun("settings")
    writeSummary(folder, await summarize(folder, { requested: 10, difference: 0.01 }))
    expect(await rescore(folder)).toMatchObject({
      stored: "equal",
      summary: { counts: { requested: 10, coverage: 0.2 } },
    })
    await expect(summarize(folder, { requested: 1 })).rejects.toMatchObject({ code: "BAD_INPUT" })
  })

  it("says where the record differs, to the last bit", async () => {
    const folder = await playedRun("different")
    const path = join(folder, "summary.json")
    writeSummary(folder, await summarize(folder))
    const right = readFileSync(path, "utf8")
    const mean = (JSON.parse(right) as Summary).primary.reward_mean!
    writeFileSync(path, right.replace(`"reward_mean": ${mean}`, `"reward_mean": ${mean + Number.EPSILON}`))
    expect((await rescore(folder)).differences).toEqual([`primary.reward_mean: ${mean + Number.EPSILON} → ${mean}`])
    writeFileSync(path, right.trimEnd())
    expect(await rescore(folder)).toMatchObject({ stored: "different", differences: ["only in spelling or order"] })
  })
})

describe("checkV4Summary", () => {
  it("tells equal, other and unknown figures apart", async () => {
    const summary = await summarize(await playedRun("figures"))
    const given = {
      schema_version: "shopsimrl-eval-summary-v2",
      counts: { requested: 3, trace_files: 2, completed: 1 },
      primary: { reward_mean: summary.primary.reward_mean!, reward_sem: null },
      behavior: { termination_reasons: { purchase: 2, action_limit: 0 } },
      cost: { tokens: { total: 0 }, euros: 3 },
    }
    expect(checkV4Summary(given, summary)).toEqual({
      equal: 6,
      differences: [
        { figure: "counts.completed", given: 1, ours: 2 },
        { figure: "primary.reward_sem", given: null, ours: summary.primary.reward_sem },
      ],
      unknown: ["cost.euros"],
    })
  })

  const data = testData()
  it.skipIf(data === undefined)("finds every figure of the recorded run again", async () => {
    const file = (name: string) => join(data!, "shop-v8", name)
    const manifest = file("traces-v4-sample.run.json")
    const out = join(root, "sample")
    const { given_summary } = await importV4([file("traces-v4-sample.jsonl.gz")], { out, manifest })
    const check = checkV4Summary(given_summary as JsonObject, await summarize(out))
    expect(check).toEqual({ equal: 32, differences: [], unknown: [] })
  })
})
