import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { buyerConfusionMarkdown, buyerConfusionOf, readBuyerSamples } from "../src/service/roles/confusion.ts"
import { SETS } from "./fixtures/buyers/write.ts"

const PAGE = fileURLToPath(new URL("../docs/service/buyers.md", import.meta.url))

/** The tables of the page, by the name of the set they are of: between `<!-- buyers: NAME -->` and `<!-- end -->`. */
const TABLES = [...readFileSync(PAGE, "utf8").matchAll(/<!-- buyers: ([\w-]+) -->\n([\s\S]*?)\n<!-- end -->/g)]

/** Each set is counted once for all tests of it. */
const counted = new Map<string, ReturnType<typeof buyerConfusionOf>>()
function confusionOf(name: string) {
  const known = counted.get(name)
  if (known !== undefined) return known
  const path = fileURLToPath(new URL(`fixtures/buyers/${name}.jsonl`, import.meta.url))
  const confusion = buyerConfusionOf(readBuyerSamples(path))
  counted.set(name, confusion)
  return confusion
}

describe("planted faults of simulated buyers", () => {
  it("every set has a table", () => {
    expect(TABLES.map(([, name]) => name).sort()).toEqual([...SETS].sort())
  })

  it.each(TABLES.map(([, name, table]) => ({ name: name!, table: table! })))(
    "docs/service/buyers.md tells how the set $name is counted",
    ({ name, table }) => expect(table.trim()).toBe(buyerConfusionMarkdown(confusionOf(name))),
  )

  it.each(SETS)(
    "of the set %s, faults are found at 95 %% or more, with alarms in 2 %% of the clean turns at most",
    (set) => {
      const { planted, found, clean, alarms } = confusionOf(set)
      expect(found / planted).toBeGreaterThanOrEqual(0.95)
      expect(alarms / clean).toBeLessThanOrEqual(0.02)
    },
  )
})
