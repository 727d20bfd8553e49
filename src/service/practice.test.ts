import { getEventListeners } from "node:events"
import { describe, expect, it } from "vitest"
import type { Conversation } from "../channel/conversation.ts"
import type { CaseRecord } from "../core/case-record.ts"
import { AppError } from "../core/errors.ts"
import { type HostClock, manualClock, systemClock } from "../lib/clock.ts"
import { echoAgent, tinyMetrics, tinyScript, tinyWorld, turnAgent } from "../testing/tiny-service.ts"
import type { CaseFault } from "./failure.ts"
import { bestEvidence, nextStreak, type PracticeAttempt, practise, type Streak } from "./practice.ts"
import { deterministicRole, type EvaluationRole } from "./role.ts"
import { EvaluationRunner } from "./runner.ts"
import type { ServiceAgent } from "./service-agent.ts"
import { channelTarget } from "./targets/channel.ts"

const fault = (code: string): CaseFault => ({ stage: "agent", code, message: code, retryable: true })
const said = (messages: number, name = ""): PracticeAttempt["result"] => ({
  record: { case_id: name, messages: Array(messages).fill({}) } as unknown as CaseRecord,
  first_replies: [],
})
const fine: PracticeAttempt = { result: said(2)! }
const live = new AbortController().signal

describe("host faults in a row", () => {
  const table: [string, PracticeAttempt[], Streak][] = [
    ["none", [fine], { code: null, length: 0 }],
    [
      "three with one code",
      Array(3).fill({ fault: fault("MODEL_UNAVAILABLE") }),
      { code: "MODEL_UNAVAILABLE", length: 3 },
    ],
    [
      "another code starts anew",
      [{ fault: fault("MODEL_UNAVAILABLE") }, { fault: fault("TARGET_UNAVAILABLE") }],
      { code: "TARGET_UNAVAILABLE", length: 1 },
    ],
    [
      "what a model said ends it",
      [{ fault: fault("MODEL_UNAVAILABLE") }, { fault: fault("INTERNAL") }],
      { code: null, length: 0 },
    ],
    [
      "a buyer that took too long ends it",
      [{ fault: fault("MODEL_UNAVAILABLE") }, { fault: fault("BUYER_STEP_TIMEOUT") }],
      { code: null, length: 0 },
    ],
    ["a success ends it", [{ fault: fault("MODEL_UNAVAILABLE") }, fine], { code: null, length: 0 }],
    [
      "a case that was stopped changes nothing",
      [{ fault: fault("MODEL_UNAVAILABLE") }, { cancelled: true }],
      { code: "MODEL_UNAVAILABLE", length: 1 },
    ],
  ]
  it.each(table)("%s", (_, attempts, streak) => {
    expect(attempts.reduce(nextStreak, { code: null, length: 0 })).toEqual(streak)
  })
})

describe("the evidence that is kept of failed tries", () => {
  it("the last try, if anything was said in it, however little", () => {
    const last: PracticeAttempt = { result: said(1)!, fault: fault("B") }
    expect(bestEvidence([{ result: said(9)!, fault: fault("A") }, last])).toBe(last)
  })

  it("a first try with five messages, when nothing was said in the second, with its own reason", () => {
    const first: PracticeAttempt = { result: said(5)!, fault: fault("A") }
    expect(bestEvidence([first, { fault: fault("B") }])).toBe(first)
  })

  it("none, when nothing was ever said", () => {
    expect(bestEvidence([{ fault: fault("A") }, { result: said(0)!, fault: fault("B") }])).toBeUndefined()
  })
})

describe("playing many cases", () => {
  const ids = ["a", "b", "c", "d", "e", "f"]

  it("what fails is tried once more, together, when the others are done", async () => {
    const order: string[] = []
    const end = await practise(
      ids,
      async (id, number) => {
        order.push(`${id}${number}`)
        return id === "b" || (id === "d" && number === 1) ? { fault: fault("INTERNAL") } : { result: said(1, id)! }
      },
      { concurrency: 1, limit: 3, signal: live },
    )
    expect(order).toEqual(["a1", "b1", "c1", "d1", "e1", "f1", "b2", "d2"])
    expect([...end.results.keys()]).toEqual(["a", "c", "d", "e", "f"])
    expect(end.missing).toMatchObject([{ case_id: "b", code: "PRACTICE_NO_OBSERVATIONS", faults: [{}, {}] }])
    expect(end.owed).toEqual([])
  })

  it("three host faults in a row with one code start no more cases; a different failure in between does not stop them", async () => {
    const codes = ["MODEL_UNAVAILABLE", "MODEL_UNAVAILABLE", "MODEL_UNAVAILABLE"]
    const play = async (script: readonly string[]) => {
      let played = 0
      const end = await practise(
        ids,
        async () => {
          const code = script[played]
          played += 1
          return code === undefined ? fine : { fault: fault(code) }
        },
        { concurrency: 1, limit: 3, signal: live },
      )
      return { played, stopped: end.stopped?.code, owed: end.owed }
    }
    expect(await play(codes)).toEqual({ played: 3, stopped: "MODEL_UNAVAILABLE", owed: ids })
    const mixed = [codes[0]!, codes[1]!, "INTERNAL", codes[2]!]
    expect(await play(mixed)).toEqual({ played: 10, stopped: undefined, owed: [] })
  })

  it("no more cases are under way than allowed, and one that fails stops no other", async () => {
    let now = 0
    let most = 0
    const end = await practise(
      ids,
      async (id) => {
        now += 1
        most = Math.max(most, now)
        await new Promise((resolve) => setImmediate(resolve))
        now -= 1
        return id === "a" ? { fault: fault("INTERNAL"), result: said(1, id)! } : fine
      },
      { concurrency: 2, limit: 3, signal: live },
    )
    expect(most).toBe(2)
    expect(end.results.size).toBe(6)
  })

  it("stopping starts no more cases and waits for those under way", async () => {
    const stop = new AbortController()
    let ended = 0
    const end = await practise(
      ids,
      async (id) => {
        await new Promise((resolve) => setImmediate(resolve))
        stop.abort()
        await new Promise((resolve) => setTimeout(resolve, 20))
        ended += 1
        return { cancelled: true, result: said(1, id)! }
      },
      { concurrency: 2, limit: 3, signal: stop.signal },
    )
    expect(ended).toBe(2)
    expect(end.owed).toEqual(ids)
    expect([...end.results.keys()]).toEqual(["a", "b"])
  })
})

describe("a run of cases", () => {
  const request = (name: string, agent: ServiceAgent, role: EvaluationRole = deterministicRole) => ({
    script: tinyScript(["One", "Two"], { id: `s-${name}`, case_id: name }),
    target: channelTarget({ agent, hostClock: manualClock() }),
    world: tinyWorld(),
    role,
    metrics: tinyMetrics,
  })
  const runner = () => new EvaluationRunner({}, { hostClock: manualClock(), newSeed: () => "drawn" })

  it("a case in which nothing was ever said is its own kind of missing: it is tried once more, no record is made up, the others finish", async () => {
    let tries = 0
    const mute: EvaluationRole = {
      identity: () => ({}),
      async *actions() {
        tries += 1
        yield { kind: "idle" }
        yield { kind: "idle" }
      },
    }
    const cases = [request("a", echoAgent()), request("b", echoAgent(), mute), request("c", echoAgent())]
    const run = await runner().runCases({ cases }, { signal: live })
    expect(tries).toBe(2)
    expect(run.cases.map(({ case_id, end_reason }) => [case_id, end_reason])).toEqual([
      ["a", "goal_reached"],
      ["c", "goal_reached"],
    ])
    expect(run.missing).toMatchObject([{ case_id: "b", code: "PRACTICE_NO_OBSERVATIONS" }])
    expect(run.seed).toBe("drawn")
  })

  it("an unusable buyer is not missing: its empty record stands, and is not tried again", async () => {
    let tries = 0
    const spoilt: EvaluationRole = {
      identity: () => ({}),
      async *actions() {
        tries += 1
        yield { kind: "invalid", reason: "cannot be decided" }
      },
    }
    const run = await runner().runCases({ cases: [request("a", echoAgent(), spoilt)] }, { signal: live })
    expect(tries).toBe(1)
    expect(run.cases).toMatchObject([{ buyer_invalid_reason: "cannot be decided", messages: [] }])
    expect(run.missing).toEqual([])
  })

  it("a first try that broke after some messages stands when the second brought none", async () => {
    let connections = 0
    const dying: ServiceAgent = {
      identity: () => ({}),
      async connect(desk) {
        connections += 1
        if (connections > 1) throw new AppError("INTERNAL", "will not start again")
        let turns = 0
        return turnAgent(async (_, at) => {
          turns += 1
          if (turns === 2) throw new Error("broke")
          await at.send("Yes?")
        }).connect(desk)
      },
    }
    const run = await runner().runCases({ cases: [request("a", dying)] }, { signal: live })
    expect(run.cases).toMatchObject([{ end_reason: "error", error: { message: "broke" } }])
    expect(run.cases[0]?.messages).toHaveLength(3)
    expect(run.first_replies).toMatchObject([
      { case_id: "a", attempt: 1, turn: 1 },
      { case_id: "a", attempt: 1, turn: 2, delivered_ms: null },
    ])
  })

  it("two hundred conversations in flight in one process, and nothing left of them", { timeout: 20_000 }, async () => {
    const timers = new Set<() => void>()
    const hostClock: HostClock = {
      now: systemClock.now,
      after(ms, run) {
        const called = systemClock.after(ms, run)
        timers.add(called)
        return () => {
          called()
          timers.delete(called)
        }
      },
    }
    let open = 0
    let most = 0
    let release: () => void = () => {}
    const together = new Promise<void>((resolve) => {
      release = resolve
    })
    const agent: ServiceAgent = {
      identity: () => ({}),
      async connect(desk) {
        open += 1
        most = Math.max(most, open)
        if (open === 200) release()
        const inner = await turnAgent(async (batch, at) => {
          await together
          await at.send(`Re: ${batch[0]?.text}`)
        }).connect(desk)
        return {
          async stop() {
            await inner.stop()
            open -= 1
          },
        }
      },
    }
    const conversations: Conversation[] = []
    const onConversation = (conversation: Conversation) => conversations.push(conversation)
    const target = channelTarget({ agent, hostClock, onConversation })
    const cases = Array.from({ length: 200 }, (_, index) => ({ ...request(`case-${index}`, agent), target }))
    const stop = new AbortController()
    const warnings: unknown[] = []
    const warned = (warning: unknown) => warnings.push(warning)
    process.on("warning", warned)
    const run = await new EvaluationRunner({}, { hostClock }).runCases(
      { cases, concurrency: 200 },
      { signal: stop.signal },
    )
    await new Promise((resolve) => setImmediate(resolve))
    process.off("warning", warned)
    expect(most).toBe(200)
    expect(open).toBe(0)
    expect(run.cases).toHaveLength(200)
    expect(run.cases.every(({ messages }) => messages.length === 4)).toBe(true)
    expect(warnings).toEqual([])
    expect(timers.size).toBe(0)
    expect(getEventListeners(stop.signal, "abort")).toEqual([])
    expect(conversations.map(({ watchers, closed }) => [watchers, closed])).toEqual(Array(200).fill([0, true]))
  })
})
