import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { passAtK, passHatK, toldK } from "./pass.ts"

const some = fc
  .record({ samples: fc.integer({ min: 1, max: 12 }), share: fc.double({ min: 0, max: 1, noNaN: true }) })
  .map(({ samples, share }) => ({ samples, successes: Math.round(samples * share) }))

/** Shares of all choices of k samples with any, and with all, successful: the definition, by counting. */
function byCounting({ samples, successes }: { samples: number; successes: number }, k: number): [number, number] {
  let [choices, any, all] = [0, 0, 0]
  for (let chosen = 0; chosen < 2 ** samples; chosen++) {
    const indexes = Array.from({ length: samples }, (_, i) => i).filter((i) => (chosen >> i) & 1)
    if (indexes.length !== k) continue
    const good = indexes.filter((i) => i < successes).length
    choices++
    if (good > 0) any++
    if (good === k) all++
  }
  return [any / choices, all / choices]
}

describe("pass@k and pass^k", () => {
  it("are what counting every choice of k samples gives", () => {
    fc.assert(
      fc.property(some, fc.integer({ min: 1, max: 12 }), (task, k) => {
        fc.pre(k <= task.samples)
        const [any, all] = byCounting(task, k)
        expect(passAtK(task, k)).toBeCloseTo(any, 12)
        expect(passHatK(task, k)).toBeCloseTo(all, 12)
      }),
      { numRuns: 60 },
    )
  })

  it("are not said of fewer samples than k", () => {
    expect(passAtK({ samples: 2, successes: 2 }, 3)).toBeUndefined()
    expect(passHatK({ samples: 2, successes: 2 }, 3)).toBeUndefined()
  })

  it("are told for a few k only", () => {
    expect(toldK(1)).toEqual([1])
    expect(toldK(5)).toEqual([1, 2, 3, 4, 5])
    expect(toldK(100)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 64, 100])
  })
})
