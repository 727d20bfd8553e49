import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { tinyCatalog } from "../../src/testing/tiny-catalog.ts"
import { freePort } from "./kill-rounds.ts"
import { experimentIn, fallingSilent, lineCount, mockForTest, recordsOf, startSouk } from "./run-helper.ts"
import { temporaryFolder, until } from "./serve-helper.ts"

async function catalogIn(folder: string): Promise<string> {
  const catalog = await tinyCatalog(folder)
  catalog.close()
  return catalog.path
}

/** Mounts a small file system of its own at `path` until the test is over; false where that is not permitted. */
function mounted(path: string, options: string): boolean {
  mkdirSync(path, { recursive: true })
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", path])
  if (status === 0) onTestFinished(() => void spawnSync("umount", ["-l", path]))
  return status === 0
}

const canMount =
  process.getuid?.() === 0 && spawnSync("unshare", ["-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0
if (!canMount)
  console.warn("skipped: tests of a full and of a read-only disk, since file systems cannot be mounted here")

/** Every planned job is complete, each recorded as complete once. */
async function expectWhole(at: string, jobs: number): Promise<void> {
  const complete = (await recordsOf(at)).filter(({ status }) => status === "completed").map((r) => r.episode_id)
  expect(complete.length).toBe(jobs)
  expect(new Set(complete).size).toBe(jobs)
}

describe("a run that cannot be recorded", () => {
  it("stops when its file may not grow, keeps what is on record, and goes on when it may", async () => {
    const folder = temporaryFolder()
    const { file, at } = experimentIn(folder, {
      experiment: { concurrency: 8 },
      tasks: { split: "all", repeats: 20 },
      environment: { catalog: await catalogIn(folder) },
    })
    const { code, err } = await startSouk(["run", file], { shell: "ulimit -f 64" }).ended // no file beyond 64 KiB
    expect(code).toBe(1)
    expect(err).toMatch(/Cannot write .*traces\.jsonl: EFBIG.*the same command goes on from what is recorded/)
    const kept = await recordsOf(at)
    expect(kept.length).toBeGreaterThan(0)
    expect(kept.length).toBeLessThan(60)
    expect(readFileSync(join(at, "traces.jsonl"), "utf8").endsWith("\n")).toBe(true)
    expect((await startSouk(["run", file, "--json"]).ended).code).toBe(0)
    await expectWhole(at, 60)
  }, 120_000)

  it.skipIf(!canMount)(
    "stops when the disk is full, and goes on when there is room",
    async () => {
      const folder = temporaryFolder()
      const disk = join(folder, "disk")
      expect(mounted(disk, "size=256k")).toBe(true)
      const { file } = experimentIn(folder, {
        experiment: { concurrency: 8, output_dir: disk },
        tasks: { split: "all", repeats: 20 },
        environment: { catalog: await catalogIn(folder) },
      })
      const at = join(disk, "run")
      const full = await startSouk(["run", file, "--json"]).ended
      expect(full.code).toBe(1)
      const { error } = JSON.parse(full.out)
      expect(error).toMatchObject({ code: "STORE_UNWRITABLE", message: expect.stringMatching(/traces\.jsonl: ENOSPC/) })
      const kept = (await recordsOf(at)).filter(({ status }) => status === "completed").length
      expect(kept).toBeGreaterThan(0)
      expect(kept).toBeLessThan(60)
      // Still full: nothing is lost by trying again.
      writeFileSync(join(disk, "filler"), "")
      expect((await startSouk(["run", file, "--json"]).ended).code).toBe(1)
      expect((await recordsOf(at)).filter(({ status }) => status === "completed").length).toBeGreaterThanOrEqual(kept)
      expect(spawnSync("mount", ["-o", "remount,size=16m", disk]).status).toBe(0)
      const roomy = await startSouk(["run", file, "--json"]).ended
      expect(roomy.code).toBe(0)
      expect(JSON.parse(roomy.out).summary.counts).toMatchObject({ completed: 60, missing: 0 })
      await expectWhole(at, 60)
    },
    120_000,
  )

  it.skipIf(!canMount)(
    "says that the file system is read-only",
    async () => {
      const folder = temporaryFolder()
      const disk = join(folder, "disk")
      expect(mounted(disk, "size=1m")).toBe(true)
      const environment = { catalog: await catalogIn(folder) }
      const { file } = experimentIn(folder, { experiment: { output_dir: disk }, tasks: { split: "all" }, environment })
      expect((await startSouk(["run", file, "--limit", "1", "--json"]).ended).code).toBe(1) // some are owed
      const before = readFileSync(join(disk, "run", "traces.jsonl"), "utf8")
      expect(spawnSync("mount", ["-o", "remount,ro", disk]).status).toBe(0)
      for (const args of [[], ["--output", join(disk, "new")]]) {
        const { code, err } = await startSouk(["run", file, ...args]).ended
        expect(code).toBe(1)
        expect(err).toMatch(/^souk: Cannot write to .*read-only file system/m)
      }
      expect(readFileSync(join(disk, "run", "traces.jsonl"), "utf8")).toBe(before)
    },
    120_000,
  )

  it("says that there is a file where its folder should be", async () => {
    const folder = temporaryFolder()
    const environment = { catalog: await catalogIn(folder) }
    const output_dir = join(folder, "taken")
    writeFileSync(output_dir, "mine")
    const { file } = experimentIn(folder, { experiment: { output_dir }, tasks: { split: "all" }, environment })
    const { code, err } = await startSouk(["run", file]).ended
    expect(code).toBe(1)
    expect(err).toMatch(/Cannot write to .*taken.*(not a directory|ENOTDIR)/)
    expect(readFileSync(output_dir, "utf8")).toBe("mine")
  }, 120_000)
})

describe("a folder that another process plays", () => {
  it("is refused with that process's id while it lives, and free when it was killed", async () => {
    const folder = temporaryFolder()
    const model = fallingSilent(60)
    const { url } = await mockForTest({ model })
    const { file, at } = experimentIn(folder, {
      experiment: { concurrency: 4 },
      tasks: { split: "all", repeats: 8 },
      environment: { catalog: await catalogIn(folder) },
      model: { name: "mock", base_url: url, api_key_env: null, trust_env: false },
    })
    const first = startSouk(["run", file])
    await until(() => lineCount(at) > 0, { withinMs: 60_000 })
    const second = await startSouk(["run", file]).ended
    expect(second.code).toBe(3)
    expect(second.err).toContain(`${at} is in use by another process (pid ${first.child.pid})`)
    first.child.kill("SIGKILL")
    await first.ended
    model.answerAgain()
    expect(existsSync(join(at, "lock.pid"))).toBe(true) // left by the dead
    expect((await startSouk(["run", file, "--json"]).ended).code).toBe(0)
    expect(existsSync(join(at, "lock.pid"))).toBe(false)
    await expectWhole(at, 24)
  }, 120_000)
})

describe("a shop that vanishes", () => {
  it("stops the run with advice; when it is back, the same command plays what is owed", async () => {
    const folder = temporaryFolder()
    const port = await freePort()
    const serve = ["serve", "--catalog", await catalogIn(folder), "--port", String(port), "--no-journal", "--json"]
    const shop = startSouk(serve)
    const base_url = `http://127.0.0.1:${port}`
    const answers = () => fetch(base_url).then(Boolean, () => false)
    await until(answers, { withinMs: 60_000 })
    const split_file = join(folder, "splits.json")
    writeFileSync(split_file, JSON.stringify({ splits: { all: { task_ids: [0, 1, 2] } } }))
    const model = await mockForTest({ latencyMs: 100 })
    const { file, at } = experimentIn(folder, {
      experiment: { concurrency: 4, stop_after_failures: 3 },
      tasks: { split: "all", split_file, repeats: 12 },
      environment: { base_url },
      model: { name: "mock", base_url: model.url, api_key_env: null, trust_env: false },
    })
    const run = startSouk(["run", file])
    await until(() => lineCount(at) >= 4, { withinMs: 60_000 })
    shop.child.kill("SIGKILL")
    const { code, out } = await run.ended // after the client's patience, which is there for a server that is started again
    expect(code).toBe(4)
    expect(out).toMatch(/3 episodes in a row failed \(ENVIRONMENT_UNAVAILABLE\).*is the shop server running\?/)
    const records = await recordsOf(at)
    const complete = records.filter(({ status }) => status === "completed").length
    expect(complete).toBeGreaterThanOrEqual(4)
    expect(complete).toBeLessThan(36)
    expect(records.every(({ status, error }) => status !== "failed" || error?.code === "ENVIRONMENT_UNAVAILABLE")).toBe(
      true,
    )
    startSouk(serve)
    await until(answers, { withinMs: 60_000 })
    const again = await startSouk(["run", file, "--json"]).ended
    expect(again.code).toBe(0)
    expect(JSON.parse(again.out).summary.counts).toMatchObject({ completed: 36, failed: 0, cancelled: 0 })
    await expectWhole(at, 36)
  }, 160_000)
})
