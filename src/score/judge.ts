import type { CaseRecord } from "../core/case-record.ts"
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
