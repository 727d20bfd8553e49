import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { describe, expect, it } from "vitest"
import { type OrderedObject, orderedJsonText } from "../../lib/ordered-json.ts"
import { Language } from "../catalog.ts"
import { generateProducts, type StoreOptions } from "./products.ts"

const text = (options: StoreOptions) => [...generateProducts(options)].map(orderedJsonText)

function instructionsOf(record: OrderedObject): OrderedObject[] {
  return (record.get("instructions") ?? []) as OrderedObject[]
}

describe.each(Language.options)("a generated store in %s", (language) => {
  it("is the same for the same seed, and another for another", () => {
    const options = { count: 80, seed: 5, language }
    expect(text(options)).toEqual(text(options))
    const [one, other] = [text(options), text({ ...options, seed: 6 })]
    expect(one.filter((line) => other.includes(line))).toEqual([])
  })

  it("begins as a smaller one does: its size decides nothing but where it ends", () => {
    const small = text({ count: 120, seed: 5, language, tasks: 0 })
    const large: string[] = []
    for (const record of generateProducts({ count: 1_300_000, seed: 5, language, tasks: 0 })) {
      large.push(orderedJsonText(record))
      if (large.length === small.length) break
    }
    expect(large).toEqual(small)
  })

  it("does not hold what it has given away", () => {
    setFlagsFromString("--expose-gc")
    const collect = runInNewContext("gc") as () => void
    let count = 0
    let early = 0
    for (const record of generateProducts({ count: 12_000, seed: 1, language, tasks: 0 })) {
      if (record.size > 0) count += 1
      if (count === 2_000) {
        collect()
        early = process.memoryUsage().heapUsed
      }
    }
    collect()
    expect(count).toBe(12_000)
    expect(process.memoryUsage().heapUsed - early).toBeLessThan(8 << 20) // the ten thousand take 30 MB as text alone
  })

  it("has as many tasks as were asked for, numbered from 0, and personas where there is a short request", () => {
    for (const [count, tasks] of [
      [150, 60],
      [60, 75],
      [40, 0],
    ] as const) {
      const records = [...generateProducts({ count, seed: 3, language, tasks })]
      expect(records).toHaveLength(count)
      const instructions = records.flatMap(instructionsOf)
      expect(instructions.map((instruction) => orderedJsonText(instruction.get("task_id")!))).toEqual(
        Array.from({ length: tasks }, (_, i) => String(i)),
      )
      for (const record of records) {
        for (const instruction of instructionsOf(record)) {
          expect(instruction.has("instruction_simple")).toBe(record.has("user_persona"))
        }
      }
    }
  })
})
