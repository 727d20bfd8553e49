import assert from "node:assert/strict"
import { getEventListeners } from "node:events"
import { ConversationMessage } from "../core/conversation.ts"
import { scriptTimePlus } from "../core/time.ts"
import type { Script } from "../service/script.ts"
import { ScriptClock } from "../service/script-clock.ts"
import { EvaluationReplyTimeout, type EvaluationTarget, type TargetSession } from "../service/target.ts"
import type { ToolHost } from "../service/tools.ts"
import { assertIdentity, assertJson, leavesNothing, settles } from "./contract-tools.ts"
import type { ContractCheck } from "./contracts.ts"
import { tinyScript, tinyTools } from "./tiny-service.ts"

export interface TargetContractOptions {
  /** The case that is opened. Absent: one with a single segment. */
  readonly script?: Script
  /** The tools of its world. Absent: none. */
  readonly tools?: () => ToolHost
  /** Two things that can be said to it. */
  readonly texts?: readonly [string, string]
  /** Keys and addresses that its identity must not show. */
  readonly secrets?: readonly string[]
}

/** What the runner relies on of an `EvaluationTarget`. `open` gives a new one each time, that answers whatever it is asked. */
export function evaluationTargetContract<Binding = unknown>(
  open: () => EvaluationTarget<Binding> | Promise<EvaluationTarget<Binding>>,
  {
    script = tinyScript(["-"]),
    tools = () => tinyTools(),
    texts = ["One", "Two"],
    secrets = [],
  }: TargetContractOptions = {},
): ContractCheck[] {
  const [text, other] = texts
  const live = () => new AbortController().signal
  const begin = async (signal = live(), target?: EvaluationTarget<Binding>) => {
    const clock = new ScriptClock(script.starts_at)
    const setup = { caseId: script.case_id, script, clock, tools: tools(), emit: () => {}, signal }
    return { clock, session: await (target ?? (await open())).open(setup) }
  }
  const using = async (use: (session: TargetSession<Binding>, clock: ScriptClock) => Promise<void>) => {
    const { session, clock } = await begin()
    try {
      await use(session, clock)
    } finally {
      await session.close()
    }
  }
  return [
    {
      name: "a target's identity is JSON without secrets and stays the same",
      async check() {
        assertIdentity([await open(), await open()], secrets)
      },
    },
    {
      name: "a step gives the buyer's own words first, and every message once",
      check: () =>
        using(async (session) => {
          const seen: ConversationMessage[] = []
          for (const [index, said] of texts.entries()) {
            const { turn, messages, error } = await session.send(said, live())
            assert.equal(error, undefined)
            assert.equal(turn, index + 1)
            assert.deepEqual([messages[0]?.sender, messages[0]?.text, messages[0]?.turn], ["buyer", said, index + 1])
            seen.push(...messages)
          }
          seen.push(...((await session.close())?.messages ?? []))
          for (const message of seen) {
            assertJson(message, "a message")
            ConversationMessage.parse(message)
          }
          assert.equal(new Set(seen.map(({ id }) => id)).size, seen.length)
        }),
    },
    {
      name: "messages carry the story's time, which advance moves",
      check: () =>
        using(async (session, clock) => {
          const later = scriptTimePlus(clock.now(), 3_600_000)
          await session.advance(later, live())
          assert.equal(clock.now(), later)
          const { messages } = await session.send(text, live())
          assert.ok(messages.every(({ at }) => at === later))
        }),
    },
    {
      name: "two sessions of a target know nothing of each other",
      async check() {
        const target = await open()
        const [one, two] = [await begin(live(), target), await begin(live(), target)]
        try {
          const [first, second] = await Promise.all([one.session.send(text, live()), two.session.send(other, live())])
          for (const [{ turn, messages }, said] of [
            [first, text],
            [second, other],
          ] as const) {
            assert.equal(turn, 1)
            assert.deepEqual(
              messages.filter(({ sender }) => sender === "buyer").map((message) => message.text),
              [said],
            )
          }
          await one.session.close()
          assert.equal((await two.session.send(text, live())).turn, 2, "the other goes on")
        } finally {
          await one.session.close()
          await two.session.close()
        }
      },
    },
    ...[new Error("stopped"), new EvaluationReplyTimeout("time is up")].map((reason) => ({
      name: `a step that ends by ${reason.name === "Error" ? "the caller's stop" : "its time being up"} ends, and the session can be closed`,
      check: () =>
        using(async (session) => {
          const stop = new AbortController()
          const sent = session.send(text, stop.signal)
          stop.abort(reason)
          await settles(sent, "the step")
          const ended = await sent.then(
            (observed) => observed.ended,
            () => undefined, // the words were not accepted
          )
          const stopped = reason instanceof EvaluationReplyTimeout ? "timed_out" : "cancelled"
          assert.ok(ended === undefined || ended === stopped || ended === "answered", ended)
          await settles(session.close(), "closing")
          assert.equal(getEventListeners(stop.signal, "abort").length, 0, "no listener is left at the step's signal")
        }),
    })),
    {
      name: "a target whose case was stopped is not opened",
      check: () => assert.rejects(begin(AbortSignal.abort(new Error("stopped")))),
    },
    {
      name: "tokens can be read before anything was said and after the end",
      check: () =>
        using(async (session) => {
          const read = () => {
            const usage = session.usage()
            assertJson(usage, "usage")
            assert.ok(Object.values(usage).every(({ model_calls }) => model_calls >= 0))
          }
          read()
          await session.send(text, live())
          await session.close()
          read()
        }),
    },
    {
      name: "closing a session twice is fine, gives nothing a second time, and leaves nothing",
      check: () =>
        leavesNothing(async () => {
          const stop = new AbortController()
          const { session } = await begin(stop.signal)
          await session.send(text, live())
          await session.close()
          assert.deepEqual((await session.close())?.messages ?? [], [])
          assert.equal(getEventListeners(stop.signal, "abort").length, 0, "no listener is left at the case's signal")
        }),
    },
    {
      name: "a session in which nothing was said can be closed, and leaves nothing",
      check: () => leavesNothing(async () => void (await (await begin()).session.close())),
    },
  ]
}
