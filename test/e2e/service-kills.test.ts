import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { serveDeskAgent } from "./desk-agent.ts"
import { soukCommand } from "./kill-rounds.ts"
import { killExperiments } from "./run-kills.ts"

it("a service run that is killed with 64 conversations in flight goes on to what an undisturbed run gives, verdicts and all", async () => {
  const folder = mkdtempSync(join(tmpdir(), "souk-service-kills-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const desk = await serveDeskAgent({ delayMs: 15 })
  onTestFinished(() => desk.close())
  const target = { agent: "http", base_url: desk.url, id: "desk" }
  const report = await killExperiments({ command: soukCommand(), folder, kills: 3, seed: 7 }, [
    { name: "http", sections: { suite: "service", pack: "bundled:en", tasks: { repeats: 3 }, target } },
  ])
  expect(report.violations).toEqual([])
  const { starting, playing, ending } = report.kills
  expect(starting + playing + ending).toBe(3)
  expect(playing).toBeGreaterThan(0)
  expect(report.episodes).toBe(report.runs * 84)
  expect(desk.most()).toBeGreaterThanOrEqual(64)
}, 300_000)
