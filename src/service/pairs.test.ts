import { describe, expect, it } from "vitest"
import type { HumanPlan } from "../core/case-record.ts"
import { manualClock } from "../lib/clock.ts"
import { tinyMetrics, tinyScript, tinyWorld, turnAgent } from "../testing/tiny-service.ts"
import { BuyingInsights } from "./insights/insights.ts"
import { lexicalInsights } from "./insights/lexical.ts"
import { purchaseIntentObserver } from "./insights/observer.ts"
import { insightAnnotationVariants, type PairRequest, type PairVariant } from "./pairs.ts"
import { deterministicRole } from "./role.ts"
import { EvaluationRunner } from "./runner.ts"
import { channelTarget } from "./targets/channel.ts"

const { signal } = new AbortController()
const plan: HumanPlan = { kind: "answer", turn: 1, phase: "after-reply", text: "A colleague here." }

/** Says whether it was told anything. */
const frank = turnAgent(async (batch, desk) => {
  await desk.send(batch.some(({ sender }) => sender === "system") ? "Shall I reserve it?" : "80.")
})

function pair(more: Partial<PairRequest> = {}) {
  const hostClock = manualClock()
  const insights = new BuyingInsights({ analyzer: lexicalInsights(), hostClock })
  const opened: string[] = []
  const inner = channelTarget({ agent: frank, hostClock, context: insights, conversationId: (id) => id })
  const target = {
    identity: inner.identity,
    open: (setup: Parameters<typeof inner.open>[0]) => {
      opened.push(setup.caseId)
      return inner.open(setup)
    },
  }
  const cases = ["a", "b", "c", "d"].map((id) => ({
    script: tinyScript(["How much is it?", "Is it in stock?"], {
      id: `s-${id}`,
      case_id: id,
      phase: "presales",
      human_actions: [plan],
    }),
    target,
    world: tinyWorld(),
    role: deterministicRole,
    metrics: tinyMetrics,
    purchaseIntent: purchaseIntentObserver(insights),
  }))
  const request = {
    cases,
    sales: { category: "headphones", calibrationId: "cal-1" },
    variants: insightAnnotationVariants(insights),
    seed: "spring",
    pairId: "p-1",
    ...more,
  } as PairRequest<never> // the binding is the channel's
  return { runner: new EvaluationRunner({ humanActionSampleSize: 2 }, { hostClock }), request, insights, opened }
}

describe("paired runs", () => {
  it("both sides have one seed, one pair id, one plan of colleagues' actions, and play each script once", async () => {
    const { runner, request, opened } = pair()
    const [untold, told] = await runner.runPaired(request, { signal })
    const common = { category: "headphones", calibration_id: "cal-1", comparison_seed: "spring" }
    expect(untold.sales).toEqual({ ...common, variant: "untold", annotation: { pair_id: "p-1", enabled: false } })
    expect(told.sales).toEqual({ ...common, variant: "told", annotation: { pair_id: "p-1", enabled: true } })
    expect([untold.seed, told.seed]).toEqual(["spring", "spring"])
    expect(told.planned_human_actions).toEqual(untold.planned_human_actions)
    expect(told.planned_human_actions).toHaveLength(2)
    const acted = ({ cases }: typeof told) => cases.map(({ human_actions }) => human_actions.length)
    expect(acted(told)).toEqual(acted(untold))
    expect(opened).toEqual(["a", "b", "c", "d", "a", "b", "c", "d"])
  })

  it("the agent is told on one side only, and the buyer's mind is observed on both", async () => {
    const { runner, request, insights } = pair()
    insights.setInjectionMode("off")
    const [untold, told] = await runner.runPaired(request, { signal })
    const answers = ({ cases }: typeof told) => cases[0]?.messages.flatMap((m) => (m.sender === "agent" ? m.text : []))
    expect([answers(untold), answers(told)]).toEqual([
      ["80.", "80."],
      ["Shall I reserve it?", "Shall I reserve it?"],
    ])
    const scores = ({ cases }: typeof told) =>
      cases[0]?.sales?.purchase_intent?.map((point) => (point.status === "observed" ? point.score : point.reason))
    expect(scores(untold)).toEqual([0.426, 0.587])
    expect(scores(told)).toEqual(scores(untold))
    expect(insights.injection).toBe("off")
  })

  it("a side is applied before it is played, and put back before the other begins, also when it breaks", async () => {
    const steps: string[] = []
    const later = () => new Promise((resolve) => setTimeout(resolve, 2))
    const variant = (name: string, annotation: boolean): PairVariant => ({
      name,
      annotation,
      async apply() {
        await later()
        steps.push(`${name} applied`)
        return async () => {
          await later()
          steps.push(`${name} put back`)
        }
      },
    })
    const variants = [variant("on", true), variant("off", false)]
    const { runner, request } = pair({ variants })
    const one = { ...request, cases: request.cases.slice(0, 1) }
    await runner.runPaired(one, { signal, onResult: (name, id) => steps.push(`${name} ${id}`) })
    const whole = ["on applied", "on a", "on put back", "off applied", "off a", "off put back"]
    expect(steps).toEqual(whole)
    steps.length = 0
    const failing = runner.runPaired(one, {
      signal,
      onResult: () => {
        throw new Error("the caller's own fault")
      },
    })
    await expect(failing).rejects.toThrow("the caller's own fault")
    expect(steps).toEqual(["on applied", "on put back"])
  })

  it.each([
    ["two on", [true, true]],
    ["two off", [false, false]],
    ["one", [true]],
    ["three", [true, false, false]],
    ["none", []],
  ])("a pair needs just one variant with the annotation on and one with it off: %s", async (_, annotations) => {
    let applied = 0
    const variants = annotations.map((annotation, index) => ({
      name: String(index),
      annotation,
      apply: async () => {
        applied += 1
        return async () => {}
      },
    }))
    const { runner, request, opened } = pair({ variants })
    await expect(runner.runPaired(request, { signal })).rejects.toThrow(/one variant has the annotation on/)
    expect([applied, opened]).toEqual([0, []])
  })

  it("cases after the sale, duplicate cases, plans out of range and unusable ids are refused before anything is applied", async () => {
    const { runner, request, opened, insights } = pair()
    const [first] = request.cases
    const changed = (more: object) => ({ ...first!, script: { ...first!.script, ...more } })
    for (const [more, message] of [
      [{ cases: [changed({ phase: "other" })] }, /not before the sale, phase presales: a/],
      [{ cases: [first!, first!] }, /occurs twice/],
      [{ cases: [changed({ human_actions: [{ ...plan, turn: 9 }] })] }, /turn 9/],
      [{ pairId: " p" }, /the pair's id/],
      [{ sales: { category: " " } }, /sales\.category is empty/],
    ] as const) {
      await expect(runner.runPaired({ ...request, ...more }, { signal })).rejects.toThrow(message)
    }
    expect([opened, insights.injection]).toEqual([[], "on"])
  })

  it("a pair that is stopped gives both sides with what is owed, and applies no more", async () => {
    const stop = new AbortController()
    const { runner, request, insights } = pair()
    const modes: string[] = []
    const setInjectionMode = insights.setInjectionMode.bind(insights)
    insights.setInjectionMode = (mode) => {
      modes.push(mode)
      setInjectionMode(mode)
    }
    const records = await runner.runPaired(request, {
      signal: stop.signal,
      onResult: (_, caseId) => {
        if (caseId === "b") stop.abort()
      },
    })
    expect(records.map(({ cases, owed }) => [cases.length, owed])).toEqual([
      [2, ["c", "d"]],
      [0, ["a", "b", "c", "d"]],
    ])
    expect(modes).toEqual(["off", "on"])
  })

  it("the same pair is the same bytes", async () => {
    const play = async () => {
      const { runner, request } = pair()
      return JSON.stringify(await runner.runPaired(request, { signal }))
    }
    expect(await play()).toBe(await play())
  })
})
