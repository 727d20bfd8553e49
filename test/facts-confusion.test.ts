import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { confusionMarkdown, confusionOf, readPlanted } from "../src/score/judges/facts/confusion.ts"
import { type FactsSet, factsText, SETS } from "./fixtures/facts/write.ts"

const PAGE = fileURLToPath(new URL("../docs/service/judges.md", import.meta.url))

/** The tables of the page, by the name of the cases they are of: between `<!-- confusion: NAME -->` and `<!-- end -->`. */
const TABLES = [...readFileSync(PAGE, "utf8").matchAll(/<!-- confusion: (\w+) -->\n([\s\S]*?)\n<!-- end -->/g)]

/** Each set is counted once for all tests of it. */
const counted = new Map<FactsSet, ReturnType<typeof confusionOf>>()
function countOf(set: FactsSet) {
  const known = counted.get(set) ?? confusionOf(readPlanted(factsText(set)))
  counted.set(set, known)
  return known
}

describe("planted faults", () => {
  it("every set has a table", () => {
    expect(TABLES.map(([, name]) => name).sort()).toEqual([...SETS].sort())
  })

  it.each(SETS)("docs/service/judges.md tells how the set %s is judged", (set) => {
    const table = TABLES.find(([, name]) => name === set)?.[2]
    expect(table?.trim()).toBe(confusionMarkdown(countOf(set)))
  })

  it("of the sets that are not mended by, faults are found at 95 % or more, with alarms without a fault under 3 %", () => {
    const kept = (["twelfth", "thirteenth"] as const).map(countOf)
    const sum = (count: (one: ReturnType<typeof confusionOf>) => number) =>
      kept.reduce((all, one) => all + count(one), 0)
    expect(sum(({ found }) => found) / sum(({ planted }) => planted)).toBeGreaterThanOrEqual(0.95)
    expect(sum(({ alarms }) => alarms) / sum(({ clean }) => clean)).toBeLessThan(0.03)
  })
})
