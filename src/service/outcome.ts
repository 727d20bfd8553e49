import type { CaseEndReason } from "../core/case-record.ts"

/** What went wrong in a case, by the phase it went wrong in. */
export interface CaseSituation {
  /** Mounting the world or opening the target failed. */
  readonly preparationFailed: boolean
  /** Closing the target, unmounting the world or completing the record failed. */
  readonly cleanupFailed: boolean
  /** The caller stopped the case. */
  readonly cancelled: boolean
  /** The role called its own side unusable. */
  readonly invalid: boolean
  /** A step, the role or the world failed, or a failure of the agent's model was met or is left. */
  readonly failed: boolean
  /** The buyer's own limit ran out. */
  readonly buyerTimedOut: boolean
  /** How the dialogue ended by itself; undefined where it did not come to an end. */
  readonly ended:
    | Extract<CaseEndReason, "goal_reached" | "abandoned" | "reception_paused" | "message_limit">
    | undefined
  /** Anything was said. */
  readonly messages: boolean
}

/** `rejects`: there is no record, the call fails with what evidence there is. */
export type CaseOutcome = { readonly kind: "rejects" } | { readonly kind: "record"; readonly end_reason: CaseEndReason }

/**
 * What the caller gets. A fault of ours before or after the play outranks all; then the caller's wish, so that no error is blamed
 * for a case that was stopped; then an unusable buyer; then failures. Without any message there is no ordinary record.
 */
export function caseOutcome(situation: CaseSituation): CaseOutcome {
  if (situation.preparationFailed || situation.cleanupFailed) return { kind: "rejects" }
  const record = (end_reason: CaseEndReason): CaseOutcome =>
    situation.messages ? { kind: "record", end_reason } : { kind: "rejects" }
  if (situation.cancelled) return record("cancelled")
  if (situation.invalid) return { kind: "record", end_reason: "error" }
  if (situation.failed) return record("error")
  if (situation.buyerTimedOut) return record("timeout")
  return situation.ended === undefined ? { kind: "rejects" } : record(situation.ended)
}
