import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { tinyCatalog } from "../../src/testing/tiny-catalog.ts"
import { soukCommand } from "./kill-rounds.ts"
import { killRuns } from "./run-kills.ts"

it("a run that is killed at random moments goes on to what an undisturbed run gives, each job recorded once", async () => {
  const folder = mkdtempSync(join(tmpdir(), "souk-run-kills-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const catalog = await tinyCatalog(folder)
  catalog.close()
  const report = await killRuns({ command: soukCommand(), catalog: catalog.path, folder, kills: 10, seed: 7 })
  expect(report.violations).toEqual([])
  const { starting, playing, ending } = report.kills
  expect(starting + playing + ending).toBe(10)
  expect(playing).toBeGreaterThan(0)
  expect(report.episodes).toBe(report.runs * 72)
}, 120_000)
