import { createHash } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { Command } from "commander"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { EXIT, runCommands } from "../command.ts"
import { registerCatalog } from "./catalog.ts"
import { registerSplitBuild } from "./split.ts"

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "souk-commands-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a command line in this process. */
async function souk(args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const output = { code: EXIT.complete as number, stdout: "", stderr: "" }
  const run = runCommands({
    signal: new AbortController().signal,
    write: (text) => {
      output.stdout += text
    },
    warn: (text) => {
      output.stderr += text
    },
    exit: (code) => {
      output.code = code
    },
  })
  const program = new Command("souk").exitOverride().configureOutput({ writeErr: (text) => (output.stderr += text) })
  for (const register of [registerCatalog, registerSplitBuild]) register(program, run)
  await program.parseAsync(args, { from: "user" })
  return output
}
const json = (text: string) => JSON.parse(text) as Record<string, unknown>

describe("the commands", () => {
  const products = Array.from({ length: 30 }, (_, number) => ({
    asin: `a${number}`,
    title: `护眼台灯 ${number}号`,
    user_persona: { 用户ID: `u${number}` },
    instructions: [
      { instruction: `${number}号台灯，99元以内`, instruction_simple: `${number}号台灯`, attributes: ["护眼"] },
    ],
  }))
  let catalog: string
  beforeAll(async () => {
    const source = join(folder, "products.jsonl")
    writeFileSync(
      source,
      [...products.map((product) => JSON.stringify(product)), "{broken", '{"title":"no asin"}'].join("\n"),
    )
    catalog = join(folder, "store.catalog")
    const { code, stdout } = await souk(["catalog", "import", source, "--out", catalog])
    expect(code).toBe(0)
    expect(stdout).toContain("30 products, 30 tasks (30 with a persona), language zh")
    expect(stdout).toMatch(/2 problems, the first of them:\n.*products\.jsonl:31 \(item 30\): the record is not JSON/)
    const strict = await souk([
      "catalog",
      "import",
      source,
      "--out",
      join(folder, "strict.catalog"),
      "--strict",
      "--json",
    ])
    expect(strict.code).toBe(2)
    expect(json(strict.stdout)).toMatchObject({ error: { code: "BAD_INPUT", details: { line: 31, item: 30 } } })
  })

  test("search prints asins in order, with either engine", async () => {
    const answers = await Promise.all(
      ["memory", "fts5"].map((engine) =>
        souk(["catalog", "search", catalog, "7号台灯", "--top", "3", "--engine", engine, "--json"]),
      ),
    )
    const hits = answers.map(({ stdout }) => json(stdout).hits as unknown as { asin: string }[])
    expect(hits[0]).toHaveLength(3)
    expect(hits[0]![0]).toMatchObject({ asin: "a7" })
    expect(hits[1]).toEqual(hits[0])
  })

  test("inspect tells and lists, verify checks, and wrong names are told", async () => {
    const [inspect, problems, verify, missing] = await Promise.all([
      souk(["catalog", "inspect", catalog, "--json"]),
      souk(["catalog", "inspect", catalog, "--list", "problems", "--json"]),
      souk(["catalog", "verify", catalog, "--json"]),
      souk(["catalog", "inspect", join(folder, "missing.catalog")]),
    ])
    expect(json(inspect.stdout)).toMatchObject({ manifest: { counts: { products: 30 } }, problems: { count: 2 } })
    expect(problems.stdout.trim().split("\n").map(json)).toMatchObject(
      [{ line: 31 }, { line: 32, field: "asin" }, { line: 32 }].slice(0, 2),
    )
    expect(json(verify.stdout)).toMatchObject({ ok: true, faults: [] })
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining("There is no catalog") })
  })

  test("export writes the raw form to a file, and not over another one", async () => {
    const file = join(folder, "raw.json.gz")
    expect(await souk(["catalog", "export", catalog, "--out", file])).toMatchObject({ code: 0 })
    expect(JSON.parse(gunzipSync(readFileSync(file)).toString())).toHaveLength(30)
    const out = join(folder, "again.catalog")
    expect(await souk(["catalog", "import", file, "--out", out])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("30 products"),
    })
    expect(await souk(["catalog", "export", catalog, "--out", file])).toMatchObject({ code: 3 })
  })

  test("split build writes once, and overwrites only what is the same, or by force", async () => {
    const out = join(folder, "splits.json")
    const build = (seed: string, ...more: string[]) =>
      souk([
        "split",
        "build",
        catalog,
        "--seed",
        seed,
        "--val",
        "5",
        "--test",
        "5",
        "--max-group",
        "3",
        "--out",
        out,
        "--json",
        ...more,
      ])
    const sha = () => createHash("sha256").update(readFileSync(out)).digest("hex")
    expect(json((await build("1")).stdout)).toMatchObject({ written: true })
    const first = sha()
    expect(json((await build("1")).stdout)).toMatchObject({ written: false })
    expect(await build("2")).toMatchObject({ code: 3 })
    expect(sha()).toBe(first)
    expect(await build("2", "--force")).toMatchObject({ code: 0 })
    expect(sha()).not.toBe(first)
    expect(await build("1", "--val", "x")).toMatchObject({ code: 2 })
  })
})
