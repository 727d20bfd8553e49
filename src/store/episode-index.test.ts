import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { encodeEpisode } from "../core/compact.ts"
import type { EpisodeRecord } from "../core/trace.ts"
import { openEpisodeIndex } from "./episode-index.ts"
import { openIndexWriter } from "./index/writer.ts"
import { readEpisodeAt } from "./read.ts"

let folder: string
const trace = () => join(folder, "traces.jsonl")
const file = () => join(folder, "episodes.index")
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "souk-index-"))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function line(id: string, changes: Partial<EpisodeRecord> = {}): string {
  return encodeEpisode({
    schema: "souk.episode/1",
    suite: "shopping",
    episode_id: id,
    job: { key: id, task_id: id, sample_id: 0, seed: 1, split: "val" },
    attempt: 1,
    status: "completed",
    end_reason: "purchase",
    started_at: "2026-01-01T00:00:00.000Z",
    ended_at: "2026-01-01T00:00:01.000Z",
    duration_ms: 1000,
    provenance: {},
    usage: { model_calls: 0 },
    messages: [],
    events: [{ type: "episode_start", instruction: `一张桌子 ${id}`, persona: null, info: {} }],
    evidence: {},
    ...changes,
  })
}

const failed = { status: "failed", end_reason: "error" } as const
const write = (...lines: string[]) => writeFileSync(trace(), lines.map((one) => `${one}\n`).join(""))
const idsOf = async () => {
  const { columns } = await openEpisodeIndex(folder)
  return Array.from({ length: columns.count }, (_, row) => columns.read(row).row.episode_id)
}

describe("openEpisodeIndex", () => {
  it("finds each attempt, and its neighbours by the last attempts", async () => {
    write(
      line("a", failed),
      line("b"),
      "damaged",
      line("a", { ...failed, attempt: 2 }),
      line("c"),
      line("a", { attempt: 3 }),
    )
    const index = await openEpisodeIndex(folder)
    const { size } = statSync(trace())
    expect(index.progress).toEqual({ bytes: size, indexed_bytes: size, complete: true, damaged_lines: 1 })
    expect(index.columns.rows).toBe(3)
    const attempts = index.attemptsOf("a")
    expect(attempts.map(({ attempt, status, place }) => [attempt, status, place.number])).toEqual([
      [1, "failed", 1],
      [2, "failed", 4],
      [3, "completed", 6],
    ])
    for (const { attempt, place } of attempts) expect((await readEpisodeAt(folder, place)).attempt).toBe(attempt)
    expect(index.neighbours("c")).toEqual({ previous: "b", next: "a" })
    expect(index.neighbours("b")).toEqual({ previous: null, next: "c" })
    expect([index.attemptsOf("none"), index.rowOf("none"), await index.has("none")]).toEqual([[], undefined, false])
  })

  it("takes in what is appended, and lets a torn line wait for its end", async () => {
    write(line("a"))
    const index = await openEpisodeIndex(folder)
    const next = line("b")
    appendFileSync(trace(), next.slice(0, 50))
    await index.refresh()
    expect(index.rowOf("b")).toBeUndefined()
    expect(index.progress).toMatchObject({ complete: true, damaged_lines: 0 })
    expect(index.progress.indexed_bytes).toBeLessThan(index.progress.bytes)
    const { version } = index
    appendFileSync(trace(), `${next.slice(50)}\n`)
    await index.refresh()
    expect(index.rowOf("b")).toBe(1)
    expect(index.version).toBeGreaterThan(version)
  })

  it("writes what it had to make, and reads that again", async () => {
    write(line("a"), "damaged", line("b"), "", line("c"))
    await openEpisodeIndex(folder)
    const rows = readFileSync(file(), "utf8").trimEnd().split("\n")
    expect(rows).toHaveLength(6)
    expect(rows[0]).toContain("souk.episode-index/1")
    // What is told of an episode comes from the file now.
    writeFileSync(file(), readFileSync(file(), "utf8").replace('"purchase"', '"from_file"'))
    const again = await openEpisodeIndex(folder)
    expect(again.attemptsOf("a")[0]).toMatchObject({ end_reason: "from_file" })
    expect(again.progress.damaged_lines).toBe(2)
  })

  it("mends a file that is short, torn, damaged, of another version, or of another trace", async () => {
    write(...["a", "b", "c", "d"].map((id) => line(id)))
    await openEpisodeIndex(folder)
    const whole = readFileSync(file(), "utf8")
    const rows = whole.split("\n")
    const changed = [
      rows.slice(0, 3).join("\n"),
      whole.slice(0, -20),
      whole.replace(rows[2]!, "\u0000\u0000"),
      whole.replace(rows[2]!, rows[2]!.replace('"completed"', "7")),
      whole.replace("/1", "/2"),
      whole.replace('"b"', '"x"').replace('"a"', '"y"'),
      [rows[0], rows[2], rows[1]].join("\n"),
      "",
      "\u0000".repeat(500),
    ]
    for (const text of changed) {
      writeFileSync(file(), text)
      expect(await idsOf(), text).toEqual(["a", "b", "c", "d"])
    }
    truncateSync(trace(), Buffer.byteLength(`${line("a")}\n`))
    expect(await idsOf()).toEqual(["a"])
    write(line("z"), line("y"))
    expect(await idsOf()).toEqual(["z", "y"])
  })

  it("starts again when the trace is replaced under it", async () => {
    write(line("a"), line("b"))
    const index = await openEpisodeIndex(folder)
    rmSync(trace())
    write(line("c"))
    await index.refresh()
    expect([index.columns.rows, index.rowOf("c"), index.rowOf("a")]).toEqual([1, 0, undefined])
    rmSync(trace())
    await index.refresh()
    expect(index.progress).toEqual({ bytes: 0, indexed_bytes: 0, complete: true, damaged_lines: 0 })
  })

  it("stops when it is told to, and leaves nothing behind", async () => {
    const text = "一段话 ".repeat(2000)
    const big = line("a", { messages: [{ role: "system", content: text }] })
    writeFileSync(trace(), `${big}\n`.repeat(1500))
    const stop = new AbortController()
    stop.abort()
    await expect(openEpisodeIndex(folder, { signal: stop.signal })).rejects.toMatchObject({ code: "CANCELLED" })
    expect(() => statSync(file())).toThrow()
  })

  it("has lines that are longer than what is read at once", async () => {
    const content = "长".repeat(2_000_000)
    write(line("a"), line("b", { messages: [{ role: "system", content }] }), line("c"))
    expect(await idsOf()).toEqual(["a", "b", "c"])
  })
})

describe("openIndexWriter", () => {
  it("writes what reading the trace gives, and goes on from what is there", async () => {
    let bytes = 0
    for (const ids of [["a", "b"], ["c"], [], ["d"]]) {
      const writer = await openIndexWriter(folder, bytes)
      for (const id of ids) {
        const text = line(id)
        appendFileSync(trace(), `${text}\n`)
        writer.add(text, bytes)
        bytes += Buffer.byteLength(text) + 1
      }
      writer.close()
      appendFileSync(file(), "[12") // torn
    }
    const written = readFileSync(file(), "utf8").slice(0, -3)
    rmSync(file())
    await openEpisodeIndex(folder)
    expect(readFileSync(file(), "utf8")).toBe(written)
  })

  it("makes up for what is missing first", async () => {
    write(line("a"), "damaged", line("b"))
    const { size } = statSync(trace())
    for (const before of ["", '{"schema":"souk.episode-index/1"}\n', "nonsense"]) {
      writeFileSync(file(), before)
      const writer = await openIndexWriter(folder, size)
      const text = line("c")
      writer.add(text, size)
      writer.close()
      const rows = readFileSync(file(), "utf8").trimEnd().split("\n")
      expect(rows.map((row) => JSON.parse(row)[2])).toEqual([undefined, "a", undefined, "b", "c"])
    }
  })
})
