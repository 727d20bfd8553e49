import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import { afterAll, describe, expect, it } from "vitest"
import { encodeEpisode } from "../core/compact.ts"
import type { Json, JsonObject } from "../core/json.ts"
import { type Play, playOf } from "../core/play.ts"
import type { EpisodeEvent, EpisodeRecord } from "../core/trace.ts"
import { readPlays } from "./plays.ts"

const root = mkdtempSync(join(tmpdir(), "souk-plays-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

function record(changes: Partial<EpisodeRecord> = {}): EpisodeRecord {
  return {
    schema: "souk.episode/1",
    suite: "shopping",
    episode_id: "task-1",
    job: { key: "task-1", task_id: "1", sample_id: 0, seed: 1, split: "val" },
    attempt: 1,
    status: "completed",
    end_reason: "purchase",
    started_at: "2026-01-01T00:00:00.000Z",
    ended_at: "2026-01-01T00:00:01.000Z",
    duration_ms: 1000,
    provenance: {},
    usage: { model_calls: 0 },
    reward: { value: 1, detail: { r_success: 1 } },
    messages: [{ role: "system", content: 'Says "texts":[ and ],"events":[{' }],
    events: [],
    evidence: {},
    ...changes,
  }
}

async function plays(lines: readonly string[]): Promise<Play[]> {
  writeFileSync(join(root, "traces.jsonl"), lines.map((line) => `${line}\n`).join(""))
  const found: Play[] = []
  for await (const { play } of readPlays(root)) found.push(play)
  return found
}

/** Everything a play says, in the order given: it must not matter what is asked for first. */
function told(play: Play, keys: readonly (readonly string[])[], order: readonly number[], states: boolean): Json {
  const events: Record<number, JsonObject> = {}
  for (const index of order) {
    const event = play.events[index]!
    const read = () =>
      keys[index]!.filter((key) => key !== "at_ms" && key !== "step").map((key) => [key, event.get(key) ?? null])
    const state = () => ["page_type", "products", "product", "actions"].map((key) => event.state?.get(key) ?? null)
    events[index] = states ? { state: state(), members: read() } : { members: read(), state: state() }
  }
  return {
    events: Object.values(events).map(({ state, members }) => ({ state, members }) as JsonObject),
    goal: ["asin", "category", "labels"].map((key) => play.goal?.get(key) ?? null),
    evidence: play.evidence.get("case") ?? null,
    extra: play.extra("cost") ?? null,
    status: play.header.status,
  }
}

const words = fc.constantFrom(
  "a red tent for two",
  '帐篷 🏕 with “quotes” and \\ and "',
  "@at",
  "short",
  'x],"events":[{"',
  "long ".repeat(12),
)
const product = fc.record({ asin: fc.stringMatching(/^[0-9]{4}$/), title: words, rank: fc.nat(20) })
const state = fc.oneof(
  fc.record({
    page_type: fc.constant("search_results"),
    products: fc.array(product, { maxLength: 5 }),
    actions: fc.array(words),
  }),
  fc.record({
    page_type: fc.constant("product_detail"),
    product,
    selected_options: fc.dictionary(words, words, { maxKeys: 2 }),
  }),
)
const event = fc.oneof(
  state.map((page) => {
    const text = `${JSON.stringify(page, null, 1)}\n${page.page_type}`
    return { type: "observation", text, state: page }
  }),
  words.map((action) => ({ type: "action", action })),
  fc.record({
    type: fc.constant("model_call"),
    outcome: fc.constant("reply"),
    tools: fc.array(words),
    latency_ms: fc.nat(),
    reasoning: words,
  }),
  fc.record({
    type: fc.constant("surprise"),
    "@key": words,
    nested: fc.record({ texts: fc.array(words), messages: fc.array(words) }),
  }),
)

describe("readPlays", () => {
  it("a line gives the same play as its record, whatever is asked for first", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 1, maxLength: 8 }),
        fc.dictionary(fc.constantFrom("asin", "category", "labels"), words),
        fc.boolean(),
        fc.boolean(),
        async (events, goal, reverse, states) => {
          const given = record({
            events: events as unknown as EpisodeEvent[],
            evidence: { goal },
            reward: { value: 1, detail: { texts: ["a"], r_success: 1 } },
            cost: { amount: "0.1", currency: "EUR" },
          })
          const [play] = await plays([encodeEpisode(given)])
          const keys = given.events.map((one) => Object.keys(one))
          const order = reverse ? [...keys.keys()].reverse() : [...keys.keys()]
          expect(told(play!, keys, order, states)).toEqual(told(playOf(given), keys, order, states))
        },
      ),
      { numRuns: 150 },
    )
  })

  it("reads lines that somebody else wrote, with members in another order", async () => {
    const { events, ...rest } = record()
    const line = JSON.stringify({ events: [{ type: "action", action: "click[x]" }, ...events], texts: [], ...rest })
    const [play] = await plays([line])
    expect(play!.events[0]!.get("action")).toBe("click[x]")
    expect(play!.header.reward?.value).toBe(1)
  })

  it("leaves out a torn tail and names a damaged line", async () => {
    const line = encodeEpisode(record())
    expect(await plays([line])).toHaveLength(1)
    appendFileSync(join(root, "traces.jsonl"), line.slice(0, 40))
    expect(readFileSync(join(root, "traces.jsonl"), "utf8")).toContain("\n{")
    let count = 0
    for await (const _ of readPlays(root)) count++
    expect(count).toBe(1)
    await expect(plays([line, line.replace('"status":"completed"', '"status":"odd"')])).rejects.toThrow(/line 2/)
    await expect(plays(["not json"])).rejects.toMatchObject({ code: "STORE_CORRUPT" })
  })

  it("there are none in a folder without traces", async () => {
    for await (const _ of readPlays(join(root, "nothing"))) expect.unreachable()
  })
})
