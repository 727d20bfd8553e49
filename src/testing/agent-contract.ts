import assert from "node:assert/strict"
import { getEventListeners } from "node:events"
import type { ConversationMessage } from "../core/conversation.ts"
import type { Script } from "../service/script.ts"
import { ScriptClock } from "../service/script-clock.ts"
import type { ServiceAgent, ServiceConnection, ServiceDesk } from "../service/service-agent.ts"
import type { TargetSession } from "../service/target.ts"
import { type ChannelBinding, channelTarget } from "../service/targets/channel.ts"
import type { ToolCallRequest, ToolHost } from "../service/tools.ts"
import { assertIdentity, assertJson, leavesNothing, settles } from "./contract-tools.ts"
import type { ContractCheck } from "./contracts.ts"
import { tinyScript, tinyTools } from "./tiny-service.ts"

export interface AgentContractOptions {
  readonly script?: Script
  /** The tools of its world. Absent: none. */
  readonly tools?: () => ToolHost
  /** What the buyer says. */
  readonly texts?: readonly [string, ...string[]]
  /** Keys and addresses that its identity must not show. */
  readonly secrets?: readonly string[]
}

/** What a desk relies on of a `ServiceAgent`. `open` gives a new one each time; it answers whatever it is asked. */
export function serviceAgentContract(
  open: () => ServiceAgent | Promise<ServiceAgent>,
  {
    script = tinyScript(["-"]),
    tools = () => tinyTools(),
    texts = ["Hello", "And now?"],
    secrets = [],
  }: AgentContractOptions = {},
): ContractCheck[] {
  const live = () => new AbortController().signal
  const begin = async ({
    agent,
    host = tools(),
    signal = live(),
    caseId = script.case_id,
    deliver,
  }: {
    readonly agent?: ServiceAgent
    readonly host?: ToolHost
    readonly signal?: AbortSignal
    readonly caseId?: string
    readonly deliver?: (message: ConversationMessage) => Promise<"sent" | "unknown">
  } = {}): Promise<TargetSession<ChannelBinding>> => {
    const target = channelTarget({ agent: agent ?? (await open()), ...(deliver !== undefined && { deliver }) })
    return target.open({
      caseId,
      script,
      clock: new ScriptClock(script.starts_at),
      tools: host,
      emit: () => {},
      signal,
    })
  }
  const talk = async (
    use: (session: TargetSession<ChannelBinding>) => Promise<void>,
    how: Parameters<typeof begin>[0] = {},
  ) => {
    const session = await begin(how)
    try {
      await use(session)
    } finally {
      await settles(session.close(), "closing")
    }
  }
  const answers = (messages: readonly ConversationMessage[]) => messages.filter(({ sender }) => sender === "agent")
  return [
    {
      name: "an agent's identity is JSON without secrets and stays the same",
      async check() {
        assertIdentity([await open(), await open()], secrets)
      },
    },
    {
      name: "an agent takes what is said, answers it, and ends its turn",
      check: () =>
        talk(async (session) => {
          for (const text of texts) {
            const { ended, messages, error } = await session.send(text, live())
            assert.equal(error, undefined)
            assert.equal(ended, "answered")
            const [answer] = answers(messages)
            assert.ok(answer !== undefined && answer.text.length > 0)
            assert.ok(answer.answers?.includes(messages[0]!.id))
          }
          assertJson(session.usage(), "usage")
        }),
    },
    {
      name: "an agent holds conversations side by side, and takes nothing from one into another",
      async check() {
        const agent = await open()
        const sessions = await Promise.all(["one", "two"].map((caseId) => begin({ agent, caseId })))
        try {
          const words = ["zq-first-buyer", "zq-second-buyer"] as const
          const observed = await Promise.all(
            sessions.map((session, index) => session.send(`${texts[0]} ${words[index]}`, live())),
          )
          for (const [index, { messages }] of observed.entries()) {
            assert.ok(answers(messages).length > 0)
            assert.ok(answers(messages).every(({ text }) => !text.includes(words[1 - index]!)))
          }
          await sessions[0]!.close()
          assert.equal((await sessions[1]!.send(texts[0], live())).ended, "answered", "the other goes on")
        } finally {
          await Promise.all(sessions.map((session) => session.close()))
        }
      },
    },
    {
      name: "an agent whose tools refuse everything ends its turn all the same",
      check: () => {
        const refusing: ToolHost = {
          schemas: tools().schemas,
          call: async () => ({ ok: false, content: "Error: refused", class: "passthrough" }),
        }
        return talk(
          async (session) => {
            const { ended, error } = await session.send(texts[0], live())
            assert.equal(error, undefined)
            assert.ok(ended === "answered" || ended === "handed_off")
          },
          { host: refusing },
        )
      },
    },
    {
      name: "an agent whose words come after a human has taken over says nothing, and fails no case",
      async check() {
        let session: TargetSession<ChannelBinding> | undefined
        const agent = seatedAt(await open(), (desk) => ({
          ...desk,
          async send(...words) {
            await session!.binding.conversation.setReception("handed_off", "a colleague was faster")
            return desk.send(...words)
          },
        }))
        session = await begin({ agent })
        try {
          const { ended, error, messages } = await session.send(texts[0], live())
          assert.equal(error, undefined)
          assert.equal(ended, "handed_off")
          assert.deepEqual(answers(messages), [])
          const rest = await session.close()
          assert.equal(rest?.error, undefined)
          assert.deepEqual(answers(rest?.messages ?? []), [])
        } finally {
          await session.close()
        }
      },
    },
    {
      name: "an agent does not send words again whose arrival nobody knows",
      async check() {
        const sent: string[] = []
        const deliver = async ({ text }: ConversationMessage) => {
          sent.push(text)
          return "unknown" as const
        }
        await talk(async (session) => void (await session.send(texts[0], live())), { deliver })
        assert.ok(sent.length > 0)
        assert.equal(new Set(sent).size, sent.length)
      },
    },
    {
      name: "an agent that is stopped at work stops, and neither says nor calls anything afterwards",
      async check() {
        const calls: ToolCallRequest[] = []
        const { schemas, call } = tools()
        const host: ToolHost = {
          schemas,
          call(request, how) {
            calls.push(request)
            return call(request, how)
          },
        }
        const session = await begin({ host })
        const stop = new AbortController()
        const sent = session.send(texts[0], stop.signal)
        stop.abort(new Error("stopped"))
        await settles(sent, "the step")
        await settles(session.close(), "closing")
        const { conversation } = session.binding
        const [events, made] = [conversation.log.length, calls.length]
        await new Promise((later) => setTimeout(later, 20))
        assert.deepEqual([conversation.log.length, calls.length], [events, made])
      },
    },
    {
      name: "stopping an agent twice is fine, before and after anything was said, and leaves nothing",
      check: () =>
        leavesNothing(async () => {
          for (const said of [[], texts]) {
            const signals: AbortSignal[] = []
            const connections: ServiceConnection[] = []
            const agent = seatedAt(
              await open(),
              (desk) => {
                signals.push(desk.signal)
                return desk
              },
              (connection) => connections.push(connection),
            )
            const session = await begin({ agent })
            for (const text of said) await session.send(text, live())
            await settles(connections[0]!.stop(), "the agent")
            await settles(connections[0]!.stop(), "the agent, told twice")
            await session.close()
            assert.equal(session.binding.conversation.watchers, 0, "nobody watches the conversation any more")
            for (const signal of signals)
              assert.equal(getEventListeners(signal, "abort").length, 0, "no listener is left")
          }
        }),
    },
  ]
}

/** The agent at another desk. */
function seatedAt(
  agent: ServiceAgent,
  change: (desk: ServiceDesk) => ServiceDesk,
  onConnection: (connection: ServiceConnection) => void = () => {},
): ServiceAgent {
  return {
    identity: () => agent.identity(),
    async connect(desk) {
      const connection = await agent.connect(change(desk))
      onConnection(connection)
      return connection
    },
  }
}
