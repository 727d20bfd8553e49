import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, it } from "vitest"
import { manifestOf } from "../run/run.ts"
import { openRunFolder } from "../store/run-folder.ts"
import { environmentContract, storeContract } from "./contracts.ts"
import { TINY_TASKS, tinyEnvironment } from "./tiny.ts"

describe("the tiny shop", () => {
  for (const { name, check } of environmentContract(() => tinyEnvironment(), { taskId: TINY_TASKS[0]! }))
    it(name, check)
})

describe("the run folder", () => {
  const root = mkdtempSync(join(tmpdir(), "souk-contract-"))
  afterAll(() => rmSync(root, { recursive: true, force: true }))
  const jobs = TINY_TASKS.map((task_id) => ({ key: `job-${task_id}`, task_id, sample_id: 0, seed: 1, split: "all" }))
  const manifest = manifestOf(
    "tiny",
    {
      schema: "souk.plan/1",
      suite: "tiny",
      split: { name: "all", role: null, task_count: 3, task_ids_sha256: "0" },
      sampling: { version: "1", seed: 1, sample_size: null, repeats: 1 },
      jobs,
      environment: {},
      model: {},
      agent: {},
      limits: { max_steps: 3 },
      versions: {},
    },
    {},
    0,
  )
  let folder = 0
  const checks = () => storeContract((given) => openRunFolder(join(root, String(folder)), given), manifest)
  for (const [index, { name }] of checks().entries()) {
    it(name, async () => {
      folder = index
      await checks()[index]!.check()
    })
  }
})
