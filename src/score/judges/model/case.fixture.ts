import { CaseRecord } from "../../../core/case-record.ts"
import type { JsonObject } from "../../../core/json.ts"

/** A case in which these messages are said, in this order; a buyer's words begin a turn. Message ids count from `m1`. */
export function caseWith(
  messages: readonly (readonly ["buyer" | "agent" | "system", string])[],
  {
    checks = [],
    tools = [],
    ...more
  }: { readonly checks?: JsonObject[]; readonly tools?: JsonObject[] } & JsonObject = {},
): CaseRecord {
  let turn = 0
  return CaseRecord.parse({
    schema: "souk.case/1",
    case_id: "case",
    case_revision: 1,
    script_id: "script",
    language: "en",
    time_zone: "UTC",
    category: "order",
    end_reason: "goal_reached",
    ended_at: "2026-03-03T00:00:00Z",
    messages: messages.map(([sender, text], index) => {
      if (sender === "buyer") turn++
      return { id: `m${index + 1}`, turn, sender, at: `2026-03-02T10:0${Math.min(turn, 9)}:00Z`, text }
    }),
    original_messages: [],
    tools,
    turns: [],
    human_actions: [],
    judge_inputs: { checks, required_facts: [], order_facts_available: true },
    usage: {},
    ...more,
  })
}
