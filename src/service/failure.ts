import type { FirstReply, HumanAction, TurnRecord } from "../core/case-record.ts"
import type { ConversationMessage, ToolRecord } from "../core/conversation.ts"
import { AppError, messageOf } from "../core/errors.ts"
import type { Usage } from "../core/model.ts"
import type { EvaluationResult } from "./runner.ts"

/** What was seen of a case that has no record. */
export interface CaseEvidence {
  readonly messages: readonly ConversationMessage[]
  readonly tools: readonly ToolRecord[]
  readonly turns: readonly TurnRecord[]
  readonly human_actions: readonly HumanAction[]
  readonly first_replies: readonly FirstReply[]
  readonly usage: Readonly<Record<string, { model_calls: number } & Usage>>
}

/** Where a case broke. `preparation` and `cleanup` are ours; `empty`: nothing was said, so that there is nothing to judge. */
export type CaseStage =
  | "mount"
  | "open"
  | "advance"
  | "send"
  | "intervene"
  | "resume"
  | "role"
  | "world"
  | "agent"
  | "close"
  | "unmount"
  | "record"

/** A case without a record: its preparation or its cleanup broke, or nothing was said in it. Keeps what was seen. */
export class EvaluationCaseFailure extends Error {
  override readonly name = "EvaluationCaseFailure"
  readonly caseId: string
  readonly stage: string
  /** Of the first fault; `CANCELLED` where the caller stopped the case before anything was said. */
  readonly code: string
  readonly retryable: boolean
  readonly evidence: CaseEvidence
  /** The same as a record that ended with the error, where anything was said. */
  readonly result: EvaluationResult | undefined

  constructor(
    caseId: string,
    fault: { readonly stage: string; readonly code: string; readonly message: string; readonly retryable: boolean },
    evidence: CaseEvidence,
    { result, cause }: { readonly result?: EvaluationResult | undefined; readonly cause?: unknown } = {},
  ) {
    super(
      `Case ${caseId} has no record (${fault.stage}): ${fault.message}`,
      cause === undefined ? undefined : { cause },
    )
    this.caseId = caseId
    this.stage = fault.stage
    this.code = fault.code
    this.retryable = fault.retryable
    this.evidence = evidence
    this.result = result
  }
}

/** A fault as it stands in records. */
export interface CaseFault {
  readonly stage: string
  readonly code: string
  readonly message: string
  readonly retryable: boolean
  readonly kind?: string
}

export function faultOf(stage: CaseStage, error: unknown): CaseFault {
  if (!(error instanceof AppError)) return { stage, code: "INTERNAL", message: messageOf(error), retryable: false }
  const { code, message, retryable, details } = error
  return { stage, code, message, retryable, ...(typeof details.code === "string" && { kind: details.code }) }
}
