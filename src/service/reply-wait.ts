import type { LoggedEvent } from "../channel/events.ts"
import type { TurnRecord } from "../core/case-record.ts"
import type { Reception } from "../core/conversation.ts"

/** All that decides whether a wait for the agent's answer is over. */
export interface WaitState {
  /** The words are on record as received. */
  readonly accepted: boolean
  /** All accepted words that were not dropped were read, and a turn of the agent ended after that. */
  readonly turnEnded: boolean
  /** All accepted words were dropped. */
  readonly dropped: boolean
  /** The agent is at nothing. */
  readonly idle: boolean
  readonly reception: Reception
  /** The time for an answer is up, by the host's clock. */
  readonly timeUp: boolean
  /** The caller wants to stop. */
  readonly cancelled: boolean
}

/** `unaccepted`: time was up before the words were accepted, which is a failure of the step. */
export type WaitEnd = Exclude<TurnRecord["ended"], "error"> | "unaccepted"

/**
 * How the wait has ended, or undefined while it goes on. While words are being accepted nothing ends it but the acceptance: whoever
 * asks waits for that first, and a limit or a cancellation met meanwhile counts then.
 */
export function waitEnd(state: WaitState): WaitEnd | undefined {
  if (state.cancelled) return "cancelled"
  if (!state.accepted) return state.timeUp ? "unaccepted" : undefined
  if (state.reception !== "on") return state.reception
  if (state.dropped) return state.idle ? "discarded" : state.timeUp ? "timed_out" : undefined
  if (state.turnEnded) return "answered"
  return state.timeUp ? "timed_out" : undefined
}

/** What became of accepted words, read from the log's events after their acceptance (earlier ones do no harm). */
export function fateOf(
  messageIds: readonly string[],
  events: readonly LoggedEvent[],
): Pick<WaitState, "turnEnded" | "dropped"> {
  const open = new Set(messageIds)
  let read = 0
  let turnEnded = false
  for (const event of events) {
    if (event.type === "dropped") for (const id of event.message_ids) open.delete(id)
    if (event.type === "consumed") {
      for (const id of event.message_ids) if (open.delete(id)) read += 1
      turnEnded = false
    }
    if (event.type === "turn_end" && open.size === 0 && read > 0) turnEnded = true
  }
  return { turnEnded, dropped: open.size === 0 && read === 0 }
}
