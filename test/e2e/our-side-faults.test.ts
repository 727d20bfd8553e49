import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Experiment, run } from "../../src/assemble.ts"
import type { JudgmentSummary } from "../../src/core/judgment.ts"
import type { Summary } from "../../src/core/score.ts"
import { documentText } from "../../src/report/formats/text.ts"
import { serviceDocument } from "../../src/report/service.ts"
import { readAllVerdicts, readCaseJudgments, readJudgment } from "../../src/score/judge-run.ts"
import { readManifest } from "../../src/store/read.ts"
import { recordsOf, startSouk } from "./run-helper.ts"

/*
 * Our own side may go wrong too: the model that plays the buyer and the one that judges. Whatever it does, a case ends in the exclusion
 * that is meant for it, and never as the agent's failure. Everything here goes through the command line, against `souk mock-model`.
 */

const root = mkdtempSync(join(tmpdir(), "souk-our-side-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const CALL = '{"tool":"say","arguments":{"text":"hello, is anybody there?"}}'
const REFUSAL = '{"text":"I\'m sorry, but I can\'t help with that."}'

/** What an endpoint does from its first reply on, as flags of `souk mock-model`. */
const ALWAYS = {
  malformed: ["--reply", CALL, "--fault", "bad_arguments=1"],
  empty: ["--reply", CALL, "--fault", "empty_choices=1"],
  late: ["--reply", CALL, "--latency", "60000"],
  refusing: ["--reply", REFUSAL],
} as const

/** The same once it has said something usable. */
const AFTER_FIRST_WORDS = {
  malformed: ["--reply", CALL, "--reply", '{"tool":"say","arguments":{}}', "--reply", '{"tool":"say","arguments":{}}'],
  empty: ["--reply", CALL, "--reply", '{"text":""}', "--reply", '{"text":""}'],
  refusing: ["--reply", CALL, "--reply", REFUSAL, "--reply", REFUSAL],
} as const

/** Starts `souk mock-model`, which lives as long as the test; its address. */
async function mockModel(flags: readonly string[]): Promise<string> {
  const { child } = startSouk(["mock-model", "--port", "0", "--json", "--model", "scripted", ...flags])
  const [line] = (await once(createInterface({ input: child.stdout! }), "line")) as [string]
  return (JSON.parse(line) as { url: string }).url
}

const endpoint = (url: string) => ({
  ...{ name: "mock", base_url: url, api_key_env: null, trust_env: false, max_retries: 1, timeout: 1 },
})

/** `souk run` of so many cases of the English pack. */
async function playedWith(name: string, sections: object, cases = 1) {
  const file = join(root, `${name}.yaml`)
  const experiment = { name, output_dir: root, max_attempts: 1, seed: 3 }
  const tasks = { sample_size: cases }
  writeFileSync(file, JSON.stringify({ suite: "service", pack: "bundled:en", experiment, tasks, ...sections })) // JSON is YAML
  const { out, err } = await startSouk(["run", file, "--json"]).ended
  if (!out.includes('"summary"')) throw new Error(`${out}\n${err}`)
  const at = join(root, name)
  const [record] = await recordsOf(at)
  const [judgment] = [...(await readCaseJudgments(at))!.values()]
  return { summary: (JSON.parse(out) as { summary: Summary }).summary, record: record!, judgment: judgment!, at }
}

/** A case with a buyer of that endpoint. */
function boughtWith(url: string, name: string) {
  const role = { kind: "simulated", mode: "model", model: endpoint(url) }
  return playedWith(name, { role, limits: { buyer_step_timeout: 1 } })
}

function reported(at: string, summary: Summary, language: "en" | "zh" = "en"): string {
  return documentText(serviceDocument(readManifest(at), summary, undefined, language))
}

/** No figure of the agent's knows of the case. */
function isNotTheAgents({ counts, primary, judgment }: Summary): void {
  expect(counts).toMatchObject({ requested: 1, scored: 0, completed: 0 })
  expect(primary.success_rate).toBeUndefined()
  expect(judgment?.pass_rate).toEqual({ passed: 0, of: 0 })
  expect(judgment?.codes).toEqual({})
}

describe("the buyer's model", () => {
  it.each([
    ["malformed", "failed", "PRACTICE_NO_OBSERVATIONS"],
    ["empty", "failed", "PRACTICE_NO_OBSERVATIONS"],
    ["late", "failed", "BUYER_STEP_TIMEOUT"],
    ["refusing", "failed", "PRACTICE_NO_OBSERVATIONS"],
  ] as const)(
    "that is %s from its first reply on leaves a case without observations",
    async (kind, status, code) => {
      const { summary, record, judgment, at } = await boughtWith(await mockModel(ALWAYS[kind]), `buyer-${kind}`)
      expect(record).toMatchObject({ status, error: { code } })
      expect(judgment).toMatchObject({ state: "excluded", exclusion: "no_observation", failed: [] })
      isNotTheAgents(summary)
      expect(summary.judgment?.excluded).toEqual({ environment_incomplete: 0, invalid_buyer: 0, no_observation: 1 })
      expect(reported(at, summary)).toMatch(/^left out: no observation +1 /m)
    },
    60_000,
  )

  it.each(["malformed", "empty", "refusing"] as const)(
    "that is %s after its first words makes the case invalid",
    async (kind) => {
      const { summary, record, judgment, at } = await boughtWith(
        await mockModel(AFTER_FIRST_WORDS[kind]),
        `buyer-${kind}-later`,
      )
      expect(record.status).toBe("invalid")
      expect(judgment).toMatchObject({ state: "excluded", exclusion: "invalid_buyer" })
      isNotTheAgents(summary)
      expect(summary.buyer).toMatchObject({ turns: 1, invalid_cases: { count: 1, of: 1 } })
      expect(summary.cost.parties?.buyer?.model_calls).toBeGreaterThanOrEqual(3)
      const out = reported(at, summary, "zh")
      expect(out).toMatch(/^排除：买家无效 +1 /m)
      expect(out).toMatch(/^作废的用例 +1 +1 个用例 +100\.0 %/m)
    },
    60_000,
  )
})

describe("the judge's model", () => {
  let plain: JudgmentSummary
  beforeAll(async () => {
    const experiment = { name: "plain", output_dir: root, seed: 3 }
    const spec = { suite: "service", pack: "bundled:en", experiment, tasks: { sample_size: 2 } }
    plain = readJudgment((await run(spec as Experiment)).folder)!
  })

  it.each(["malformed", "empty", "late", "refusing"] as const)(
    "that is %s gives no verdict, and the cases are what they are without it",
    async (kind) => {
      const model = endpoint(await mockModel(ALWAYS[kind]))
      const judge = { judges: ["facts", "policy", "model"], draws: 1, model }
      const { at, summary } = await playedWith(`judged-${kind}`, { judge }, 2)
      const judged = readJudgment(at)!
      for (const figure of ["pass_rate", "excluded", "not_judged", "not_scored", "codes", "by_check"] as const) {
        expect(judged[figure], figure).toEqual(plain[figure])
      }
      let faults = 0
      for await (const { judge, state, code, check_id } of readAllVerdicts(at)) {
        if (judge !== "model@1" || state === "not_applicable") continue
        expect({ state, code }, check_id).toEqual({ state: "unjudgeable", code: "judge_fault" })
        faults++
      }
      expect(faults).toBeGreaterThanOrEqual(8)
      const report = (judged.judge_reports as Record<string, { judge_faults: number }>)["model@1"]
      expect(report?.judge_faults).toBe(faults)
      expect(reported(at, summary)).toMatch(/^rubric\.[a-z-]+( +0){6} +[12] +0$/m)
    },
    60_000,
  )
})

it("a reply that is none is refused with an example", async () => {
  for (const reply of ["{say}", '{"tool":"say"}']) {
    const { code, err } = await startSouk(["mock-model", "--model", "scripted", "--reply", reply]).ended
    expect(code).toBe(2)
    expect(err).toContain('{"tool":"say","arguments":{"text":"Hi"}}')
  }
})
