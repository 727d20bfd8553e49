import { describe, expect, it } from "vitest"
import { RateLimit } from "./rate.ts"

describe("the rate limit", () => {
  it("lets a second's worth through at once, then one by one, and says how long to wait", () => {
    let now = 0
    const limit = new RateLimit({ perSecond: 10, now: () => now })
    expect(Array.from({ length: 10 }, () => limit.take("a"))).toEqual(new Array(10).fill(0))
    expect(limit.take("a")).toBe(100)
    now += 100
    expect(limit.take("a")).toBe(0)
    expect(limit.take("a")).toBe(100)
  })

  it("counts callers apart", () => {
    const limit = new RateLimit({ perSecond: 1, now: () => 0 })
    expect(limit.take("a")).toBe(0)
    expect(limit.take("a")).toBeGreaterThan(0)
    expect(limit.take("b")).toBe(0)
  })

  it("forgets callers that left", () => {
    let now = 0
    const limit = new RateLimit({ perSecond: 10, now: () => now })
    for (let i = 0; i < 1000; i++) limit.take(`caller ${i}`)
    expect(limit.callers).toBe(1000)
    now += 1000
    limit.take("one more")
    expect(limit.callers).toBe(1)
  })
})
