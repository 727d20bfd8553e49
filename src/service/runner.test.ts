import { describe, expect, it } from "vitest"
import type { Conversation } from "../channel/conversation.ts"
import type { Journal } from "../channel/journal.ts"
import { AppError } from "../core/errors.ts"
import type { Emit } from "../core/trace.ts"
import { type HostClock, type ManualClock, manualClock } from "../lib/clock.ts"
import { echoAgent, storyTime, tinyMetrics, tinyScript, tinyWorld, turnAgent } from "../testing/tiny-service.ts"
import { EvaluationCaseFailure } from "./failure.ts"
import { deterministicRole, type EvaluationRole, type RoleAction } from "./role.ts"
import { EvaluationRunner } from "./runner.ts"
import type { Script } from "./script.ts"
import type { ServiceAgent } from "./service-agent.ts"
import type { ReplyObservation } from "./target.ts"
import { type ChannelTargetOptions, channelTarget } from "./targets/channel.ts"
import type { EvaluationWorld } from "./world.ts"

/** Plays one case by a clock that the test moves. */
function start(
  agent: ServiceAgent | ((clock: ManualClock) => ServiceAgent),
  {
    script = tinyScript(["Hello", "And tomorrow?"]),
    role = deterministicRole,
    world = tinyWorld(),
    target = {},
    emit,
  }: {
    script?: Script
    role?: EvaluationRole<unknown>
    world?: EvaluationWorld<unknown>
    target?: Partial<ChannelTargetOptions>
    emit?: Emit
  } = {},
) {
  const clock = manualClock(1_000_000)
  const stop = new AbortController()
  const conversations: Conversation[] = []
  const failures: unknown[] = []
  const runner = new EvaluationRunner({}, { hostClock: clock, onFailure: ({ error }) => failures.push(error) })
  const channel = channelTarget({
    agent: typeof agent === "function" ? agent(clock) : agent,
    hostClock: clock,
    onConversation: (conversation) => conversations.push(conversation),
    ...target,
  })
  const request = { script, target: channel, world, role, metrics: tinyMetrics }
  const played = runner.run(request, { signal: stop.signal, ...(emit && { emit }) })
  played.catch(() => {})
  return { clock, stop, played, conversation: () => conversations[0]!, failures }
}

/** A buyer that does what a function says, given what came of the last step. */
function role(actions: () => AsyncGenerator<RoleAction, void, ReplyObservation | undefined>): EvaluationRole<unknown> {
  return { identity: () => ({ role: "test" }), actions }
}

const texts = (items: readonly { sender: string; text: string }[]) =>
  items.map(({ sender, text }) => `${sender}: ${text}`)

/** Waits by the host's clock; ends when the case is over. */
function wait(ms: number, clock: HostClock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const called = clock.after(ms, resolve)
    signal.addEventListener("abort", () => reject(signal.reason), { once: true })
    signal.addEventListener("abort", called, { once: true })
  })
}

/** Needs `ms` for its answer to the first batch, and none for others. */
const slowAtFirst = (ms: number) => (clock: ManualClock) => {
  let turns = 0
  return turnAgent(async (batch, desk) => {
    turns += 1
    if (turns === 1) await wait(ms, clock, desk.signal)
    await desk.send(`Re: ${batch.map(({ text }) => text).join(" + ")}`)
  })
}

const fails = (message = "no model") => {
  throw new AppError("MODEL_UNAVAILABLE", message)
}

describe("the clocks", () => {
  it("messages of a two-day script carry their days, in a stable order, and the record is the same every time", async () => {
    const script = tinyScript([], {
      segments: [
        { at: "2026-03-01T09:00:00+08:00", texts: ["Is it in stock?", "In red?"] },
        { at: "2026-03-02T10:30:00+08:00", texts: ["I take it."] },
      ],
    })
    const records = []
    for (let i = 0; i < 2; i++) records.push((await start(echoAgent(), { script }).played).record)
    expect(records[0]!.messages.map(({ at, turn, sender, text }) => [at, turn, sender, text])).toEqual([
      ["2026-03-01T01:00:00.000Z", 1, "buyer", "Is it in stock?"],
      ["2026-03-01T01:00:00.000Z", 1, "agent", "Re: Is it in stock?"],
      ["2026-03-01T01:00:00.000Z", 2, "buyer", "In red?"],
      ["2026-03-01T01:00:00.000Z", 2, "agent", "Re: In red?"],
      ["2026-03-02T02:30:00.000Z", 3, "buyer", "I take it."],
      ["2026-03-02T02:30:00.000Z", 3, "agent", "Re: I take it."],
    ])
    expect(records[0]).toMatchObject({ end_reason: "goal_reached", ended_at: "2026-03-02T02:30:00.000Z" })
    expect(JSON.stringify(records[1])).toBe(JSON.stringify(records[0]))
  })
})

describe("waiting for an answer", () => {
  it("an answer after the limit: the turn is marked, the case goes on, the agent is not stopped, the answer comes once, with the next step", async () => {
    const seen: (ReplyObservation | undefined)[] = []
    const buyer = role(async function* () {
      seen.push(yield { kind: "send", text: "One" })
      seen.push(yield { kind: "send", text: "Two" })
      yield { kind: "end", outcome: "goal_reached" }
    })
    const { clock, played } = start(slowAtFirst(130_000), { role: buyer })
    await clock.advance(120_000)
    await clock.advance(10_000)
    const { record, first_replies } = await played
    expect(record.turns).toEqual([
      { turn: 1, ended: "timed_out" },
      { turn: 2, ended: "answered" },
    ])
    expect(texts(record.messages)).toEqual(["buyer: One", "buyer: Two", "agent: Re: One", "agent: Re: Two"])
    expect(record.messages.map(({ turn }) => turn)).toEqual([1, 2, 1, 2])
    expect(seen.map((observed) => texts(observed?.messages ?? []))).toEqual([
      ["buyer: One"],
      ["buyer: Two", "agent: Re: One", "agent: Re: Two"],
    ])
    expect(record.end_reason).toBe("goal_reached")
    expect(first_replies).toEqual([
      { turn: 1, delivered_ms: null, observed_ms: 120_000, goal_ms: 30_000 },
      { turn: 2, delivered_ms: 10_000, observed_ms: 10_000, goal_ms: 30_000 },
    ])
  })

  it("a late answer carries the story's time of when it was sent, not of when it was asked for", async () => {
    const buyer = role(async function* () {
      yield { kind: "send", text: "One" }
      yield { kind: "advance", to: storyTime("2026-03-01 11:00") }
      yield { kind: "send", text: "Two" }
      yield { kind: "end", outcome: "goal_reached" }
    })
    const { clock, played } = start(slowAtFirst(130_000), { role: buyer })
    await clock.advance(120_000)
    await clock.advance(10_000)
    const { record } = await played
    const late = record.messages.find(({ text }) => text === "Re: One")
    expect(late).toMatchObject({ at: storyTime("2026-03-01 11:00"), turn: 1 })
  })

  it("a late tool result is collected once, with the turn that it was called for", async () => {
    const world = tinyWorld({ stock: () => ({ ok: true, content: "3", class: "hit" }) })
    const agent = (clock: ManualClock) => {
      let turns = 0
      return turnAgent(async (_, desk) => {
        turns += 1
        if (turns === 1) await wait(130_000, clock, desk.signal)
        await desk.tools.call({ id: "call", name: "stock", arguments: {} }, { signal: desk.signal })
        await desk.send("Three")
      })
    }
    const { clock, played } = start(agent, { world })
    await clock.advance(120_000)
    await clock.advance(10_000)
    const { record } = await played
    expect(record.tools.map(({ id, turn, name }) => [id, turn, name])).toEqual([
      ["call", 1, "stock"],
      ["call#2", 2, "stock"],
    ])
  })

  it("the record ends no earlier than the last wait that ran out, even when nothing came", async () => {
    const silent = turnAgent(
      (_, desk) =>
        new Promise((_resolve, reject) => {
          desk.signal.addEventListener("abort", () => reject(desk.signal.reason))
        }),
    )
    const { clock, played } = start(silent, { script: tinyScript(["Hello?"]) })
    await clock.advance(120_000)
    const { record } = await played
    expect(record.ended_at).toBe("2026-03-01T01:02:00.000Z")
    expect(record.end_reason).toBe("goal_reached")
  })

  it("words that are not accepted in time fail the step, after their acceptance has settled, and the record ends in error", async () => {
    const lines: string[] = []
    const clockOf: { clock?: ManualClock } = {}
    const journal = (): Journal => ({
      async *lines() {},
      append: (line) =>
        new Promise((resolve) => {
          lines.push(line)
          if (line.includes('"received"')) clockOf.clock!.after(130_000, resolve)
          else resolve()
        }),
      close: async () => {},
    })
    const { clock, played } = start(echoAgent(), { target: { journal: async () => journal() } })
    clockOf.clock = clock
    let settled = false
    played.finally(() => {
      settled = true
    })
    await clock.advance(125_000)
    expect(settled).toBe(false)
    await clock.advance(5_000)
    const { record, first_replies } = await played
    expect(record).toMatchObject({ end_reason: "error", error: { stage: "send", code: "TARGET_UNAVAILABLE" } })
    expect(texts(record.messages)[0]).toBe("buyer: Hello")
    expect(first_replies).toEqual([])
  })

  it("words that are dropped while the agent is idle: the step returns at once, unmarked and without a first reply", async () => {
    const buyer = role(async function* () {
      yield { kind: "send", text: "One" }
      yield { kind: "end", outcome: "abandoned" }
    })
    const deaf: ServiceAgent = { identity: () => ({}), connect: async () => ({ stop: async () => {} }) }
    const { clock, played, conversation } = start(deaf, { role: buyer })
    await clock.advance(1000)
    await conversation().discard("queue full")
    const { record, first_replies } = await played
    expect(clock.now()).toBe(1_001_000)
    expect(record.turns).toEqual([{ turn: 1, ended: "discarded" }])
    expect(first_replies).toEqual([])
    expect(record.end_reason).toBe("abandoned")
  })
})

describe("reception", () => {
  it("paused before the buyer speaks again: the case ends there, and that turn has no first reply", async () => {
    let conversation: () => Conversation = () => {
      throw new Error("too early")
    }
    const buyer = role(async function* () {
      yield { kind: "send", text: "One" }
      await conversation().setReception("paused", "lunch")
      yield { kind: "send", text: "Two" }
      yield { kind: "send", text: "Three" }
    })
    const started = start(echoAgent(), { role: buyer })
    conversation = started.conversation
    const { record, first_replies } = await started.played
    expect(record.end_reason).toBe("reception_paused")
    expect(record.turns.map(({ ended }) => ended)).toEqual(["answered", "paused"])
    expect(texts(record.messages)).toEqual(["buyer: One", "agent: Re: One", "buyer: Two"])
    expect(first_replies.map(({ turn }) => turn)).toEqual([1])
  })

  it("paused during a turn: the case ends, and that turn's first reply is unanswered as long as it was watched", async () => {
    const { clock, played, conversation } = start(slowAtFirst(50_000))
    await clock.advance(20_000)
    await conversation().setReception("paused")
    const { record, first_replies } = await played
    expect(record.end_reason).toBe("reception_paused")
    expect(first_replies).toEqual([{ turn: 1, delivered_ms: null, observed_ms: 20_000, goal_ms: 30_000 }])
  })

  it("a pause met at the moment the time is up still ends the case", async () => {
    const { clock, played, conversation } = start(slowAtFirst(500_000))
    clock.after(120_000, () => void conversation().setReception("paused"))
    await clock.advance(120_000)
    expect((await played).record.end_reason).toBe("reception_paused")
  })

  const handsOff = turnAgent(async (batch, desk) => {
    if (batch.some(({ text }) => text.includes("human"))) await desk.handOff("asked for one")
    else await desk.send(`Re: ${batch.map(({ sender, text }) => `${sender}: ${text}`).join(" | ")}`)
  })

  it("a confirmed hand-off with a way back: the colleague speaks in the same buyer turn, reception is on again, the case goes on", async () => {
    const script = tinyScript(["A human, please", "Thanks"], { handoff: { text: "I am Li, hello", resume: true } })
    const { record } = await start(handsOff, { script }).played
    expect(record.messages.map(({ sender, turn, text }) => [sender, turn, text])).toEqual([
      ["buyer", 1, "A human, please"],
      ["human_console", 1, "I am Li, hello"],
      ["buyer", 2, "Thanks"],
      ["agent", 2, "Re: human_console: I am Li, hello | buyer: Thanks"],
    ])
    expect(record.turns.map(({ ended }) => ended)).toEqual(["handed_off", "answered"])
    expect(record.end_reason).toBe("goal_reached")
  })

  it("a confirmed hand-off without a way back ends the case, one that is not confirmed does not", async () => {
    const texts = ["A human, please", "Thanks"]
    const ends = []
    for (const confirmed of [true, false]) {
      const { clock, played } = start(handsOff, { script: tinyScript(texts, { handoff: { confirmed } }) })
      await clock.advance(0)
      ends.push((await played).record.end_reason)
    }
    expect(ends).toEqual(["reception_paused", "goal_reached"])
  })

  it("when the switch that turns reception on again fails, what was seen before is kept", async () => {
    const script = tinyScript(["Hello", "A human, please"], { handoff: { text: "I am Li", resume: true } })
    const switchReception = async () => {
      throw new AppError("STORE_UNWRITABLE", "the switch is stuck")
    }
    const { record } = await start(handsOff, { script, target: { switchReception } }).played
    expect(record).toMatchObject({ end_reason: "error", error: { stage: "resume", code: "STORE_UNWRITABLE" } })
    expect(texts(record.messages)).toEqual([
      "buyer: Hello",
      "agent: Re: buyer: Hello",
      "buyer: A human, please",
      "human_console: I am Li",
    ])
  })
})

describe("failures of the agent's model", () => {
  it("a failed turn followed by a good one within the same input: the last turn counts", async () => {
    let turns = 0
    const agent = (clock: ManualClock) =>
      turnAgent(async (batch, desk) => {
        turns += 1
        if (turns === 1) {
          await wait(130_000, clock, desk.signal)
          fails()
        }
        await desk.send(`Re: ${batch.at(-1)?.text}`)
      })
    const { clock, played } = start(agent)
    await clock.advance(120_000) // the second input is said now
    await clock.advance(10_000) // the first turn fails within it, and the next one ends well
    const { record } = await played
    expect(record.end_reason).toBe("goal_reached")
    expect(texts(record.messages)).toContain("agent: Re: And tomorrow?")
  })

  it("a failure nobody has looked at when the next input is to be said fails the case, and the input is not said", async () => {
    const buyer = role(async function* () {
      yield { kind: "send", text: "One" }
      await new Promise<void>((resolve) => clock.after(20_000, resolve))
      yield { kind: "send", text: "Two" }
    })
    const agent = (clock: ManualClock) =>
      turnAgent(async (_, desk) => {
        await wait(130_000, clock, desk.signal)
        fails()
      })
    const { clock, played } = start(agent, { role: buyer })
    await clock.advance(120_000)
    await clock.advance(20_000)
    const { record } = await played
    expect(record).toMatchObject({ end_reason: "error", error: { stage: "agent", code: "MODEL_UNAVAILABLE" } })
    expect(texts(record.messages)).toEqual(["buyer: One"])
  })

  it("a failure that is left when the case closes fails it", async () => {
    const buyer = role(async function* () {
      yield { kind: "send", text: "One" }
      await new Promise<void>((resolve) => clock.after(20_000, resolve))
      yield { kind: "end", outcome: "goal_reached" }
    })
    const agent = (clock: ManualClock) =>
      turnAgent(async (_, desk) => {
        await wait(130_000, clock, desk.signal)
        fails()
      })
    const { clock, played } = start(agent, { role: buyer })
    await clock.advance(120_000)
    await clock.advance(20_000)
    expect((await played).record.end_reason).toBe("error")
  })

  it("a case that the caller stops is cancelled even while a failure is pending", async () => {
    const buyer = role(async function* (): AsyncGenerator<RoleAction, void, ReplyObservation | undefined> {
      yield { kind: "send", text: "One" }
      await new Promise<void>((resolve) => clock.after(20_000, resolve))
      stop.abort()
      yield { kind: "send", text: "Two" }
    })
    const agent = (clock: ManualClock) =>
      turnAgent(async (_, desk) => {
        await wait(130_000, clock, desk.signal)
        fails()
      })
    const { clock, stop, played } = start(agent, { role: buyer })
    await clock.advance(120_000)
    await clock.advance(20_000)
    const { record } = await played
    expect(record.end_reason).toBe("cancelled")
    expect(record.error).toBeUndefined()
  })
})

describe("stopping and cleaning up", () => {
  it("the caller stops a case: the agent is stopped and waited for, the record is cancelled with the turns that were played", async () => {
    const agent = (clock: ManualClock) => {
      let turns = 0
      return turnAgent(async (batch, desk) => {
        turns += 1
        if (turns === 2) await wait(60_000, clock, desk.signal)
        await desk.send(`Re: ${batch.at(-1)?.text}`)
      })
    }
    const { clock, stop, played } = start(agent)
    await clock.advance(5_000)
    stop.abort()
    const { record, first_replies } = await played
    expect(record.end_reason).toBe("cancelled")
    expect(record.turns.map(({ ended }) => ended)).toEqual(["answered", "cancelled"])
    expect(texts(record.messages)).toEqual(["buyer: Hello", "agent: Re: Hello", "buyer: And tomorrow?"])
    expect(first_replies[1]).toEqual({ turn: 2, delivered_ms: null, observed_ms: 5_000, goal_ms: 30_000 })
  })

  it("a cleanup that fails rejects the call, also of a case that was stopped, and keeps what was seen", async () => {
    for (const cancel of [false, true]) {
      const stuck: ServiceAgent = {
        identity: () => ({}),
        async connect(desk) {
          const inner = await echoAgent().connect(desk)
          return {
            async stop() {
              await inner.stop()
              throw new AppError("TARGET_UNAVAILABLE", "will not stop")
            },
          }
        },
      }
      const buyer = role(async function* () {
        yield { kind: "send", text: "One" }
        if (cancel) stop.abort()
        yield { kind: "end", outcome: "goal_reached" }
      })
      const { stop, played } = start(stuck, { role: buyer })
      const failure = await played.then(
        () => undefined,
        (error: unknown) => error,
      )
      expect(failure).toBeInstanceOf(EvaluationCaseFailure)
      expect(failure).toMatchObject({ stage: "close", code: "TARGET_UNAVAILABLE" })
      expect(texts((failure as EvaluationCaseFailure).evidence.messages)).toEqual(["buyer: One", "agent: Re: One"])
      expect((failure as EvaluationCaseFailure).result?.record.end_reason).toBe("error")
    }
  })

  it("an agent that does not stop in its time is a failed cleanup", async () => {
    const stuck: ServiceAgent = {
      identity: () => ({}),
      connect: async (desk) => {
        await echoAgent().connect(desk)
        return { stop: () => new Promise(() => {}) }
      },
    }
    const { clock, played } = start(stuck)
    await clock.advance(30_000)
    await expect(played).rejects.toMatchObject({ stage: "close", code: "TARGET_UNAVAILABLE" })
  })

  it("the world stays mounted while the target closes, however slowly", async () => {
    const order: string[] = []
    const slow = (clock: ManualClock): ServiceAgent => ({
      identity: () => ({}),
      async connect(desk) {
        const inner = await echoAgent().connect(desk)
        return {
          async stop() {
            order.push("closing")
            await new Promise<void>((resolve) => clock.after(10_000, resolve))
            await inner.stop()
            order.push("closed")
          },
        }
      },
    })
    const tiny = tinyWorld()
    const world: EvaluationWorld<unknown> = {
      identity: () => ({}),
      mount: async (script, setup) => ({
        ...(await tiny.mount(script, setup)),
        unmount: async () => {
          order.push("unmounted")
        },
      }),
    }
    const { clock, played } = start(slow, { world })
    await clock.advance(9_999)
    expect(order).toEqual(["closing"])
    await clock.advance(1)
    await played
    expect(order).toEqual(["closing", "closed", "unmounted"])
  })

  it("a target that cannot be prepared rejects the call, and the world is let go", async () => {
    let mounted = 0
    const world: EvaluationWorld<unknown> = {
      identity: () => ({}),
      mount: async () => {
        mounted += 1
        return {
          tools: { schemas: [], call: async () => ({ ok: true, content: "", class: "hit" }) },
          unmount: async () => {
            mounted -= 1
          },
        }
      },
    }
    const absent: ServiceAgent = {
      identity: () => ({}),
      connect: async () => {
        throw new AppError("TARGET_UNAVAILABLE", "nobody there")
      },
    }
    const failure = await start(absent, { world }).played.catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(EvaluationCaseFailure)
    expect(failure).toMatchObject({ stage: "open", code: "TARGET_UNAVAILABLE", result: undefined })
    expect(mounted).toBe(0)
  })

  it("no timer and no watcher is left after a case, however it ended", async () => {
    const ends: ((started: ReturnType<typeof start>) => Promise<unknown>)[] = [
      ({ played }) => played,
      async ({ clock, stop, played }) => {
        await clock.advance(10)
        stop.abort()
        return played
      },
      async ({ clock, conversation, played }) => {
        await clock.advance(10)
        await conversation().setReception("paused")
        return played
      },
      async ({ clock, played }) => {
        await clock.advance(500_000)
        return played
      },
    ]
    for (const [index, finish] of ends.entries()) {
      const started = start(index === 0 ? echoAgent() : slowAtFirst(130_000))
      await finish(started)
      expect(started.clock.pending).toBe(0)
      expect(started.conversation().watchers).toBe(0)
    }
  })
})

describe("the buyer's side", () => {
  it("a buyer that does nothing twice before saying anything: a failure without observations", async () => {
    const buyer = role(async function* () {
      yield { kind: "idle" }
      yield { kind: "idle" }
    })
    const failure = await start(echoAgent(), { role: buyer }).played.catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(EvaluationCaseFailure)
    expect(failure).toMatchObject({ code: "PRACTICE_NO_OBSERVATIONS", result: undefined, evidence: { messages: [] } })
  })

  it("a buyer that does nothing twice later ends the case as the script does; once is nothing", async () => {
    const buyer = role(async function* () {
      yield { kind: "idle" }
      yield { kind: "send", text: "One" }
      yield { kind: "idle" }
      yield { kind: "send", text: "Two" }
      yield { kind: "idle" }
      yield { kind: "idle" }
      yield { kind: "send", text: "Three" }
    })
    const script = tinyScript(["-"], { outcome: "abandoned" })
    const { record } = await start(echoAgent(), { role: buyer, script }).played
    expect(record.end_reason).toBe("abandoned")
    expect(record.turns.length).toBe(2)
  })

  it("an invalid buyer ends the case in error with the reason; before anything was said the record is empty and stands", async () => {
    const invalid = (texts: string[]) =>
      role(async function* () {
        for (const text of texts) yield { kind: "send", text }
        yield { kind: "invalid", reason: "knew the order number" }
      })
    for (const said of [["One"], []]) {
      const { record } = await start(echoAgent(), { role: invalid(said) }).played
      expect(record).toMatchObject({ end_reason: "error", buyer_invalid_reason: "knew the order number" })
      expect(record.messages.length).toBe(said.length * 2)
    }
  })

  it("a buyer step that takes too long ends the attempt as timed out", async () => {
    const buyer = role(async function* () {
      yield { kind: "send", text: "One" }
      await new Promise(() => {})
    })
    const { clock, played } = start(echoAgent(), { role: buyer })
    await clock.advance(120_000)
    const { record } = await played
    expect(record).toMatchObject({ end_reason: "timeout", error: { code: "BUYER_STEP_TIMEOUT" } })
  })

  it("the buyer's messages used up: the case ends in a way of its own, without an error", async () => {
    const clock = manualClock()
    const runner = new EvaluationRunner({ maxBuyerMessages: 2 }, { hostClock: clock })
    const { record } = await runner.run(
      {
        script: tinyScript(["1", "2", "3"]),
        target: channelTarget({ agent: echoAgent(), hostClock: clock }),
        world: tinyWorld(),
        role: deterministicRole,
        metrics: tinyMetrics,
      },
      { signal: new AbortController().signal },
    )
    expect(record.end_reason).toBe("message_limit")
    expect(record.error).toBeUndefined()
    expect(record.messages.length).toBe(4)
  })

  it("a role that breaks is not the agent's failure: the record says so and the caller is told", async () => {
    const buyer = role(async function* () {
      yield { kind: "send", text: "One" }
      throw new Error("the buyer's model is gone")
    })
    const started = start(echoAgent(), { role: buyer })
    const { record } = await started.played
    expect(record).toMatchObject({ end_reason: "error", error: { stage: "role", code: "INTERNAL" } })
    expect(started.failures).toHaveLength(1)
  })
})

describe("what is watched", () => {
  it("every message, tool call, move of the clock and end of a wait is told as it happens", async () => {
    const told: string[] = []
    const world = tinyWorld({ stock: () => ({ ok: true, content: "3", class: "hit" }) })
    const agent = turnAgent(async (_, desk) => {
      await desk.tools.call({ id: "t", name: "stock", arguments: {} }, { signal: desk.signal })
      await desk.send("Three")
    })
    const emit: Emit = (event) => told.push(event.type)
    await start(agent, { world, emit, script: tinyScript(["How many?"]) }).played
    expect(told).toEqual(["clock", "message", "tool", "message", "turn_end", "reply"])
  })
})
