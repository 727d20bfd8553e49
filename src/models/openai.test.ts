import { afterEach, describe, expect, it } from "vitest"
import type { ToolDefinition } from "../core/message.ts"
import { type MockFault, type MockModelOptions, type MockServer, serveMockModel } from "./mock-server.ts"
import { type OpenAiOptions, openAiModel } from "./openai.ts"
import { type ScriptedReply, scriptedModel } from "./scripted.ts"

const tools: ToolDefinition[] = [
  {
    type: "function",
    function: {
      name: "search",
      description: "search",
      parameters: { type: "object", properties: { query: { type: "string" } } },
    },
  },
]
const request = { messages: [{ role: "user" as const, content: "a tent, please" }], tools, seed: 7 }
const never = new AbortController().signal
const KEY = "sk-canary-1234567890"

const open: MockServer[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})

async function endpoint(options: Partial<MockModelOptions> = {}, script?: (index: number) => ScriptedReply) {
  const model = scriptedModel((_request, index) => script?.(index) ?? "search[tent]")
  const server = await serveMockModel({ model, ...options })
  open.push(server)
  return server
}

function client(url: string, options: Partial<OpenAiOptions> = {}) {
  return openAiModel({ model: "mock", baseUrl: url, apiKey: KEY, trustEnv: false, backoffMs: 1, ...options })
}

for (const stream of [false, true]) {
  describe(`an OpenAI-compatible endpoint, ${stream ? "streamed" : "whole"}`, () => {
    it("answers with one call, its tokens and times", async () => {
      const server = await endpoint({ apiKey: KEY })
      const model = client(server.url, { stream })
      const outcome = await model.generate(request, { signal: never })
      expect(outcome).toMatchObject({
        type: "reply",
        reply: { tool_calls: [{ name: "search", arguments: { query: "tent" } }], finish_reason: "tool_calls" },
      })
      expect(outcome.reply.usage?.total_tokens).toBeGreaterThan(0)
      expect(outcome.reply.latency_ms).toBeGreaterThan(0)
      expect("time_to_first_token_ms" in outcome.reply.metadata).toBe(stream)
      await model.close()
    })

    const MODELS_FAULT: [MockFault, string, string][] = [
      ["empty_choices", "protocol_error", "missing_choices"],
      ["text_only", "protocol_error", "tool_call_count"],
      ["two_calls", "protocol_error", "tool_call_count"],
      ["wrong_case", "protocol_error", "unavailable_tool"],
      ["bad_arguments", "protocol_error", "invalid_arguments_json"],
      ["cut_off", "policy_failure", "generation_length"],
      ["context_overflow", "policy_failure", "context_overflow"],
    ]
    it.each(MODELS_FAULT)("%s is the model's own: one request, kept raw", async (fault, type, code) => {
      const server = await endpoint({ faults: { [fault]: 1 } })
      const model = client(server.url, { stream })
      const outcome = await model.generate(request, { signal: never })
      expect(outcome).toMatchObject({ type, code })
      expect(outcome.reply.raw_response).toBeDefined()
      expect(server.counts().requests).toBe(1)
      await model.close()
    })

    const SERVERS_FAULT: [MockFault, string, number][] = [
      ["server_error", "MODEL_UNAVAILABLE", 3],
      ["html", "MODEL_UNAVAILABLE", 3],
      ["error_in_reply", "MODEL_UNAVAILABLE", 3],
      ["reset", "MODEL_UNAVAILABLE", 3],
      ["broken_stream", "MODEL_UNAVAILABLE", 3],
      ["unauthorized", "MODEL_REJECTED", 1],
    ]
    it.each(SERVERS_FAULT)("%s is the server's: thrown as %s after %i requests", async (fault, code, requests) => {
      const server = await endpoint({ faults: { [fault]: 1 } })
      const model = client(server.url, { stream, attempts: 3 })
      await expect(model.generate(request, { signal: never })).rejects.toMatchObject({ code })
      expect(server.counts().requests).toBe(requests)
      await model.close()
    })

    it("a fault that passes costs a retry and nothing else", async () => {
      const server = await endpoint({ faults: { server_error: 0.5 }, seed: 3 })
      const model = client(server.url, { stream, attempts: 20 })
      for (let i = 0; i < 10; i++) {
        expect((await model.generate(request, { signal: never })).type).toBe("reply")
      }
      expect(server.counts().requests).toBe(10 + server.counts().faults)
      expect(server.counts().faults).toBeGreaterThan(0)
      await model.close()
    })

    it("gives up a reply that does not come in time", async () => {
      const server = await endpoint({ faults: { hang: 1 } })
      const model = client(server.url, { stream, attempts: 1, totalTimeoutMs: 100 })
      await expect(model.generate(request, { signal: never })).rejects.toMatchObject({
        code: "MODEL_UNAVAILABLE",
        message: expect.stringContaining("100 ms"),
      })
      await model.close()
    })

    it("stops at once when cancelled", async () => {
      const server = await endpoint({ faults: { hang: 1 } })
      const model = client(server.url, { stream })
      const stop = new AbortController()
      const answer = model.generate(request, { signal: stop.signal })
      setTimeout(() => stop.abort(), 20)
      await expect(answer).rejects.toMatchObject({ code: "CANCELLED" })
      await model.close()
    })
  })
}

describe("an OpenAI-compatible endpoint", () => {
  it("waits for a rate limit without spending a retry", async () => {
    const server = await endpoint({ rateLimit: { perSecond: 20, burst: 1 } })
    const model = client(server.url, { attempts: 1 })
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => model.generate(request, { signal: never })))
    expect(outcomes.map(({ type }) => type)).toEqual(["reply", "reply", "reply", "reply"])
    expect(server.counts().refused).toBeGreaterThan(0)
    await model.close()
  })

  it("the key stands in no error, identity or raw reply", async () => {
    const server = await endpoint({}, () => ({ text: `your key is ${KEY}` }))
    const model = client(server.url)
    const outcome = await model.generate(request, { signal: never })
    expect(outcome.type).toBe("protocol_error")
    expect(JSON.stringify(outcome.reply.raw_response)).toContain("[key]")
    expect(JSON.stringify(outcome)).not.toContain(KEY)
    expect(JSON.stringify(model.identity())).not.toContain(KEY)
    await model.close()
    const nowhere = client("http://127.0.0.1:9", { attempts: 1 })
    const error = await nowhere.generate(request, { signal: never }).catch((thrown) => thrown)
    expect(error).toMatchObject({ code: "MODEL_UNAVAILABLE" })
    expect(`${error.message}${error.stack}${JSON.stringify(error)}`).not.toContain(KEY)
    await nowhere.close()
  })

  it("its identity has the sampling and no address", async () => {
    const model = client("http://127.0.0.1:9", { temperature: 0.6, topP: 0.9, extraBody: { enable_thinking: true } })
    expect(model.identity()).toEqual({
      provider: "openai_compatible",
      model: "mock",
      sampling: {
        temperature: 0.6,
        max_tokens: 512,
        top_p: 0.9,
        send_seed: true,
        tool_choice: "auto",
        extra_body: { enable_thinking: true },
      },
    })
    await model.close()
  })
})
