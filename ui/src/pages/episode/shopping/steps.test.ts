import { describe, expect, it } from "vitest"
import type { EpisodeEvent } from "../../../../../src/core/trace.ts"
import { deedOf, marksOf, playbackOf } from "./steps.ts"

const page = (step: number, at_ms: number, text: string): EpisodeEvent => {
  return { type: "observation", step, at_ms, text, state: {} }
}
const feedback = (step: number, action: string, valid: boolean): EpisodeEvent => {
  return { type: "feedback", step, at_ms: step * 100, feedback: { action, valid, reason: "executed", message: "" } }
}

const EVENTS: EpisodeEvent[] = [
  { type: "episode_start", step: 0, at_ms: 0, instruction: "a lamp", persona: null, info: {} },
  page(0, 0, "home"),
  { type: "model_call", step: 1, at_ms: 80, outcome: "reply", tools: [], latency_ms: 70 },
  { type: "action", step: 1, at_ms: 90, action: "search[lamp]" },
  feedback(1, "search[lamp]", true),
  page(1, 110, "results"),
  { type: "model_call", step: 2, at_ms: 190, outcome: "protocol_error", tools: [], latency_ms: 60, content: "hm" },
  feedback(2, "", false),
  page(2, 210, "results again"),
  { type: "limit", step: 2, at_ms: 220, limit: "action_limit" },
  page(2, 230, "over"),
]

describe("playbackOf", () => {
  it("shows at each step the page that the agent had before it", () => {
    const { start, steps, last } = playbackOf(EVENTS)
    expect(start?.instruction).toBe("a lamp")
    expect(steps.map(({ number, seen }) => [number, seen?.text])).toEqual([
      [1, "home"],
      [2, "results"],
    ])
    expect(last?.text).toBe("over")
  })

  it("times a step from the page before it to its last event", () => {
    expect(playbackOf(EVENTS).steps.map(({ at, took }) => [at, took])).toEqual([
      [110, 110],
      [230, 120],
    ])
  })

  it("marks what stands out, and says what was done", () => {
    const [first, second] = playbackOf(EVENTS).steps
    expect([marksOf(first!), deedOf(first!)]).toEqual([[], "search[lamp]"])
    expect([marksOf(second!), deedOf(second!)]).toEqual([["protocol_error", "invalid"], "hm"])
    expect(second!.others.map(({ type }) => type)).toEqual(["limit"])
  })

  it("keeps events of kinds it does not know, with or without a step", () => {
    const odd = { type: "from_the_future", what: 1 } as unknown as EpisodeEvent
    const { before, steps } = playbackOf([odd, ...EVENTS, odd])
    expect(before).toEqual([odd])
    expect(steps.at(-1)!.others).toContain(odd)
  })

  it("tells a fault at the step that its stage names, where nothing else is on record of it", () => {
    const error = { type: "error", code: "MODEL_UNAVAILABLE", message: "HTTP 500", retryable: true } as const
    const { steps } = playbackOf([...EVENTS.slice(0, 6), { ...error, at_ms: 140, stage: "model_step_2" }])
    expect(steps.map((step) => [step.number, step.seen?.text, step.took, marksOf(step)])).toEqual([
      [1, "home", 110, []],
      [2, "results", 30, ["fault"]],
    ])
    expect(playbackOf([...EVENTS.slice(0, 6), { ...error, stage: "cleanup" }]).steps).toHaveLength(1)
    expect(playbackOf([{ ...error, stage: "reset" }]).before).toHaveLength(1)
  })

  it("reads an episode without any event", () => {
    expect(playbackOf([])).toEqual({ start: null, steps: [], last: null, before: [] })
  })
})
