import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { confusionMarkdown, confusionOf, readPlanted } from "../src/score/judges/facts/confusion.ts"

const PAGE = fileURLToPath(new URL("../docs/service/judges.md", import.meta.url))

/** The tables of the page, by the name of the cases they are of: between `<!-- confusion: NAME -->` and `<!-- end -->`. */
const TABLES = [...readFileSync(PAGE, "utf8").matchAll(/<!-- confusion: (\w+) -->\n([\s\S]*?)\n<!-- end -->/g)]

function casesOf(name: string): string {
  const path = fileURLToPath(new URL(`fixtures/facts/${name}.jsonl`, import.meta.url))
  return existsSync(path) ? path : `${path}.gz`
}

describe("planted faults", () => {
  it("there are tables to hold", () => {
    expect(TABLES.map(([, name]) => name)).toContain("seen")
  })

  it.each(TABLES.map(([, name, table]) => ({ name: name!, table: table! })))(
    "docs/service/judges.md tells how the $name half is judged",
    ({ name, table }) => {
      const confusion = confusionOf(readPlanted(casesOf(name)))
      expect(table.trim()).toBe(confusionMarkdown(confusion))
    },
  )

  it("of the half that was worked with, faults are found at 95 % or more, with alarms without a fault under 3 %", () => {
    const { planted, found, clean, alarms } = confusionOf(readPlanted(casesOf("seen")))
    expect(found / planted).toBeGreaterThanOrEqual(0.95)
    expect(alarms / clean).toBeLessThan(0.03)
  })
})
