import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { type Experiment, run } from "../../src/assemble.ts"
import type { Json, JsonObject } from "../../src/core/json.ts"
import type { ModelRequest } from "../../src/core/model.ts"
import type { Verdict } from "../../src/core/verdict.ts"
import { type MockModelOptions, serveMockModel } from "../../src/models/mock-server.ts"
import { type ScriptedReply, scriptedModel } from "../../src/models/scripted.ts"
import { readAllVerdicts, readJudgment } from "../../src/score/judge-run.ts"
import { startSouk } from "./run-helper.ts"

const root = mkdtempSync(join(tmpdir(), "souk-judge-model-"))
let played = ""

/** A run of one script per category in each sense: eight cases, played without a model. */
const spec = (name: string, more: Partial<Experiment> = {}): Experiment =>
  ({
    suite: "service",
    experiment: { name, output_dir: root, concurrency: 4 },
    pack: "bundled:en",
    tasks: { sample_size: 8 },
    ...more,
  }) as Experiment

beforeAll(async () => {
  played = (await run(spec("played"))).folder
})
afterAll(() => rmSync(root, { recursive: true }))

/** Answers every criterion with pass and the first words of the buyer; what it says hangs on nothing but what is asked. */
function honest({ messages, tools }: ModelRequest): ScriptedReply {
  const asked = String(messages[1]?.content)
  const [, quote = ""] = /\n\[M1\][^\n]*\n\| ([^\n]+)/.exec(asked) ?? []
  const schema = tools[0]?.function.parameters as unknown as {
    properties: { verdicts: { items: { properties: { criterion: { enum: string[] } } } } }
  }
  const verdicts = schema.properties.verdicts.items.properties.criterion.enum.map((criterion) => ({
    criterion,
    reason: "As it should be.",
    evidence: [{ message_id: "M1", quote }],
    state: "pass",
  }))
  return { tool: "give_verdicts", arguments: { verdicts: verdicts as Json } }
}

async function endpoint(answer: (request: ModelRequest) => ScriptedReply, options: Partial<MockModelOptions> = {}) {
  let asked = 0
  const model = scriptedModel((request) => {
    asked++
    return answer(request)
  })
  const server = await serveMockModel({ model, ...options })
  onTestFinished(() => server.close())
  return { url: server.url, asked: () => asked }
}

let copies = 0
function copyOfRun(): string {
  const folder = join(root, `copy-${++copies}`)
  cpSync(played, folder, { recursive: true })
  return folder
}

const flags = (folder: string, url: string, ...more: string[]) => [
  ...["judge", folder, "--judges", "facts,policy,model", "--model", "mock", "--base-url", url, "--no-api-key-env"],
  ...more,
]

/** What a judging leaves, but for the file of draws, whose lines come in the order of their answers. */
function scoresOf(folder: string): Record<string, string> {
  const names = readdirSync(join(folder, "scores")).filter((name) =>
    /(@\d+|^cases)\.jsonl$|^judgment\.json$/.test(name),
  )
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(folder, "scores", name), "utf8")]))
}

function drawsOf(folder: string): string[] {
  return readFileSync(join(folder, "scores", "model-draws.jsonl"), "utf8")
    .trim()
    .split("\n")
    .sort()
}

async function modelVerdicts(folder: string): Promise<Verdict[]> {
  const found: Verdict[] = []
  for await (const verdict of readAllVerdicts(folder)) if (verdict.judge === "model@1") found.push(verdict)
  return found
}

describe("souk judge with a model", () => {
  test("adds its verdicts to the others', says what it took, and asks nobody the second time", async () => {
    const { url, asked } = await endpoint(honest)
    const folder = copyOfRun()
    const before = scoresOf(folder)
    const first = await startSouk(flags(folder, url, "--price", "1,2,EUR", "--json")).ended
    expect(first).toMatchObject({ code: 0, err: "" })
    const told = JSON.parse(first.out) as { summary: JsonObject; draws: JsonObject }
    expect(told.draws).toEqual({ asked: 24, found: 0 })
    expect(asked()).toBe(24)
    expect(told.summary.judge_reports).toMatchObject({
      "model@1": { draws: 3, cases: 8, judge_faults: 0, usage: { model_calls: 24 }, cost: { currency: "EUR" } },
    })
    const { by_check } = (told.summary.judge_reports as Record<string, JsonObject>)["model@1"]!
    const answered = Object.values(by_check as Record<string, Record<string, number>>)
    expect(answered.reduce((sum, { pass = 0 }) => sum + pass, 0)).toBeGreaterThanOrEqual(32)
    for (const counts of answered) expect(counts).toMatchObject({ fail: 0, abstained: 0, judge_faults: 0, divided: 0 })
    const after = scoresOf(folder)
    for (const judge of ["facts@1.jsonl", "policy@1.jsonl"]) expect(after[judge]).toBe(before[judge])
    const verdicts = await modelVerdicts(folder)
    expect(new Set(verdicts.map(({ episode_id }) => episode_id)).size).toBe(8)
    expect(new Set(verdicts.map(({ state }) => state))).toEqual(new Set(["pass", "not_applicable"]))
    const second = await startSouk(flags(folder, url, "--price", "1,2,EUR")).ended
    expect(second.out).toContain("Draws: 0 asked for, 24 kept from earlier")
    expect(second.out).toMatch(/model@1: \d+ answers wanted of 8 cases; 0 abstained/)
    expect(asked()).toBe(24)
    expect(scoresOf(folder)).toEqual(after)
    const report = await startSouk(["report", folder]).ended
    expect(report.out).toMatch(/^── The judge that asks a model \(model@1\)$/m)
    expect(report.out).toMatch(/^rubric\.[a-z-]+ +\d+ +0 +\d+ +0 +0 +0 +0 +0$/m)
    expect(report.out).toMatch(/^The judge's model \(model@1\) +24 +\d+ +\d+ +0\.\d+ EUR$/m)
  })

  test("survives kill -9 anywhere: nothing is paid for twice, and in the end all is as if nothing had happened", async () => {
    const calm = copyOfRun()
    const fast = await endpoint(honest)
    expect(await startSouk(flags(calm, fast.url)).ended).toMatchObject({ code: 0 })
    const folder = copyOfRun()
    const before = scoresOf(folder)
    const slow = await endpoint(honest, { latencyMs: 60 })
    let kills = 0
    while (kills < 2) {
      const target = slow.asked() + 5
      const { child, ended } = startSouk(flags(folder, slow.url, "--concurrency", "1"))
      while (slow.asked() < target && child.exitCode === null) await sleep(2)
      child.kill("SIGKILL")
      await ended
      kills++
      expect(scoresOf(folder)).toEqual(before)
    }
    const ended = await startSouk(flags(folder, slow.url, "--concurrency", "1")).ended
    expect(ended).toMatchObject({ code: 0, err: "" })
    expect(slow.asked()).toBeLessThanOrEqual(24 + 3 * kills)
    expect(scoresOf(folder)).toEqual(scoresOf(calm))
    expect(drawsOf(folder)).toEqual(drawsOf(calm))
  }, 90_000)

  test("no fault of its model counts for the agent: cases are what they are without it", async () => {
    const plain = readJudgment(played)
    for (const answer of [() => ({ text: "I'd rather not." }), () => ({ tool: "give_verdicts", arguments: {} })]) {
      const { url } = await endpoint(answer)
      const folder = copyOfRun()
      expect(await startSouk(flags(folder, url, "--draws", "1")).ended).toMatchObject({ code: 0 })
      const judged = readJudgment(folder)
      expect(judged?.pass_rate).toEqual(plain?.pass_rate)
      expect(judged?.codes).toEqual(plain?.codes)
      const answers = (await modelVerdicts(folder)).filter(({ state }) => state !== "not_applicable")
      expect(answers.length).toBeGreaterThanOrEqual(32)
      expect(new Set(answers.map(({ state, code }) => `${state} ${code}`))).toEqual(
        new Set(["unjudgeable judge_fault"]),
      )
    }
  })

  test("asks a rubric of one's own; what is wrong with it or with a flag is told before anybody is asked", async () => {
    const { url, asked } = await endpoint(honest)
    const rubric = join(root, "ours.yaml")
    const text =
      "name: ours\nversion: 1\nlanguage: en\ncriteria:\n  - id: brief\n    question: Is the agent brief?\n    pass: Yes.\n    fail: No.\n"
    writeFileSync(rubric, text.replace("pass", "passes"))
    const folder = copyOfRun()
    const refused = await startSouk(flags(folder, url, "--rubric", rubric)).ended
    expect(refused).toMatchObject({
      code: 2,
      err: expect.stringContaining("ours.yaml:7:5: criteria.0.passes: unknown key; did you mean `pass`?") as string,
    })
    expect(await startSouk(flags(folder, url, "--draws", "2")).ended).toMatchObject({
      code: 2,
      err: expect.stringContaining("--draws: must be odd") as string,
    })
    expect(await startSouk(["judge", folder, "--judges", "model"]).ended).toMatchObject({
      code: 2,
      err: expect.stringContaining("needs --model and --base-url") as string,
    })
    expect(asked()).toBe(0)
    writeFileSync(rubric, text)
    expect(await startSouk(flags(folder, url, "--rubric", rubric, "--draws", "1")).ended).toMatchObject({ code: 0 })
    expect(new Set((await modelVerdicts(folder)).map(({ check_id }) => check_id))).toEqual(new Set(["rubric.brief"]))
  })
})

test("the check of one's own that the docs page shows is asked as it stands, of the cases that it names", async () => {
  const page = readFileSync(new URL("../../docs/service/rubrics.md", import.meta.url), "utf8")
  const [, block = ""] = /```yaml\n([\s\S]*?)```/.exec(page.replace(/^ {3}/gm, "")) ?? []
  expect(block).toMatch(/^name: ours\n/)
  const rubric = join(root, "ours-of-the-page.yaml")
  writeFileSync(rubric, block)
  const { url, asked } = await endpoint(honest)
  const folder = copyOfRun()
  expect(await startSouk(flags(folder, url, "--rubric", rubric, "--draws", "1")).ended).toMatchObject({ code: 0 })
  const verdicts = await modelVerdicts(folder)
  expect(new Set(verdicts.map(({ check_id }) => check_id))).toEqual(new Set(["rubric.names-the-carrier"]))
  expect(new Set(verdicts.map(({ rubric: named }) => named))).toEqual(new Set(["ours@1"]))
  const answered = verdicts.filter(({ state }) => state === "pass")
  expect(answered.length).toBe(asked())
  expect(answered.length).toBeGreaterThan(0)
  expect(verdicts.length - answered.length).toBe(8 - asked()) // not_applicable: no order was looked up
  const [shown] = answered
  const said = await startSouk(["show", folder, shown!.case_id]).ended
  expect(said.out).toContain("✓ rubric.names-the-carrier (model@1)")
})

test("souk run judges with a model, where the experiment says so", async () => {
  const { url, asked } = await endpoint(honest)
  const judge = (more: object) => ({ judges: ["facts", "policy", "model"], draws: 1, ...more })
  const model = { name: "mock", base_url: url, api_key_env: null }
  const { folder, summary } = await run(spec("with-model", { judge: judge({ model }) } as Partial<Experiment>))
  expect(asked()).toBe(8)
  expect((await modelVerdicts(folder)).length).toBeGreaterThanOrEqual(32)
  expect(summary.judgment?.judges).toEqual(["facts@1", "policy@1", "model@1"])
  await expect(run(spec("lacks-model", { judge: judge({}) } as Partial<Experiment>))).rejects.toThrow(
    "is needed for the judge model",
  )
  const keyed = { judge: judge({ model: { ...model, api_key_env: "SOUK_NO_SUCH_KEY" } }) }
  await expect(run(spec("lacks-key", keyed as Partial<Experiment>))).rejects.toThrow("SOUK_NO_SUCH_KEY")
})
