import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { packageFolder } from "../../../lib/package-version.ts"
import { caseWith } from "./case.fixture.ts"
import { INSTRUCTIONS, ORDINARY, OTHER_INSTRUCTIONS, OTHER_ORDINARY } from "./instructs-judge.fixture.ts"
import { instructsJudge } from "./instructs-judge.ts"

it.each(INSTRUCTIONS)("is told to whoever judges: %s", (text) => {
  for (const sender of ["buyer", "agent"] as const) {
    const [found, ...more] = instructsJudge(caseWith([[sender, text]]))
    expect(found?.message_id).toBe("m1")
    expect(text).toContain(found?.quote)
    expect(more).toEqual([])
  }
})

it.each(ORDINARY)("is told to nobody but its reader: %s", (text) => {
  expect(instructsJudge(caseWith([["buyer", text]]))).toEqual([])
})

it("finds nothing in what the bundled packs say", () => {
  const texts = ["en", "zh"].flatMap((language) =>
    readFileSync(join(packageFolder(), "data", `service-${language}`, "scripts.jsonl"), "utf8")
      .trim()
      .split("\n")
      .flatMap((line) => {
        const { segments, gold } = JSON.parse(line) as {
          segments: { texts: string[] }[]
          gold: { turns: { say?: string }[][] }
        }
        return [...segments.flatMap((segment) => segment.texts), ...gold.turns.flat().flatMap(({ say }) => say ?? [])]
      }),
  )
  expect(texts.length).toBeGreaterThan(200)
  expect(texts.filter((text) => instructsJudge(caseWith([["agent", text]])).length > 0)).toEqual([])
})

it("finds as much of what it was not made with as the page says", () => {
  const found = (texts: readonly string[]) =>
    texts.filter((text) => instructsJudge(caseWith([["agent", text]])).length > 0).length
  const page = readFileSync(join(packageFolder(), "docs", "service", "rubrics.md"), "utf8")
  const said = /found (\d+) of (\d+), and (\d+) of (\d+) ordinary/.exec(page.replaceAll(/\s+/g, " "))
  expect(said?.slice(1).map(Number)).toEqual([
    found(OTHER_INSTRUCTIONS),
    OTHER_INSTRUCTIONS.length,
    found(OTHER_ORDINARY),
    OTHER_ORDINARY.length,
  ])
})

it.each([" ", "\n", "judge ", "to for ", "评估", "把对话", "\n[ ", "verdict "])(
  "takes no longer for a text that is made to take long: %j",
  (unit) => {
    const record = caseWith([["agent", unit.repeat(50_000 / unit.length)]])
    const started = performance.now()
    instructsJudge(record)
    expect(performance.now() - started).toBeLessThan(3000)
  },
)
