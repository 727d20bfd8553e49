import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, describe, expect, it } from "vitest"
import type { CaseRecord } from "../../core/case-record.ts"
import type { JsonObject } from "../../core/json.ts"
import type { EpisodeEvent } from "../../core/trace.ts"
import { openAiModel } from "../../models/openai.ts"
import { type ScriptedReply, scriptedModel } from "../../models/scripted.ts"
import { scriptMetricPack } from "../metric-pack.ts"
import { deterministicRole } from "../role.ts"
import { EvaluationRunner } from "../runner.ts"
import { SCRIPT_SCHEMA, Script } from "../script.ts"
import type { ServiceAgent } from "../service-agent.ts"
import { channelTarget } from "../targets/channel.ts"
import type { ToolAnswer, ToolCallRequest } from "../tools.ts"
import { serveTools } from "../tools-server.ts"
import type { EvaluationWorld } from "../world.ts"
import { chatAgent } from "./chat.ts"
import { httpAgent } from "./http.ts"
import { scriptedAgent } from "./scripted.ts"

const closers: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const script = (texts: readonly string[]) =>
  Script.parse({
    schema: SCRIPT_SCHEMA,
    id: "s-1",
    case_id: "c-1",
    language: "en",
    time_zone: "America/New_York",
    identity: { customer_id: "C1" },
    starts_at: "2026-03-02T10:00:00-05:00",
    goal: "a private goal",
    segments: [{ at: "2026-03-02T10:00:00-05:00", texts }],
  })

/** A world of one tool that knows one order, and keeps what it was asked. */
function orderWorld(asked: ToolCallRequest[] = []): EvaluationWorld {
  const parameters = { type: "object", properties: { order_id: { type: "string" } }, required: ["order_id"] }
  return {
    identity: () => ({ world: "order" }),
    mount: async () => ({
      tools: {
        schemas: [{ type: "function", function: { name: "get_order", description: "one order", parameters } }],
        async call(request): Promise<ToolAnswer> {
          asked.push(request)
          if (request.name !== "get_order") return { ok: false, content: "Error: unknown tool", class: "passthrough" }
          const data = { order_id: request.arguments.order_id ?? null, status: "paid" }
          return { ok: true, content: JSON.stringify(data), data, class: "passthrough" }
        },
      },
      unmount: async () => {},
    }),
  }
}

async function play(
  agent: ServiceAgent,
  texts: readonly string[],
  { world = orderWorld(), config = {} }: { world?: EvaluationWorld; config?: { responseTimeoutMs?: number } } = {},
): Promise<{ record: CaseRecord; events: EpisodeEvent[] }> {
  const events: EpisodeEvent[] = []
  const runner = new EvaluationRunner(config)
  const { record } = await runner.run(
    {
      script: script(texts),
      target: channelTarget({ agent }),
      world,
      role: deterministicRole,
      metrics: scriptMetricPack,
    },
    { signal: new AbortController().signal, emit: (event) => events.push(event as EpisodeEvent) },
  )
  return { record, events }
}

const said = ({ messages }: CaseRecord) => messages.filter(({ sender }) => sender === "agent").map(({ text }) => text)
const call = (tool: string, args: JsonObject): ScriptedReply => ({ tool, arguments: args })

describe("chatAgent", () => {
  const withModel = (replies: readonly ScriptedReply[], options: { policy?: string | null; maxCalls?: number } = {}) =>
    chatAgent({ open: () => scriptedModel(replies), policy: "Be kind.", ...options })

  it("calls tools, then says what it found; text without a call ends the turn", async () => {
    const asked: ToolCallRequest[] = []
    const agent = withModel([call("get_order", { order_id: "AB12345" }), { text: "It is paid." }, { text: "Bye." }])
    const { record } = await play(agent, ["where is AB12345", "thanks"], { world: orderWorld(asked) })
    expect(said(record)).toEqual(["It is paid.", "Bye."])
    expect(asked.map(({ arguments: args }) => args)).toEqual([{ order_id: "AB12345" }])
    expect(record.tools[0]).toMatchObject({ name: "get_order", turn: 1, ok: true })
    expect(record.usage.agent).toMatchObject({ model_calls: 3 })
    expect(record.end_reason).toBe("goal_reached")
  })

  it("is told the policy, the customer and the story's time, and nothing of the script", async () => {
    const requests: string[] = []
    const model = scriptedModel((request) => {
      requests.push(JSON.stringify(request.messages))
      return { text: "Hello." }
    })
    await play(chatAgent({ open: () => model, policy: "Be kind." }), ["hi"])
    expect(requests[0]).toContain("Be kind.")
    expect(requests[0]).toContain("C1")
    expect(requests[0]).toContain("2026-03-02 10:00")
    expect(requests[0]).not.toContain("private goal")
  })

  it("sends words in between, and hands over to a human", async () => {
    const agent = withModel([
      call("send_message", { text: "One moment." }),
      call("hand_off_to_human", { reason: "beyond me" }),
    ])
    const { record } = await play(agent, ["I want a manager", "hello?"])
    expect(said(record)).toEqual(["One moment."])
    expect(record.turns[0]?.ended).toBe("handed_off")
  })

  it("tells a model what was wrong with its reply, and gives a turn up after so many calls", async () => {
    const agent = withModel(
      Array.from({ length: 3 }, () => ({ text: "  " })),
      { maxCalls: 3 },
    )
    const { record, events } = await play(agent, ["hi"])
    expect(said(record)).toEqual([])
    expect(record.turns[0]?.ended).toBe("answered") // the turn ended, without words
    expect(events.filter(({ type }) => type === "model_call")).toHaveLength(3)
  })

  it("puts on record what its model told beside the reply, such as how soon it began", async () => {
    const open = () => {
      const model = scriptedModel([{ text: "Hello." }])
      return {
        ...model,
        async generate(...asked: Parameters<typeof model.generate>) {
          const outcome = await model.generate(...asked)
          return { ...outcome, reply: { ...outcome.reply, metadata: { time_to_first_token_ms: 12 } } }
        },
      }
    }
    const { events } = await play(chatAgent({ open, policy: "Be kind." }), ["hi"])
    expect(events.find(({ type }) => type === "model_call")).toMatchObject({ metadata: { time_to_first_token_ms: 12 } })
  })

  it("ends the case as an error, with what was said, when its model cannot be reached", async () => {
    const { record } = await play(withModel([{ text: "First answer." }]), ["one", "two"]) // the script has no second reply
    expect(said(record)).toEqual(["First answer."])
    expect(record).toMatchObject({ end_reason: "error", error: { code: "MODEL_UNAVAILABLE" } })
  })

  it("takes an endpoint as an agent of its own: no instructions of ours, its calls carried out, its text sent", async () => {
    const bodies: JsonObject[] = []
    const url = await listen(async (body) => {
      bodies.push(body)
      const message =
        bodies.length === 1
          ? {
              content: null,
              tool_calls: [
                { id: "x", type: "function", function: { name: "get_order", arguments: '{"order_id":"AB12345"}' } },
              ],
            }
          : { content: "It is paid." }
      return { choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", ...message } }] }
    })
    const model = openAiModel({ model: "theirs", baseUrl: url, apiKey: null, trustEnv: false })
    closers.push(() => model.close())
    const agent = chatAgent({
      open: () => ({ ...model, close: async () => {} }),
      policy: null,
      metadata: ({ conversationId }) => ({ conversation_id: conversationId }),
    })
    const { record, events } = await play(agent, ["where is AB12345"])
    expect(said(record)).toEqual(["It is paid."])
    const outcomes = events.flatMap((event) => (event.type === "model_call" ? [event.outcome] : []))
    expect(outcomes).toEqual(["reply", "reply"]) // text alone is an answer here, and no malformed call
    expect(bodies[0]?.messages).toEqual([{ role: "user", content: "where is AB12345" }])
    expect(bodies[0]?.metadata).toEqual({ conversation_id: "c-1" })
  })
})

describe("scriptedAgent", () => {
  it("does what it was told, batch by batch", async () => {
    const agent = scriptedAgent([
      [{ call: { name: "get_order", arguments: { order_id: "AB12345" } } }, { say: "Paid." }],
      [{ hand_off: "enough" }],
    ])
    const { record } = await play(agent, ["where is it", "and now"])
    expect(said(record)).toEqual(["Paid."])
    expect(record.tools.map(({ name }) => name)).toEqual(["get_order"])
    expect(record.turns.map(({ ended }) => ended)).toEqual(["answered", "handed_off"])
  })
})

describe("httpAgent", () => {
  it("speaks with an agent elsewhere, which calls the world's tools by its own token", async () => {
    const tools = await serveTools()
    closers.push(() => tools.close())
    let opened: JsonObject = {}
    const log: JsonObject[] = []
    const url = await listen(async (body, { method, path }) => {
      if (method === "POST" && path === "/conversations") opened = body
      if (method === "POST" && path === "/conversations/c-1/messages") {
        log.push({ type: "consumed", message_ids: [body.id ?? null] })
        const request = { id: "t1", name: "get_order", arguments: { order_id: "AB12345" } }
        const authorization = `Bearer ${String(opened.tools_token)}`
        for (let repeat = 0; repeat < 2; repeat++) {
          const answer = await fetch(`${String(opened.tools_url)}/call`, {
            method: "POST",
            headers: { authorization },
            body: JSON.stringify(request),
          })
          const { content } = (await answer.json()) as { content: string }
          if (repeat === 1) log.push({ type: "message", text: content, answers: [body.id ?? null] })
        }
        log.push({ type: "turn_end" })
      }
      if (path.endsWith("/events")) return { events: log.map((event, index) => ({ seq: index + 1, ...event })) }
      return {}
    })
    const asked: ToolCallRequest[] = []
    const agent = httpAgent({ baseUrl: url, token: null, id: "theirs-1", tools })
    const { record } = await play(agent, ["where is it"], { world: orderWorld(asked) })
    expect(said(record)).toEqual(['{"order_id":"AB12345","status":"paid"}'])
    expect(asked).toHaveLength(1) // a call repeated under its id is not made again
    expect(record.tools[0]?.turn).toBe(1) // the message that it answers was on record as read
    expect(opened).toMatchObject({
      id: "c-1",
      language: "en",
      now: "2026-03-02T15:00:00.000Z",
      customer: { customer_id: "C1" },
    })
    expect(JSON.stringify(opened)).not.toContain("private goal")
  })

  it("takes events that the agent pushes, each once and in order, and tells it when they are not as agreed", async () => {
    const tools = await serveTools()
    closers.push(() => tools.close())
    let opened: JsonObject = {}
    const statuses: number[] = []
    const push = async (events: JsonObject[], token = String(opened.tools_token)) => {
      const answer = await fetch(String(opened.events_url), {
        method: "POST",
        headers: { authorization: `Bearer ${token}` },
        body: JSON.stringify({ events }),
      })
      statuses.push(answer.status)
    }
    const url = await listen(async (body, { method, path }) => {
      if (method === "POST" && path === "/conversations") {
        opened = body
        return { push: true }
      }
      if (path.endsWith("/events")) throw new Error("an agent that pushes is not asked")
      if (path.endsWith("/messages")) {
        const answer = [
          { seq: 1, type: "consumed", message_ids: [body.id ?? null] },
          { seq: 2, type: "message", text: "Pushed." },
        ]
        await push(answer, "wrong")
        await push(answer)
        await push(answer)
        await push([{ seq: 9, type: "turn_end" }])
        await push([{ seq: 3, type: "turn_end" }])
      }
      return {}
    })
    const { record } = await play(httpAgent({ baseUrl: url, token: null, id: "pushing", tools }), ["hi"])
    expect(said(record)).toEqual(["Pushed."])
    expect(statuses).toEqual([401, 200, 200, 400, 200])
  })

  it("names the agent that is not there, and the one that breaks the agreement", async () => {
    const tools = await serveTools()
    closers.push(() => tools.close())
    const gone = httpAgent({ baseUrl: "http://127.0.0.1:9", token: null, id: "gone", tools })
    await expect(play(gone, ["hi"])).rejects.toMatchObject({ code: "MODEL_UNAVAILABLE" })
    const url = await listen(async (_body, { path }) =>
      path.endsWith("/events") ? { events: [{ seq: 1, type: "dance" }] } : {},
    )
    const { record } = await play(httpAgent({ baseUrl: url, token: null, id: "odd", tools }), ["hi"])
    expect(record.error).toMatchObject({ code: "ENVIRONMENT_UNAVAILABLE" })
  })
})

describe("serveTools", () => {
  it("answers nobody without the conversation's token", async () => {
    const tools = await serveTools()
    closers.push(() => tools.close())
    const host = { schemas: [], call: async (): Promise<ToolAnswer> => ({ ok: true, content: "secret", class: "hit" }) }
    const open = (id: string) => tools.open({ conversationId: id, tools: host, signal: new AbortController().signal })
    const [one, two] = [open("one"), open("two")]
    const status = async (url: string, token: string) =>
      (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).status
    expect(await status(one.url, one.token)).toBe(200)
    expect(await status(one.url, two.token)).toBe(401)
    expect((await fetch(one.url)).status).toBe(401)
    one.close()
    expect(await status(one.url, one.token)).toBe(401)
  })
})

/** A server on a free port; `answer` gets the body as JSON. */
async function listen(
  answer: (body: JsonObject, about: { method: string; path: string }) => Promise<unknown>,
): Promise<string> {
  const server: Server = createServer(async (request, response) => {
    let text = ""
    for await (const part of request) text += String(part)
    const path = (request.url ?? "").split("?")[0] ?? ""
    const body = await answer(text === "" ? {} : (JSON.parse(text) as JsonObject), {
      method: request.method ?? "",
      path,
    })
    response.setHeader("content-type", "application/json")
    response.end(JSON.stringify(body))
  })
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready))
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
