import { execFile } from "node:child_process"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("../examples", import.meta.url))
const programs = readdirSync(root)
  .map((name) => join(name, "main.mjs"))
  .filter((program) => existsSync(join(root, program)))

/** They use the built package, as a reader of them does. */
describe("examples", () => {
  it("there are some", () => {
    expect(programs.length).toBeGreaterThan(0)
  })

  for (const program of programs) {
    it(`${program} runs, and what it claims holds`, { timeout: 120_000 }, async () => {
      await promisify(execFile)(process.execPath, [program], { cwd: root })
    })
  }
})
