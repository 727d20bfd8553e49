import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { confusionMarkdown, confusionOf, readPlanted } from "../src/score/judges/facts/confusion.ts"
import { type FactsSet, factsCases, factsText, SETS } from "./fixtures/facts/write.ts"

const PAGE = fileURLToPath(new URL("../docs/service/judges.md", import.meta.url))

/** The tables of the page, by the name of the cases they are of: between `<!-- confusion: NAME -->` and `<!-- end -->`. */
const TABLES = [...readFileSync(PAGE, "utf8").matchAll(/<!-- confusion: (\w+) -->\n([\s\S]*?)\n<!-- end -->/g)]

/** Sets that the judge is not mended by. */
const KEPT: readonly FactsSet[] = ["tenth", "twelfth", "thirteenth"]
/** Of those that it was mended by, one transcript in so many is judged here. */
const SAMPLED = 5

const kept = new Map(KEPT.map((set) => [set, confusionOf(readPlanted(factsText(set)))]))

type Counts = Pick<ReturnType<typeof confusionOf>, "planted" | "found" | "clean" | "alarms">

function shares(all: readonly Counts[]): { readonly found: number; readonly alarms: number } {
  const sum = (count: (one: Counts) => number) => all.reduce((total, one) => total + count(one), 0)
  return {
    found: sum(({ found }) => found) / sum(({ planted }) => planted),
    alarms: sum(({ alarms }) => alarms) / sum(({ clean }) => clean),
  }
}

describe("planted faults", () => {
  it("sets that the judge is not mended by have a table, and no others", () => {
    expect(TABLES.map(([, name]) => name)).toEqual(KEPT)
  })

  it.each(KEPT)("docs/service/judges.md tells how the set %s is judged", (set) => {
    const table = TABLES.find(([, name]) => name === set)?.[2]
    expect(table?.trim()).toBe(confusionMarkdown(kept.get(set)!))
  })

  it("of these sets, faults are found at 95 % or more, with alarms without a fault under 3 %", () => {
    const { found, alarms } = shares([...kept.values()])
    expect(found).toBeGreaterThanOrEqual(0.95)
    expect(alarms).toBeLessThan(0.03)
  })

  it("of the sets that it was mended by, no less is found and no more raises an alarm", () => {
    const mended = SETS.filter((set) => !KEPT.includes(set)).flatMap((set) => factsCases(set))
    const sample = mended.filter((_, index) => index % SAMPLED === 0)
    const { found, alarms } = shares([confusionOf(readPlanted(sample.map((one) => JSON.stringify(one)).join("\n")))])
    expect(found).toBeGreaterThanOrEqual(0.97)
    expect(alarms).toBeLessThan(0.01)
  })
})
