import type { Check } from "../../../core/case-record.ts"
import type { PolicyRule, PolicyRules } from "../../../core/policy.ts"
import { PolicyRule as PolicyRuleSchema } from "../../../core/policy.ts"
import { queryGate, readText } from "../../query-gate.ts"
import { carryOut } from "./rules.ts"
import { type CaseView, isDone, messageEvidence, type Outcome, toolEvidence } from "./view.ts"
import { communicated } from "./words.ts"

/**
 * What a declared check comes to; undefined for the checks of other judges. Settings say how it is looked at: `outputs` (told to the
 * buyer), `expected` or `digest` (the state at the end), `poi_id` (the destination), `rule` (the name of a rule of the pack, or a rule
 * itself).
 */
export function checkOutcome(check: Check, view: CaseView, rules: PolicyRules | null): Outcome | undefined {
  if (check.kind === "product_fact" || check.kind === "order_fact") return undefined
  const gate = queryGate(check.required_reads, view.record.tools)
  if (gate.state === "closed_environment") {
    const reason = `Nothing is on record for ${gate.read === undefined ? "a read" : readText(gate.read)}`
    return {
      gate: gate.state,
      state: "unjudgeable",
      code: "environment_incomplete",
      reason,
      evidence: gate.tool === undefined ? [] : toolEvidence(gate.tool),
    }
  }
  const outcome = byKind(check, view, rules)
  if (gate.state === "open" || outcome.state === "not_applicable") return { gate: gate.state, ...outcome }
  const reason = `Was not read first: ${gate.read === undefined ? "what it depends on" : readText(gate.read)}`
  return { gate: gate.state, state: "fail", code: "not_queried", reason, evidence: messageEvidence(view.agent.at(-1)) }
}

function byKind(check: Check, view: CaseView, rules: PolicyRules | null): Outcome {
  const settings = check.settings ?? {}
  if (settings.judge === "model") {
    return {
      state: "unjudgeable",
      code: "needs_model",
      reason: "Only a model or a person can answer this check",
      evidence: [],
    }
  }
  if (Array.isArray(settings.outputs)) return communicated(settings.outputs.map(String), view)
  if (check.kind === "state") return finalState(settings, view)
  if (typeof settings.poi_id === "string") return destination(settings.poi_id, view)
  if (check.kind === "sales") return sale(view)
  const rule = ruleOf(settings.rule, check, rules)
  if (typeof rule === "string") return { state: "unjudgeable", code: "no_rule", reason: rule, evidence: [] }
  return carryOut(rule, view)
}

/** The rule a check names, or holds; else what is wrong. */
function ruleOf(given: unknown, check: Check, rules: PolicyRules | null): PolicyRule | string {
  if (typeof given === "string") {
    return rules?.rules.find(({ id }) => id === given) ?? `The pack's rules have no rule ${given}`
  }
  if (given === undefined) return "The check names no rule, and nothing else that is looked at"
  const parsed = PolicyRuleSchema.safeParse({ id: check.id, text: check.text, ...(given as object) }) // zod looks at the rest
  return parsed.success ? parsed.data : `The check's rule cannot be read: ${parsed.error.issues[0]?.message ?? ""}`
}

/** The state of the world at the end, by its digest. */
function finalState(settings: NonNullable<Check["settings"]>, { record }: CaseView): Outcome {
  const world = record.world ?? {}
  const after = world.state_after
  const wanted =
    typeof settings.digest === "string"
      ? settings.digest
      : settings.expected === "unchanged"
        ? world.state_before
        : world.state_expected
  if (typeof after !== "string" || typeof wanted !== "string") {
    return {
      state: "unjudgeable",
      code: "no_state",
      reason: "The record does not say which state was expected, or which was reached",
      evidence: [],
    }
  }
  const writes = record.tools.filter((tool) => tool.write === true && isDone(tool))
  const evidence = writes.flatMap(toolEvidence)
  if (after === wanted) return { state: "pass", reason: "The world ended as expected", evidence }
  const changes = Array.isArray(world.changes) ? world.changes.length : writes.length
  const reason = changes === 0 ? "Nothing was changed, and something had to be" : "The world did not end as expected"
  return { state: "fail", code: "wrong_state", reason, evidence }
}

/** The destination that was asked about, by its stored id. */
function destination(id: string, { record }: CaseView): Outcome {
  const calls = record.tools.filter((tool) => tool.arguments.poi_id !== undefined && isDone(tool))
  if (calls.length === 0) return { state: "not_applicable", reason: "No destination was looked up", evidence: [] }
  const right = calls.find((tool) => tool.arguments.poi_id === id)
  if (right !== undefined)
    return { state: "pass", reason: "The right destination was looked up", evidence: toolEvidence(right) }
  return {
    state: "fail",
    code: "wrong_destination",
    reason: `Another destination than ${id} was looked up`,
    evidence: calls.flatMap(toolEvidence),
  }
}

function sale({ record }: CaseView): Outcome {
  const deal = record.sales?.simulated_deal
  if (typeof deal !== "boolean")
    return { state: "not_applicable", reason: "The case is not about a sale", evidence: [] }
  if (deal) return { state: "pass", reason: "The buyer came to buy", evidence: [] }
  return { state: "fail", code: "no_deal", reason: "The buyer did not come to buy", evidence: [] }
}
