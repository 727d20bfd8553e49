import type { PolicyCondition } from "../../../core/policy.ts"
import { type CaseView, isDone, matchesAny } from "./view.ts"

/** Whether a rule with this condition concerns the case. */
export function holds(condition: PolicyCondition | undefined, { record, agent, buyer }: CaseView): boolean {
  if (condition === undefined) return true
  const { categories, languages, buyer_says, agent_says, called } = condition
  if (categories !== undefined && !categories.includes(record.category ?? "")) return false
  if (languages !== undefined && !languages.includes(record.language)) return false
  if (buyer_says !== undefined && !buyer.some(({ text }) => matchesAny(text, buyer_says))) return false
  if (agent_says !== undefined && !agent.some(({ text }) => matchesAny(text, agent_says))) return false
  return called === undefined || record.tools.some((tool) => called.includes(tool.name) && isDone(tool))
}
