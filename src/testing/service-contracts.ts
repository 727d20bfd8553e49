import assert from "node:assert/strict"
import { canonicalJson } from "../core/fingerprint.ts"
import { scriptTimePlus } from "../core/time.ts"
import { manualClock } from "../lib/clock.ts"
import { ScriptClock } from "../service/script-clock.ts"
import type { ServiceAgent } from "../service/service-agent.ts"
import type { EvaluationTarget, TargetSession } from "../service/target.ts"
import { channelTarget } from "../service/targets/channel.ts"
import type { ContractCheck } from "./contracts.ts"
import { tinyScript, tinyTools } from "./tiny-service.ts"

const live = () => new AbortController().signal

/** What the runner relies on of an `EvaluationTarget`. `open` gives a new one each time, whose agent answers whatever it is asked. */
export function evaluationTargetContract(open: () => EvaluationTarget | Promise<EvaluationTarget>): ContractCheck[] {
  const using = async (use: (session: TargetSession, clock: ScriptClock) => Promise<void>) => {
    const script = tinyScript(["-"])
    const clock = new ScriptClock(script.starts_at)
    const target = await open()
    const setup = { caseId: script.case_id, script, clock, tools: tinyTools(), emit: () => {}, signal: live() }
    const session = await target.open(setup)
    try {
      await use(session, clock)
    } finally {
      await session.close()
    }
  }
  return [
    {
      name: "a target's identity is JSON and stays the same",
      async check() {
        const target = await open()
        const before = canonicalJson(target.identity())
        assert.equal(canonicalJson(target.identity()), before)
      },
    },
    {
      name: "a step gives the buyer's own words first, and every message once",
      check: () =>
        using(async (session) => {
          const seen: string[] = []
          for (const [index, text] of ["One", "Two"].entries()) {
            const { turn, messages } = await session.send(text, live())
            assert.equal(turn, index + 1)
            assert.deepEqual([messages[0]?.sender, messages[0]?.text, messages[0]?.turn], ["buyer", text, index + 1])
            seen.push(...messages.map(({ id }) => id))
          }
          const rest = await session.close()
          seen.push(...(rest?.messages ?? []).map(({ id }) => id))
          assert.equal(new Set(seen).size, seen.length)
        }),
    },
    {
      name: "messages carry the story's time, which advance moves",
      check: () =>
        using(async (session, clock) => {
          const later = scriptTimePlus(clock.now(), 3_600_000)
          await session.advance(later, live())
          assert.equal(clock.now(), later)
          const { messages } = await session.send("One", live())
          assert.ok(messages.every(({ at }) => at === later))
        }),
    },
    {
      name: "a step that the caller stops ends, and the session can be closed",
      check: () =>
        using(async (session) => {
          const stop = new AbortController()
          const sent = session.send("One", stop.signal)
          stop.abort()
          await sent.then(
            ({ ended }) => assert.ok(ended === "cancelled" || ended === "answered"),
            () => {},
          )
        }),
    },
    {
      name: "tokens can be read before anything was said and after the end",
      check: () =>
        using(async (session) => {
          assert.ok(Object.values(session.usage()).every(({ model_calls }) => model_calls >= 0))
          await session.send("One", live())
          await session.close()
          assert.ok(Object.values(session.usage()).every(({ model_calls }) => model_calls >= 0))
        }),
    },
  ]
}

/** What the channel relies on of a `ServiceAgent`. `open` gives a new one each time; it answers whatever it is asked. */
export function serviceAgentContract(open: () => ServiceAgent | Promise<ServiceAgent>): ContractCheck[] {
  const talk = async (use: (session: TargetSession) => Promise<void>) => {
    const script = tinyScript(["-"])
    const target = channelTarget({ agent: await open(), hostClock: manualClock() })
    const clock = new ScriptClock(script.starts_at)
    const setup = { caseId: "c", script, clock, tools: tinyTools(), emit: () => {}, signal: live() }
    const session = await target.open(setup)
    try {
      await use(session)
    } finally {
      await session.close()
    }
  }
  return [
    {
      name: "an agent's identity is JSON, stays the same and shows no key",
      async check() {
        const agent = await open()
        const before = canonicalJson(agent.identity())
        assert.equal(canonicalJson(agent.identity()), before)
        assert.doesNotMatch(before, /\bsk-|bearer /i)
      },
    },
    {
      name: "an agent takes what is said, answers it, and ends its turn",
      check: () =>
        talk(async (session) => {
          for (const text of ["Hello", "And now?"]) {
            const { ended, messages } = await session.send(text, live())
            assert.equal(ended, "answered")
            const answer = messages.find(({ sender }) => sender === "agent")
            assert.ok(answer !== undefined && answer.text.length > 0)
            assert.ok(answer.answers?.includes(messages[0]!.id))
          }
        }),
    },
    {
      name: "an agent that is stopped before anything was said stops",
      check: () => talk(async () => {}),
    },
  ]
}
