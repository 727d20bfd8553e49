import { describe, expect, it } from "vitest"
import type { JsonObject } from "../../core/json.ts"
import type { EpisodeEvent, EpisodeRecord } from "../../core/trace.ts"
import { measureShopping } from "./shopping.ts"

const home = { page_type: "search_home" }
const list = (from: number, ...asins: string[]): JsonObject => ({
  page_type: "search_results",
  rank_start: from,
  rank_end: from + asins.length - 1,
  products: asins.map((asin, index) => ({ asin, rank: from + index })),
})
const product = (asin: string, selected_options: JsonObject = {}): JsonObject => ({
  page_type: "product_detail",
  product: { asin },
  selected_options,
})

function page(state: JsonObject): EpisodeEvent {
  return { type: "observation", text: "", state }
}

/** One turn: what the model did, and the page it led to. */
function turn(action: string, state: JsonObject, { valid = true, tokens = 10 } = {}): EpisodeEvent[] {
  return [
    {
      type: "model_call",
      outcome: "reply",
      tools: [],
      latency_ms: 5,
      usage: { completion_tokens: tokens },
      reasoning: "hm",
    },
    { type: "action", action },
    { type: "feedback", feedback: { action, valid, reason: "", message: "" } },
    page(state),
  ]
}

function record(events: EpisodeEvent[], changes: Partial<EpisodeRecord> = {}): EpisodeRecord {
  return {
    schema: "souk.episode/1",
    suite: "shopping",
    episode_id: "e",
    job: { key: "e", task_id: "1", sample_id: 0, seed: 1, split: "val" },
    attempt: 1,
    status: "completed",
    end_reason: "purchase",
    started_at: "",
    ended_at: "",
    duration_ms: 1,
    provenance: {},
    usage: { model_calls: 0 },
    reward: { value: 1, detail: { r_success: 1 } },
    messages: [],
    events: [{ type: "episode_start", instruction: "", persona: { age: 30 }, info: {} }, page(home), ...events],
    evidence: {},
    ...changes,
  }
}

describe("measureShopping", () => {
  it("tells moves apart by the pages before and after them", () => {
    const events = [
      ...turn("search[Red  Tent]", list(1, "A", "B")),
      ...turn("click[next >]", list(3, "C", "D")),
      ...turn("click[c]", product("C")),
      ...turn("click[< prev]", list(3, "C", "D")),
      ...turn("click[nonsense]", list(3, "C", "D"), { valid: false }),
      ...turn("click[< prev]", list(1, "A", "B")),
      ...turn("click[back to search]", home),
      ...turn("search[red tent]", list(1, "C", "E"), { tokens: 30 }),
      ...turn("click[C]", product("C")),
      ...turn("click[Color=red]", product("C", { Color: "red" })),
      ...turn("click[Size=L]", product("C", { Color: "red", Size: "L" })),
      ...turn("click[Color=blue]", product("C", { Color: "blue", Size: "L" })),
      ...turn("click[buy now]", { page_type: "terminal" }),
    ]
    const { behavior, actions, invalidActions, steps } = measureShopping(record(events))
    expect({ actions, invalidActions, steps }).toEqual({ actions: 13, invalidActions: 1, steps: 13 })
    expect(Object.fromEntries(behavior)).toEqual({
      searches: 2,
      unique_queries: 1,
      query_chars: 16,
      product_opens: 2,
      unique_products: 1,
      product_revisits: 1,
      first_product_rank: 3,
      exposed_products: 5,
      backtracks: 2,
      paginations: 2,
      option_selections: 3,
      option_changes: 1,
      reasoning_chars: 26,
      generated_tokens: 150,
      tokens_per_turn: 150 / 13,
      first_turn_tokens: 10,
    })
  })

  it("says nothing of tokens where a turn does not count them, nor of a product never opened", () => {
    const [call, ...rest] = turn("search[tent]", list(1, "A"))
    const { usage: _, ...uncounted } = call as Extract<EpisodeEvent, { type: "model_call" }>
    const { behavior } = measureShopping(record([...turn("search[tent]", list(1, "A")), uncounted, ...rest]))
    for (const name of ["generated_tokens", "tokens_per_turn", "first_turn_tokens", "first_product_rank"]) {
      expect(behavior.has(name), name).toBe(false)
    }
    expect(behavior.get("exposed_products")).toBe(1)
  })

  it("labels an episode by what its trace tells", () => {
    const labels = (goal: JsonObject) => Object.fromEntries(measureShopping(record([], { evidence: { goal } })).labels)
    const common = { persona: "shown", termination: "purchase" }
    expect(labels({ category: "Sports › Tents" })).toEqual({ domain: "Sports", ...common })
    expect(labels({ category: "Sports", labels: { domain: "Outdoors", difficulty: "hard", other: "x" } })).toEqual({
      domain: "Outdoors",
      difficulty: "hard",
      ...common,
    })
    expect(labels({})).toEqual(common)
  })
})

describe("what is said with a shopper", () => {
  const said = (kind: "answer" | "decline", more: object = {}): EpisodeEvent =>
    ({ type: "shopper", kind, question: "?", answer: "!", facts: [], drafts: 1, faults: [], ...more }) as EpisodeEvent
  const start = (info: JsonObject): EpisodeEvent => ({ type: "episode_start", instruction: "", persona: null, info })

  it("is counted with its faults, where there was a shopper", () => {
    const events = [
      start({ shopper: { kind: "template" } }),
      said("answer"),
      said("answer", { drafts: 3, faults: ["leak", "leak", "contradiction"], withheld: true }),
      said("decline", { drafts: 2, faults: ["empty"] }),
    ]
    expect(Object.fromEntries(measureShopping(record([], { events })).behavior)).toMatchObject({
      questions: 2,
      declines: 1,
      shopper_drafts: 6,
      shopper_leaks: 2,
      shopper_empty: 1,
      shopper_contradictions: 1,
      shopper_withheld: 1,
    })
    expect(measureShopping(record([], { events: [start({ shopper: {} })] })).behavior.get("questions")).toBe(0)
    expect(measureShopping(record([], { events: [start({})] })).behavior.has("questions")).toBe(false)
  })
})
