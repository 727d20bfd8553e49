import { describe, expect, it } from "vitest"
import type { CaseRecord } from "../../../../../src/core/case-record.ts"
import { knownFacts, neededReads } from "./knowledge.ts"

type Members = { readonly [name: string]: unknown }
const call = (id: string, rest: Members) => ({
  id,
  turn: 1,
  name: "catalog.detail",
  arguments: { item_id: "88" },
  ok: true,
  class: "hit",
  content: "{}",
  ...rest,
})

function recordOf({
  tools = [],
  facts = [],
  reads = [],
  checks = [],
}: {
  [part: string]: readonly Members[]
}): CaseRecord {
  const judge_inputs = { required_facts: facts, required_reads: reads, checks }
  return { tools, judge_inputs } as unknown as CaseRecord
}

/** The id of the call in which a fact was found; undefined: in none. */
function foundIn(key: string, ...tools: Members[]): string | undefined {
  return knownFacts(recordOf({ tools, facts: [{ key, available: false }] }))[0]!.read?.id
}

describe("what the agent knew", () => {
  it("finds a fact in the first answer that is about its thing and has its member", () => {
    const other = call("other", { arguments: { item_id: "99" }, data: { fields: { price: 5 } } })
    const poor = call("poor", { data: { fields: { title: "lamp" } } })
    const rich = call("rich", { content: '{"fields":{"price":189}}' })
    expect(foundIn("item:88:price", other, poor, rich)).toBe("rich")
    expect(foundIn("item:88:stock", other, poor, rich)).toBeUndefined()
  })

  it("finds nothing in misses, refusals, empty members, and what is only said about an answer", () => {
    const data = { price: 189 }
    expect(foundIn("item:88:price", call("miss", { data, class: "miss" }))).toBeUndefined()
    expect(foundIn("item:88:price", call("refused", { data, ok: false }))).toBeUndefined()
    expect(foundIn("item:88:price", call("empty", { data: { price: null } }))).toBeUndefined()
    expect(foundIn("item:88:price", call("about", { data: { evaluationReplay: data } }))).toBeUndefined()
  })

  it("lists each needed read once, with the last call that asks for just that", () => {
    const ref = { command: "catalog.detail", item_id: "88" }
    const reads = neededReads(
      recordOf({
        tools: [call("c1", {}), call("c2", {}), call("c3", { arguments: { item_id: "99" } })],
        reads: [ref],
        checks: [{ required_reads: [ref, { command: "seller.orders.at", order_id: "o2" }] }],
      }),
    )
    expect(reads.map(({ ref, call }) => [ref.command, call?.id])).toEqual([
      ["catalog.detail", "c2"],
      ["seller.orders.at", undefined],
    ])
  })
})
