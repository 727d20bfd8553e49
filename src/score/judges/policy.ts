import type { CaseRecord } from "../../core/case-record.ts"
import type { Verdict } from "../../core/verdict.ts"
import type { Judge } from "../judge.ts"
import { checkOutcome } from "./policy/checks.ts"
import { carryOut } from "./policy/rules.ts"
import { type Outcome, viewOf } from "./policy/view.ts"

/**
 * Carries out a pack's rules on a case's record, and answers the checks that the case declares about process, policy, safety, state, sales
 * and what the buyer had to be told. A rule that a check names is answered under the check, and not once more by itself.
 */
export const policyJudge: Judge = {
  name: "policy@1",
  judge(record, { rules }) {
    const view = viewOf(record)
    const named = new Set(record.judge_inputs.checks.map(({ settings }) => settings?.rule))
    const general = (rules?.rules ?? []).filter(({ id }) => !named.has(id))
    return [
      ...general.map((rule) => ({
        ...verdict(record, { ...rule, id: `policy.${rule.id}` }, carryOut(rule, view)),
        text: rule.text,
      })),
      ...record.judge_inputs.checks.flatMap((check) => {
        const outcome = checkOutcome(check, view, rules)
        return outcome === undefined ? [] : [verdict(record, check, outcome)]
      }),
    ]
  },
}

/** Quotes are cut from the record; one that is not there, letter for letter, is left out. */
function verdict(
  record: CaseRecord,
  { id, blocking, weight }: Pick<Verdict, "blocking" | "weight"> & { id: string },
  { gate, ...outcome }: Outcome,
): Verdict {
  return {
    case_id: record.case_id,
    check_id: id,
    judge: "policy@1",
    gate: gate ?? "open",
    blocking,
    weight,
    ...outcome,
    evidence: outcome.evidence.filter(({ message_id, tool_id, quote }) => {
      const source =
        message_id === undefined
          ? record.tools.find((tool) => tool.id === tool_id)?.content
          : record.messages.find((message) => message.id === message_id)?.text
      return quote !== "" && source?.includes(quote) === true
    }),
  }
}
