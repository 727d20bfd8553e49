import { describe, expect, it } from "vitest"
import { ToolRecord } from "../core/conversation.ts"
import type { JsonObject } from "../core/json.ts"
import { ScriptTime } from "../core/time.ts"
import { caseOf } from "./judges/facts/case.fixture.ts"
import { factsJudge } from "./judges/facts.ts"
import { queryGate } from "./query-gate.ts"

function call(name: string, given: JsonObject, more: JsonObject = {}): ToolRecord {
  const at = "2026-03-02T10:00:00Z"
  return ToolRecord.parse({
    id: name,
    turn: 1,
    at,
    name,
    arguments: given,
    ok: true,
    content: "…",
    class: "hit",
    ...more,
  })
}

const READ = { command: "catalog.detail", item_id: "88" }

describe("the query gate", () => {
  it("is open when every required read was answered, and when none is required", () => {
    expect(queryGate([], []).state).toBe("open")
    expect(queryGate([READ], [call("catalog.detail", { item_id: "88" })]).state).toBe("open")
    expect(queryGate([READ], [call("catalog.detail", { item_id: 88 })]).state).toBe("open")
  })

  it("is closed as not queried without the call, about another product, or in another view", () => {
    expect(queryGate([READ], [])).toEqual({ state: "closed_not_queried", read: READ })
    expect(queryGate([READ], [call("catalog.detail", { item_id: "89" })]).state).toBe("closed_not_queried")
    expect(queryGate([READ], [call("catalog.search", { item_id: "88" })]).state).toBe("closed_not_queried")
    const view = { ...READ, view: "second" }
    expect(queryGate([view], [call("catalog.detail", { item_id: "88", view: "first" })]).state).toBe(
      "closed_not_queried",
    )
  })

  it("is closed by the environment when the read was made and nothing a fair verdict needs was on record", () => {
    const miss = call(
      "catalog.detail",
      { item_id: "88" },
      { class: "miss", reason: "no_command_record", affects_conclusion: true },
    )
    expect(queryGate([READ], [miss])).toEqual({ state: "closed_environment", read: READ, tool: miss })
    expect(queryGate([{ command: "orders" }, READ], [miss]).state).toBe("closed_environment")
    const harmless = { ...miss, affects_conclusion: false }
    expect(queryGate([READ], [harmless]).state).toBe("closed_not_queried")
  })

  it("a later hit opens it, if it is not too late", () => {
    const early = call("catalog.detail", { item_id: "88" }, { class: "miss", affects_conclusion: true })
    const late = call("catalog.detail", { item_id: "88" }, { at: "2026-03-02T12:00:00Z" })
    expect(queryGate([READ], [early, late]).state).toBe("open")
    expect(queryGate([READ], [early, late], ScriptTime.parse("2026-03-02T11:00:00Z")).state).toBe("closed_environment")
  })
})

describe("checks about facts behind the gate", () => {
  const base = caseOf({
    language: "en",
    buyer: "How much is the red M?",
    agent: "The red M is $299.",
    read: ["product"],
  })
  const check = {
    id: "price",
    kind: "product_fact" as const,
    text: "The price is right",
    fact_keys: ["item:88:price"],
    weight: 1,
    blocking: true,
  }
  const judged = (reads: (typeof READ)[], changes: Partial<typeof base> = {}, settings: JsonObject = {}) => {
    const judge_inputs = { ...base.judge_inputs, checks: [{ ...check, required_reads: reads, settings }] }
    const verdicts = factsJudge.judge({ ...base, judge_inputs, ...changes }, { rules: null })
    const { state, gate, code } = verdicts.find(({ check_id }) => check_id === "price")!
    return { state, gate, code }
  }
  const read = base.tools.map((tool) => ({ ...tool, name: READ.command, arguments: { item_id: "88" } }))
  const mute = base.messages.slice(0, 1)

  it("open: the claim is held against the facts", () => {
    expect(judged([READ], { tools: read })).toEqual({ state: "pass", gate: "open", code: undefined })
  })

  it("not queried: a claim fails, silence does not concern the check, unless an answer is demanded", () => {
    expect(judged([READ])).toEqual({ state: "fail", gate: "closed_not_queried", code: "not_queried" })
    expect(judged([READ], { messages: mute })).toMatchObject({ state: "not_applicable", gate: "closed_not_queried" })
    expect(judged([READ], { messages: mute }, { answer_required: true })).toMatchObject({
      state: "fail",
      code: "not_answered",
    })
  })

  it("closed by the environment: nobody can judge it", () => {
    const missed = read.map((tool) => ({ ...tool, class: "miss" as const, affects_conclusion: true }))
    expect(judged([READ], { tools: missed })).toEqual({
      state: "unjudgeable",
      gate: "closed_environment",
      code: "environment_incomplete",
    })
  })
})
