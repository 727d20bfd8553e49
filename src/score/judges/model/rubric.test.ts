import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { packageFolder } from "../../../lib/package-version.ts"
import { readRubrics, rubricSha256 } from "./rubric.ts"

const folder = mkdtempSync(join(tmpdir(), "souk-rubric-"))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
function file(text: string): string {
  const path = join(folder, `${++files}.yaml`)
  writeFileSync(path, text)
  return path
}

const GOOD = `name: mine
version: 1
language: en
criteria:
  - id: greets
    question: Does the agent greet the buyer?
    pass: It does.
    fail: It does not.
`

it("the bundled rubric asks the same in both languages", async () => {
  const rubrics = await readRubrics("bundled:service-quality")
  expect(rubrics.map(({ language }) => language)).toEqual(["en", "zh"])
  const [en, zh] = rubrics.map(({ name, version, criteria }) => ({
    name,
    version,
    criteria: criteria.map(({ question: _, pass: __, fail: ___, ...rest }) => rest),
  }))
  expect(zh).toEqual(en)
  await expect(readRubrics("bundled:mine")).rejects.toThrow("there is bundled:service-quality, or a file")
})

it("a criterion weighs one and does not block, unless it says so", async () => {
  const [rubric] = await readRubrics(file(GOOD))
  expect(rubric?.criteria).toMatchObject([{ id: "greets", weight: 1, blocking: false }])
})

it("the hash is that of what a rubric says, not of how it is written", async () => {
  const hash = async (text: string) => rubricSha256((await readRubrics(file(text)))[0]!)
  const plain = await hash(GOOD)
  expect(await hash(`# a note\n${GOOD.replace("version: 1\nlanguage: en", "language: en\nversion: 1")}`)).toBe(plain)
  expect(await hash(GOOD.replace("It does not.", "It never does."))).not.toBe(plain)
  expect(await hash(`${GOOD}    weight: 2\n`)).not.toBe(plain)
})

it("the example of the page is a rubric", async () => {
  const page = readFileSync(join(packageFolder(), "docs", "service", "rubrics.md"), "utf8")
  const [, example = ""] = /```yaml\n([\s\S]*?)```/.exec(page) ?? []
  expect(await readRubrics(file(example.replaceAll(/^ {3}/gm, "")))).toMatchObject([
    { name: "ours", criteria: [{ id: "names-the-carrier", when: { called: ["get_order"] } }] },
  ])
})

it("faults are told with file, line, column and key", async () => {
  const refused = async (text: string) => {
    const path = file(text)
    const error = await readRubrics(path).catch((caught: unknown) => caught)
    return String((error as Error).message).replaceAll(path, "FILE")
  }
  expect(await refused(GOOD.replace("question", "questoin"))).toContain(
    "FILE:6:5: criteria.0.questoin: unknown key; did you mean `question`?",
  )
  expect(await refused(GOOD.replace("id: greets", "id: Greets Buyer"))).toContain(
    "FILE:5:9: criteria.0.id: expected lower-case",
  )
  expect(await refused(GOOD.replace("fail: It does not.", "fail: ''"))).toContain(
    "FILE:8:11: criteria.0.fail: must not be blank",
  )
  expect(await refused(`${GOOD}${GOOD.slice(GOOD.indexOf("  - id"))}`)).toContain(
    "criteria.1.id: there is another criterion greets",
  )
  expect(await refused(`${GOOD}    when: { buyer_says: ["("] }\n`)).toContain("expected a regular expression")
  await expect(readRubrics(join(folder, "none.yaml"))).rejects.toMatchObject({ code: "NOT_FOUND" })
})
