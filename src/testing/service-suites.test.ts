import { afterEach, describe, expect, it } from "vitest"
import type { CaseRecord } from "../core/case-record.ts"
import { AppError } from "../core/errors.ts"
import type { Judge } from "../score/judge.ts"
import { factsJudge } from "../score/judges/facts.ts"
import { scriptMetricPack } from "../service/metric-pack.ts"
import { deterministicRole, type EvaluationRole } from "../service/role.ts"
import { EvaluationRunner } from "../service/runner.ts"
import type { Script } from "../service/script.ts"
import type { ServiceAgent, ServiceDesk } from "../service/service-agent.ts"
import type { EvaluationTarget, TargetSession } from "../service/target.ts"
import { channelTarget } from "../service/targets/channel.ts"
import type { ToolAnswer } from "../service/tools.ts"
import type { EvaluationWorld, MountedWorld } from "../service/world.ts"
import { serviceAgentContract } from "./agent-contract.ts"
import type { ContractCheck } from "./contracts.ts"
import { serviceDeskContract } from "./desk-contract.ts"
import { judgeContract } from "./judge-contract.ts"
import { metricPackContract } from "./metrics-contract.ts"
import { evaluationRoleContract } from "./role-contract.ts"
import { scriptSourceContract } from "./source-contract.ts"
import { evaluationTargetContract } from "./target-contract.ts"
import { echoAgent, tinyScript, tinyWorld, turnAgent } from "./tiny-service.ts"
import { evaluationWorldContract } from "./world-contract.ts"

/** Suites that let a broken part pass are worth nothing: each of these is broken in one way, and has to be found out. */

/** The names of the checks that fail. */
async function failing(checks: readonly ContractCheck[]): Promise<string[]> {
  const names: string[] = []
  for (const { name, check } of checks) await check().catch(() => names.push(name))
  return names
}

function finds(
  broken: Readonly<Record<string, { readonly checks: () => ContractCheck[]; readonly by: RegExp }>>,
): void {
  for (const [what, { checks, by }] of Object.entries(broken)) {
    it(`notices ${what}`, async () => {
      const looking = checks().filter(({ name }) => by.test(name))
      expect(await failing(looking)).not.toEqual([])
    })
  }
}

const leaked: NodeJS.Timeout[] = []
afterEach(() => {
  for (const timer of leaked.splice(0)) clearTimeout(timer)
})
const leak = () => leaked.push(setTimeout(() => {}, 60_000))

describe("the suite of worlds", () => {
  const script = tinyScript(["hi"])
  const read = { name: "read", arguments: {} }
  const write = { change: { name: "write", arguments: {} }, shows: read }
  const answer = (content: string, more: Partial<ToolAnswer> = {}): ToolAnswer => ({
    ok: true,
    content,
    class: "passthrough",
    ...more,
  })
  /** A world of one number. */
  const counter = (
    mend: (world: EvaluationWorld, of: Script) => Partial<MountedWorld> = () => ({}),
  ): EvaluationWorld => ({
    identity: () => ({ world: "counter" }),
    async mount(of, setup) {
      let count = 0
      const inner = tinyWorld({
        read: () => answer(String(count)),
        write: () => answer(String(++count), { write: true }),
      })
      return { ...(await inner.mount(of, setup)), evidence: () => ({ count }), ...mend(inner, of) }
    },
  })
  const suite = (world: () => EvaluationWorld) => () => evaluationWorldContract(world, { script, reads: [read], write })
  let shared = 0
  const withCall = (call: MountedWorld["tools"]["call"]) => () => counter(() => ({ tools: { schemas: [], call } }))

  it("lets a sound one pass", async () => {
    expect(await failing(suite(() => counter())())).toEqual([])
  })

  finds({
    "a key in its identity": {
      checks: suite(() => ({ ...counter(), identity: () => ({ key: "sk-abc" }) })),
      by: /identity/,
    },
    "an identity that changes": {
      checks: suite(() => ({ ...counter(), identity: () => ({ asked: ++shared }) })),
      by: /identity/,
    },
    "a throw for an unknown tool": {
      checks: suite(
        withCall(async ({ name }) => {
          if (name === "read" || name === "write") return answer("1")
          throw new AppError("NOT_FOUND", name)
        }),
      ),
      by: /unknown tools/,
    },
    "state that cases share": {
      checks: suite(() =>
        tinyWorld({
          read: () => answer(String(shared)),
          write: () => answer(String(++shared), { write: true }),
        }),
      ),
      by: /each other's writes/,
    },
    "the buyer's goal in an answer": {
      checks: suite(() =>
        counter((_, of) => ({ tools: { schemas: [], call: async () => answer(`For you: ${of.goal}`) } })),
      ),
      by: /only the buyer's/,
    },
    "the gold in a tool's description": {
      checks: suite(() =>
        counter((_, of) => {
          const description = `As in ${JSON.stringify(of.gold ?? {})}`
          const schema = {
            type: "function",
            function: { name: "read", description, parameters: { type: "object" } },
          } as const
          return { tools: { schemas: [schema], call: async () => answer("1") } }
        }),
      ),
      by: /only the buyer's/,
    },
    "a stop that is not heard": {
      checks: suite(withCall(async () => answer("1"))),
      by: /signal is aborted/,
    },
    "a second unmount that throws": {
      checks: suite(() => {
        let mounted = true
        const unmount = async () => {
          if (!mounted) throw new Error("twice")
          mounted = false
        }
        return counter(() => ({ unmount }))
      }),
      by: /unmounting twice/,
    },
    "a timer that is left": {
      checks: suite(() => counter(() => ({ unmount: async () => void leak() }))),
      by: /unmounting twice/,
    },
    "evidence that is no JSON": {
      checks: suite(() => counter(() => ({ evidence: () => ({ at: new Date(0) as unknown as string }) }))),
      by: /evidence/,
    },
    "a script that is written to": {
      checks: suite(() =>
        counter((_, of) => {
          of.goal = "mine"
          return {}
        }),
      ),
      by: /leaves the script/,
    },
  })
})

describe("the suite of agents", () => {
  const suite = (agent: () => ServiceAgent) => () => serviceAgentContract(agent)
  const connecting = (connect: ServiceAgent["connect"]) => () => ({ ...echoAgent(), connect })
  let last = "nothing"
  finds({
    "an answer to somebody else's words": {
      checks: suite(() =>
        turnAgent(async (batch, desk) => {
          last = `${last} ${batch.at(-1)?.text}`
          await new Promise((later) => setTimeout(later, 5))
          await desk.send(`You said: ${last}`)
        }),
      ),
      by: /side by side/,
    },
    "a turn that fails because its tools refuse": {
      checks: suite(() =>
        turnAgent(async (_batch, desk) => {
          const { ok } = await desk.tools.call({ id: "1", name: "look", arguments: {} }, { signal: desk.signal })
          if (!ok) throw new Error("cannot work like this")
        }),
      ),
      by: /refuse everything/,
    },
    "words that are sent again": {
      checks: suite(() =>
        turnAgent(async (_batch, desk) => {
          await desk.send("Hello").catch(() => desk.send("Hello"))
        }),
      ),
      by: /nobody knows/,
    },
    "a watch that is never given up": {
      checks: suite(
        connecting(async (desk: ServiceDesk) => {
          desk.signal.addEventListener("abort", () => {})
          return echoAgent().connect(desk)
        }),
      ),
      by: /stopping an agent twice/,
    },
    "a second stop that throws": {
      checks: suite(
        connecting(async (desk) => {
          const connection = await echoAgent().connect(desk)
          let stopped = false
          return {
            async stop() {
              if (stopped) throw new Error("twice")
              stopped = true
              await connection.stop()
            },
          }
        }),
      ),
      by: /stopping an agent twice/,
    },
  })
})

describe("the suite of desks", () => {
  const suite = (change: (desk: ServiceDesk, script: Script) => ServiceDesk) => () =>
    serviceDeskContract((agent) => {
      const opened: Script[] = []
      const target = channelTarget({
        agent: { identity: () => agent.identity(), connect: (desk) => agent.connect(change(desk, opened.at(-1)!)) },
      })
      return {
        identity: () => target.identity(),
        open(setup) {
          opened.push(setup.script)
          return target.open(setup)
        },
      } satisfies EvaluationTarget<unknown>
    })
  finds({
    "a goal shown beside the chat": {
      checks: suite((desk, { goal }) => ({ ...desk, customer: { ...desk.customer, wants: goal } })),
      by: /only the buyer's/,
    },
    "what the buyer will say tomorrow": {
      checks: suite((desk, { segments }) => ({ ...desk, customer: { next: JSON.stringify(segments) } })),
      by: /before its time/,
    },
    "words after the end": {
      checks: suite((desk) => ({ ...desk, send: async () => ({ message_id: "m0" }) })),
      by: /whose case is over/,
    },
    "calls that are not on record": {
      checks: suite((desk) => {
        const call = async (): Promise<ToolAnswer> => ({ ok: true, content: "{}", class: "hit" })
        return { ...desk, tools: { schemas: desk.tools.schemas, call } }
      }),
      by: /on record/,
    },
  })
})

describe("the suite of targets", () => {
  const suite = (change: (session: TargetSession) => Partial<TargetSession>) => () =>
    evaluationTargetContract(() => {
      const target = channelTarget({ agent: echoAgent() })
      return {
        identity: () => target.identity(),
        async open(setup) {
          const session = await target.open(setup)
          const bound: TargetSession = {
            binding: session.binding,
            advance: (to, signal) => session.advance(to, signal),
            send: (text, signal) => session.send(text, signal),
            close: () => session.close(),
            usage: () => session.usage(),
          }
          return { ...bound, ...change(bound) }
        },
      }
    })
  it("lets a sound one pass", async () => {
    expect(await failing(suite(() => ({}))())).toEqual([])
  })
  finds({
    "messages that come again": {
      checks: suite((session) => {
        const seen: Awaited<ReturnType<TargetSession["send"]>>["messages"][number][] = []
        return {
          async send(text, signal) {
            const observed = await session.send(text, signal)
            seen.push(...observed.messages)
            return { ...observed, messages: [observed.messages[0]!, ...seen] }
          },
        }
      }),
      by: /every message once/,
    },
    "a clock that stands still": { checks: suite(() => ({ advance: async () => {} })), by: /story's time/ },
    "a step that nobody can stop": {
      checks: suite(() => ({ send: () => new Promise(() => {}) })),
      by: /by the caller's stop/,
    },
    "a session that stays open": {
      checks: suite(() => ({
        async close() {
          leak()
          return null
        },
      })),
      by: /leaves nothing/,
    },
  })
})

describe("the suite of roles", () => {
  const script = { ...tinyScript(["One", "Two"]), checks: [] }
  const suite = (actions: EvaluationRole["actions"]) => () =>
    evaluationRoleContract(() => ({ ...deterministicRole, actions }), { script, binding: undefined, maxActions: 20 })
  let calls = 0
  finds({
    "a role that never ends": {
      checks: suite(async function* () {
        for (;;) yield { kind: "send", text: "Hello" }
      }),
      by: /ends/,
    },
    "a role that tells what is checked": {
      checks: suite(async function* ({ checks, reference_outcome }) {
        yield { kind: "send", text: `Mind: ${reference_outcome} ${JSON.stringify(checks)}` }
        yield { kind: "end", outcome: "abandoned" }
      }),
      by: /only the judge's/,
    },
    "a role that does something else each time": {
      checks: suite(async function* () {
        yield { kind: "send", text: `Hello ${++calls}` }
        yield { kind: "end", outcome: "abandoned" }
      }),
      by: /answered the same/,
    },
    "a role that goes back in time": {
      checks: suite(async function* ({ starts_at }) {
        yield { kind: "send", text: "Hello" }
        yield { kind: "advance", to: starts_at }
        yield { kind: "advance", to: "2020-01-01T00:00:00.000Z" as typeof starts_at }
        yield { kind: "end", outcome: "abandoned" }
      }),
      by: /only forward/,
    },
    "a role that cannot be stopped": {
      checks: suite(async function* () {
        yield { kind: "send", text: "Hello" }
        await new Promise(() => {})
      }),
      by: /is stopped/,
    },
  })
})

describe("the suite of script sources", () => {
  const script = tinyScript(["One"])
  const suite = (load: (caseId: string, signal: AbortSignal) => Promise<Script>) => () =>
    scriptSourceContract(() => ({ load }), { caseIds: ["c-1"], refused: "c-2" })
  finds({
    "a script for any name": { checks: suite(async () => script), by: /NOT_FOUND/ },
    "a case beyond the set": { checks: suite(async () => script), by: /REFUSED/ },
    "a stop that is not heard": { checks: suite(async () => script), by: /aborted/ },
    "a script that changes": {
      checks: suite(async () => ({ ...script, goal: String(Math.random()) })),
      by: /the same every time/,
    },
  })
})

describe("the suite of judges", async () => {
  const script = { ...tinyScript(["How much?"]), checks: [] }
  const target = channelTarget({ agent: echoAgent() })
  const request = { script, target, world: tinyWorld(), role: deterministicRole, metrics: scriptMetricPack }
  const { record } = await new EvaluationRunner().run(request, { signal: new AbortController().signal })
  const suite = (judge: (record: CaseRecord) => Partial<ReturnType<Judge["judge"]>[number]>) => () =>
    judgeContract(
      () => ({
        name: "broken@1",
        judge: (record) => [
          {
            case_id: record.case_id,
            check_id: "check",
            judge: "broken@1",
            state: "pass",
            gate: "open",
            blocking: true,
            weight: 1,
            reason: "Fine",
            evidence: [],
            ...judge(record),
          },
        ],
      }),
      { records: [record], context: { rules: null } },
    )
  let judged = 0
  it("lets a sound one pass", async () => {
    expect(await failing(suite(() => ({}))())).toEqual([])
    expect(await failing(judgeContract(() => factsJudge, { records: [record], context: { rules: null } }))).toEqual([])
  })
  finds({
    "a quote that nobody said": {
      checks: suite(({ messages }) => ({ evidence: [{ message_id: messages[0]?.id, quote: "never said" }] })),
      by: /letter for letter/,
    },
    "a judge that does as it is told": {
      checks: suite(({ messages }) =>
        messages.some(({ text }) => /passed|判为通过/.test(text)) ? {} : { state: "fail", code: "no" },
      ),
      by: /no word to it/,
    },
    "a judge that tosses a coin": {
      checks: suite(() => (judged++ % 2 === 0 ? {} : { state: "fail", code: "no" })),
      by: /same verdicts/,
    },
    "another judge's name": { checks: suite(() => ({ judge: "facts@1" })), by: /name the case/ },
  })
})

describe("the suite of metric packs", () => {
  const script = tinyScript(["One"])
  const timeline = ["m1", "m2"].map((id) => ({
    id,
    turn: 1,
    sender: "buyer" as const,
    at: script.starts_at,
    text: "One",
    channel: "conversation" as const,
    origin: "simulated" as const,
    delivery: "sent" as const,
  }))
  const suite = (more: (script: Script) => object) => () =>
    metricPackContract(
      () => ({
        ...scriptMetricPack,
        judgeInputs: (script, played) => ({ ...scriptMetricPack.judgeInputs(script, played), ...more(script) }),
      }),
      { script, timeline },
    )
  it("lets a sound one pass", async () => {
    expect(await failing(suite(() => ({}))())).toEqual([])
  })
  finds({
    "a verdict": { checks: suite(() => ({ verdict: "pass" })), by: /no verdict/ },
    "a reference to what was not said": { checks: suite(() => ({ seen: ["m2"] })), by: /not played/ },
    "a check that is there twice": {
      checks: suite(() => {
        const check = {
          id: "a",
          kind: "process",
          text: "A",
          fact_keys: [],
          required_reads: [],
          weight: 1,
          blocking: true,
        }
        return { checks: [check, check] }
      }),
      by: /each check once/,
    },
  })
})
