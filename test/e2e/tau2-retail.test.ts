import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, expect, test } from "vitest"
import { writeTinyRetail } from "../../src/testing/tiny-retail-folder.ts"

const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url))
const folder = mkdtempSync(join(tmpdir(), "souk-e2e-tau2-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a command; its exit code and what it printed. */
function souk(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, ["--import", "tsx", main, ...args], (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr })
    })
  })
}

test("a checkout becomes a pack, and its tasks are proved in either mode", async () => {
  const [source, pack] = [join(folder, "retail"), join(folder, "retail.pack")]
  writeTinyRetail(source)
  const made = await souk("import", "tau2-retail", source, "--out", pack)
  expect(made).toMatchObject({ code: 0, stdout: `${pack}: 4 scripts, 2 products, 2 users, 5 orders\n` })
  expect(await souk("import", "tau2-retail", source, "--out", pack)).toMatchObject({ code: 3 })

  const proved = await souk("tasks", "prove", pack)
  expect(proved.code).toBe(1)
  expect(proved.stdout).toContain("nothing wrong with 1 of 4 tasks, mode strict")
  expect(proved.stdout).toMatch(/task 3: totals_unbalanced \(orders\/#W3: .*\), refunds_exceed_payments \(orders\/#W3/)

  const fixed = await souk("tasks", "prove", pack, "--mode", "fixed", "--split", "train", "--json")
  expect(fixed.code).toBe(1)
  expect(JSON.parse(fixed.stdout)).toMatchObject({
    schema: "souk.proof.tau2-retail/1",
    mode: "fixed",
    tasks: 2,
    proved: 1,
  })

  const wrong = await souk("tasks", "prove", pack, "--rules", "v8", "--json")
  expect(wrong.code).toBe(2)
  expect(JSON.parse(wrong.stdout).error.message).toBe("--rules is for catalogs only")
  const missing = await souk("import", "tau2-retail", folder, "--out", join(folder, "other"), "--json")
  expect(missing.code).toBe(2)
  expect(JSON.parse(missing.stdout).error.code).toBe("NOT_FOUND")
}, 120_000)
