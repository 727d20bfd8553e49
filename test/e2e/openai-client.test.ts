import OpenAI from "openai"
import { afterEach, describe, expect, it } from "vitest"
import { type MockModelOptions, type MockServer, serveMockModel } from "../../src/models/mock-server.ts"
import { scriptedModel } from "../../src/models/scripted.ts"

const KEY = "sk-official-client-0001"
const open: MockServer[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})

/** The official client, pointed at a mock whose model searches for what the last message says. */
async function connect(options: Partial<MockModelOptions> = {}, maxRetries = 0) {
  const model = scriptedModel(({ messages, tools }) => {
    const asked = messages.at(-1)?.content ?? ""
    return tools.length > 0 ? { tool: "search", arguments: { query: asked } } : { text: `You said: ${asked}` }
  })
  const server = await serveMockModel({ model, name: "shopper", apiKey: KEY, ...options })
  open.push(server)
  return { server, client: new OpenAI({ apiKey: KEY, baseURL: server.url, maxRetries }) }
}

const tools: OpenAI.ChatCompletionTool[] = [
  {
    type: "function",
    function: {
      name: "search",
      description: "searches the shop",
      parameters: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
    },
  },
]
const asks = (content: string): OpenAI.ChatCompletionMessageParam[] => [{ role: "user", content }]
const asked = { model: "shopper", messages: asks("a tent, 两人") }

describe("souk mock-model and the official client", () => {
  it("lists its model", async () => {
    const { client } = await connect()
    const ids: string[] = []
    for await (const { id } of client.models.list()) ids.push(id)
    expect(ids).toEqual(["shopper"])
  })

  it("answers in words, whole and streamed alike", async () => {
    const { client } = await connect()
    const whole = await client.chat.completions.create(asked)
    expect(whole.choices[0]).toMatchObject({
      finish_reason: "stop",
      message: { role: "assistant", content: "You said: a tent, 两人" },
    })
    expect(whole.usage!.total_tokens).toBe(whole.usage!.prompt_tokens + whole.usage!.completion_tokens)

    const stream = client.chat.completions.stream({ ...asked, stream_options: { include_usage: true } })
    const pieces: string[] = []
    stream.on("content", (piece) => void pieces.push(piece))
    const streamed = await stream.finalChatCompletion()
    expect(pieces.join("")).toBe(whole.choices[0]!.message.content)
    expect(streamed.choices[0]).toMatchObject({ finish_reason: "stop", message: { content: pieces.join("") } })
    expect(streamed.usage).toEqual(whole.usage)
  })

  it("calls tools, whole and streamed alike, and takes their results", async () => {
    const { client } = await connect()
    const whole = await client.chat.completions.create({ ...asked, tools, tool_choice: "auto" })
    const call = whole.choices[0]!.message.tool_calls![0]!
    expect(whole.choices[0]!.finish_reason).toBe("tool_calls")
    expect(call).toMatchObject({
      type: "function",
      function: { name: "search", arguments: '{"query":"a tent, 两人"}' },
    })

    const streamed = await client.chat.completions.stream({ ...asked, tools }).finalChatCompletion()
    const { id: _, ...streamedCall } = streamed.choices[0]!.message.tool_calls![0]!
    expect(streamedCall).toMatchObject({ type: "function", function: { name: "search" } })
    expect("function" in streamedCall && streamedCall.function.arguments).toBe('{"query":"a tent, 两人"}')

    const runner = client.chat.completions.runTools(
      {
        ...asked,
        tools: [
          {
            type: "function",
            function: {
              name: "search",
              description: "searches the shop",
              parameters: { type: "object", properties: {} },
              parse: JSON.parse,
              function: ({ query }: { query: string }) => `nothing like ${query}`,
            },
          },
        ],
      },
      { maxChatCompletions: 2 },
    )
    await runner.done()
    const [, said, result] = runner.messages
    expect(said).toMatchObject({ role: "assistant", tool_calls: [{ function: { name: "search" } }] })
    const ids = said?.role === "assistant" ? said.tool_calls?.map(({ id }) => id) : []
    expect(result).toMatchObject({ role: "tool", content: "nothing like a tent, 两人", tool_call_id: ids?.[0] })
  })

  it("is refused with 429 and Retry-After, waits, and is served", async () => {
    const { client, server } = await connect({ rateLimit: { perSecond: 1, burst: 1 } }, 2)
    await client.chat.completions.create(asked)
    const started = performance.now()
    const second = await client.chat.completions.create(asked)
    expect(second.choices[0]!.message.content).toContain("a tent")
    expect(performance.now() - started).toBeGreaterThan(900)
    expect(server.counts()).toMatchObject({ requests: 3, refused: 1 })
  })

  it("knows each refusal by its kind", async () => {
    const refusals = [
      ["rate_limited", OpenAI.RateLimitError, 429],
      ["unauthorized", OpenAI.AuthenticationError, 401],
      ["context_overflow", OpenAI.BadRequestError, 400],
      ["server_error", OpenAI.InternalServerError, 500],
    ] as const
    for (const [fault, kind, status] of refusals) {
      const { client } = await connect({ faults: { [fault]: 1 } })
      const error = await client.chat.completions.create(asked).then(
        () => null,
        (thrown: unknown) => thrown,
      )
      expect(error, fault).toBeInstanceOf(kind)
      expect(error).toMatchObject({ status, error: { message: expect.any(String) } })
    }
    const { client } = await connect({ faults: { reset: 1 } })
    await expect(client.chat.completions.create(asked)).rejects.toBeInstanceOf(OpenAI.APIConnectionError)
    const stranger = new OpenAI({ apiKey: "sk-someone-else", baseURL: (await connect()).server.url, maxRetries: 0 })
    await expect(stranger.chat.completions.create(asked)).rejects.toBeInstanceOf(OpenAI.AuthenticationError)
  })

  it("hands over malformed replies as they are", async () => {
    const bad = await (await connect({ faults: { bad_arguments: 1 } })).client.chat.completions.create({
      ...asked,
      tools,
    })
    const call = bad.choices[0]!.message.tool_calls![0]!
    expect(() => JSON.parse("function" in call ? call.function.arguments : "{}")).toThrow(SyntaxError)
    const empty = await (await connect({ faults: { empty_choices: 1 } })).client.chat.completions.create(asked)
    expect(empty.choices).toEqual([])
    const { client } = await connect({ faults: { broken_stream: 1 } })
    await expect(client.chat.completions.stream({ ...asked, tools }).finalChatCompletion()).rejects.toThrow()
    await expect(client.chat.completions.create({ ...asked, tools })).rejects.toThrow()
  })
})
