import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, it } from "vitest"
import { run } from "../src/assemble.ts"
import { readEpisodes } from "../src/store/read.ts"
import { tinyCatalog } from "../src/testing/tiny-catalog.ts"

const folder = mkdtempSync(join(tmpdir(), "souk-traces-doc-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const python = spawnSync("python3", ["--version"]).status === 0
if (!python) console.warn("SKIPPED: the Python reader of docs/traces.md (there is no python3)")

describe("docs/traces.md", () => {
  it.skipIf(!python)("shows a Python reader that reads what ours reads", async () => {
    const page = readFileSync(fileURLToPath(new URL("../docs/traces.md", import.meta.url)), "utf8")
    const script = join(folder, "read.py")
    writeFileSync(script, /```python\n([\s\S]+?)```/.exec(page)![1]!)
    using catalog = await tinyCatalog(folder)
    const replies = [
      "search[台灯]",
      "click[next >]",
      "click[nowhere 🏕]",
      "click[< prev]",
      "click[100000000000]",
      "click[尺寸=大号]",
      "click[颜色分类=白色]",
      "click[buy now]",
    ]
    const played = await run({
      experiment: { name: "python", output_dir: folder },
      tasks: { split: "all" },
      environment: { catalog: catalog.path, persona: true, rules: "souk" },
      model: { name: "scripted", replies },
    })
    const result = spawnSync("python3", [script, played.folder], { encoding: "utf8", maxBuffer: 1 << 26 })
    expect(result.stderr).toBe("")
    const read = result.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    const ours = []
    for await (const record of readEpisodes(played.folder)) ours.push(record)
    expect(read).toEqual(ours)
    expect(ours.length).toBe(3)
  })
})
