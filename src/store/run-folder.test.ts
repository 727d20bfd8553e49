import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { fingerprint, sha256Hex } from "../core/fingerprint.ts"
import type { Json } from "../core/json.ts"
import type { Manifest, Plan } from "../core/run.ts"
import type { EpisodeRecord } from "../core/trace.ts"
import { findRunFolder, readEpisodeAt, readEpisodes, readManifest, scanEpisodes } from "./read.ts"
import { openRunFolder } from "./run-folder.ts"

const root = mkdtempSync(join(tmpdir(), "souk-store-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let folders = 0
const newFolder = () => join(root, `run-${folders++}`)

function manifest(model = "lexical"): Manifest {
  const plan: Plan = {
    schema: "souk.plan/1",
    suite: "shopping",
    split: { name: "val", role: "val", task_count: 2, task_ids_sha256: "0" },
    sampling: { version: "1", seed: 1, sample_size: null, repeats: 1 },
    jobs: ["1", "2"].map((task_id) => job(task_id)),
    environment: { rules: "souk" },
    model: { name: model, sampling: { temperature: 0 } },
    agent: {},
    limits: { max_steps: 30 },
    versions: {},
  }
  return {
    schema: "souk.run/1",
    name: "test",
    created_at: "2026-01-01T00:00:00.000Z",
    fingerprint: fingerprint(plan as Json),
    fingerprint_version: "1",
    plan,
    execution: {},
  }
}

function job(task_id: string) {
  return { key: `task-00000${task_id}__sample-000`, task_id, sample_id: 0, seed: 1, split: "val" }
}

const PROMPT = "A system prompt that many episodes share with each other."

function episode(taskId: string, changes: Partial<EpisodeRecord> = {}): EpisodeRecord {
  return {
    schema: "souk.episode/1",
    suite: "shopping",
    episode_id: job(taskId).key,
    job: job(taskId),
    attempt: 1,
    status: "completed",
    end_reason: "purchase",
    started_at: "2026-01-01T00:00:00.000Z",
    ended_at: "2026-01-01T00:00:01.000Z",
    duration_ms: 1000,
    provenance: {},
    usage: { model_calls: 0 },
    messages: [{ role: "system", content: PROMPT }],
    events: [],
    evidence: {},
    ...changes,
  }
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

describe("openRunFolder", () => {
  it("writes the manifest once and shared texts by hash, one line an episode", async () => {
    const folder = newFolder()
    const store = await openRunFolder(folder, manifest(), { blobs: [PROMPT] })
    await Promise.all([store.append(episode("1")), store.append(episode("2", { status: "failed" }))])
    await store.close()
    expect(readManifest(folder)).toEqual(manifest())
    expect(readdirSync(join(folder, "blobs"))).toEqual([sha256Hex(PROMPT)])
    const text = readFileSync(join(folder, "traces.jsonl"), "utf8")
    expect(text.split("\n").length).toBe(3)
    expect(text).not.toContain(PROMPT)
    expect(await all(readEpisodes(folder))).toEqual([episode("1"), episode("2", { status: "failed" })])

    const later = { ...manifest(), created_at: "2027-01-01T00:00:00.000Z" }
    const again = await openRunFolder(folder, later, { blobs: [PROMPT] })
    expect(again.manifest.created_at).toBe("2026-01-01T00:00:00.000Z")
    expect([...again.jobs]).toEqual([
      [job("1").key, { attempts: 1, status: "completed" }],
      [job("2").key, { attempts: 1, status: "failed" }],
    ])
    await again.append(episode("2", { attempt: 2 }))
    expect(again.jobs.get(job("2").key)).toEqual({ attempts: 2, status: "completed" })
    expect((await all(again.episodes())).map((record) => record.attempt)).toEqual([1, 2])
    expect((await all(again.episodes({ attempts: "all" }))).map((record) => record.attempt)).toEqual([1, 1, 2])
    await again.close()
    await again.close()
  })

  it("refuses another plan and says which fields differ", async () => {
    const folder = newFolder()
    await (await openRunFolder(folder, manifest())).close()
    const changed = manifest("scripted")
    await expect(openRunFolder(folder, changed)).rejects.toMatchObject({
      code: "REFUSED",
      message: expect.stringContaining('model.name: "lexical" → "scripted"'),
      details: { differences: ['model.name: "lexical" → "scripted"'] },
    })
    await (await openRunFolder(folder, manifest())).close() // and leaves the folder free
  })

  it("lets one owner in at a time", async () => {
    const folder = newFolder()
    const store = await openRunFolder(folder, manifest())
    await expect(openRunFolder(folder, manifest())).rejects.toMatchObject({ code: "REFUSED" })
    await store.close()
    await (await openRunFolder(folder, manifest())).close()
  })

  it("takes up after a torn line: the whole lines count, the torn one never was", async () => {
    const folder = newFolder()
    const store = await openRunFolder(folder, manifest())
    await store.append(episode("1"))
    await store.close()
    appendFileSync(join(folder, "traces.jsonl"), Buffer.from('{"schema":"souk.episode/1","suite":"买').subarray(0, -1))
    expect((await all(readEpisodes(folder))).length).toBe(1)
    const again = await openRunFolder(folder, manifest())
    expect([...again.jobs.keys()]).toEqual([job("1").key])
    await again.append(episode("2"))
    await again.close()
    expect((await all(readEpisodes(folder))).map((record) => record.episode_id)).toEqual([job("1").key, job("2").key])
  })

  it("with resume off refuses a folder that holds episodes, not one that holds none", async () => {
    const folder = newFolder()
    const store = await openRunFolder(folder, manifest(), { resume: false })
    await store.append(episode("1"))
    await store.close()
    await expect(openRunFolder(folder, manifest(), { resume: false })).rejects.toMatchObject({ code: "REFUSED" })
  })

  it("leaves traces alone that it did not write", async () => {
    const folder = newFolder()
    mkdirSync(folder)
    writeFileSync(join(folder, "traces.jsonl"), "mine\n")
    await expect(openRunFolder(folder, manifest())).rejects.toMatchObject({ code: "REFUSED" })
    expect(readFileSync(join(folder, "traces.jsonl"), "utf8")).toBe("mine\n")
  })

  it("replaces progress and summary as whole files", async () => {
    const folder = newFolder()
    const store = await openRunFolder(folder, manifest())
    store.writeProgress({ state: "running" } as never)
    store.writeProgress({ state: "finished" } as never)
    await store.close()
    expect(JSON.parse(readFileSync(join(folder, "progress.json"), "utf8"))).toEqual({ state: "finished" })
    expect(readdirSync(folder).filter((name) => name.includes("building"))).toEqual([])
  })
})

describe("reading a run folder", () => {
  it("names file and line of damage, other than a torn end", async () => {
    const folder = newFolder()
    const store = await openRunFolder(folder, manifest())
    await store.append(episode("1"))
    await store.close()
    appendFileSync(join(folder, "traces.jsonl"), "{broken}\n")
    const line2 = { code: "STORE_CORRUPT", message: expect.stringMatching(/traces\.jsonl, line 2: /) }
    await expect(all(readEpisodes(folder))).rejects.toMatchObject(line2)
    await expect(all(scanEpisodes(folder))).rejects.toMatchObject(line2)
    await expect(openRunFolder(folder, manifest())).rejects.toMatchObject(line2)
  })

  it("misses a blob loudly", async () => {
    const folder = newFolder()
    const store = await openRunFolder(folder, manifest(), { blobs: [PROMPT] })
    await store.append(episode("1"))
    await store.close()
    rmSync(join(folder, "blobs", sha256Hex(PROMPT)))
    await expect(all(readEpisodes(folder))).rejects.toThrow(/line 1: .*blobs\/[0-9a-f]{64} is missing/)
  })

  it("finds one episode again by its place", async () => {
    const folder = newFolder()
    const store = await openRunFolder(folder, manifest(), { blobs: [PROMPT] })
    await store.append(episode("1"))
    await store.append(episode("2"))
    await store.close()
    const places = await all(scanEpisodes(folder))
    expect(places.map((place) => place.header.episode_id)).toEqual([job("1").key, job("2").key])
    expect(await readEpisodeAt(folder, places[1]!)).toEqual(episode("2"))
  })

  it("finds the run folder that a path means", async () => {
    const parent = newFolder()
    await (await openRunFolder(join(parent, "a"), manifest())).close()
    expect(findRunFolder(join(parent, "a"))).toBe(join(parent, "a"))
    expect(findRunFolder(parent)).toBe(join(parent, "a"))
    await (await openRunFolder(join(parent, "b"), manifest())).close()
    expect(() => findRunFolder(parent)).toThrow(/several runs; name one of them: a, b/)
    expect(() => findRunFolder(join(parent, "c"))).toThrow(/There is no folder/)
    expect(existsSync(join(parent, "c"))).toBe(false)
  })
})
