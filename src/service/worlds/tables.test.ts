import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { z } from "zod"
import { fingerprint } from "../../core/fingerprint.ts"
import { Script } from "../script.ts"
import { ScriptClock } from "../script-clock.ts"
import { withRow } from "./tables/state.ts"
import { type TableTool, ToolRefusal, tableTool } from "./tables/tool.ts"
import { TablesWorld, tablesWorld } from "./tables.ts"

type Shelf = { readonly id: string; readonly stock: number; readonly tags: readonly string[] }
type Store = { readonly shelves: ReadonlyMap<string, Shelf>; readonly notes: ReadonlyMap<string, { text: string }> }

const STORE: Store = {
  shelves: new Map([
    ["10", { id: "10", stock: 3, tags: ["a"] }],
    ["9", { id: "9", stock: 0, tags: [] }],
  ]),
  notes: new Map(),
}

const take = tableTool({
  name: "take",
  kind: "write",
  description: "Takes things from a shelf.",
  parameters: z.object({ shelf: z.string(), count: z.int().nonnegative() }),
  run(state: Store, { shelf, count }) {
    const row = state.shelves.get(shelf)
    if (row === undefined) throw new ToolRefusal("No such shelf")
    if (row.stock < count) throw new ToolRefusal("Not enough there")
    return {
      state: withRow(state, "shelves", shelf, { ...row, stock: row.stock - count }),
      content: "taken",
      data: count,
    }
  },
})

const count = tableTool({
  name: "count",
  kind: "read",
  description: "Counts what is on a shelf.",
  parameters: z.object({ shelf: z.string() }),
  run: (state: Store, { shelf }) => ({ state, content: String(state.shelves.get(shelf)?.stock ?? "none") }),
})

const broken: TableTool<Store> = {
  name: "broken",
  kind: "read",
  description: "",
  parameters: {},
  run: () => {
    throw new TypeError("a fault of the tool")
  },
}

const tools = [take, count, broken]
const world = () => new TablesWorld({ tables: STORE, tools })
const plain = (store: Store) => ({ shelves: Object.fromEntries(store.shelves), notes: Object.fromEntries(store.notes) })

describe("a live world of tables", () => {
  it("reads what was written before", () => {
    const live = world()
    expect(live.call("count", { shelf: "10" }).content).toBe("3")
    expect(live.call("take", { shelf: "10", count: 2 })).toMatchObject({
      ok: true,
      content: "taken",
      data: 2,
      changed: true,
    })
    expect(live.call("count", { shelf: "10" })).toMatchObject({ content: "1", changed: false })
  })

  it("tells the digest of the state after every call: RFC 8785 JSON of the tables", () => {
    const live = world()
    expect(live.digest()).toBe(fingerprint(plain(STORE) as never))
    const { state } = live.call("take", { shelf: "10", count: 1 })
    expect(state).toBe(fingerprint(plain(live.state) as never))
    expect(state).not.toBe(fingerprint(plain(STORE) as never))
    expect(live.call("count", { shelf: "10" }).state).toBe(state)
  })

  it("answers refusals, unknown tools and wrong arguments, and changes nothing then", () => {
    const live = world()
    const before = live.digest()
    expect(live.call("take", { shelf: "10", count: 4 })).toMatchObject({
      ok: false,
      content: "Error: Not enough there",
    })
    expect(live.call("give", {})).toMatchObject({ ok: false, content: "Error: Tool 'give' not found." })
    expect(live.call("take", { shelf: "10" }).content).toMatch(/^Error: Wrong arguments: count: /)
    expect(live.call("take", { shelf: "10", count: 1, more: 1 }).content).toMatch(/more/)
    expect(live.call("constructor", {}).ok).toBe(false)
    expect(live.digest()).toBe(before)
  })

  it("throws a tool's own fault: that is not the agent's", () => {
    expect(() => world().call("broken", {})).toThrow("a fault of the tool")
  })

  it("a write that changes nothing is not a change", () => {
    expect(world().call("take", { shelf: "10", count: 0 })).toMatchObject({ ok: true, changed: false })
  })

  it("goes back to a state that was kept", () => {
    const live = world()
    live.call("take", { shelf: "10", count: 1 })
    const kept = live.state
    const digest = live.digest()
    live.call("take", { shelf: "10", count: 2 })
    live.restore(kept)
    expect(live.digest()).toBe(digest)
    expect(live.call("count", { shelf: "10" }).content).toBe("2")
  })

  it("a fork has a life of its own", () => {
    const live = world()
    live.call("take", { shelf: "10", count: 1 })
    const fork = live.fork()
    fork.call("take", { shelf: "10", count: 2 })
    expect(live.call("count", { shelf: "10" }).content).toBe("2")
    expect(fork.call("count", { shelf: "10" }).content).toBe("0")
    expect(fork.difference()).toHaveLength(1)
  })

  it("tells what differs between two states, down to the member", () => {
    const live = world()
    const start = live.state
    live.call("take", { shelf: "10", count: 2 })
    expect(live.difference()).toEqual([
      {
        table: "shelves",
        id: "10",
        before: { id: "10", stock: 3, tags: ["a"] },
        after: { id: "10", stock: 1, tags: ["a"] },
        members: [{ path: "/stock", before: 3, after: 1 }],
      },
    ])
    live.restore(withRow(start, "notes", "n/1", { text: "new" }))
    expect(live.difference()).toEqual([
      { table: "notes", id: "n/1", before: null, after: { text: "new" }, members: [] },
    ])
    live.restore(withRow(start, "shelves", "9", { id: "9", stock: 0, tags: ["b"] }))
    expect(live.difference()[0]?.members).toEqual([{ path: "/tags/0", after: "b" }])
  })

  it("whatever is called, no state that was kept ever changes", () => {
    const call = fc.record({ shelf: fc.constantFrom("10", "9", "x"), count: fc.integer({ min: -1, max: 3 }) })
    fc.assert(
      fc.property(fc.array(call, { maxLength: 8 }), (calls) => {
        const live = world()
        const kept: { state: Store; text: string }[] = []
        for (const args of calls) {
          kept.push({ state: live.state, text: JSON.stringify(plain(live.state)) })
          live.call("take", args)
        }
        for (const { state, text } of kept) expect(JSON.stringify(plain(state))).toBe(text)
      }),
    )
  })
})

describe("the world of an evaluation", () => {
  const script = (initialization: unknown[] = []) =>
    Script.parse({
      schema: "souk.script/1",
      id: "s1",
      case_id: "c1",
      language: "en",
      starts_at: "2026-01-01T00:00:00Z",
      initialization,
    })
  const mount = (of = script()) =>
    tablesWorld({ tables: STORE, tools }, { identity: { pack: "test" } }).mount(of, {
      clock: new ScriptClock(of.starts_at),
      signal: new AbortController().signal,
    })
  const { signal } = new AbortController()

  it("offers its tools and gives every case tables of its own", async () => {
    const [first, second] = [await mount(), await mount()]
    expect(first.tools.schemas.map((schema) => schema.function.name)).toEqual(["take", "count", "broken"])
    const answer = await first.tools.call({ id: "1", name: "take", arguments: { shelf: "10", count: 3 } }, { signal })
    expect(answer).toMatchObject({ ok: true, class: "passthrough", write: true })
    const other = await second.tools.call({ id: "2", name: "count", arguments: { shelf: "10" } }, { signal })
    expect(other).toMatchObject({ content: "3" })
    expect(other).not.toHaveProperty("write")
    expect(first.evidence?.()).toMatchObject({ state_after: answer.state, changes: [{ table: "shelves", id: "10" }] })
  })

  it("begins where the script's calls have brought it", async () => {
    const begun = await mount(script([{ name: "take", arguments: { shelf: "10", count: 2 } }]))
    const answer = await begun.tools.call({ id: "1", name: "count", arguments: { shelf: "10" } }, { signal })
    expect(answer.content).toBe("1")
    expect(begun.evidence?.()).toMatchObject({ changes: [] })
    await expect(mount(script([{ name: "take", arguments: { shelf: "9", count: 2 } }]))).rejects.toThrow(/refused/)
  })

  it("is identified by its tables", () => {
    const identity = (tables: Store) => tablesWorld({ tables, tools }, { identity: { pack: "test" } }).identity()
    expect(identity(STORE)).toMatchObject({ world: "tables", pack: "test" })
    expect(identity(STORE)).not.toEqual(identity(withRow(STORE, "shelves", "9", { id: "9", stock: 1, tags: [] })))
  })
})
