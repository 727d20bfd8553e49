import { isJsonObject } from "../../../core/json.ts"
import type { AskedCheck } from "../../../core/judgment.ts"
import type { Verdict } from "../../../core/verdict.ts"

/** Why there is no verdict → what that is counted under. */
const WITHOUT: Readonly<Record<string, "abstained" | "evidence_not_found" | "no_majority" | "judge_faults">> = {
  abstained: "abstained",
  evidence_not_found: "evidence_not_found",
  no_majority: "no_majority",
  judge_fault: "judge_faults",
}

/** Adds up what a model answered, check by check, and how often its draws differed. */
export class CheckTally {
  readonly #checks = new Map<string, AskedCheck>()

  /** Of an answer that was asked for. */
  add({ check_id, state, code = "", votes }: Verdict): void {
    const known = this.#checks.get(check_id) ?? nothing()
    this.#checks.set(check_id, known)
    if (isJsonObject(votes) && Object.keys(votes).length > 1) known.divided++
    if (state !== "unjudgeable") known[state]++
    else if (WITHOUT[code] !== undefined) known[WITHOUT[code]]++
  }

  /** Sorted: cases are judged in any order. */
  byCheck(): Record<string, AskedCheck> {
    return Object.fromEntries([...this.#checks].sort(([a], [b]) => (a < b ? -1 : 1)))
  }
}

function nothing(): AskedCheck {
  return {
    pass: 0,
    fail: 0,
    not_applicable: 0,
    abstained: 0,
    evidence_not_found: 0,
    no_majority: 0,
    judge_faults: 0,
    divided: 0,
  }
}
