import type { PolicyRule } from "../../../core/policy.ts"
import { type CaseView, isDone, messageEvidence, type Outcome, toolEvidence } from "./view.ts"

/** Private reads and writes come after the buyer was identified, by a tool or by the channel. */
export function identification(rule: Extract<PolicyRule, { type: "identify_before" }>, view: CaseView): Outcome {
  const identity = view.record.judge_inputs.identity ?? {}
  const known = rule.identity.find((member) => identity[member] !== undefined && identity[member] !== null)
  const outcome = inOrder(rule.tools, rule.by, view, "not_identified", "before the buyer was identified")
  if (known === undefined || outcome.state !== "fail") return outcome
  return { state: "pass", reason: `The channel itself knows the buyer by ${known}`, evidence: [] }
}

export function callBefore(rule: Extract<PolicyRule, { type: "call_before" }>, view: CaseView): Outcome {
  return inOrder(rule.tools, rule.first, view, "called_too_early", `before ${rule.first.join(" or ")}`)
}

function inOrder(
  tools: readonly string[],
  first: readonly string[],
  { record }: CaseView,
  code: string,
  when: string,
): Outcome {
  const called = record.tools.filter((tool) => tools.includes(tool.name) && isDone(tool))
  const [earliest] = called
  if (earliest === undefined) return { state: "not_applicable", reason: "None of the tools was called", evidence: [] }
  const since = record.tools.findIndex((tool) => first.includes(tool.name) && isDone(tool))
  if (since >= 0 && since < record.tools.indexOf(earliest)) {
    return { state: "pass", reason: "The calls came in order", evidence: toolEvidence(record.tools[since]!) }
  }
  return { state: "fail", code, reason: `${earliest.name} was called ${when}`, evidence: toolEvidence(earliest) }
}

/** A human is asked for by a tool, or the turn ended as handed off. */
export function handOver(
  { required, tools }: Extract<PolicyRule, { type: "hand_over" }>,
  { record, agent }: CaseView,
): Outcome {
  const call = record.tools.find((tool) => tools.includes(tool.name) && tool.ok)
  const isDoneSo = call !== undefined || record.turns.some(({ ended }) => ended === "handed_off")
  const evidence = call === undefined ? messageEvidence(agent.at(-1)) : toolEvidence(call)
  if (isDoneSo === required) {
    return {
      state: "pass",
      reason: required ? "A human was asked for" : "No human was asked for",
      evidence: required ? evidence : [],
    }
  }
  if (required)
    return { state: "fail", code: "no_hand_over", reason: "A human had to be asked for, and was not", evidence }
  return { state: "fail", code: "needless_hand_over", reason: "A human was asked for without need", evidence }
}
