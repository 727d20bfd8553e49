import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { run } from "../src/assemble.ts"
import type { CaseRecord } from "../src/core/case-record.ts"
import { fingerprint } from "../src/core/fingerprint.ts"
import { readAllVerdicts } from "../src/score/judge-run.ts"
import { readRubrics } from "../src/score/judges/model/rubric.ts"
import { type Label, readLabels } from "../src/score/read-labels.ts"
import { runAgreement } from "../src/score/run-agreement.ts"
import { readEpisodes } from "../src/store/read.ts"

const root = fileURLToPath(new URL("..", import.meta.url))

/** Of what was said in the plays that were labelled. Where it changes, read the plays again and mend the labels. */
const LABELLED = { en: "ee55813d581c6242", zh: "36716129da52f965" }

describe.each(["en", "zh"] as const)("our own labels, %s", (language) => {
  const folder = mkdtempSync(join(tmpdir(), "souk-labels-"))
  const records: CaseRecord[] = []
  let labels: Label[] = []
  let played = ""
  beforeAll(async () => {
    labels = await readLabels(join(root, "data", `service-labels-${language}.csv`))
    const experiment = { name: language, output_dir: folder, concurrency: 4 }
    const pack = join(root, "data", `service-${language}`)
    played = (await run({ suite: "service", experiment, pack, human: { sample_size: 0 } })).folder
    for await (const { evidence } of readEpisodes(played)) records.push(evidence.case as unknown as CaseRecord)
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it("are about what the lexical agent says", () => {
    const said = records
      .map(({ case_id, messages }) => [case_id, ...messages.map(({ sender, text }) => `${sender}: ${text}`)])
      .sort(([one = ""], [other = ""]) => (one < other ? -1 : 1))
    expect(fingerprint(said).slice(0, 16)).toBe(LABELLED[language])
  })

  it("are of every case, each check once, and of checks that there are", async () => {
    const criteria = (await readRubrics("bundled:service-quality"))[0]!.criteria.map(({ id }) => `rubric.${id}`)
    expect(new Set(labels.map(({ annotator }) => annotator))).toEqual(new Set(["authors"]))
    expect(new Set(labels.map(({ case_id }) => case_id)).size).toBe(28)
    const keys = labels.map(({ case_id, check_id }) => `${case_id} ${check_id}`)
    expect(new Set(keys).size).toBe(keys.length)
    const there = new Set(
      records.flatMap(({ case_id, judge_inputs }) =>
        [...criteria, ...judge_inputs.checks.map(({ id }) => id)].map((check) => `${case_id} ${check}`),
      ),
    )
    expect(keys.filter((key) => !there.has(key))).toEqual([])
  })

  it("have verdicts beside them that could be given: every rule of the pack can be read", async () => {
    for await (const { case_id, check_id, code } of readAllVerdicts(played)) {
      expect([case_id, check_id, code]).not.toContain("no_rule")
    }
  })

  it("agree with the rules as far as the page says", async () => {
    const { all, unmatched } = await runAgreement(played, labels)
    expect(unmatched).toBe(labels.filter(({ check_id }) => check_id.startsWith("rubric.")).length)
    const page = readFileSync(join(root, "docs", "service", "agreement.md"), "utf8")
    const row = new RegExp(String.raw`^\| ${language} \|(.*)\|$`, "m")
      .exec(page)?.[1]
      ?.split("|")
      .map((cell) => cell.trim())
    const { low = 0, high = 0 } = all.interval ?? {}
    const two = (value: number | undefined) => value?.toFixed(2)
    expect(row).toEqual([
      `${labels.length}`,
      `${unmatched}`,
      `${all.pairs}`,
      two(all.observed),
      two(all.kappa),
      `${two(low)}–${two(high)}`,
    ])
  })
})
