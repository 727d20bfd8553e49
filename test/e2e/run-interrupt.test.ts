import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { experimentIn, fallingSilent, lineCount, mockForTest, recordsOf, startSouk } from "./run-helper.ts"
import { serveForTest, temporaryFolder, until } from "./serve-helper.ts"

const IN_FLIGHT = 6

/** A run of 60 episodes on a shop server of ours, with a model that stops answering after so many replies. */
async function slowRun(replies: number) {
  const folder = temporaryFolder()
  const { server, url: base_url } = await serveForTest()
  const model = fallingSilent(replies)
  const { url } = await mockForTest({ model, latencyMs: 20 })
  const split_file = join(folder, "splits.json")
  writeFileSync(split_file, JSON.stringify({ splits: { all: { task_ids: [0, 1, 2] } } }))
  const experiment = experimentIn(folder, {
    experiment: { concurrency: IN_FLIGHT },
    tasks: { split: "all", split_file, repeats: 20 },
    environment: { base_url },
    model: { name: "mock", base_url: url, api_key_env: null, trust_env: false },
  })
  return { ...experiment, leases: server.host.leases, ...model }
}

it("Ctrl-C lets episodes in flight end: all recorded, leases released, summary written, exit 130", async () => {
  const { file, at, leases } = await slowRun(Number.POSITIVE_INFINITY)
  const { child, ended } = startSouk(["run", file, "--json"])
  await until(() => lineCount(at) >= 5 && leases.size > 1, { withinMs: 60_000 })
  child.kill("SIGINT")
  const { code, out, err } = await ended
  expect(code).toBe(130)
  expect(err).toContain("press Ctrl-C again to stop at once")
  expect(leases.size).toBe(0)
  const { state, summary } = JSON.parse(out)
  expect(state).toBe("interrupted")
  expect(JSON.parse(readFileSync(join(at, "summary.json"), "utf8"))).toEqual(summary)
  const { completed, cancelled } = summary.counts
  expect(completed).toBeLessThan(60)
  expect([completed, cancelled]).toEqual([lineCount(at), 0])
}, 120_000)

it("Ctrl-C cancels what does not end in ten seconds, and records that", async () => {
  const { file, at, leases, silent, answerAgain } = await slowRun(40)
  const { child, ended } = startSouk(["run", file, "--json"])
  await until(() => silent() === IN_FLIGHT, { withinMs: 60_000 })
  const before = lineCount(at)
  expect(leases.size).toBe(IN_FLIGHT)
  child.kill("SIGINT")
  const { code, out } = await ended
  expect(code).toBe(130)
  expect(leases.size).toBe(0)
  expect(JSON.parse(out).summary.counts).toMatchObject({ completed: before, cancelled: IN_FLIGHT })
  answerAgain()
  expect((await startSouk(["run", file, "--json"]).ended).code).toBe(0)
  const complete = (await recordsOf(at)).filter(({ status }) => status === "completed")
  expect(new Set(complete.map(({ episode_id }) => episode_id)).size).toBe(60)
  expect(complete.length).toBe(60)
}, 120_000)

it("Ctrl-C twice ends at once; what is recorded is whole, and the same command goes on", async () => {
  const { file, at, silent, answerAgain } = await slowRun(40)
  const { child, ended } = startSouk(["run", file, "--json"])
  await until(() => silent() === IN_FLIGHT, { withinMs: 60_000 })
  let err = ""
  child.stderr?.on("data", (data) => {
    err += data
  })
  child.kill("SIGINT")
  await until(() => err.includes("again"))
  const pressed = performance.now()
  child.kill("SIGINT")
  expect((await ended).code).toBe(130)
  expect(performance.now() - pressed).toBeLessThan(5000) // of the ten seconds it would wait after the first
  expect(existsSync(join(at, "summary.json"))).toBe(false)
  const kept = await recordsOf(at)
  expect(kept.length).toBeGreaterThan(0)
  expect(kept.every(({ status }) => status === "completed")).toBe(true)
  answerAgain()
  expect((await startSouk(["run", file, "--json"]).ended).code).toBe(0)
  expect((await recordsOf(at)).length).toBe(60)
}, 120_000)
