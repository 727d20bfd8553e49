import { describe, expect, it } from "vitest"
import type { Progress } from "../core/run.ts"
import { progressView } from "./progress.ts"

const progress = (changes: Partial<Progress>): Progress => ({
  schema: "souk.progress/1",
  state: "running",
  pid: 1,
  started_at: "",
  updated_at: "",
  planned: 10,
  already_complete: 0,
  owed: 10,
  completed: 0,
  failed: 0,
  cancelled: 0,
  in_flight: [],
  usage: { model_calls: 0 },
  errors: {},
  elapsed_ms: 0,
  ...changes,
})

function lines(updates: Partial<Progress>[], silent = false): string[] {
  const written: string[] = []
  const view = progressView({ terminal: false, silent, write: (line) => written.push(line) })
  for (const update of updates) view.update(progress(update))
  view.stop()
  return written
}

describe("progress without a terminal", () => {
  it("is a line every five seconds, and one at the end", () => {
    expect(
      lines([
        { elapsed_ms: 0 },
        { elapsed_ms: 4000, completed: 2 },
        { elapsed_ms: 5000, completed: 3, success_rate: 1 / 3, reward_mean: 0.5, remaining_ms: 11_667 },
        { elapsed_ms: 6000, completed: 4 },
        {
          elapsed_ms: 7000,
          completed: 8,
          failed: 2,
          success_rate: 0.25,
          reward_mean: 0.4,
          state: "finished",
          remaining_ms: 0,
        },
      ]),
    ).toEqual([
      "3/10  success 33.3 % · reward 0.500 · 11.7 s left",
      "10/10  success 25.0 % · reward 0.400 · 2 failed · finished, 7.0 s",
    ])
  })

  it("is nothing when there is nothing to play, or when it is to be silent", () => {
    expect(lines([{ owed: 0, state: "finished" }])).toEqual([])
    expect(lines([{ completed: 10, state: "finished" }], true)).toEqual([])
  })
})
