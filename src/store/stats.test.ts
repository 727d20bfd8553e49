import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import type { EpisodeRecord } from "../core/trace.ts"
import { openRunFolder } from "./run-folder.ts"
import { traceStats } from "./stats.ts"
import { importV4 } from "./v4/import.ts"

const root = mkdtempSync(join(tmpdir(), "souk-stats-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const PROMPT = "A system prompt that is kept apart."
const jobs = ["1", "2"].map((task_id) => ({ key: `task-${task_id}`, task_id, sample_id: 0, seed: 1, split: "val" }))
const plan = {
  schema: "souk.plan/1" as const,
  suite: "shopping",
  split: { name: "val", role: null, task_count: 2, task_ids_sha256: "0" },
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
  name: "stats",
  created_at: "2026-01-01",
  fingerprint: "f",
  fingerprint_version: "1",
  plan,
  execution: {},
}

function episode(index: number, attempt: number, status: EpisodeRecord["status"]): EpisodeRecord {
  const job = jobs[index]!
  return {
    schema: "souk.episode/1",
    suite: "shopping",
    episode_id: job.key,
    job,
    attempt,
    status,
    end_reason: "purchase",
    started_at: "2026-01-01T00:00:00.000Z",
    ended_at: "2026-01-01T00:00:01.000Z",
    duration_ms: 1000,
    provenance: {},
    usage: { model_calls: 0 },
    messages: [{ role: "system", content: PROMPT }],
    events: [{ type: "action", step: 1, action: "search[a long query, long enough to be a text]" }],
    evidence: {},
  }
}

describe("traceStats", () => {
  it("counts episodes by their last attempt, and bytes as they lie on the disk", async () => {
    const folder = join(root, "run")
    const store = await openRunFolder(folder, manifest, { blobs: [PROMPT] })
    expect(await traceStats(folder, { v4: true })).toMatchObject({ lines: 0, line_bytes: null, share: null })
    await store.append(episode(0, 1, "failed"))
    await store.append(episode(1, 1, "failed"))
    await store.append(episode(0, 2, "completed"))
    await store.close()
    const stats = await traceStats(folder)
    const traces = statSync(join(folder, "traces.jsonl")).size
    expect(stats).toMatchObject({
      lines: 3,
      episodes: 2,
      statuses: { completed: 1, failed: 1 },
      events: { action: 3 },
      messages: 3,
      bytes: { traces, blobs: PROMPT.length },
    })
    expect(stats.line_bytes!.mean).toBeCloseTo((traces - 3) / 3)
    expect(stats.share!.texts).toBeGreaterThan(0.05)
    expect(Object.values(stats.share!).reduce((sum, part) => sum + part, 0)).toBeCloseTo(1)
    expect(stats).not.toHaveProperty("v4")
  })

  it("measures the lines that episodes were imported from as they were", async () => {
    const end = { done: true, reward: 0, reward_detail: {}, purchase: {}, goal: {}, termination_reason: "action_limit" }
    const line = {
      schema_version: "shopsimrl-episode-v4",
      episode_id: "task-000001__sample-000",
      status: "completed",
      job: { task_id: 1, sample_id: 0, seed: 5, split: "val" },
      provenance: { model: { model: "m" } },
      started_at: "2026-01-01T00:00:00+00:00",
      ended_at: "2026-01-01T00:00:01+00:00",
      duration_ms: 1,
      reset: null,
      selected_skills: [],
      conversation: [{ role: "user", content: '一顶帐篷, please: "red"' }],
      steps: [],
      final: end,
      error: null,
    }
    const compact = JSON.stringify(line)
    const spaces = compact.replace(/"(?:[^"\\]|\\.)*"/g, "").match(/[,:]/g)!.length
    const [file, out] = [join(root, "one.jsonl"), join(root, "imported")]
    writeFileSync(file, `${compact}\n`)
    await importV4([file], { out })
    const { v4 } = await traceStats(out, { v4: true })
    expect(v4).toMatchObject({ bytes: Buffer.byteLength(compact) + spaces, largest_episode: line.episode_id })
    expect(v4!.ratio).toBe(v4!.largest_ratio)
  })
})
