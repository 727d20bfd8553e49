import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { HumanPlan } from "../core/case-record.ts"
import { manualClock } from "../lib/clock.ts"
import { echoAgent, tinyMetrics, tinyScript, tinyWorld, turnAgent } from "../testing/tiny-service.ts"
import { planHumanActions } from "./human.ts"
import { deterministicRole, type EvaluationRole } from "./role.ts"
import { EvaluationRunner } from "./runner.ts"
import type { Script } from "./script.ts"
import type { ServiceAgent } from "./service-agent.ts"
import type { EvaluationTarget, ReplyObservation } from "./target.ts"
import { channelTarget } from "./targets/channel.ts"

const plan = (
  turn: number,
  kind: HumanPlan["kind"] = "answer",
  phase: HumanPlan["phase"] = "before-buyer",
): HumanPlan => ({
  kind,
  turn,
  phase,
  text: `${kind} in turn ${turn}`,
})
const scripts = Array.from({ length: 10 }, (_, index) =>
  tinyScript(["1", "2", "3", "4"], {
    id: `s-${index}`,
    case_id: `c-${index}`,
    human_actions: index === 0 ? [] : [plan(1), plan(2), plan(4)],
  }),
)
const signal = new AbortController().signal

describe("drawing human actions", () => {
  it("the sample does not depend on the order of the cases", () => {
    const drawn = planHumanActions(scripts, "seed", 3)
    expect(drawn).toHaveLength(3)
    fc.assert(
      fc.property(fc.shuffledSubarray(scripts, { minLength: scripts.length }), (shuffled) => {
        expect(planHumanActions(shuffled, "seed", 3)).toEqual(drawn)
      }),
      { numRuns: 30 },
    )
  })

  it("another seed draws others, and cases that plan nothing are never drawn", () => {
    const samples = new Set<string>()
    for (let seed = 0; seed < 20; seed++) {
      const ids = planHumanActions(scripts, String(seed), 3).map(({ case_id }) => case_id)
      expect(ids).not.toContain("c-0")
      samples.add(ids.join())
    }
    expect(samples.size).toBeGreaterThan(15)
    expect(planHumanActions(scripts, "seed", 100)).toHaveLength(9)
  })

  it.each(["", " s", "s".repeat(121)])("a seed that is empty, padded or too long is refused: %j", (seed) => {
    expect(() => planHumanActions(scripts, seed, 3)).toThrow(/The seed is/)
  })

  it("a sample of none draws nothing", () => {
    expect(planHumanActions(scripts, "seed", 0)).toEqual([])
  })

  it("the draw is the published one: its bytes never change", () => {
    expect(
      planHumanActions(scripts, "seed", 3).map(({ case_id, plan }) => [case_id, plan.turn]),
    ).toMatchInlineSnapshot(`
      [
        [
          "c-5",
          2,
        ],
        [
          "c-4",
          1,
        ],
        [
          "c-7",
          2,
        ],
      ]
    `)
  })

  it("a plan beyond the script's turns and duplicate cases or scripts are refused before anything is opened", async () => {
    let opened = 0
    const counting: ServiceAgent = {
      identity: () => ({}),
      connect: (desk) => {
        opened += 1
        return echoAgent().connect(desk)
      },
    }
    const request = (script: Script) => ({
      script,
      target: channelTarget({ agent: counting }),
      world: tinyWorld(),
      role: deterministicRole,
      metrics: tinyMetrics,
    })
    const runner = new EvaluationRunner()
    const good = tinyScript(["1", "2", "3", "4"], { id: "a", case_id: "a" })
    const beyond = tinyScript(["1", "2", "3", "4"], { id: "b", case_id: "b", human_actions: [plan(9)] })
    const twin = tinyScript(["1"], { id: "c", case_id: "a" })
    const copy = tinyScript(["1"], { id: "a", case_id: "d" })
    for (const [second, message] of [
      [beyond, /turn 9, and has 4 buyer turns/],
      [twin, /Case a occurs twice/],
      [copy, /Script a occurs twice/],
    ] as const) {
      const played = runner.runCases({ cases: [request(good), request(second)], seed: "s" }, { signal })
      await expect(played).rejects.toThrow(message)
    }
    await expect(runner.run({ ...request(good), humanAction: plan(5) }, { signal })).rejects.toThrow(/turn 5/)
    expect(opened).toBe(0)
  })
})

describe("carrying out a human action", () => {
  const answers = turnAgent(async (batch, desk) => {
    await desk.send(`Re: ${batch.map(({ sender, text }) => `${sender}: ${text}`).join(" | ")}`)
  })

  async function play(
    humanAction: HumanPlan,
    { target, seen = [] }: { target?: EvaluationTarget<unknown>; seen?: ReplyObservation[] } = {},
  ) {
    const hostClock = manualClock()
    const role: EvaluationRole<unknown> = {
      identity: () => ({}),
      async *actions() {
        for (const text of ["One", "Two"]) {
          const observed = yield { kind: "send", text }
          if (observed !== undefined) seen.push(observed)
        }
        yield { kind: "end", outcome: "goal_reached" }
      },
    }
    return new EvaluationRunner({}, { hostClock }).run(
      {
        script: tinyScript(["One", "Two"]),
        target: target ?? channelTarget({ agent: answers, hostClock }),
        world: tinyWorld(),
        role,
        metrics: tinyMetrics,
        humanAction,
      },
      { signal },
    )
  }
  const lines = ({ record }: Awaited<ReturnType<typeof play>>) =>
    record.messages.map(({ turn, channel, sender, text }) => `${turn} ${channel} ${sender}: ${text}`)

  it("before the buyer: the colleague speaks first in that turn, and the agent reads it with the buyer's words", async () => {
    const played = await play(plan(2, "answer", "before-buyer"))
    expect(lines(played)).toEqual([
      "1 conversation buyer: One",
      "1 conversation agent: Re: buyer: One",
      "2 conversation human_console: answer in turn 2",
      "2 conversation buyer: Two",
      "2 conversation agent: Re: human_console: answer in turn 2 | buyer: Two",
    ])
    expect(played.record.human_actions).toEqual([
      {
        kind: "answer",
        turn: 2,
        at: "2026-03-01T01:00:00.000Z",
        channel: "conversation",
        text: "answer in turn 2",
      },
    ])
  })

  it("after the buyer: the colleague speaks when the words were accepted, before the answer is collected", async () => {
    const played = await play(plan(1, "correction", "after-buyer"))
    expect(lines(played).slice(0, 2)).toEqual([
      "1 conversation buyer: One",
      "1 conversation human_console: correction in turn 1",
    ])
    expect(played.record.turns.map(({ ended }) => ended)).toEqual(["answered", "answered"])
  })

  it("after the answer: the colleague's words need no further reply", async () => {
    const played = await play(plan(2, "answer", "after-reply"))
    expect(lines(played).at(-1)).toBe("2 conversation human_console: answer in turn 2")
    expect(played.record.end_reason).toBe("goal_reached")
  })

  it("private instructions are answered privately: both are kept, and neither reaches the buyer nor the role", async () => {
    const seen: ReplyObservation[] = []
    const played = await play(plan(1, "violation", "after-reply"), { seen })
    expect(lines(played).slice(2, 4)).toEqual([
      "1 private human_console: violation in turn 1",
      "1 private agent: Re: human_console: violation in turn 1",
    ])
    expect(played.record.human_actions).toMatchObject([{ channel: "private" }])
    expect(JSON.stringify(seen)).not.toContain("violation")
  })

  it("simulated human turns have no first reply of their own", async () => {
    const played = await play(plan(2, "stop", "before-buyer"))
    expect(played.first_replies.map(({ turn }) => turn)).toEqual([1, 2])
  })

  it("an action that the target rejects is not on record as carried out", async () => {
    const hostClock = manualClock()
    const inner = channelTarget({ agent: answers, hostClock })
    const rejecting: EvaluationTarget<unknown> = {
      identity: inner.identity,
      async open(setup) {
        const session = await inner.open(setup)
        return {
          binding: session.binding,
          advance: session.advance.bind(session),
          send: session.send.bind(session),
          close: session.close.bind(session),
          usage: session.usage.bind(session),
          intervene: async () => {
            throw new Error("not now")
          },
        }
      },
    }
    const { record } = await play(plan(2, "answer", "before-buyer"), { target: rejecting })
    expect(record.human_actions).toEqual([])
    expect(record).toMatchObject({ end_reason: "error", error: { stage: "intervene" } })
  })

  it("an action is on record once, however often its target says so", async () => {
    const hostClock = manualClock()
    const inner = channelTarget({ agent: answers, hostClock })
    const eager: EvaluationTarget<unknown> = {
      identity: inner.identity,
      async open(setup) {
        const session = await inner.open(setup)
        return {
          binding: session.binding,
          advance: session.advance.bind(session),
          send: session.send.bind(session),
          close: session.close.bind(session),
          usage: session.usage.bind(session),
          intervene: (humanPlan, until, accepted) => {
            const twice = () => {
              accepted()
              accepted()
            }
            return session.intervene!(humanPlan, until, twice)
          },
        }
      },
    }
    const { record } = await play(plan(1), { target: eager })
    expect(record.human_actions).toHaveLength(1)
  })

  it("a plan that is not reached stands in the run's plan only", async () => {
    const hostClock = manualClock()
    const pausing = turnAgent(async (_, desk) => {
      await desk.handOff("always")
    })
    const script = tinyScript(["One", "Two"], { human_actions: [plan(2)] })
    const run = await new EvaluationRunner({}, { hostClock }).runCases(
      {
        cases: [
          {
            script,
            target: channelTarget({ agent: pausing, hostClock }),
            world: tinyWorld(),
            role: deterministicRole,
            metrics: tinyMetrics,
          },
        ],
      },
      { signal },
    )
    expect(run.planned_human_actions).toMatchObject([{ case_id: "c-1", plan: { turn: 2 } }])
    expect(run.cases[0]).toMatchObject({ end_reason: "reception_paused", human_actions: [] })
    expect(run.seed).toMatch(/^[0-9a-f-]{36}$/)
  })
})
