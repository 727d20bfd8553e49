import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { taskIdsSha256 } from "../core/task.ts"
import { planJobs } from "./plan.ts"

const ids = Array.from({ length: 40 }, (_, index) => String(index * 3))
const split = { name: "val", role: "val" as const, task_ids: ids, task_ids_sha256: taskIdsSha256(ids), persona: null }

describe("planJobs", () => {
  it("takes the split's tasks in order, each one's samples together", () => {
    const jobs = planJobs(split, { seed: 7, repeats: 2 })
    expect(jobs.length).toBe(80)
    expect(jobs.slice(0, 3).map((job) => job.key)).toEqual([
      "task-000000__sample-000",
      "task-000000__sample-001",
      "task-000003__sample-000",
    ])
    expect(jobs[0]).toMatchObject({ task_id: "0", sample_id: 0, split: "val" })
  })

  it("seeds a job by experiment, task and sample alone: first four bytes of SHA-256 over `seed:task:sample`", () => {
    expect(planJobs(split, { seed: 20260828 })[1]?.seed).toBe(1317474640)
    expect(new Set(planJobs(split, { seed: 7, repeats: 3 }).map((job) => job.seed)).size).toBe(120)
  })

  it("draws the same sample every time, and a smaller one is the start of a larger one", () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 40 }), (seed, a, b) => {
        const small = planJobs(split, { seed, sampleSize: Math.min(a, b) }).map((job) => job.task_id)
        const large = planJobs(split, { seed, sampleSize: Math.max(a, b) }).map((job) => job.task_id)
        expect(large.slice(0, small.length)).toEqual(small)
        expect(new Set(large).size).toBe(large.length)
      }),
    )
    const first = planJobs(split, { seed: 1, sampleSize: 5 }).map((job) => job.task_id)
    expect(planJobs(split, { seed: 2, sampleSize: 5 }).map((job) => job.task_id)).not.toEqual(first)
  })

  it("refuses a sample larger than the split", () => {
    expect(() => planJobs(split, { seed: 1, sampleSize: 41 })).toThrow(/sample_size is 41, but split val has 40 tasks/)
  })
})
