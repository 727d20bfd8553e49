import { describe, expect, it } from "vitest"
import { Random } from "../core/random.ts"
import { resamplesFor, taskBootstrap } from "./task-bootstrap.ts"

describe("bootstrap by task", () => {
  it("has no interval to give for fewer than two tasks, and no width where all tasks are the same", () => {
    const one = { above: Float64Array.of(3), below: Float64Array.of(4) }
    expect(taskBootstrap([one], 1)).toEqual([undefined])
    const same = { above: new Float64Array(9).fill(1), below: new Float64Array(9).fill(2) }
    expect(taskBootstrap([same], 9)).toEqual([{ low: 0.5, high: 0.5 }])
  })

  it("holds the truth about as often as it says, where samples of a task are alike", () => {
    let held = 0
    const trials = 100
    for (let trial = 0; trial < trials; trial++) {
      const random = new Random("trial", trial)
      const successes = new Float64Array(60)
      for (let task = 0; task < 60; task++) {
        const chance = random.next() // a task is hard or easy; over all tasks one in two succeeds
        for (let sample = 0; sample < 4; sample++) if (random.chance(chance)) successes[task]!++
      }
      const [interval] = taskBootstrap([{ above: successes, below: new Float64Array(60).fill(4) }], 60)
      if (interval!.low <= 0.5 && interval!.high >= 0.5) held++
    }
    expect(held).toBeGreaterThanOrEqual(88)
    expect(held).toBeLessThan(trials)
  })

  it("resamples less where there are many tasks, and never below a thousand times", () => {
    expect([1, 2000, 10_000, 1e6].map(resamplesFor)).toEqual([10_000, 10_000, 2000, 1000])
  })
})
