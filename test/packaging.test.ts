import { execFile } from "node:child_process"
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const run = promisify(execFile)
const root = fileURLToPath(new URL("..", import.meta.url))

/** The package as a stranger gets it: packed, installed into an empty project, run from there. */
describe("the published package", () => {
  let folder = ""

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "souk-package-"))
    const { stdout } = await run("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder], {
      cwd: root,
    })
    const tarball = (JSON.parse(stdout) as [{ filename: string }])[0].filename
    await writeFile(
      join(folder, "package.json"),
      JSON.stringify({ name: "elsewhere", version: "1.0.0", type: "module" }),
    )
    await run("npm", ["install", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", `./${tarball}`], {
      cwd: folder,
    })
    // The native addon takes minutes to compile; the one compiled for this checkout is the same version.
    await cp(join(root, "node_modules/better-sqlite3/build"), join(folder, "node_modules/better-sqlite3/build"), {
      recursive: true,
    })
  }, 240_000)

  afterAll(() => rm(folder, { recursive: true, force: true }))

  it("its command runs", async () => {
    const version = (JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string }).version
    const { stdout } = await run(join(folder, "node_modules/.bin/souk"), ["--version"], { cwd: folder })
    expect(stdout.trim()).toBe(version)
  })

  it("every entry in exports can be imported", async () => {
    const { exports } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
      exports: Record<string, unknown>
    }
    const names = Object.keys(exports).filter((name) => name !== "./package.json")
    const program = names.map((name) => `await import(${JSON.stringify(name.replace(/^\./, "souk"))})`).join("\n")
    await writeFile(join(folder, "imports.mjs"), `${program}\nconsole.log("imported")\n`)
    const { stdout } = await run(process.execPath, ["imports.mjs"], { cwd: folder })
    expect(stdout.trim()).toBe("imported")
  })

  it("what programs of their own are made of is there by name, and the suites for it run", async () => {
    const program = `
      import assert from "node:assert/strict"
      import * as service from "souk/service"
      import * as souk from "souk"
      import { evaluationTargetContract, serviceAgentContract } from "souk/testing"
      const names = "EvaluationRunner EvaluationCaseFailure EvaluationReplyTimeout deterministicRole scriptMetricPack channelTarget replayWorld " +
        "tablesWorld scriptSource tau2Retail lexicalServiceAgent chatAgent httpAgent parseCaseRecord Script"
      for (const name of names.split(" ")) assert.ok(service[name], name)
      for (const name of ["judgeRun", "judgesNamed", "judgeCase"]) assert.ok(souk[name], name)
      const agent = () => service.lexicalServiceAgent()
      const checks = [...serviceAgentContract(agent), ...evaluationTargetContract(() => service.channelTarget({ agent: agent() }))]
      for (const { check } of checks) await check()
      console.log("held")
    `
    await writeFile(join(folder, "contracts.mjs"), program)
    const { stdout } = await run(process.execPath, ["contracts.mjs"], { cwd: folder })
    expect(stdout.trim()).toBe("held")
  })

  it("no file of the project's tests or sources is in it", async () => {
    const { stdout } = await run("npm", ["ls", "--json", "souk"], { cwd: folder })
    expect(stdout).toContain("souk")
    await expect(readFile(join(folder, "node_modules/souk/src/index.ts"))).rejects.toThrow()
    await expect(readFile(join(folder, "node_modules/souk/LICENSE"), "utf8")).resolves.toContain("Apache License")
  })
})
