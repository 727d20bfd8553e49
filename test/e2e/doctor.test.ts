import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import type { Check } from "../../src/cli/doctor/check.ts"
import { examine } from "../../src/cli/doctor/examine.ts"
import { RunSpec } from "../../src/core/run-spec.ts"
import { serveForTest, temporaryFolder } from "./serve-helper.ts"

const { signal } = new AbortController()

async function look(base_url: string): Promise<Record<string, Check>> {
  const folder = temporaryFolder()
  writeFileSync(join(folder, "splits.json"), JSON.stringify({ splits: { some: { task_ids: [0, 1, 2] } } }))
  const spec = RunSpec.parse({
    experiment: { name: "trial", output_dir: join(folder, "runs") },
    tasks: { split: "some", split_file: join(folder, "splits.json") },
    environment: { base_url },
    model: { name: "lexical" },
  })
  return Object.fromEntries((await examine(spec, { episodes: 1, signal })).map((check) => [check.name, check]))
}

describe("an experiment on a shop server", () => {
  test("is looked at through the server, which is walked through as well", async () => {
    const { url } = await serveForTest()
    const checks = await look(url)
    expect(Object.values(checks).filter(({ result }) => result === "failed")).toEqual([])
    expect(checks.shop).toMatchObject({
      result: "ok",
      detail: expect.stringMatching(/\(native\): \d+ of \d+ checks passed/),
    })
    expect(checks.episodes).toMatchObject({ result: "ok" })
    expect(checks.tasks).toMatchObject({ result: "skipped" })
  })
})
