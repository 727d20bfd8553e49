import type { LoggedEvent } from "../channel/events.ts"

/** A failure of the agent's model or of the way to it, as its turn ended with it. */
export interface TurnFailure {
  readonly code: string
  readonly message: string
  readonly retryable: boolean
}

/*
 * Errors of the agent's turns are looked at with one cursor per case, a position in the log. What lies before the next input when
 * that is said was nobody's to mend any more, and fails the case. Of what happens after it, the last turn counts.
 */

/** The first failed turn after position `examined`: to be asked before an input is said, and when the case closes. */
export function pendingFailure(log: readonly LoggedEvent[], examined: number): TurnFailure | undefined {
  for (const event of log.slice(examined)) {
    const failure = failureOf(event)
    if (failure !== undefined) return failure
  }
  return undefined
}

/** The failure of the last turn that ended after position `from`, if that one failed: to be asked when a wait is over. */
export function failureOfScope(log: readonly LoggedEvent[], from: number): TurnFailure | undefined {
  const last = log.slice(from).findLast((event) => event.type === "turn_end")
  return last === undefined ? undefined : failureOf(last)
}

function failureOf(event: LoggedEvent): TurnFailure | undefined {
  if (event.type !== "turn_end" || event.reason !== "error") return undefined
  const { code, message, retryable } = event.error ?? {
    code: "TARGET_UNAVAILABLE",
    message: "The agent's turn failed, and it did not say why",
    retryable: false,
  }
  return { code, message, retryable }
}
