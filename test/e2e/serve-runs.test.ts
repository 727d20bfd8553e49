import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { run } from "../../src/assemble.ts"
import { parseTokens } from "../../src/server/callers.ts"
import { tinyCatalog } from "../../src/testing/tiny-catalog.ts"
import { serveForTest, temporaryFolder } from "./serve-helper.ts"

it("shows the figures of the runs in a folder, and nothing of what lies beside them", async () => {
  const folder = temporaryFolder()
  const runs = join(folder, "runs")
  const catalog = await tinyCatalog(folder)
  await run({
    experiment: { name: "first", output_dir: runs },
    tasks: { split: "all" },
    environment: { catalog: catalog.path },
    model: { name: "lexical" },
  })
  catalog.close()
  mkdirSync(join(runs, "torn"))
  writeFileSync(join(runs, "torn", "manifest.json"), "{")
  writeFileSync(join(folder, "manifest.json"), '{"secret":1}')
  const tokens = parseTokens("viewer:0123456789abcdef", { source: "TEST" })
  const { call } = await serveForTest({ runs, tokens })
  const headers = { authorization: "Bearer 0123456789abcdef" }
  const list = (await call("GET", "/v1/runs", { headers })).body.runs
  expect(list).toMatchObject([
    { name: "first", suite: "shopping", split: "all", jobs: 3, state: "finished", problem: null },
    { name: "torn", jobs: null, problem: expect.stringContaining("torn") },
  ])
  expect(JSON.stringify(list)).not.toContain(folder)
  const one = await call("GET", "/v1/runs/first", { headers })
  expect(one.body).toMatchObject({
    plan: { job_count: 3, split: { name: "all" } },
    summary: { counts: { requested: 3 } },
  })
  expect(one.text).not.toMatch(/canary|"jobs"/)
  for (const name of ["..", "%2e%2e", "..%2f", "none", "__proto__"]) {
    expect((await call("GET", `/v1/runs/${name}`, { headers })).status, name).toBe(404)
  }
  expect((await call("GET", "/v1/runs")).status).toBe(401)
})
