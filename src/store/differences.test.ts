import { describe, expect, it } from "vitest"
import { differences } from "./differences.ts"

describe("differences", () => {
  it("names the path and both values, and counts what it leaves out", () => {
    expect(differences({ a: { b: 1, c: [1, 2] }, d: 1 }, { a: { b: 2, c: [1, 2] }, e: "x" })).toEqual([
      "a.b: 1 → 2",
      "d: 1 → nothing",
      'e: nothing → "x"',
    ])
    expect(differences({ a: 1, b: 1, c: 1 }, { a: 2, b: 2, c: 2 }, 1)).toEqual(["a: 1 → 2", "and 2 more"])
  })

  it("says of lists how many entries there are, or which is the first that differs", () => {
    expect(differences({ jobs: [1, 2] }, { jobs: [1, 2, 3] })).toEqual(["jobs: 2 → 3 entries"])
    expect(differences({ jobs: [{ seed: 1 }, { seed: 2 }] }, { jobs: [{ seed: 1 }, { seed: 9 }] })).toEqual([
      "jobs[1].seed: 2 → 9",
    ])
  })

  it("finds none between equals", () => {
    expect(differences({ a: [1] }, { a: [1] })).toEqual([])
  })
})
