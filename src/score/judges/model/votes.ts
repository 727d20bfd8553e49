import type { CaseRecord } from "../../../core/case-record.ts"
import { Verdict } from "../../../core/verdict.ts"
import { readText } from "../../query-gate.ts"
import type { ANSWERS, Answer } from "./answer.ts"
import { MODEL_JUDGE } from "./name.ts"
import type { Question } from "./questions.ts"

/** How often each answer was drawn; `fault`: draws without an answer. */
type Votes = Partial<Record<(typeof ANSWERS)[number] | "fault", number>>

/**
 * The verdict of several draws: what more than half of those that answered say. No verdict is given where half of the draws or more have no
 * answer (`judge_fault`), where most abstain (`abstained`, or `evidence_not_found`) and where no answer has more than half (`no_majority`).
 */
export function verdictOf({ case_id }: CaseRecord, question: Question, drawn: readonly (Answer | string)[]): Verdict {
  const { id, blocking, weight, gate } = question
  const answers = drawn.filter((one): one is Answer => typeof one !== "string")
  const votes: Votes = {}
  for (const one of drawn) {
    const state = typeof one === "string" ? "fault" : one.state
    votes[state] = (votes[state] ?? 0) + 1
  }
  const share = (state: Answer["state"]) => (votes[state] ?? 0) / answers.length
  const majority = answers.find(({ state }) => share(state) > 0.5)
  return Verdict.parse({
    case_id,
    check_id: id,
    judge: MODEL_JUDGE,
    gate: gate.state,
    blocking,
    weight,
    ...outcome(),
    ...(majority !== undefined && 2 * answers.length > drawn.length && { share: share(majority.state) }),
    votes,
  })

  function outcome(): Pick<Verdict, "state" | "reason" | "evidence"> & { code?: string } {
    if (2 * answers.length <= drawn.length) {
      const why = drawn.find((one) => typeof one === "string") ?? ""
      return {
        state: "unjudgeable",
        code: "judge_fault",
        reason: `The judge's model gave no usable answer: ${why}`,
        evidence: [],
      }
    }
    if (majority === undefined) {
      return { state: "unjudgeable", code: "no_majority", reason: "The draws disagree", evidence: [] }
    }
    const { state, reason, evidence, code = "abstained" } = majority
    if (state === "abstain") return { state: "unjudgeable", code, reason: reason || "The judge abstains", evidence }
    const said = reason || "The judge gives no reason"
    if (state === "not_applicable") return { state, reason: said, evidence }
    if (gate.state === "closed_not_queried" && gate.read !== undefined) {
      return { state: "fail", code: "not_queried", reason: `Was not read first: ${readText(gate.read)}`, evidence }
    }
    return { state, ...(state === "fail" && { code: question.code }), reason: said, evidence }
  }
}
