import type { PolicyRule } from "../../../core/policy.ts"
import { holds } from "./condition.ts"
import { confirmation } from "./confirmation.ts"
import { callBefore, handOver, identification } from "./order-of-calls.ts"
import { ownDataOnly } from "./own-data.ts"
import type { CaseView, Outcome } from "./view.ts"
import { mustSay, neverSay, neverTell, promiseLimit } from "./words.ts"

/** What a rule comes to in a case. */
export function carryOut(rule: PolicyRule, view: CaseView): Outcome {
  if (!holds(rule.when, view))
    return { state: "not_applicable", reason: "The rule does not concern the case", evidence: [] }
  switch (rule.type) {
    case "confirm_before_write":
      return confirmation(rule, view)
    case "identify_before":
      return identification(rule, view)
    case "call_before":
      return callBefore(rule, view)
    case "hand_over":
      return handOver(rule, view)
    case "promise_limit":
      return promiseLimit(rule, view)
    case "never_say":
      return neverSay(rule, view)
    case "must_say":
      return mustSay(rule, view)
    case "own_data_only":
      return ownDataOnly(rule, view)
    case "never_tell":
      return neverTell(rule, view)
    default:
      return rule satisfies never
  }
}
