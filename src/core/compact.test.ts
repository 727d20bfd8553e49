import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { testData } from "../testing/data.ts"
import { decodeEpisode, decodeHeader, encodeEpisode } from "./compact.ts"
import { sha256Hex } from "./fingerprint.ts"
import type { JsonObject } from "./json.ts"
import type { Message } from "./message.ts"
import { EpisodeRecord } from "./trace.ts"

const PROMPT = "You shop for somebody else in a simulated store. Call one tool at a time."

function record(changes: Partial<EpisodeRecord> = {}): EpisodeRecord {
  return {
    schema: "souk.episode/1",
    suite: "shopping",
    episode_id: "task-000001__sample-000",
    job: { key: "task-000001__sample-000", task_id: "1", sample_id: 0, seed: 7, split: "val" },
    attempt: 1,
    status: "completed",
    end_reason: "purchase",
    started_at: "2026-01-01T00:00:00.000Z",
    ended_at: "2026-01-01T00:00:01.000Z",
    duration_ms: 1000,
    provenance: { run: "0".repeat(64) },
    usage: { model_calls: 1 },
    reward: { value: 0.5, detail: { r_strict: 0.5 } },
    messages: [],
    events: [],
    evidence: {},
    ...changes,
  }
}

const blobs = new Map([[PROMPT, sha256Hex(PROMPT)]])
const read = (line: string) => decodeEpisode(line, (hash) => (hash === sha256Hex(PROMPT) ? PROMPT : undefined))

/** A results page as a shop writes it, with the data behind it. */
function resultsPage(titles: readonly string[]): { text: string; state: JsonObject } {
  const products = titles.map((title, index) => ({
    asin: String(500000000000 + index),
    title,
    price: `${index}.50`,
    key_attributes: ["light", "folding", `size ${index}`],
    rank: index + 1,
  }))
  const rows = products.map(
    (product) =>
      `${product.rank}. ${product.title}\n   ASIN: ${product.asin}\n   Price: ${product.price}\n   Attributes: ${product.key_attributes.join("; ")}`,
  )
  const actions = ["back to search", ...products.map((product) => product.asin)]
  const text = `Page: results\n\n${rows.join("\n")}\n\nYou can click:\n${actions.map((action) => `- ${action}`).join("\n")}\n`
  return {
    text,
    state: { observation_version: "t-1", page_type: "search_results", search_available: false, actions, products },
  }
}

describe("the compact form", () => {
  it("gives back what it was made from, whatever strings, keys and numbers there are", () => {
    const words = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom(
        "@",
        "@@",
        "@1",
        "@3+4",
        "@/0/state",
        "@columns",
        "#rank",
        "__proto__",
        "0",
        "toString",
        "A long text that is worth a number",
      ),
    )
    const { tree: json } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: "small" },
        fc.constant(null),
        fc.boolean(),
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (Object.is(n, -0) ? 0 : n)),
        words,
        fc.array(tie("tree"), { maxLength: 4 }),
        fc.dictionary(words, tie("tree"), { maxKeys: 4, noNullPrototype: true }),
      ),
    }))
    const state = fc.dictionary(words, json, { maxKeys: 5, noNullPrototype: true })
    fc.assert(
      fc.property(
        fc.array(fc.tuple(words, state), { maxLength: 4 }),
        fc.array(words, { maxLength: 3 }),
        (pages, contents) => {
          const events = pages.map(([text, data], index) => {
            const quoted = `${text} ${Object.values(data)
              .filter((value) => typeof value === "string")
              .join(" / ")}`
            return {
              type: "observation",
              ...(index % 3 === 1 ? {} : { step: index, at_ms: index }),
              text: quoted,
              state: data,
            } as const
          })
          const messages = contents.map(
            (content): Message => ({ role: "user", content: content + (pages[0]?.[0] ?? "") }),
          )
          const whole = record({
            events: events as EpisodeRecord["events"],
            messages,
            evidence: { goal: pages[0]?.[1] ?? {} } as JsonObject,
          })
          expect(read(encodeEpisode(whole, blobs))).toEqual(whole)
        },
      ),
      { numRuns: 500 },
    )
  })

  it("keeps a state's key `__proto__` that the state before it does not have", () => {
    const states = [{}, { ["__proto__"]: {} }] as JsonObject[]
    const events = states.map((state) => ({ type: "observation", step: 0, text: " ", state }))
    const whole = record({ events: events as unknown as EpisodeRecord["events"] })
    expect(read(encodeEpisode(whole))).toEqual(whole)
  })

  it("keeps unknown event types and unknown keys", () => {
    const whole = record({
      events: [
        {
          type: "some_later_kind",
          at_ms: 3,
          who: "console",
          ["__proto__"]: { "@x": "@1" },
          note: "stock was checked by hand, twice",
        } as unknown as EpisodeRecord["events"][number],
      ],
      cost: { amount: "0.01", currency: "USD" },
      training: { token_ids: [1, 2, 3] },
    })
    expect(read(encodeEpisode(whole))).toEqual(whole)
  })

  it("writes each page once, though it is an observation and a message, and lists of products as places in it", () => {
    const titles = Array.from({ length: 20 }, (_, index) => `Camping chair model ${index} with cup holder`)
    const page = resultsPage(titles)
    const whole = record({
      messages: [
        { role: "system", content: `${PROMPT}\n\nBe quick.` },
        { role: "tool", tool_call_id: "1", content: page.text },
      ],
      events: [{ type: "observation", text: page.text, state: page.state as JsonObject }],
    })
    const line = encodeEpisode(whole, blobs)
    expect(read(line)).toEqual(whole)
    expect(line.split("Camping chair model 7 with").length).toBe(2)
    expect(line).not.toContain(PROMPT)
    const bulk = JSON.parse(line) as { texts: string[]; events: unknown[] }
    expect(JSON.stringify(bulk.events).length).toBeLessThan(page.text.length / 4)
  })

  it("falls back row by row where a product is laid out differently", () => {
    const page = resultsPage(["A folding chair of beech", "A stool", "A folding table of oak", "A hammock"])
    const products = page.state.products as JsonObject[]
    products[1]!.price = "unknown to this page"
    const whole = record({ events: [{ type: "observation", text: page.text, state: page.state }] })
    const line = encodeEpisode(whole)
    expect(line).toContain("@pattern")
    expect(read(line)).toEqual(whole)
  })

  it("knows the words that stand for nothing", () => {
    const page = resultsPage(["A folding chair of beech", "A stool", "A folding table of oak", "A hammock"])
    const products = page.state.products as JsonObject[]
    const text = page.text.replace("Price: 1.50", "Price: on request").replace("Price: 3.50", "Price: on request")
    products[1]!.price = null
    products[3]!.price = null
    const whole = record({ events: [{ type: "observation", text, state: page.state }] })
    const line = encodeEpisode(whole)
    expect(JSON.parse(line).events[0].state.products["@pattern"]).toContainEqual(["price", null, "on request"])
    expect(JSON.parse(line).events[0].state.products["@rows"].every((row: unknown) => typeof row === "number")).toBe(
      true,
    )
    expect(read(line)).toEqual(whole)
  })

  it("writes a turn as its place, and a page like an earlier one as what changed", () => {
    const state = { observation_version: "t-1", page_type: "product", actions: ["buy"], product: { asin: "1" } }
    const call = (id: string) => ({ id, type: "function" as const, function: { name: "click", arguments: "{}" } })
    const page = (text: string, more: JsonObject) =>
      ({ type: "observation", text, state: { ...state, ...more } }) as const
    const whole = record({
      events: [
        page("one", { missing: ["size"] }),
        { type: "model_call", outcome: "reply", tools: ["click"], tool_calls: [call("a")], latency_ms: 1 },
        { type: "action", action: "click[size=1]" },
        page("two", { selected: 1 }),
        {
          type: "model_call",
          outcome: "protocol_error",
          tools: ["click"],
          tool_calls: [call("b"), call("c")],
          latency_ms: 1,
        },
        {
          type: "model_call",
          outcome: "reply",
          content: "so",
          tools: ["click"],
          tool_calls: [call("d")],
          latency_ms: 1,
        },
      ],
      messages: [
        { role: "assistant", content: null, tool_calls: [call("a")] },
        { role: "tool", tool_call_id: "a", content: "two" },
        { role: "assistant", content: null, tool_calls: [call("b"), call("c")] },
        { role: "tool", tool_call_id: "b", content: "no" },
        { role: "tool", tool_call_id: "c", content: "no" },
        { role: "assistant", content: "so", tool_calls: [call("d")] },
      ],
    })
    const line = encodeEpisode(whole)
    const { messages, events } = JSON.parse(line)
    expect(messages.map((message: unknown) => typeof message)).toEqual([
      "number",
      "object",
      "object",
      "object",
      "object",
    ])
    expect(events[3].state).toEqual({ "@from": 0, "@less": ["missing"], selected: 1 })
    expect(read(line)).toEqual(whole)
  })

  it("writes a page that hardly differs from an earlier one as the difference, never cutting a character in two", () => {
    const before = `Tent 🏕 ${"for four people, waterproof, ".repeat(5)}`
    const after = before.replace("🏕", "🏖")
    const observation = (text: string) => ({ type: "observation", text, state: {} }) as const
    const whole = record({ events: [observation(before), observation(after)] })
    const line = encodeEpisode(whole)
    expect(JSON.parse(line).texts[1]).toEqual([0, 5, 7, "🏖"])
    expect(read(line)).toEqual(whole)
  })

  it("reads the header without the rest, also when a nested key is called texts", () => {
    const {
      messages: _,
      events: __,
      evidence: ___,
      ...header
    } = record({
      error: { stage: "cleanup", code: "INTERNAL", message: "m", retryable: false, texts: [1], more: 2 },
    })
    expect(decodeHeader(encodeEpisode(record(header)))).toEqual(header)
  })

  it("says which episode is damaged, and how", () => {
    const line = JSON.parse(
      encodeEpisode(record({ events: [{ type: "observation", text: "a page of some length, at least", state: {} }] })),
    )
    line.events[0].text = "@99"
    expect(() => read(JSON.stringify(line))).toThrow(/task-000001__sample-000 is damaged: there is no text 99/)
    expect(() => decodeEpisode('{"schema":"souk.episode/9"}')).toThrow(
      /Not an episode of schema souk.episode\/1: "souk.episode\/9"/,
    )
    line.events[0] = { type: "observation", state: {} }
    expect(() => read(JSON.stringify(line))).toThrow(/text/)
  })

  const data = testData()
  it.skipIf(data === undefined)("is a third of a v4 line at most, for recorded episodes", () => {
    const text = gunzipSync(readFileSync(join(data!, "shop-v8/traces-v4-sample.jsonl.gz"))).toString("utf8")
    const sizes = text
      .trim()
      .split("\n")
      .map((line) => {
        const whole = fromV4(JSON.parse(line))
        const encoded = encodeEpisode(
          whole,
          new Map([[whole.messages[0]!.content!, sha256Hex(whole.messages[0]!.content!)]]),
        )
        return { ours: Buffer.byteLength(encoded), v4: Buffer.byteLength(line) }
      })
    expect(sizes.length).toBe(20)
    for (const { ours, v4 } of sizes) expect(ours / v4).toBeLessThan(1 / 3)
    const total = (key: "ours" | "v4") => sizes.reduce((sum, size) => sum + size[key], 0)
    expect(total("ours") / total("v4")).toBeLessThan(0.27)
  })
})

/** The same episode as our record, as far as sizes go. */
// biome-ignore lint/suspicious/noExplicitAny: foreign JSON, read once
function fromV4(v4: any): EpisodeRecord {
  const events: unknown[] = [
    {
      type: "episode_start",
      at_ms: 0,
      step: 0,
      instruction: v4.reset.task_instruction,
      persona: v4.reset.user_persona,
      info: { task_mode: v4.reset.task_mode, environment_version: v4.reset.environment_version },
    },
    { type: "observation", at_ms: 1, step: 0, text: v4.reset.observation, state: v4.reset.observation_state },
  ]
  for (const { step_index: step, model, tools, action, environment, protocol_error, policy_failure } of v4.steps) {
    const at_ms = step * 1234
    const failure = protocol_error ?? policy_failure
    // biome-ignore lint/suspicious/noExplicitAny: foreign JSON
    const tool_calls = model.tool_calls.map((call: any) => ({
      id: call.call_id,
      type: "function",
      function: { name: call.name, arguments: call.raw_arguments },
    }))
    events.push({
      type: "model_call",
      at_ms,
      step,
      outcome: protocol_error ? "protocol_error" : policy_failure ? "policy_failure" : "reply",
      ...(failure && { code: failure.code, message: failure.message }),
      // biome-ignore lint/suspicious/noExplicitAny: foreign JSON
      tools: tools.map((tool: any) => tool.function.name),
      ...(model.content && { content: model.content }),
      reasoning: model.reasoning,
      ...(tool_calls.length > 0 && { tool_calls }),
      finish_reason: "tool_calls",
      usage: model.usage,
      latency_ms: 812,
    })
    if (environment === null) continue
    events.push({ type: "action", at_ms, step, action })
    events.push({ type: "feedback", at_ms, step, feedback: environment.action_feedback })
    events.push({
      type: "observation",
      at_ms,
      step,
      text: environment.observation,
      state: environment.observation_state,
    })
  }
  return EpisodeRecord.parse({
    ...record(),
    episode_id: v4.episode_id,
    job: { ...v4.job, key: v4.episode_id, task_id: String(v4.job.task_id) },
    end_reason: v4.final.termination_reason,
    reward: { value: v4.final.reward, detail: v4.final.reward_detail },
    messages: v4.conversation,
    events,
    evidence: { goal: v4.final.goal, purchase: v4.final.purchase },
  })
}
