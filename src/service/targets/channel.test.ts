import { describe, expect, it } from "vitest"
import type { ScriptTime } from "../../core/time.ts"
import { manualClock } from "../../lib/clock.ts"
import { echoAgent, tinyScript, turnAgent } from "../../testing/tiny-service.ts"
import { recordedTools } from "../recorded-tools.ts"
import { ScriptClock } from "../script-clock.ts"
import type { ServiceAgent, ServiceDesk } from "../service-agent.ts"
import { EvaluationReplyTimeout } from "../target.ts"
import { type ChannelTargetOptions, channelTarget } from "./channel.ts"

const live = new AbortController().signal

async function open(agent: ServiceAgent, more: Partial<ChannelTargetOptions> = {}) {
  const hostClock = manualClock()
  const clock = new ScriptClock("2026-03-01T01:00:00.000Z" as ScriptTime)
  const called: string[] = []
  const tools = recordedTools(
    { schemas: [], call: async () => ({ ok: true, content: "3", class: "hit" }) },
    { clock, turn: () => 0, onRecord: ({ id }) => called.push(id) },
  )
  const setup = { caseId: "c", script: tinyScript(["-"]), clock, tools, emit: () => {}, signal: live }
  const session = await channelTarget({ agent, hostClock, ...more }).open(setup)
  return { session, hostClock, tools, called, conversation: session.binding.conversation }
}

/** Works until it is told to stop, and needs a while for that. */
function busyAgent(log: string[]): ServiceAgent {
  return {
    identity: () => ({}),
    async connect(desk) {
      void desk.take(desk.signal).catch(() => {})
      return {
        async stop() {
          log.push("stopping")
          await new Promise((resolve) => setTimeout(resolve, 20))
          log.push("stopped")
        },
      }
    },
  }
}

describe("a session of a channel", () => {
  it("stopping the caller's step gives what there is when the agent has stopped, not before", async () => {
    const log: string[] = []
    const { session } = await open(busyAgent(log))
    const stop = new AbortController()
    const sent = session.send("Hello", stop.signal)
    await new Promise((resolve) => setImmediate(resolve))
    stop.abort()
    const { ended, messages } = await sent
    log.push("given")
    expect(ended).toBe("cancelled")
    expect(messages.map(({ text }) => text)).toEqual(["Hello"])
    expect(log).toEqual(["stopping", "stopped", "given"])
    await session.close()
    expect(log).toHaveLength(3)
  })

  it("time that is up leaves the agent at work", async () => {
    const log: string[] = []
    const { session } = await open(busyAgent(log))
    const { ended } = await session
      .send("Hello", AbortSignal.abort(new EvaluationReplyTimeout("up")))
      .catch(() => ({ ended: "failed" }))
    expect(ended).toBe("failed") // the words were not accepted before
    const up = new AbortController()
    const sent = session.send("Again", up.signal)
    await new Promise((resolve) => setImmediate(resolve))
    up.abort(new EvaluationReplyTimeout("up"))
    expect((await sent).ended).toBe("timed_out")
    expect(log).toEqual([])
    await session.close()
  })

  it("closing gives what was not collected yet, once", async () => {
    let desk: ServiceDesk | undefined
    const agent = turnAgent(async (_, at) => {
      desk = at
      await at.send("First")
    })
    const { session } = await open(agent)
    await session.send("Hello", live)
    await desk!.send("One more thing")
    expect((await session.close())?.messages.map(({ text }) => text)).toEqual(["One more thing"])
    expect(await session.close()).toBeNull()
  })

  it("nothing is sent and no tool is called once the case is over", async () => {
    let desk: ServiceDesk | undefined
    const agent = turnAgent(async (_, at) => {
      desk = at
      await at.send("Hi")
    })
    const { session, tools, called, conversation } = await open(agent)
    await session.send("Hello", live)
    await session.close()
    tools.end()
    await expect(desk!.send("Late")).rejects.toMatchObject({ code: "CONFLICT" })
    await expect(desk!.tools.call({ id: "t", name: "x", arguments: {} }, { signal: live })).rejects.toMatchObject({
      code: "CONFLICT",
    })
    await expect(desk!.take(live)).rejects.toMatchObject({ code: "CANCELLED" })
    const events = conversation.log.length
    desk!.endTurn({ reason: "error", error: { code: "INTERNAL", message: "", retryable: false } })
    desk!.consumed(["m1"])
    expect(conversation.log.length).toBe(events)
    expect(called).toEqual([])
    expect(conversation.watchers).toBe(0)
  })

  it("an agent elsewhere says itself what it has read; a turn that says nothing of it has read all", async () => {
    const agent: ServiceAgent = {
      identity: () => ({}),
      async connect(desk) {
        const work = (async () => {
          for (let turn = 1; ; turn++) {
            const batch = await desk.take(desk.signal, { read: false })
            if (turn === 1) desk.consumed(batch.map(({ id }) => id))
            await desk.send(`Re: ${batch[0]?.text}`, turn === 1 ? {} : { answers: batch.map(({ id }) => id) })
            desk.endTurn({ reason: "completed" })
          }
        })().catch(() => {})
        return { stop: () => work }
      },
    }
    const { session } = await open(agent)
    for (const text of ["One", "Two"]) {
      const { ended, messages, first_reply } = await session.send(text, live)
      expect(ended).toBe("answered")
      expect(messages.at(-1)).toMatchObject({ sender: "agent", answers: [messages[0]?.id] })
      expect(first_reply).toEqual({ delivered_ms: 0, observed_ms: 0 })
    }
    await session.close()
  })

  it("identity says which agent it is, and nothing of addresses", async () => {
    expect(channelTarget({ agent: echoAgent() }).identity()).toEqual({
      target: "channel",
      version: 1,
      agent: { agent: "turns" },
    })
  })
})
