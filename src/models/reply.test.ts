import { describe, expect, it } from "vitest"
import { classifyReply, type RawReply } from "./reply.ts"

const tools = ["search", "click"]

const fn = (name: unknown, args: unknown, id: unknown = "c1") => ({
  id,
  type: "function",
  function: { name, arguments: args },
})
const SEARCH = fn("search", '{"query":"tent"}')

function completion(message: unknown, { finish = "tool_calls", ...rest }: Record<string, unknown> = {}): RawReply {
  const body = {
    id: "r1",
    object: "chat.completion",
    model: "m",
    choices: [{ index: 0, message, finish_reason: finish }],
    ...rest,
  }
  return { status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify(body) }
}
const says = (content: unknown, finish = "stop", more = {}) =>
  completion({ role: "assistant", content, ...more }, { finish })
const calls = (list: unknown, finish: unknown = "tool_calls", more = {}) =>
  completion({ role: "assistant", content: null, tool_calls: list, ...more }, { finish })
const json = (value: unknown, status = 200): RawReply => ({ status, headers: {}, body: JSON.stringify(value) })
const text = (body: string, status = 200, type = "text/plain"): RawReply => ({
  status,
  headers: { "content-type": type },
  body,
})

const chunk = (delta: unknown, finish: string | null = null, more = {}) =>
  `data: ${JSON.stringify({ id: "s1", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\n\n`
const DONE = "data: [DONE]\n\n"
const sse = (...parts: string[]) => text(parts.join(""), 200, "text/event-stream")
const part = (index: number | undefined, fields: unknown) => ({
  tool_calls: [{ ...(index === undefined ? {} : { index }), ...(fields as object) }],
})
const HEAD = part(0, { id: "c1", type: "function", function: { name: "search", arguments: "" } })
const ARGS = (piece: string, index = 0) => part(index, { function: { arguments: piece } })

type Row = [name: string, reply: RawReply, outcome: string, code: string, retryable?: boolean]

const ROWS: Row[] = [
  // Usable replies
  ["one call", calls([SEARCH]), "ok", "ok"],
  ["one call, finish reason stop", calls([SEARCH], "stop"), "ok", "ok"],
  ["one call, finish reason function_call", calls([SEARCH], "function_call"), "ok", "ok"],
  ["one call, finish reason null", calls([SEARCH], null), "ok", "ok"],
  ["one whole call, finish reason length", calls([SEARCH], "length"), "ok", "ok"],
  ["one call, empty content", calls([SEARCH], "tool_calls", { content: "" }), "ok", "ok"],
  ["one call, blank content", calls([SEARCH], "tool_calls", { content: "\n\n" }), "ok", "ok"],
  ["one call, content an empty list", calls([SEARCH], "tool_calls", { content: [] }), "ok", "ok"],
  ["one call with reasoning_content", calls([SEARCH], "tool_calls", { reasoning_content: "think" }), "ok", "ok"],
  ["one call with reasoning", calls([SEARCH], "tool_calls", { reasoning: "think" }), "ok", "ok"],
  ["one call without a type", calls([{ id: "c1", function: SEARCH.function }]), "ok", "ok"],
  [
    "one call, no usage",
    completion({ role: "assistant", content: null, tool_calls: [SEARCH] }, { usage: null }),
    "ok",
    "ok",
  ],
  [
    "one call, usage of odd types",
    completion({ content: null, tool_calls: [SEARCH] }, { usage: { prompt_tokens: "7" } }),
    "ok",
    "ok",
  ],
  ["arguments with spaces and escapes", calls([fn("search", ' {"query": "\\u5e10\\u7bf7"} ')]), "ok", "ok"],
  ["a byte order mark before the body", { ...calls([SEARCH]), body: `\ufeff${calls([SEARCH]).body}` }, "ok", "ok"],
  ["a null error beside the choices", json({ ...JSON.parse(calls([SEARCH]).body), error: null }), "ok", "ok"],
  [
    "several choices: the first counts",
    json({ choices: [{ message: { tool_calls: [SEARCH] } }, { message: { content: "x" } }] }),
    "ok",
    "ok",
  ],
  // The model's malformed replies
  ["text only", says("I would search for a tent."), "protocol_error", "tool_call_count"],
  ["nothing at all", says(null), "protocol_error", "tool_call_count"],
  ["an empty list of calls", calls([]), "protocol_error", "tool_call_count"],
  ["finish reason tool_calls without a call", says(null, "tool_calls"), "protocol_error", "tool_call_count"],
  [
    "a pseudo call in the text",
    says('<tool_call>{"name":"search","arguments":{"query":"x"}}</tool_call>'),
    "protocol_error",
    "tool_call_count",
  ],
  ["a pseudo call in a code block", says('```json\n{"tool":"search"}\n```'), "protocol_error", "tool_call_count"],
  ["a refusal", says(null, "stop", { refusal: "I cannot" }), "protocol_error", "tool_call_count"],
  ["a filtered reply", says(null, "content_filter"), "protocol_error", "tool_call_count"],
  ["list content with text, no call", says([{ type: "text", text: "hi" }]), "protocol_error", "tool_call_count"],
  ["two calls", calls([SEARCH, fn("click", '{"value":"a"}', "c2")]), "protocol_error", "tool_call_count"],
  ["two calls with the same id", calls([SEARCH, SEARCH]), "protocol_error", "tool_call_count"],
  ["a call and text", calls([SEARCH], "tool_calls", { content: "Let me look" }), "protocol_error", "mixed_content"],
  [
    "a call and text in a list",
    calls([SEARCH], "tool_calls", { content: [{ type: "text", text: "Look" }] }),
    "protocol_error",
    "mixed_content",
  ],
  ["a tool that was not offered", calls([fn("buy", "{}")]), "protocol_error", "unavailable_tool"],
  ["a tool's name in another case", calls([fn("Search", '{"query":"x"}')]), "protocol_error", "unavailable_tool"],
  [
    "a tool's name with a prefix",
    calls([fn("functions.search", '{"query":"x"}')]),
    "protocol_error",
    "unavailable_tool",
  ],
  ["tool_calls an object", calls({ search: 1 }), "protocol_error", "invalid_tool_calls"],
  ["tool_calls a text", calls("search"), "protocol_error", "invalid_tool_calls"],
  ["a call of another type", calls([{ ...SEARCH, type: "custom" }]), "protocol_error", "invalid_tool_call"],
  ["a call that is a text", calls(["search"]), "protocol_error", "invalid_tool_call"],
  ["a call that is null", calls([null]), "protocol_error", "invalid_tool_call"],
  ["a call without a function", calls([{ id: "c1", type: "function" }]), "protocol_error", "missing_function"],
  [
    "a call without an id",
    calls([{ type: "function", function: SEARCH.function }]),
    "protocol_error",
    "missing_tool_call_id",
  ],
  ["a call with an empty id", calls([{ ...SEARCH, id: "" }]), "protocol_error", "missing_tool_call_id"],
  ["a call with a null id", calls([{ ...SEARCH, id: null }]), "protocol_error", "missing_tool_call_id"],
  ["a call without a name", calls([fn(undefined, "{}")]), "protocol_error", "missing_tool_name"],
  ["a call with an empty name", calls([fn("", "{}")]), "protocol_error", "missing_tool_name"],
  ["arguments an object", calls([fn("search", { query: "x" })]), "protocol_error", "invalid_arguments_type"],
  ["arguments null", calls([fn("search", null)]), "protocol_error", "invalid_arguments_type"],
  ["arguments missing", calls([fn("search", undefined)]), "protocol_error", "invalid_arguments_type"],
  ["arguments not JSON", calls([fn("search", "query=x")]), "protocol_error", "invalid_arguments_json"],
  ["arguments empty", calls([fn("search", "")]), "protocol_error", "invalid_arguments_json"],
  [
    "arguments cut off, finish reason stop",
    calls([fn("search", '{"query":"te')], "stop"),
    "protocol_error",
    "invalid_arguments_json",
  ],
  ["arguments with single quotes", calls([fn("search", "{'query':'x'}")]), "protocol_error", "invalid_arguments_json"],
  ["arguments a list", calls([fn("search", '["x"]')]), "protocol_error", "invalid_arguments_object"],
  ["arguments a text", calls([fn("search", '"x"')]), "protocol_error", "invalid_arguments_object"],
  ["arguments null in JSON", calls([fn("search", "null")]), "protocol_error", "invalid_arguments_object"],
  ["no choices", json({ id: "r" }), "protocol_error", "missing_choices"],
  ["empty choices", json({ choices: [] }), "protocol_error", "missing_choices"],
  ["choices null", json({ choices: null, usage: { prompt_tokens: 3 } }), "protocol_error", "missing_choices"],
  ["a choice that is a text", json({ choices: ["x"] }), "protocol_error", "invalid_choice"],
  ["a choice without a message", json({ choices: [{ finish_reason: "stop" }] }), "protocol_error", "invalid_message"],
  ["a choice with a text of the old API", json({ choices: [{ text: "x" }] }), "protocol_error", "invalid_message"],
  ["a JSON list", json([]), "protocol_error", "invalid_response_body"],
  ["a JSON text", json("hello"), "protocol_error", "invalid_response_body"],
  ["JSON null", json(null), "protocol_error", "invalid_response_body"],
  ["plain text", text("Service is fine"), "protocol_error", "invalid_json_response"],
  // The model ran out of room
  ["cut off without a call", says("I think", "length"), "policy_failure", "generation_length"],
  [
    "cut off in its reasoning",
    says(null, "length", { reasoning_content: "long" }),
    "policy_failure",
    "generation_length",
  ],
  ["cut off in the arguments", calls([fn("search", '{"query":"te')], "length"), "policy_failure", "generation_length"],
  ["cut off before the arguments", calls([fn("search", "")], "length"), "policy_failure", "generation_length"],
  ["cut off after two calls", calls([SEARCH, SEARCH], "length"), "policy_failure", "generation_length"],
  [
    "context overflow, OpenAI",
    json(
      {
        error: {
          message: "This model's maximum context length is 8192 tokens.",
          type: "invalid_request_error",
          code: "context_length_exceeded",
        },
      },
      400,
    ),
    "policy_failure",
    "context_overflow",
  ],
  [
    "context overflow, vLLM",
    json(
      {
        object: "error",
        message: "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens",
        type: "BadRequestError",
        code: 400,
      },
      400,
    ),
    "policy_failure",
    "context_overflow",
  ],
  [
    "context overflow, SGLang",
    json(
      {
        object: "error",
        message: "The input (9000 tokens) is longer than the model's context length (8192 tokens).",
        code: 400,
      },
      400,
    ),
    "policy_failure",
    "context_overflow",
  ],
  [
    "context overflow, llama-server",
    json(
      {
        error: {
          code: 400,
          message: "the request exceeds the available context size. try increasing the context size",
          type: "exceed_context_size_error",
        },
      },
      400,
    ),
    "policy_failure",
    "context_overflow",
  ],
  [
    "context overflow, Anthropic style",
    json(
      { error: { type: "invalid_request_error", message: "prompt is too long: 210000 tokens > 200000 maximum" } },
      400,
    ),
    "policy_failure",
    "context_overflow",
  ],
  [
    "context overflow, in Chinese",
    json({ code: 20015, message: "输入超过模型最大长度限制" }, 400),
    "policy_failure",
    "context_overflow",
  ],
  // The server's or the way's
  ["429", json({ error: { message: "Rate limit reached" } }, 429), "infrastructure_error", "rate_limited", true],
  ["429 without a body", text("", 429), "infrastructure_error", "rate_limited", true],
  [
    "429 about tokens per minute",
    json({ error: { message: "TPM limit reached: too many tokens" } }, 429),
    "infrastructure_error",
    "rate_limited",
    true,
  ],
  [
    "429 without credit",
    json({ error: { code: "insufficient_quota", message: "You exceeded your current quota" } }, 429),
    "infrastructure_error",
    "quota_exhausted",
    false,
  ],
  ["402", json({ error: { message: "Payment required" } }, 402), "infrastructure_error", "quota_exhausted", false],
  ["401", json({ error: { message: "Incorrect API key" } }, 401), "infrastructure_error", "unauthorized", false],
  ["403 from a proxy", text("<html>Forbidden</html>", 403, "text/html"), "infrastructure_error", "unauthorized", false],
  [
    "404",
    json({ error: { message: "The model `x` does not exist" } }, 404),
    "infrastructure_error",
    "not_found",
    false,
  ],
  [
    "400",
    json({ error: { message: "Unknown parameter: 'foo'" } }, 400),
    "infrastructure_error",
    "request_rejected",
    false,
  ],
  [
    "422 with a detail list",
    json({ detail: [{ msg: "field required" }] }, 422),
    "infrastructure_error",
    "request_rejected",
    false,
  ],
  ["408", text("", 408), "infrastructure_error", "server_busy", true],
  ["409", text("", 409), "infrastructure_error", "server_busy", true],
  ["500", json({ error: "boom" }, 500), "infrastructure_error", "server_error", true],
  ["502 page", text("<html>Bad gateway</html>", 502, "text/html"), "infrastructure_error", "server_error", true],
  ["503", text("no healthy upstream", 503), "infrastructure_error", "server_error", true],
  ["504", text("", 504), "infrastructure_error", "server_error", true],
  [
    "529 overloaded",
    json({ error: { type: "overloaded_error", message: "Overloaded" } }, 529),
    "infrastructure_error",
    "server_error",
    true,
  ],
  ["302", text("", 302), "infrastructure_error", "redirected", false],
  [
    "a page with status 200",
    text("<!DOCTYPE html><html>login</html>", 200, "text/html"),
    "infrastructure_error",
    "html_body",
    true,
  ],
  ["an empty body with status 200", text(""), "infrastructure_error", "empty_body", true],
  [
    "an error object with status 200",
    json({ error: { message: "upstream failed", code: 502 } }),
    "infrastructure_error",
    "server_error",
    true,
  ],
  [
    "an error text with status 200",
    json({ error: "upstream connect error" }),
    "infrastructure_error",
    "error_in_reply",
    true,
  ],
  [
    "a rate limit with status 200",
    json({ error: { message: "Too many requests", code: 429 } }),
    "infrastructure_error",
    "rate_limited",
    true,
  ],
  [
    "a provider's error beside no choices",
    json({ error: { message: "Provider returned error", code: 503 }, choices: [] }),
    "infrastructure_error",
    "server_error",
    true,
  ],
  // Streams
  [
    "stream: one call in pieces",
    sse(chunk(HEAD), chunk(ARGS('{"que')), chunk(ARGS('ry":"x"}')), chunk({}, "tool_calls"), DONE),
    "ok",
    "ok",
  ],
  [
    "stream: without an id",
    sse(chunk(part(0, { function: { name: "search", arguments: '{"query":"x"}' } })), chunk({}, "tool_calls"), DONE),
    "ok",
    "ok",
  ],
  [
    "stream: without an index",
    sse(
      chunk(part(undefined, { id: "c1", function: { name: "search", arguments: '{"query":' } })),
      chunk(part(undefined, { function: { arguments: '"x"}' } })),
      DONE,
    ),
    "ok",
    "ok",
  ],
  [
    "stream: usage in a chunk without choices",
    sse(
      chunk(HEAD),
      chunk(ARGS('{"query":"x"}'), "tool_calls"),
      `data: ${JSON.stringify({ choices: [], usage: { total_tokens: 9 } })}\n\n`,
      DONE,
    ),
    "ok",
    "ok",
  ],
  [
    "stream: comments, CRLF and no blank before data",
    text(
      `: ping\r\n\r\n${(chunk(HEAD) + chunk(ARGS('{"query":"x"}'), "stop") + DONE).replaceAll("\n", "\r\n").replaceAll("data: ", "data:")}`,
      200,
      "text/event-stream",
    ),
    "ok",
    "ok",
  ],
  [
    "stream: the name sent again with every piece",
    sse(chunk(HEAD), chunk(part(0, { id: "c1", function: { name: "search", arguments: '{"query":"x"}' } })), DONE),
    "ok",
    "ok",
  ],
  [
    "stream: not said to be one",
    text(chunk(HEAD) + chunk(ARGS('{"query":"x"}')) + DONE, 200, "application/json"),
    "ok",
    "ok",
  ],
  [
    "stream asked for, whole body sent",
    { ...calls([SEARCH]), headers: { "content-type": "text/event-stream" } },
    "ok",
    "ok",
  ],
  [
    "stream: reasoning, then a call",
    sse(chunk({ reasoning_content: "hm" }), chunk(HEAD), chunk(ARGS('{"query":"x"}')), DONE),
    "ok",
    "ok",
  ],
  [
    "stream: two calls",
    sse(
      chunk(HEAD),
      chunk(ARGS('{"query":"x"}')),
      chunk(part(1, { id: "c2", function: { name: "click", arguments: '{"value":"a"}' } })),
      DONE,
    ),
    "protocol_error",
    "tool_call_count",
  ],
  [
    "stream: text only",
    sse(chunk({ content: "hel" }), chunk({ content: "lo" }, "stop"), DONE),
    "protocol_error",
    "tool_call_count",
  ],
  [
    "stream: a call and text",
    sse(chunk({ content: "look" }), chunk(HEAD), chunk(ARGS('{"query":"x"}')), DONE),
    "protocol_error",
    "mixed_content",
  ],
  [
    "stream: arguments cut off by length",
    sse(chunk(HEAD), chunk(ARGS('{"query":"x')), chunk({}, "length"), DONE),
    "policy_failure",
    "generation_length",
  ],
  [
    "stream: no [DONE]",
    sse(chunk(HEAD), chunk(ARGS('{"query":"x"}'))),
    "infrastructure_error",
    "incomplete_stream",
    true,
  ],
  [
    "stream: broken in the middle of a line",
    sse(chunk(HEAD), 'data: {"choices":[{"del'),
    "infrastructure_error",
    "broken_stream",
    true,
  ],
  [
    "stream: an error in it",
    sse(chunk(HEAD), `data: ${JSON.stringify({ error: { message: "engine died", code: 500 } })}\n\n`, DONE),
    "infrastructure_error",
    "server_error",
    true,
  ],
  [
    "stream: an error event",
    sse(`event: error\ndata: ${JSON.stringify({ message: "overloaded", status: 529 })}\n\n`),
    "infrastructure_error",
    "server_error",
    true,
  ],
  ["stream: only [DONE]", sse(DONE), "protocol_error", "missing_choices"],
]

describe("classifyReply", () => {
  it.each(ROWS)("%s", (_name, reply, outcome, code, retryable = false) => {
    expect(classifyReply(reply, { tools })).toMatchObject({ outcome, code, retryable })
  })

  it("every row has a name of its own", () => {
    expect(new Set(ROWS.map(([name]) => name)).size).toBe(ROWS.length)
    expect(ROWS.length).toBeGreaterThanOrEqual(80)
  })

  it("gives the call, its raw arguments, reasoning and usage", () => {
    const usage = {
      prompt_tokens: 10,
      completion_tokens: 4,
      total_tokens: 14,
      prompt_tokens_details: { cached_tokens: 8 },
      completion_tokens_details: { reasoning_tokens: 3 },
    }
    const reply = completion(
      { content: null, reasoning: "hm", tool_calls: [fn("search", '{ "query":"tent"}')] },
      { usage, system_fingerprint: "fp" },
    )
    expect(classifyReply(reply, { tools })).toEqual({
      outcome: "ok",
      code: "ok",
      message: "",
      retryable: false,
      call: { call_id: "c1", name: "search", arguments: { query: "tent" }, raw_arguments: '{ "query":"tent"}' },
      content: null,
      reasoning: "hm",
      tool_calls: [{ call_id: "c1", name: "search", arguments: { query: "tent" }, raw_arguments: '{ "query":"tent"}' }],
      finish_reason: "tool_calls",
      usage: { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14, cached_tokens: 8, reasoning_tokens: 3 },
      response_id: "r1",
      metadata: { model: "m", system_fingerprint: "fp" },
    })
  })

  it("a streamed call reads as the same call sent whole", () => {
    const streamed = classifyReply(sse(chunk(HEAD), chunk(ARGS('{"query":"tent"}')), chunk({}, "tool_calls"), DONE), {
      tools,
    })
    expect(streamed.call).toEqual(classifyReply(calls([SEARCH]), { tools }).call)
  })

  it("makes up the same id for the same streamed call", () => {
    const reply = sse(chunk(part(0, { function: { name: "search", arguments: '{"query":"x"}' } })), DONE)
    const id = classifyReply(reply, { tools }).call?.call_id
    expect(id).toMatch(/^call-stream-[0-9a-f]{24}$/)
    expect(classifyReply(reply, { tools }).call?.call_id).toBe(id)
  })

  it("without tools, text is an answer", () => {
    expect(classifyReply(says("hello"))).toMatchObject({ outcome: "ok", content: "hello" })
    expect(classifyReply(says(" "))).toMatchObject({ outcome: "protocol_error", code: "empty_response" })
    expect(classifyReply(says("hal", "length"))).toMatchObject({ outcome: "ok", content: "hal" })
    expect(classifyReply(calls([SEARCH]))).toMatchObject({ code: "unavailable_tool" })
  })

  it("reads how long to wait, as seconds, milliseconds or a date", () => {
    const refused = (headers: Record<string, string>) =>
      classifyReply({ status: 429, headers, body: "" }, { tools, now: Date.UTC(2026, 0, 1) })
    expect(refused({ "Retry-After": "7" }).retry_after_ms).toBe(7000)
    expect(refused({ "retry-after-ms": "250" }).retry_after_ms).toBe(250)
    expect(refused({ "retry-after": "Thu, 01 Jan 2026 00:00:05 GMT" }).retry_after_ms).toBe(5000)
    expect(refused({ "retry-after": "soon" }).retry_after_ms).toBeUndefined()
  })
})
