import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest"
import { run } from "../../assemble.ts"
import { RunSpec } from "../../core/run-spec.ts"
import { tinyCatalog } from "../../testing/tiny-catalog.ts"
import type { Check } from "./check.ts"
import { examine } from "./examine.ts"

let folder = ""
let catalog = ""
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "souk-doctor-test-"))
  const opened = await tinyCatalog(folder)
  catalog = opened.path
  opened.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const { signal } = new AbortController()
const LAMP = [
  "search[护眼台灯0号]",
  "click[100000000000]",
  "click[颜色分类=白色]",
  "click[尺寸=大号]",
  "click[buy now]",
]

function spec(replies: readonly string[], changes: object = {}): RunSpec {
  const experiment = { name: "trial", output_dir: join(folder, "runs") }
  return RunSpec.parse({
    experiment,
    tasks: { split: "all" },
    environment: { catalog },
    model: { name: "scripted", replies },
    ...changes,
  })
}
async function look(
  given: RunSpec,
  options: { episodes?: number; keepIn?: string } = {},
): Promise<Record<string, Check>> {
  const checks = await examine(given, { episodes: 1, signal, ...options })
  return Object.fromEntries(checks.map((check) => [check.name, check]))
}

test("an experiment that is ready", async () => {
  const checks = await look(spec(LAMP))
  expect(Object.values(checks).filter(({ result }) => result === "failed")).toEqual([])
  expect(checks.plan!.detail).toContain("3 episodes of 3 tasks (split all)")
  expect(checks.folder).toMatchObject({ result: "ok", detail: expect.stringContaining("will be made") })
  expect(checks.episodes).toMatchObject({
    result: "ok",
    detail: expect.stringMatching(/^1 played: purchase, reward 1\.00/),
  })
  expect(checks.actions!.detail).toContain("5 actions, 0 invalid; 1 of 1 episodes ended in a purchase")
  expect(checks["whole run"]!.detail).toContain("for 3 episodes")
})

test("nothing is written to the experiment's folder, and the trial is kept where asked", async () => {
  const temporary = mkdtempSync(join(folder, "tmp-"))
  vi.stubEnv("TMPDIR", temporary)
  onTestFinished(() => void vi.unstubAllEnvs())
  await look(spec(LAMP), { keepIn: join(folder, "kept") })
  await look(spec(LAMP))
  expect(existsSync(join(folder, "runs"))).toBe(false)
  expect(readdirSync(join(folder, "kept"))).toEqual(["trial"])
  expect(readdirSync(temporary)).toEqual([])
})

test("tasks that nobody can do are told before money is spent on them", async () => {
  const { tasks } = await look(spec(LAMP))
  expect(tasks).toMatchObject({
    result: "warning",
    detail: expect.stringMatching(/^2 of 3 tasks tried can be done.*wanted attribute/),
    advice: expect.stringContaining("souk tasks prove"),
  })
})

describe("what is wrong is said", () => {
  test.each([
    ["the catalog", { environment: { catalog: "nowhere.catalog" } }, /nowhere\.catalog/],
    ["the split", { tasks: { split: "nope" } }, /nope/],
    ["the model's name", { model: { name: "lexicl" } }, /did you mean lexical/],
    ["the prompt", { prompt: { system_prompt_file: "nowhere.txt" } }, /nowhere\.txt/],
  ])("%s", async (_what, changes, message) => {
    const checks = await look(spec(LAMP, changes))
    expect(Object.keys(checks)).toEqual(["plan"])
    expect(checks.plan).toMatchObject({ result: "failed", detail: expect.stringMatching(message) })
  })

  test("a model that breaks", async () => {
    const checks = await look(spec(["dance[now]"]))
    expect(checks.episodes).toMatchObject({
      result: "failed",
      detail: expect.stringContaining("1 of 1 failed, the first one at model_step_1"),
    })
    expect(checks.replies).toMatchObject({ result: "skipped" })
  })

  test("actions that do nothing", async () => {
    const checks = await look(
      spec(["search[台灯]", "click[moon]", "click[sun]", "click[moon]"], { runtime: { max_steps: 4 } }),
    )
    expect(checks.actions).toMatchObject({
      result: "warning",
      detail: expect.stringMatching(/4 actions, 3 invalid; 0 of 1 .*unavailable_action/),
    })
  })

  test("a folder that holds another run", async () => {
    const output_dir = join(folder, "taken")
    const experiment = { name: "trial", output_dir }
    await run(spec(LAMP, { experiment }), { signal, limit: 1 })
    expect((await look(spec(LAMP, { experiment }))).folder).toMatchObject({
      result: "ok",
      detail: expect.stringContaining("goes on with it"),
    })
    expect((await look(spec(LAMP, { experiment, runtime: { max_steps: 7 } }))).folder).toMatchObject({
      result: "failed",
      detail: expect.stringContaining("holds another run"),
    })
  })

  test("a folder that cannot be one", async () => {
    const file = join(folder, "a-file")
    writeFileSync(file, "")
    const { folder: check } = await look(spec(LAMP, { experiment: { name: "trial", output_dir: file } }))
    expect(check).toMatchObject({ result: "failed", detail: expect.stringContaining("cannot write") })
  })
})

test("it stops when it is cancelled", async () => {
  const abort = new AbortController()
  abort.abort()
  await expect(examine(spec(LAMP), { episodes: 1, signal: abort.signal })).rejects.toMatchObject({ code: "CANCELLED" })
})
