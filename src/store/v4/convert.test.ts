import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { encodeEpisode } from "../../core/compact.ts"
import { canonicalJson, sha256Hex } from "../../core/fingerprint.ts"
import type { Json, JsonObject } from "../../core/json.ts"
import { EpisodeRecord } from "../../core/trace.ts"
import { testData } from "../../testing/data.ts"
import { PRIVATE } from "../leave-out.ts"
import { episodeOfV4, v4OfEpisode } from "./convert.ts"
import { sharedParts } from "./identities.ts"

const ALL = new Set(PRIVATE)

/** A memory of texts, as a run folder has it. */
function memory() {
  const texts = new Map<string, string>()
  const keep = (text: string) => {
    const hash = sha256Hex(text)
    texts.set(hash, text)
    return hash
  }
  return { kept: { keep }, shared: sharedParts((hash) => texts.get(hash)) }
}

const throughText = (value: unknown): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject

/** A record of ours as a v4 line and back. */
function roundTrip(record: EpisodeRecord): EpisodeRecord {
  const { kept, shared } = memory()
  return episodeOfV4(throughText(v4OfEpisode(record, shared, ALL)), { run: "elsewhere", kept })
}

/** A v4 line as a record of ours and back, through the text of both. */
function roundTripV4(line: JsonObject): JsonObject {
  const { kept, shared } = memory()
  const record = EpisodeRecord.parse(throughText(episodeOfV4(line, { run: "here", kept })))
  return throughText(v4OfEpisode(record, shared, ALL))
}

const PERSONA = { 偏好: ["canary-liking", "canary-habit"], 年龄: 32 }
const GOAL = {
  asin: "canary-asin",
  instruction_text: "canary-instruction",
  user_persona: { ...PERSONA, __reasoning__: "why" },
}
const page = (text: string, ...actions: string[]) => ({
  text,
  state: { observation_version: "v", page_type: "search_results", search_available: false, actions },
})
const call = (id: string, value: string) => ({
  id,
  type: "function" as const,
  function: { name: "click", arguments: JSON.stringify({ value }) },
})

/** Two steps of ours: a malformed reply, and a purchase. */
function episode(changes: Partial<EpisodeRecord> = {}): EpisodeRecord {
  const home = page("Home", "buy now")
  const end = page("Over")
  const feedback = { action: "click[buy now]", valid: true, reason: "executed", message: "Done" }
  const complaint =
    '{"type":"tool_protocol_error","code":"tool_call_count","message":"one call","available_tools":["click"]}'
  return {
    schema: "souk.episode/1",
    suite: "shopping",
    episode_id: "task-000001__sample-000",
    job: { key: "task-000001__sample-000", task_id: "1", sample_id: 0, seed: 7, split: "val" },
    attempt: 2,
    status: "completed",
    end_reason: "purchase",
    started_at: "2026-01-01T00:00:00.000Z",
    ended_at: "2026-01-01T00:00:01.000Z",
    duration_ms: 1000,
    provenance: { run: "0".repeat(64) },
    usage: { model_calls: 2, prompt_tokens: 30 },
    reward: { value: 0.5, detail: { r_strict: 0.5, price_upper: 7321.5, explanation: { text: "canary-explanation" } } },
    messages: [
      { role: "system", content: `Shop well.\n\nProfile:\n${JSON.stringify(PERSONA, null, 1)}\n\nMore.` },
      { role: "user", content: "Task:\nA tent.\n\nHome" },
      { role: "assistant", content: "Let me see <think>canary-thought</think>" },
      { role: "user", content: complaint },
      { role: "assistant", content: null, tool_calls: [call("c2", "buy now")] },
      { role: "tool", tool_call_id: "c2", content: "Over" },
    ],
    events: [
      {
        type: "episode_start",
        at_ms: 0,
        step: 0,
        instruction: "A tent.",
        persona: PERSONA,
        info: { task_mode: "persona" },
      },
      { type: "observation", at_ms: 1, step: 0, ...home },
      {
        type: "model_call",
        at_ms: 2,
        step: 1,
        outcome: "protocol_error",
        code: "tool_call_count",
        message: "one call",
        tools: ["click"],
        content: "Let me see <think>canary-thought</think>",
        reasoning: "canary-reasoning",
        latency_ms: 3,
        raw_response: { choices: [{ message: { reasoning_content: "canary-raw" } }] },
      },
      {
        type: "model_call",
        at_ms: 5,
        step: 2,
        outcome: "reply",
        tools: ["click"],
        tool_calls: [call("c2", "buy now")],
        usage: { prompt_tokens: 30 },
        latency_ms: 3,
      },
      { type: "action", at_ms: 6, step: 2, action: "click[buy now]" },
      { type: "feedback", at_ms: 7, step: 2, feedback },
      { type: "observation", at_ms: 7, step: 2, ...end },
    ],
    evidence: { goal: GOAL, purchase: { asin: "1", instruction_text: "canary-quoted" }, more: "canary-more" },
    training: { token_ids: [1, 2], note: "canary-tokens" },
    ...changes,
  }
}

describe("a record of ours as a v4 line", () => {
  it("has what the form asks for, in the form's own words", () => {
    const line = v4OfEpisode(episode(), memory().shared, ALL)
    expect(line).toMatchObject({
      schema_version: "shopsimrl-episode-v4",
      episode_id: "task-000001__sample-000",
      status: "completed",
      job: { task_id: 1, sample_id: 0, seed: 7, split: "val" },
      reset: { task_instruction: "A tent.", user_persona: PERSONA, observation: "Home", idx: 1, task_mode: "persona" },
      steps: [
        {
          step_index: 1,
          observation: "Task:\nA tent.\n\nHome",
          action: null,
          environment: null,
          protocol_error: { code: "tool_call_count" },
          protocol_feedback: { type: "tool_protocol_error", available_tools: ["click"] },
          model: { reasoning: "canary-reasoning", tool_calls: [], finish_reason: null, metadata: {} },
        },
        {
          step_index: 2,
          observation: "Home",
          action: "click[buy now]",
          model: {
            tool_calls: [{ call_id: "c2", name: "click", arguments: { value: "buy now" } }],
            raw_response: null,
          },
          environment: { done: true, reward: 0.5, goal: GOAL, action_feedback: { valid: true } },
        },
      ],
      error: null,
    })
    expect(line.final).toEqual((line.steps as JsonObject[])[1]!.environment)
  })

  for (const code of ["generation_length", "context_overflow"]) {
    it(`ended by ${code} says so at the step, and at the end what the environment was told`, () => {
      const { events, reward: _, ...rest } = episode()
      const [start, home, , call] = events
      const record = {
        ...rest,
        end_reason: code,
        reward: { value: 0, detail: { termination_reason: "generation_length" } },
        evidence: { goal: GOAL, purchase: null },
        events: [
          start,
          home,
          { ...call, step: 1, outcome: "policy_failure", code, message: "no room", tool_calls: undefined },
          { type: "limit", at_ms: 6, step: 1, limit: "generation_length" },
          { ...home, at_ms: 7, step: 1 },
        ],
      } as unknown as EpisodeRecord
      const line = throughText(v4OfEpisode(throughText(record) as unknown as EpisodeRecord, memory().shared, ALL))
      expect(line.steps).toMatchObject([{ action: null, environment: null, policy_failure: { code } }])
      expect(line.final).toMatchObject({ termination_reason: "generation_length", reward: 0, done: true })
      expect(roundTrip(record)).toEqual(throughText(record))
      // Without what only Souk writes, too: a line from elsewhere keeps its own end.
      const { souk: _souk, ...foreign } = line
      const back = episodeOfV4(foreign, { run: "r", kept: memory().kept })
      expect(back).toMatchObject({
        status: "completed",
        end_reason: code,
        imported: expect.not.objectContaining({ difference: expect.anything() }),
      })
      expect(back.events.map(({ type }) => type)).toEqual([
        "episode_start",
        "observation",
        "model_call",
        "limit",
        "observation",
      ])
      expect(back.events[3]).toMatchObject({ limit: "generation_length" })
      expect(roundTripV4(foreign)).toEqual(foreign)
    })
  }

  it("says failed where the form knows no better, and comes back as it was", () => {
    const error = { stage: "model_step_2", code: "CANCELLED", message: "stopped", retryable: true }
    const { reward: _unscored, ...unscored } = episode()
    const records = [
      episode({ status: "invalid" }),
      { ...unscored, status: "cancelled", end_reason: "cancelled", error, evidence: {} } as EpisodeRecord,
      { ...unscored, status: "failed", end_reason: "error", error, evidence: {}, events: [] } as EpisodeRecord,
    ]
    for (const record of records) {
      expect(v4OfEpisode(record, memory().shared, ALL).status).toBe("failed")
      expect(roundTrip(record)).toEqual(record)
    }
    expect(roundTrip(episode())).toEqual(episode())
  })

  it("comes back as it was, whatever there is in it", () => {
    fc.assert(
      fc.property(anyRecord(), (record) => {
        expect(canonicalJson(roundTrip(record) as Json)).toBe(canonicalJson(record as Json))
      }),
      { numRuns: 150 },
    )
  })

  it("leaves out reasoning, goal and persona unless they are named", () => {
    const line = (...include: ("reasoning" | "goal" | "persona")[]) =>
      JSON.stringify(v4OfEpisode(episode(), memory().shared, new Set(include)))
    expect(line()).not.toMatch(/canary|7321|why/)
    expect(JSON.parse(line()).souk.left_out).toEqual(["reasoning", "goal", "persona"])
    expect(line("reasoning")).toMatch(/canary-reasoning/)
    expect(line("reasoning")).not.toMatch(
      /canary-(asin|instruction|explanation|quoted|more|liking|habit|tokens)|7321|why/,
    )
    expect(line("goal")).toMatch(/canary-asin/)
    expect(line("goal")).not.toMatch(/canary-(thought|reasoning|raw|liking|habit|more|tokens)|why/)
    expect(line("persona")).toMatch(/canary-liking/)
    expect(line("persona")).not.toMatch(
      /canary-(thought|reasoning|raw|asin|instruction|explanation|quoted|more)|7321|why/,
    )
    expect(line("persona", "goal", "reasoning")).toMatch(/canary-more/)
  })

  it("comes back without what was left out, and says what that was", () => {
    const { kept, shared } = memory()
    const back = episodeOfV4(throughText(v4OfEpisode(episode(), shared, new Set())), { run: "r", kept })
    expect(back.left_out).toEqual(["reasoning", "goal", "persona"])
    expect(back.status).toBe("completed")
    expect(back.events.map(({ at_ms }) => at_ms)).toEqual([0, 1, 2, 5, 6, 7, 7])
    expect(back.evidence).toEqual({ purchase: { asin: "1" } })
    expect(back.messages[0]!.content).toBe("Shop well.\n\nProfile:\n{}\n\nMore.")
  })

  it("hides a profile that is told in other words", () => {
    const messages = [{ role: "system" as const, content: "They like canary-liking, and canary-habit." }]
    const line = v4OfEpisode(episode({ messages }), memory().shared, new Set(["goal"]))
    expect(line.conversation).toEqual([{ role: "system", content: "(left out: persona)" }])
  })
})

describe("a v4 line as a record of ours", () => {
  it("comes back as it was, with members nobody knows, gaps and other values", () => {
    const base = throughText(v4OfEpisode(episode(), memory().shared, ALL))
    delete base.souk
    expect(roundTripV4(base)).toEqual(base)
    let kept = 0
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), anyJson(), fc.boolean()), { maxLength: 4 }), (changes) => {
        const line = structuredClone(base)
        for (const [place, value, remove] of changes) change(line, place, value, remove)
        let back: JsonObject
        try {
          back = roundTripV4(line)
        } catch (error) {
          expect(error).toMatchObject({ code: "BAD_INPUT" }) // no line of the form any more
          return
        }
        expect(canonicalJson(back)).toBe(canonicalJson(line))
        kept++
      }),
      { numRuns: 300 },
    )
    expect(kept).toBeGreaterThan(100)
  })

  it("is refused with the place of what is wrong", () => {
    const { kept } = memory()
    const read = (value: unknown) => () => episodeOfV4(value, { run: "r", kept })
    const base = throughText(v4OfEpisode(episode(), memory().shared, ALL))
    expect(read({ schema_version: "shopsimrl-episode-v3" })).toThrow(/not an episode of .*-v4: "shopsimrl-episode-v3"/)
    expect(read([1])).toThrow(/no schema_version/)
    expect(read({ ...base, status: "won" })).toThrow(/^status: /)
    expect(read({ ...base, steps: [{ step_index: 1 }] })).toThrow(/^steps\[0\]\.tools: /)
    const souk = { form: "souk.episode/1", conversion: "souk-v4-0" }
    expect(read({ ...base, souk })).toThrow(/another version of Souk \("souk-v4-0"/)
  })

  it("is failed when it says completed and has no end", () => {
    const base = throughText(v4OfEpisode(episode(), memory().shared, ALL))
    delete base.souk
    const line = { ...base, final: { ...(base.final as JsonObject), done: false } }
    const record = episodeOfV4(line, { run: "r", kept: memory().kept })
    expect(record).toMatchObject({ status: "failed", error: { stage: "final", code: "NO_END" } })
    expect(record.reward).toBeUndefined()
    expect(roundTripV4(line)).toEqual(line)
  })

  const data = testData()
  it.skipIf(data === undefined)("loses nothing of recorded episodes, in a third of the bytes", () => {
    const { kept, shared } = memory()
    const text = gunzipSync(readFileSync(join(data!, "shop-v8/traces-v4-sample.jsonl.gz"))).toString("utf8")
    const lines = text.trim().split("\n")
    expect(lines.length).toBe(20)
    for (const written of lines) {
      const line = JSON.parse(written) as JsonObject
      const record = episodeOfV4(line, { run: "0".repeat(64), kept })
      expect(record.imported).not.toHaveProperty("difference") // all of it has a place in our form
      expect(throughText(v4OfEpisode(record, shared, ALL))).toEqual(line)
      expect(Buffer.byteLength(encodeEpisode(record)) / Buffer.byteLength(written)).toBeLessThan(1 / 3)
      const shown = JSON.stringify(v4OfEpisode(record, shared, new Set()))
      expect(shown).not.toMatch(/先看价格|用户ID|__reasoning__|instruction_text|instruction_simple|price_upper/)
    }
  })
})

function anyWord() {
  return fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 8 }),
    fc.constantFrom("__proto__", "0", "@x", "souk", "reasoning", "idx"),
  )
}

function anyJson(): fc.Arbitrary<Json> {
  const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
    tree: fc.oneof(
      { depthSize: "small" },
      fc.constant(null),
      fc.boolean(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (n === 0 ? 0 : n)),
      anyWord(),
      fc.array(tie("tree"), { maxLength: 3 }),
      fc.dictionary(anyWord(), tie("tree"), { maxKeys: 3, noNullPrototype: true }),
    ),
  }))
  return tree
}

function anyObject(): fc.Arbitrary<JsonObject> {
  return fc.dictionary(anyWord(), anyJson(), { maxKeys: 3, noNullPrototype: true })
}

/** Records with events in any order, of known and unknown kinds, members besides the known ones, and any texts. */
function anyRecord(): fc.Arbitrary<EpisodeRecord> {
  const word = anyWord()
  const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (n === 0 ? 0 : n))
  const optional = <T>(values: Record<string, fc.Arbitrary<T>>) => fc.record(values, { requiredKeys: [] })
  const at = optional({ at_ms: number, step: fc.integer({ min: -2, max: 9 }) })
  const toolCall = fc.record({
    id: word,
    type: fc.constant("function" as const),
    function: fc.record({
      name: word,
      arguments: fc.oneof(
        word,
        anyObject().map((value) => JSON.stringify(value)),
      ),
    }),
  })
  const tokens = { prompt_tokens: number, reasoning_tokens: number, cached_tokens: number }
  const shapes: fc.Arbitrary<JsonObject>[] = [
    fc.record({
      type: fc.constant("episode_start"),
      instruction: word,
      persona: fc.option(anyObject()),
      info: anyObject(),
    }),
    fc.record({ type: fc.constant("observation"), text: word, state: anyObject() }),
    fc
      .tuple(
        fc.record({
          type: fc.constant("model_call"),
          outcome: fc.constantFrom("reply", "protocol_error", "policy_failure"),
          tools: fc.array(word, { maxLength: 2 }),
          latency_ms: number,
        }),
        optional<unknown>({
          code: word,
          message: word,
          seed: number,
          content: word,
          reasoning: word,
          tool_calls: fc.array(toolCall, { maxLength: 2 }),
          finish_reason: word,
          usage: optional<unknown>({ ...tokens, completion_tokens_details: optional(tokens) }),
          response_id: word,
          metadata: anyObject(),
          raw_response: anyJson(),
          other: anyJson(),
        }),
      )
      .map(([must, may]) => ({ ...must, ...may }) as JsonObject),
    fc.record({ type: fc.constant("action"), action: word }),
    fc.record({
      type: fc.constant("feedback"),
      feedback: fc.record({ action: word, valid: fc.boolean(), reason: word, message: word }),
    }),
    fc.record({ type: fc.constant("limit"), limit: word }),
    fc.record({ type: fc.constant("error"), stage: word, code: word, message: word, retryable: fc.boolean() }),
    fc.record({ type: fc.constantFrom("later_kind", "another_kind"), more: anyJson() }),
  ]
  const event = fc.tuple(fc.oneof(...shapes), at).map(([body, when]) => ({ ...body, ...when }))
  const message = fc.oneof(
    fc.record({ role: fc.constantFrom("system", "user"), content: word }),
    fc.record({ role: fc.constant("tool"), tool_call_id: word, content: word }),
    fc.record(
      { role: fc.constant("assistant"), content: fc.option(word), tool_calls: fc.array(toolCall, { maxLength: 2 }) },
      { requiredKeys: ["role", "content"] },
    ),
  )
  const error = fc.record(
    {
      stage: word,
      code: word,
      message: word,
      retryable: fc.boolean(),
      cleanup_errors: fc.array(word),
      traceback: anyJson(),
    },
    { requiredKeys: ["stage", "code", "message", "retryable"] },
  )
  const must = fc.record({
    status: fc.constantFrom("completed", "failed", "cancelled", "invalid"),
    job: fc.record({
      key: word,
      task_id: fc.oneof(fc.nat().map(String), fc.string({ minLength: 1 })),
      sample_id: fc.nat(),
      seed: fc.nat(),
      split: word,
    }),
    episode_id: fc.string({ minLength: 1 }),
    attempt: fc.integer({ min: 1, max: 5 }),
    end_reason: word,
    started_at: word,
    duration_ms: number,
    provenance: fc.dictionary(fc.constantFrom("run", "identities", "tools", "x"), word, { noNullPrototype: true }),
    messages: fc.array(message, { maxLength: 5 }),
    events: fc.array(event, { maxLength: 9 }),
    evidence: fc.oneof(anyObject(), fc.record({ goal: anyJson(), purchase: anyJson() })),
    usage: fc.tuple(fc.nat(), optional(tokens)).map(([model_calls, used]) => ({ model_calls, ...used })),
  })
  const may = optional<unknown>({
    reward: fc.record({ value: number, detail: anyObject() }),
    error,
    training: anyJson(),
    selected_skills: fc.array(anyObject(), { maxLength: 2 }),
    left_out: anyJson(),
    imported: anyJson(),
    more: anyJson(),
  })
  return fc
    .tuple(must, may)
    .map(([a, b]) => EpisodeRecord.parse({ ...episode(), ...a, reward: undefined, training: undefined, ...b }))
    .map((record) => EpisodeRecord.parse(throughText(record)))
}

/** Puts `value` into a place of `root`, or takes away what is there. */
function change(root: JsonObject, place: number, value: Json, remove: boolean): void {
  const places: { holder: JsonObject | Json[]; key: string }[] = []
  const visit = (holder: Json) => {
    if (typeof holder !== "object" || holder === null) return
    for (const key of Object.keys(holder)) {
      places.push({ holder, key })
      visit((holder as JsonObject)[key]!)
    }
  }
  visit(root)
  const { holder, key } = places[place % places.length]!
  if (Array.isArray(holder)) {
    if (remove) holder.splice(Number(key), 1)
    else holder[Number(key)] = value
  } else if (remove) delete holder[key]
  else holder[place % 3 === 0 ? `${key}_more` : key] = value
}
