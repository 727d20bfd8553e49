import { execFile } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, expect, test } from "vitest"

const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url))
const folder = mkdtempSync(join(tmpdir(), "souk-e2e-generate-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a command with `--json`; its exit code and what it printed. */
function souk(...args: string[]): Promise<{ code: number; printed: Record<string, unknown> }> {
  return new Promise((resolve) => {
    execFile(process.execPath, ["--import", "tsx", main, ...args, "--json"], (error, stdout) => {
      const code = error === null ? 0 : Number(error.code)
      resolve({ code, printed: JSON.parse(stdout) as Record<string, unknown> })
    })
  })
}

test("a store and tasks for it come from two commands, and are not overwritten by accident", async () => {
  const [catalog, raw] = [join(folder, "store.catalog"), join(folder, "store.jsonl")]
  const store = ["--products", "30", "--seed", "3", "--language", "en"]
  const made = await souk("catalog", "generate", ...store, "--tasks", "0", "--out", catalog, "--raw", raw)
  expect(made).toMatchObject({ code: 0, printed: { manifest: { counts: { products: 30, tasks: 0 } }, splits: [] } })
  expect(readFileSync(raw, "utf8").trimEnd().split("\n")).toHaveLength(30)

  const written = await souk("tasks", "generate", catalog, "--count", "12", "--seed", "5")
  expect(written).toMatchObject({ code: 0, printed: { tasks: 12, asked: 12, manifest: { counts: { tasks: 12 } } } })
  const refused = await souk("tasks", "generate", catalog, "--count", "12", "--seed", "5")
  expect(refused).toMatchObject({ code: 3, printed: { error: { code: "REFUSED" } } })
  const again = await souk("tasks", "generate", catalog, "--count", "12", "--seed", "5", "--force")
  expect(again.printed.manifest).toEqual(written.printed.manifest)
  expect(existsSync(`${catalog}.building`)).toBe(false)

  const wrong = await souk("tasks", "generate", catalog, "--count", "none", "--seed", "5")
  expect(wrong).toMatchObject({ code: 2, printed: { error: { code: "BAD_INPUT" } } })
}, 120_000)
