import { describe, expect, it } from "vitest"
import type { Conversation } from "../channel/conversation.ts"
import type { Journal } from "../channel/journal.ts"
import { AppError } from "../core/errors.ts"
import type { Emit } from "../core/trace.ts"
import { manualClock } from "../lib/clock.ts"
import { echoAgent, storyTime, tinyMetrics, tinyScript, tinyWorld, turnAgent } from "../testing/tiny-service.ts"
import { EvaluationCaseFailure } from "./failure.ts"
import { deterministicRole, type EvaluationRole, type RoleAction } from "./role.ts"
import { EvaluationRunner } from "./runner.ts"
import type { Script } from "./script.ts"
import type { ServiceAgent, ServiceDesk } from "./service-agent.ts"
import type { EvaluationTarget, ReplyObservation } from "./target.ts"
import { type ChannelTargetOptions, channelTarget } from "./targets/channel.ts"
import type { EvaluationWorld } from "./world.ts"

/** Plays one case by a clock that the test moves. */
function start(
  agent: ServiceAgent,
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
    agent,
    hostClock: clock,
    onConversation: (conversation) => conversations.push(conversation),
    ...target,
  }) as EvaluationTarget<unknown>
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

/** Waits by the desk's signal, so that stopping ends it. */
function until(gate: Promise<void>, desk: ServiceDesk): Promise<void> {
  return new Promise((resolve, reject) => {
    gate.then(resolve, reject)
    desk.signal.addEventListener("abort", () => reject(desk.signal.reason), { once: true })
  })
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
