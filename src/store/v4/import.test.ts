import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll, describe, expect, it } from "vitest"
import type { JsonObject } from "../../core/json.ts"
import { PRIVATE } from "../leave-out.ts"
import { readEpisodes, readManifest } from "../read.ts"
import { openRunFolder } from "../run-folder.ts"
import { exportV4 } from "./export.ts"
import { importV4 } from "./import.ts"
import { v4Manifest } from "./manifest.ts"

const root = mkdtempSync(join(tmpdir(), "souk-v4-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let paths = 0
const newPath = (ending = "") => join(root, `${paths++}${ending}`)

const PROMPT = "A system prompt that many episodes share with each other."

function line(taskId: number, changes: JsonObject = {}): JsonObject {
  const page = {
    observation: "Home: search for something.",
    observation_state: { observation_version: "v", page_type: "search_home", search_available: true, actions: [] },
  }
  const search = { type: "function", function: { name: "search", parameters: { type: "object" } } }
  const end = { done: true, over: true, reward: 0, reward_detail: { r_strict: 0 }, purchase: {}, goal: { asin: "7" } }
  return {
    schema_version: "shopsimrl-episode-v4",
    episode_id: `task-00000${taskId}__sample-000`,
    status: "completed",
    job: { task_id: taskId, sample_id: 0, seed: 5, split: "val" },
    provenance: { model: { model: "m" }, environment: { persona: false }, runtime: { max_steps: 1 } },
    started_at: `2026-01-0${taskId}T00:00:00+00:00`,
    ended_at: `2026-01-0${taskId}T00:00:01+00:00`,
    duration_ms: 1000.25,
    reset: { ...page, task_instruction: "A tent.", user_persona: {}, idx: taskId, message: `Task ${taskId} started` },
    selected_skills: [],
    conversation: [
      { role: "system", content: `${PROMPT}\n\n用户个人文档：\n{}` },
      { role: "user", content: "A tent." },
    ],
    steps: [{ step_index: 1, observation: "A tent.", tools: [search], model: {}, action: null, environment: null }],
    final: {
      ...end,
      ...page,
      idx: "slot-1",
      message: "Episode terminated: action_limit",
      termination_reason: "action_limit",
    },
    error: null,
    ...changes,
  }
}

const text = (...lines: JsonObject[]) => lines.map((value) => `${JSON.stringify(value)}\n`).join("")

function file(content: string | Uint8Array, ending = ".jsonl"): string {
  const path = newPath(ending)
  writeFileSync(path, content)
  return path
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

const everything = { include: new Set(PRIVATE) } as const
const exported = async (folder: string, options = {}) =>
  (await all(exportV4(folder, { ...everything, ...options }))).map((written) => JSON.parse(written))

describe("importV4", () => {
  it("makes a run folder of files, gzipped or not, and keeps what lines share once", async () => {
    const files = [file(text(line(2), line(1))), file(gzipSync(text(line(3))), ".jsonl.gz")]
    const out = newPath()
    const result = await importV4(files, { out })
    expect(result).toMatchObject({ folder: out, lines: 3, episodes: 3, duplicates: 0, unplanned: 0, problem_count: 0 })
    const manifest = readManifest(out)
    expect(manifest).toMatchObject({
      created_at: "2026-01-01T00:00:00+00:00",
      plan: {
        split: { name: "val", role: null, task_count: 3 },
        sampling: { version: "imported", repeats: 1 },
        model: { model: "m" },
        environment: { persona: false },
        limits: { max_steps: 1 },
      },
      imported: { form: "shopsimrl-episode-v4" },
    })
    expect(manifest.plan.jobs.map(({ task_id }) => task_id)).toEqual(["2", "1", "3"])
    expect((await all(readEpisodes(out))).map(({ provenance }) => provenance.run)).toEqual(
      Array(3).fill(manifest.fingerprint),
    )
    expect(readFileSync(join(out, "traces.jsonl"), "utf8")).not.toContain(PROMPT)
    expect(await exported(out)).toEqual([line(2), line(1), line(3)])
  })

  it("lets the last record of an episode count, and keeps the others as attempts", async () => {
    const failed = line(1, {
      status: "failed",
      final: null,
      error: { stage: "reset", type: "Timeout", message: "late", traceback: "…" },
    })
    const again = line(1, { duration_ms: 2 })
    const out = newPath()
    const result = await importV4([file(text(failed, line(2), again))], { out })
    expect(result).toMatchObject({ lines: 3, episodes: 2, duplicates: 1 })
    const last = await all(readEpisodes(out))
    expect(last.map(({ episode_id, attempt, status }) => [episode_id, attempt, status])).toEqual([
      [line(2).episode_id, 1, "completed"],
      [line(1).episode_id, 2, "completed"],
    ])
    expect(await exported(out, { attempts: "all" })).toEqual([failed, line(2), again])
  })

  it("leaves out lines that are torn or of another form, and names them", async () => {
    const whole = text(line(1))
    const path = file(`${whole}{"schema_version": "x"}\n\n${whole.slice(0, 300)}\n${text(line(2))}`)
    appendFileSync(path, Buffer.from([0xe4, 0xb9, 0x0a])) // half a character
    appendFileSync(path, whole.slice(0, 500))
    const out = newPath()
    const { problems, lines } = await importV4([path], { out })
    expect(lines).toBe(2)
    expect(problems.map((problem) => [problem.line, problem.reason])).toEqual([
      [2, 'not an episode of shopsimrl-episode-v4: "x"'],
      [4, expect.stringMatching(/^not JSON: /)],
      [6, "not UTF-8"],
      [7, "torn: the file ends within it"],
    ])
    expect(problems[0]!.file).toBe(path)
  })

  it("takes a last line without a line feed, and a gzip file as far as it goes", async () => {
    const packed = gzipSync(text(...Array.from({ length: 9 }, (_, i) => line(i + 1))), { level: 0 })
    const out = newPath()
    const result = await importV4(
      [file(text(line(1)).trimEnd()), file(packed.subarray(0, packed.length - 900), ".gz")],
      { out },
    )
    expect(result.problems).toEqual([
      { file: expect.stringMatching(/gz$/), line: 9, reason: expect.stringContaining("ends in the middle") },
    ])
    expect(result).toMatchObject({ lines: 9, episodes: 8 })
  })

  it("makes nothing of files without an episode, and leaves what exists alone", async () => {
    const out = newPath()
    await expect(importV4([file("{}\n")], { out })).rejects.toMatchObject({
      code: "BAD_INPUT",
      message: expect.stringMatching(/There is no episode of .* line 1: not an episode/),
    })
    expect(existsSync(out)).toBe(false)
    await importV4([file(text(line(1)))], { out })
    await expect(importV4([file(text(line(2)))], { out })).rejects.toMatchObject({ code: "REFUSED" })
    await expect(importV4([newPath()], { out: newPath() })).rejects.toMatchObject({ code: "NOT_FOUND" })
  })

  it("takes jobs and name from a manifest, and gives it back", async () => {
    const jobs = [1, 4].map((task_id) => ({ task_id, sample_id: 0, seed: 5, split: "val" }))
    const manifest = {
      schema_version: "shopsimrl-run-manifest-v1",
      created_at: "2026-02-02",
      plan: { experiment: { name: "theirs" }, jobs },
    }
    const path = file(JSON.stringify({ manifest, summary: { counts: { requested: 2 } } }), ".json")
    const out = newPath()
    const result = await importV4([file(text(line(1), line(2)))], { out, manifest: path })
    expect(result).toMatchObject({ episodes: 2, unplanned: 1, given_summary: { counts: { requested: 2 } } })
    expect(readManifest(out)).toMatchObject({ name: "theirs", created_at: "2026-02-02" })
    expect(v4Manifest(readManifest(out))).toEqual(manifest)
    const other = file("{}", ".json")
    await expect(importV4([], { out: newPath(), manifest: other })).rejects.toMatchObject({ code: "BAD_INPUT" })
  })

  it("brings a run of ours back as it was: manifest, attempts and all", async () => {
    const there = newPath()
    await importV4([file(text(line(1)))], { out: there })
    const { imported: _none, ...manifest } = readManifest(there)
    const [record] = await all(readEpisodes(there))
    const { imported: _nor, ...own } = record!
    const folder = newPath()
    const store = await openRunFolder(folder, manifest as typeof manifest & { imported?: never })
    await store.append({
      ...own,
      provenance: { run: manifest.fingerprint },
      attempt: 1,
      status: "cancelled",
    } as typeof record & object)
    await store.append({ ...own, provenance: { run: manifest.fingerprint }, attempt: 2 } as typeof record & object)
    await store.close()

    const lines = file((await all(exportV4(folder, { ...everything, attempts: "all" }))).join(""))
    const card = file(JSON.stringify(v4Manifest(readManifest(folder))), ".json")
    const back = newPath()
    expect(await importV4([lines], { out: back, manifest: card })).toMatchObject({ lines: 2, episodes: 1 })
    const { imported, ...restored } = readManifest(back)
    expect(restored).toEqual(readManifest(folder))
    expect(imported).toMatchObject({ form: "shopsimrl-episode-v4" })
    const ours = (where: string) => all(readEpisodes(where, { attempts: "all" }))
    expect(await ours(back)).toEqual(await ours(folder))
  })

  it("leaves nothing behind when it is stopped", async () => {
    const out = newPath()
    const stop = new AbortController()
    stop.abort()
    await expect(importV4([file(text(line(1)))], { out, signal: stop.signal })).rejects.toMatchObject({
      code: "CANCELLED",
    })
    const later = new AbortController()
    const onLine = () => later.abort()
    await expect(importV4([file(text(line(1), line(2)))], { out, signal: later.signal, onLine })).rejects.toMatchObject(
      { code: "CANCELLED" },
    )
    expect(existsSync(out)).toBe(false)
    expect(existsSync(`${out}.building`)).toBe(false)
  })
})
