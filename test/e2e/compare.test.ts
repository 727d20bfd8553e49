import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { run } from "../../src/assemble.ts"
import { comparisonMarkdown } from "../../src/report/formats/comparison-text.ts"
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
    expect(comparisonMarkdown(comparison)).toContain("cannot be told apart")
  })

  it("a run against itself shows no difference, and says that it is one plan", async () => {
    const path = await play("same", BUY_LAMP)
    const comparison = await compare(path, path)
    expect(comparison.measures.reward).toMatchObject({ mean: 0, p: 1 })
    expect(comparison.differences).toEqual([])
    expect(comparisonMarkdown(comparison)).toContain("what differs is chance")
  })

  it("refuses runs that did not face the same thing, unless told to", async () => {
    const short = await play("short", BUY_LAMP)
    const long = await play("long", BUY_LAMP, { runtime: { max_steps: 9 } })
    await expect(compare(short, long)).rejects.toMatchObject({
      code: "REFUSED",
      message: expect.stringContaining("limits"),
    })
    const comparison = await compare(short, long, { allowDifferent: true })
    expect(comparison.warnings[0]).toContain("limits")
  })
})
