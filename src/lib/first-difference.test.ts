import { describe, expect, it } from "vitest"
import { firstDifference } from "./first-difference.ts"

describe("firstDifference", () => {
  it("goes by what is expected, and names the place", () => {
    const expected = { a: 1, list: [{ b: 2 }, { b: 3 }], c: null }
    expect(firstDifference(expected, { c: null, list: [{ b: 2 }, { b: 3 }], a: 1 }, "x")).toBeUndefined()
    expect(firstDifference(expected, { ...expected, list: [{ b: 2 }, { b: 4 }], c: 5 }, "x")).toEqual({
      path: "x.list[1].b",
      expected: 3,
      found: 4,
    })
  })

  it("tells nothing there from null, on either side", () => {
    expect(firstDifference({ a: null }, {}, "x")).toEqual({ path: "x.a", expected: null })
    expect(firstDifference([1], [1, null], "x")).toEqual({ path: "x[1]", found: null })
    expect(firstDifference({}, { toString: 1 }, "x")).toEqual({ path: "x.toString", found: 1 })
  })

  it("tells lists, objects and texts apart", () => {
    expect(firstDifference([], {}, "x")).toEqual({ path: "x", expected: [], found: {} })
    expect(firstDifference("1", 1, "x")).toEqual({ path: "x", expected: "1", found: 1 })
  })
})
