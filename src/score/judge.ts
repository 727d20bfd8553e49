import type { CaseRecord } from "../core/case-record.ts"
import type { JsonObject } from "../core/json.ts"
import type { PolicyRules } from "../core/policy.ts"
import type { Verdict } from "../core/verdict.ts"

/** What a judge is given beside the record. */
export interface JudgeContext {
  /** The pack's policy as data; null: it has none. */
  readonly rules: PolicyRules | null
}

/** Reads a case's record and answers its checks. Pure and offline: the same record gives the same verdicts. */
export interface Judge {
  /** Name and version: `facts@1`. */
  readonly name: string
  judge(record: CaseRecord, context: JudgeContext): Verdict[]
}

/** A judge that has to ask somebody. What it answers `unjudgeable` weighs nothing, so that its own faults are never the agent's. */
export interface LateJudge {
  readonly name: string
  /** Cases that it is given at a time, at most. */
  readonly concurrency: number
  judge(record: CaseRecord, context: JudgeContext, call: { readonly signal: AbortSignal }): Promise<Verdict[]>
  /** What its judging came to beside the verdicts: whom it asked, what that took. Kept with the run's figures. */
  report(): JsonObject
}

export function isLate(judge: Judge | LateJudge): judge is LateJudge {
  return "concurrency" in judge
}
