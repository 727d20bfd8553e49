import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Command } from "commander"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { run } from "../../src/assemble.ts"
import { runCommands } from "../../src/cli/command.ts"
import { registerCompare } from "../../src/cli/commands/compare.ts"
import { registerReport } from "../../src/cli/commands/report.ts"
import { comparisonDocument } from "../../src/report/comparison.ts"
import { documentText } from "../../src/report/formats/text.ts"
import { compare } from "../../src/score/compare.ts"
import { tinyCatalog } from "../../src/testing/tiny-catalog.ts"

const folder = mkdtempSync(join(tmpdir(), "souk-e2e-compare-"))
let catalog: string
beforeAll(async () => {
  using opened = await tinyCatalog(folder)
  catalog = opened.path
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const BUY_LAMP = [
  "search[护眼台灯 0号]",
  "click[100000000000]",
  "click[颜色分类=白色]",
  "click[尺寸=大号]",
  "click[buy now]",
]
const GIVE_UP = ["search[台灯]", "search[台灯]"]

async function play(name: string, replies: string[], changes: { tasks?: object; runtime?: object } = {}) {
  const { folder: path } = await run({
    experiment: { name, output_dir: join(folder, "runs") },
    tasks: { split: "all", repeats: 2, ...changes.tasks },
    environment: { catalog },
    runtime: { max_steps: replies.length, ...changes.runtime },
    model: { name: "scripted", replies },
  })
  return path
}

/** Runs a command line; gives the exit code and what went to stdout. */
async function souk(...args: string[]) {
  let [out, code] = ["", 0]
  const program = new Command().exitOverride()
  const commands = runCommands({
    signal: new AbortController().signal,
    write: (text) => {
      out += text
    },
    warn: () => undefined,
    exit: (value) => {
      code = value
    },
  })
  for (const register of [registerCompare, registerReport]) register(program, commands)
  await program.parseAsync(["node", "souk", ...args])
  return { code, out }
}

describe("souk compare", () => {
  it("pairs jobs, averages repeats and names the tasks that changed", async () => {
    const idle = await play("idle", [...GIVE_UP, ...GIVE_UP, GIVE_UP[0]!])
    const buyer = await play("buyer", BUY_LAMP)
    const comparison = await compare(idle, buyer)
    expect(comparison.jobs).toEqual({ shared: 6, paired: 6, only_first: 0, only_second: 0, neither: 0 })
    expect(comparison.tasks).toBe(3)
    expect(comparison.measures.success).toMatchObject({ first: 0, n: 3, p: 1, exact: true })
    expect(comparison.measures.success!.second).toBeCloseTo(1 / 3)
    expect(comparison.flips).toEqual({ gained: ["0"], lost: [], mixed: [] })
    expect((await compare(buyer, idle)).flips.lost).toEqual(["0"])
    expect(comparison.differences.map(({ path }) => path)).toEqual(["model.script_sha256"])
    expect(documentText(comparisonDocument(comparison))).toContain("cannot be told apart")
  })

  it("a run against itself shows no difference, and says that it is one plan", async () => {
    const path = await play("same", BUY_LAMP)
    const comparison = await compare(path, path)
    expect(comparison.measures.reward).toMatchObject({ mean: 0, p: 1 })
    expect(comparison.differences).toEqual([])
    expect(documentText(comparisonDocument(comparison))).toContain("what differs is chance")
  })

  it("refuses runs that did not face the same thing, unless told to", async () => {
    const short = await play("short", BUY_LAMP)
    const long = await play("long", BUY_LAMP, { runtime: { max_steps: 9 } })
    await expect(compare(short, long)).rejects.toMatchObject({
      code: "REFUSED",
      message: expect.stringContaining("limits"),
    })
    const comparison = await compare(short, long, { allowDifferent: true })
    expect(comparison.warnings[0]).toMatchObject({ code: "different_conditions", members: ["limits.max_steps"] })
    expect(documentText(comparisonDocument(comparison))).toContain("Warning: The runs did not face the same thing")
  })
})

describe("reports", () => {
  const at = (name: string) => join(folder, name)
  let [idle, buyer] = ["", ""]
  beforeAll(async () => {
    idle = await play("reported-idle", [...GIVE_UP, ...GIVE_UP, GIVE_UP[0]!])
    buyer = await play("reported-buyer", BUY_LAMP)
  })

  it("a comparison is printed in the form and language asked for", async () => {
    const asked = async (...flags: string[]) => (await souk("compare", idle, buyer, ...flags)).out
    expect(await asked()).toMatch(/^measure +first +second +difference +95 % interval +p$/m)
    expect(await asked("--format", "md")).toMatch(/^\| success \| 0 \| 0\.333 \| \+0\.333 \| /m)
    expect(await asked("--language", "zh")).toContain("两者的成功率分不出高下。")
    const json = JSON.parse(await asked("--format", "json"))
    expect(json).toMatchObject({ schema: "souk.comparison/1", flips: { gained: ["0"] } })
    expect(JSON.parse(await asked("--json"))).toEqual(json)
    const html = await asked("--format", "html", "--language", "zh")
    expect(html).toMatch(/^<!doctype html>\n<html lang="zh-CN">/)
    expect(html).toContain('<th scope="row">0</th><td>新成功</td><td class="number">0.0 %</td>')
    expect(html).toContain("<svg ")
  })

  it("goes into a file, whose name tells the form", async () => {
    const { out } = await souk("compare", idle, buyer, "--out", at("tuned.html"))
    expect(out).toContain("reported-idle → reported-buyer\n")
    expect(readFileSync(at("tuned.html"), "utf8")).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/)
    await souk("report", buyer, "--out", at("buyer.md"))
    expect(readFileSync(at("buyer.md"), "utf8")).toMatch(/^# reported-buyer\n/)
    expect(await souk("report", buyer, "--out", at("nowhere/buyer.md"))).toMatchObject({ code: 2 })
  })

  it("a run's report tells its figures, ends and plan, and no goal", async () => {
    const { out } = await souk("report", buyer, "--format", "html")
    expect(out).toContain('<dt>Success</dt><dd class="value">33.3 %</dd><dd class="note">2 of 6; 95 % interval')
    expect(out).toContain('<th scope="row">purchase</th><td class="number">6</td><td class="number">100.0 %</td>')
    expect(out).toContain("scripted")
    expect(out).not.toMatch(/护眼台灯|<script/)
    expect((await souk("report", buyer, "--language", "zh")).out).toContain("6 个中 2 个；95 % 区间")
    expect(JSON.parse((await souk("report", buyer, "--json")).out)).toMatchObject({
      run_dir: buyer,
      summary: { counts: { scored: 6 } },
    })
  })
})
