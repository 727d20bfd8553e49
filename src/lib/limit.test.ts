import { setTimeout as sleep } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { forEachLimited } from "./limit.ts"

describe("forEachLimited", () => {
  it("never runs more than its limit, starts in order, and does all", async () => {
    let running = 0
    let most = 0
    const started: number[] = []
    await forEachLimited([...Array(50).keys()], 4, async (item) => {
      started.push(item)
      most = Math.max(most, ++running)
      await sleep(item % 3)
      running--
    })
    expect(most).toBe(4)
    expect(started).toEqual([...Array(50).keys()])
  })

  it("draws an item only when there is room for it", async () => {
    let drawn = 0
    function* endless() {
      for (;;) yield drawn++
    }
    const stop = new AbortController()
    const done = forEachLimited(
      endless(),
      3,
      async (item) => {
        if (item === 10) stop.abort()
        await sleep(1)
      },
      stop.signal,
    )
    await expect(done).rejects.toMatchObject({ code: "CANCELLED" })
    expect(drawn).toBeLessThan(16)
  })

  it("waits for what runs when one item fails, and starts nothing more", async () => {
    const finished: number[] = []
    const done = forEachLimited([0, 1, 2, 3, 4], 2, async (item) => {
      if (item === 0) throw new Error("first")
      await sleep(5)
      finished.push(item)
    })
    await expect(done).rejects.toThrow("first")
    expect(finished).toEqual([1])
  })
})
