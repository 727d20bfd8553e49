import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { packageFolder } from "../../../lib/package-version.ts"
import { caseWith } from "./case.fixture.ts"
import { INSTRUCTIONS, ORDINARY } from "./instructs-judge.fixture.ts"
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
