import { describe, expect, it } from "vitest"
import type { Observation } from "../core/environment.ts"
import type { Message } from "../core/message.ts"
import type { Model, ModelReply, ModelRequest } from "../core/model.ts"
import type { Emit, EpisodeEvent, ModelMessage } from "../core/trace.ts"
import { type ScriptedReply, scriptedModel } from "../models/scripted.ts"
import { agentIdentity, agentTexts, createAgent } from "./agent.ts"
import { type PromptLanguage, promptOf } from "./prompt.ts"

const HOME: Observation = {
  text: "Home page\n",
  state: { observation_version: "t", page_type: "search_home", search_available: true, actions: [] },
}
const RESULTS: Observation = {
  text: "Results\n",
  state: {
    observation_version: "t",
    page_type: "search_results",
    search_available: false,
    actions: ["back to search", "101"],
  },
}
const PERSONA = { 年龄: 30, b: 1, a: { d: 1, c: "é" } }

async function start(
  script: readonly ScriptedReply[],
  { persona = null, language = "en" }: { persona?: typeof PERSONA | null; language?: PromptLanguage } = {},
) {
  const requests: ModelRequest[] = []
  const scripted = scriptedModel(script)
  const model: Model = {
    ...scripted,
    generate: (request, call) => {
      requests.push(request)
      return scripted.generate(request, call)
    },
  }
  const agent = createAgent({ model, prompt: promptOf(language) })
  const messages: Message[] = []
  const events: EpisodeEvent[] = []
  const call = {
    signal: new AbortController().signal,
    emit: (happening: Parameters<Emit>[0]) => {
      if (happening.type === "model_message") messages.push((happening as ModelMessage).message)
      else events.push(happening as EpisodeEvent)
    },
  }
  await agent.begin(
    { task_id: "1", sample_id: 0, split: "val", instruction: "A red tent.", persona, observation: HOME, info: {} },
    call,
  )
  const act = (page: Observation, step: number) => agent.act(page, { step, seed: step }, call)
  return { agent, act, observe: (page: Observation) => agent.observe(page, call), messages, events, requests }
}

describe("an agent", () => {
  it("opens with its instructions and the task, the shopper's profile as JSON with sorted keys", async () => {
    const { messages } = await start([], { persona: PERSONA })
    expect(messages[0]?.content).toMatch(
      /^You are shopping.*\n\nThe customer's profile:\n\{"a":\{"c":"é","d":1\},"b":1,"年龄":30\}$/s,
    )
    expect(messages[1]).toEqual({ role: "user", content: "Shopping task:\nA red tent.\n\nHome page\n" })
    expect((await start([])).messages[0]?.content).not.toContain("profile:")
    const chinese = await start([], { language: "zh", persona: PERSONA })
    expect(chinese.messages[0]?.content).toContain("顾客的个人资料：\n{")
    expect(chinese.messages[1]?.content).toMatch(/^购物任务：\n/)
  })

  it("offers the tools of the page, and no others", async () => {
    const { act, requests } = await start(["search[tent]", "click[101]"])
    await act(HOME, 1)
    await act(RESULTS, 2)
    await act({ ...RESULTS, state: { ...RESULTS.state, search_available: true } }, 3).catch(() => {})
    expect(requests.map(({ tools }) => tools.map((tool) => tool.function.name))).toEqual([
      ["search"],
      ["click"],
      ["search", "click"],
    ])
    expect(requests[1]?.tools[0]?.function.parameters).toMatchObject({
      properties: { value: { enum: ["back to search", "101"] } },
      required: ["value"],
      additionalProperties: false,
    })
    expect(requests[1]?.seed).toBe(2)
  })

  it("keeps call and page of every turn in the conversation, never its reasoning", async () => {
    const { act, observe, messages, events } = await start([
      { tool: "search", arguments: { query: "  red tent " }, reasoning: "tents first" },
      "click[101]",
    ])
    expect(await act(HOME, 1)).toEqual({ type: "action", action: "search[red tent]" })
    observe(RESULTS)
    await act(RESULTS, 2)
    expect(messages.slice(2)).toEqual([
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "call-1", type: "function", function: { name: "search", arguments: '{"query":"  red tent "}' } },
        ],
      },
      { role: "tool", tool_call_id: "call-1", content: "Results\n" },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "call-2", type: "function", function: { name: "click", arguments: '{"value":"101"}' } }],
      },
    ])
    expect(JSON.stringify(messages)).not.toContain("tents first")
    expect(events[0]).toMatchObject({
      type: "model_call",
      step: 1,
      outcome: "reply",
      reasoning: "tents first",
      tools: ["search"],
    })
  })

  it("leaves it to the environment whether a clicked value is on the page", async () => {
    const { act } = await start(["click[nowhere]"])
    expect(await act(RESULTS, 1)).toEqual({ type: "action", action: "click[nowhere]" })
  })

  const malformed: [string, ScriptedReply, string][] = [
    ["two arguments", { tool: "click", arguments: { value: "101", why: "x" } }, "invalid_tool_arguments"],
    ["another argument", { tool: "click", arguments: { item: "101" } }, "invalid_tool_arguments"],
    ["a blank argument", { tool: "click", arguments: { value: " " } }, "invalid_tool_arguments"],
    ["a number", { tool: "click", arguments: { value: 101 } }, "invalid_tool_arguments"],
    ["a tool that is not offered", "search[tent]", "unavailable_tool"],
    ["text instead of a call", { text: "I would click 101." }, "tool_call_count"],
    ["nothing", { text: "  " }, "empty_response"],
  ]
  for (const [what, reply, code] of malformed) {
    it(`answers ${what} with ${code}, and goes on with the same page`, async () => {
      const { act, messages, events } = await start([reply, "click[101]"])
      expect(await act(RESULTS, 1)).toEqual({ type: "protocol_error", code })
      expect(events[0]).toMatchObject({ outcome: "protocol_error", code })
      const feedback = JSON.parse(messages.at(-1)!.content!)
      expect(feedback).toMatchObject({ type: "tool_protocol_error", code, available_tools: ["click"] })
      expect(Object.keys(feedback)).toEqual(["type", "code", "message", "instruction", "available_tools"])
      expect(await act(RESULTS, 2)).toEqual({ type: "action", action: "click[101]" })
    })
  }

  it("places feedback as the results of the calls, or else as the user's answer to the text", async () => {
    const reply: ModelReply = {
      content: "both",
      reasoning: null,
      tool_calls: [],
      finish_reason: "stop",
      usage: null,
      response_id: null,
      metadata: {},
      latency_ms: 1,
    }
    const calls = ["1", "2"].map((call_id) => ({
      call_id,
      name: "click",
      arguments: { value: "101" },
      raw_arguments: '{"value":"101"}',
    }))
    const { act, messages } = await start([
      { type: "protocol_error", code: "tool_call_count", message: "two", reply: { ...reply, tool_calls: calls } },
      { text: "Let me think" },
      { text: "" },
    ])
    await act(RESULTS, 1)
    await act(RESULTS, 2)
    await act(RESULTS, 3)
    expect(messages.slice(2).map((message) => message.role)).toEqual([
      "assistant",
      "tool",
      "tool",
      "assistant",
      "user",
      "user",
    ])
    expect(messages.slice(3, 5)).toMatchObject([{ tool_call_id: "1" }, { tool_call_id: "2" }])
  })

  it("ends on a reply that was cut off", async () => {
    const reply: ModelReply = {
      content: "and then",
      reasoning: null,
      tool_calls: [],
      finish_reason: "length",
      usage: null,
      response_id: "r",
      metadata: {},
      latency_ms: 1,
    }
    const { act, messages, events } = await start([
      { type: "policy_failure", code: "generation_length", message: "cut off", reply },
    ])
    expect(await act(HOME, 1)).toEqual({ type: "policy_failure", code: "generation_length" })
    expect(messages.length).toBe(2)
    expect(events[0]).toMatchObject({
      outcome: "policy_failure",
      finish_reason: "length",
      response_id: "r",
      content: "and then",
    })
  })

  it("takes a page without tools, or with broken ones, for the environment's fault", async () => {
    for (const actions of [[], [""], "back", [1]]) {
      const { act } = await start(["click[101]"])
      const page = { ...RESULTS, state: { ...RESULTS.state, actions } } as unknown as Observation
      await expect(act(page, 1)).rejects.toMatchObject({ code: "ENVIRONMENT_UNAVAILABLE" })
    }
  })

  it("may ask where the page says that somebody answers", async () => {
    const page = { ...RESULTS, state: { ...RESULTS.state, ask_available: true } }
    const { act, requests } = await start(["ask[ How big? ]", "ask[How big?]"])
    expect(await act(page, 1)).toEqual({ type: "action", action: "ask[How big?]" })
    expect(requests[0]?.tools.map((tool) => tool.function.name)).toEqual(["click", "ask"])
    expect(await act(RESULTS, 2)).toEqual({ type: "protocol_error", code: "unavailable_tool" })
  })

  it("is told that it may ask, and is another agent then", () => {
    const talks = promptOf("en", undefined, { talks: true })
    expect(talks.system.startsWith(promptOf("en").system)).toBe(true)
    expect(talks.system).toMatch(/- ask: put one question to the customer/)
    expect(promptOf("en", "Buy it.", { talks: true }).system).toBe("Buy it.")
    expect(agentIdentity(talks)).not.toEqual(agentIdentity(promptOf("en")))
    expect(agentTexts(talks)[1]).toContain('"ask"')
    expect(agentTexts(promptOf("en"))[1]).not.toContain('"ask"')
  })

  it("is identified by protocol, prompt, language and wording", () => {
    const identity = agentIdentity(promptOf("en"))
    expect(agentIdentity(promptOf("en"))).toEqual(identity)
    expect(agentIdentity(promptOf("zh"))).not.toEqual(identity)
    expect(agentIdentity(promptOf("en", "Buy it."))).not.toEqual(identity)
  })
})
