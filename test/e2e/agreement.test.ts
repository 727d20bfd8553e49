import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Experiment, run } from "../../src/assemble.ts"
import type { Verdict } from "../../src/core/verdict.ts"
import { readAllVerdicts } from "../../src/score/judge-run.ts"
import type { RunAgreement } from "../../src/score/run-agreement.ts"
import { startSouk } from "./run-helper.ts"

const root = mkdtempSync(join(tmpdir(), "souk-agreement-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let folder = ""
const given: Record<"pass" | "fail", Verdict[]> = { pass: [], fail: [] }
beforeAll(async () => {
  const experiment = { name: "run", output_dir: root, concurrency: 4 }
  folder = (await run({ suite: "service", pack: "bundled:en", experiment } as Experiment)).folder
  for await (const verdict of readAllVerdicts(folder)) {
    if (verdict.state === "pass" || verdict.state === "fail") given[verdict.state].push(verdict)
  }
})

/** A file of labels on verdicts that are so many of each pair: people's answer, the judge's. */
function labelsOf(pairs: readonly (readonly ["pass" | "fail", "pass" | "fail", number])[]): string {
  const left = { pass: [...given.pass], fail: [...given.fail] }
  const rows = pairs.flatMap(([people, judge, count]) =>
    left[judge].splice(0, count).map(({ case_id, check_id }) => `${case_id},${check_id},${people},anna`),
  )
  expect(rows).toHaveLength(pairs.reduce((sum, [, , count]) => sum + count, 0))
  const path = join(root, "labels.csv")
  writeFileSync(path, `case_id,check_id,label,annotator\n${rows.join("\n")}\n`)
  return path
}

describe("souk agreement", () => {
  it("gives the kappa that is worked out by hand for a run whose verdicts and labels are so", async () => {
    // People and judge both pass 20 and both fail 12, people alone pass 8 and the judge alone 10 of 50:
    // observed 32 / 50 = 0.64; expected (28 × 30 + 22 × 20) / 2500 = 0.512; kappa 0.128 / 0.488 = 0.262295…
    const labels = labelsOf([
      ["pass", "pass", 20],
      ["fail", "fail", 12],
      ["pass", "fail", 8],
      ["fail", "pass", 10],
    ])
    const { code, out } = await startSouk(["agreement", folder, labels, "--json"]).ended
    expect(code).toBe(0)
    const { all, unmatched, tied } = JSON.parse(out) as RunAgreement
    expect(all).toMatchObject({ pairs: 50, observed: 0.64 })
    expect(all.expected).toBeCloseTo(0.512, 12)
    expect(all.kappa).toBeCloseTo(0.128 / 0.488, 12)
    expect([unmatched, tied]).toEqual([0, 0])
    const text = (await startSouk(["agreement", folder, labels]).ended).out
    expect(text).toContain("0.26")
  })

  it("gives 0.40 for the worked example of its page", async () => {
    const labels = labelsOf([
      ["pass", "pass", 20],
      ["fail", "fail", 15],
      ["pass", "fail", 5],
      ["fail", "pass", 10],
    ])
    const { out } = await startSouk(["agreement", folder, labels, "--json"]).ended
    expect((JSON.parse(out) as RunAgreement).all.kappa).toBeCloseTo(0.4, 12)
  })

  it("says what is wrong with labels that name nothing of the run", async () => {
    const path = join(root, "others.csv")
    writeFileSync(path, "case_id,check_id,label\nnobody,told,pass\n")
    const { code, err } = await startSouk(["agreement", folder, path]).ended
    expect(code).toBe(2)
    expect(err).toContain("None of the 1 labels names a case and check")
  })
})
