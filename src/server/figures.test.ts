import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { run } from "../assemble.ts"
import { tinyCatalog } from "../testing/tiny-catalog.ts"
import { RunFigures } from "./figures.ts"

const folder = mkdtempSync(join(tmpdir(), "souk-figures-"))
const at = join(folder, "runs", "first")

beforeAll(async () => {
  const catalog = await tinyCatalog(folder)
  await run({
    experiment: { name: "first", output_dir: join(folder, "runs") },
    tasks: { split: "all" },
    environment: { catalog: catalog.path },
    model: { name: "lexical" },
  })
  catalog.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it("whoever asks for the same waits for the same, and later has it at once", async () => {
  const figures = new RunFigures()
  const [one, two] = await Promise.all([figures.compare(at, at), figures.compare(at, at)])
  expect(one).toBe(two)
  expect(await figures.compare(at, at)).toBe(one)
  expect(one.jobs.episode_ids).toHaveLength(one.comparison.jobs.paired)
  expect(one.jobs.scores).toHaveLength(6 * one.jobs.episode_ids.length)
  await figures.close()
})

it("closing ends what is under way and what waits", async () => {
  const figures = new RunFigures()
  const asked = [figures.compare(at, at), figures.report(at, "en"), figures.report(at, "zh")]
  const ends = Promise.allSettled(asked)
  await figures.close()
  for (const end of await ends) expect(end).toMatchObject({ status: "rejected", reason: { code: "CANCELLED" } })
  await expect(figures.report(at, "en")).rejects.toMatchObject({ code: "CANCELLED" })
})

it("a run that cannot be read is told by its code, and asked for again it is tried again", async () => {
  const figures = new RunFigures()
  for (let time = 0; time < 2; time++) {
    await expect(figures.report(join(folder, "runs", "none"), "en")).rejects.toMatchObject({ code: "NOT_FOUND" })
  }
  await figures.close()
})
