import type { LoggedEvent } from "../channel/events.ts"
import type { FirstReply } from "../core/case-record.ts"

/**
 * How fast the first answer to `messageId` came, read from the log up to `untilMs` (the host's clock: the end of the step, before
 * any cleanup). From the words being on record as received, to the first words of the agent on record as sent whose receipt names
 * them. Undefined, not a sample: they were never received, or while the reception was not on, or they were dropped.
 */
export function firstReplyTo(
  messageId: string,
  log: readonly LoggedEvent[],
  untilMs: number,
): Pick<FirstReply, "delivered_ms" | "observed_ms"> | undefined {
  let reception = "on"
  let receivedMs: number | undefined
  const receipts = new Set<string>()
  for (const event of log) {
    switch (event.type) {
      case "reception":
        reception = event.reception
        break
      case "received":
        if (event.message.id !== messageId) break
        if (reception !== "on") return undefined
        receivedMs = event.committed_ms
        break
      case "dropped":
        if (event.message_ids.includes(messageId)) return undefined
        break
      case "sending":
        if (event.message.channel === "conversation" && event.message.answers?.includes(messageId)) {
          receipts.add(event.message.id)
        }
        break
      case "delivery":
        if (receivedMs === undefined || event.outcome !== "sent" || !receipts.has(event.message_id)) break
        if (event.committed_ms > untilMs) break
        return sample(event.committed_ms - receivedMs, event.committed_ms - receivedMs)
      default:
    }
  }
  return receivedMs === undefined ? undefined : sample(null, untilMs - receivedMs)
}

function sample(delivered: number | null, observed: number): Pick<FirstReply, "delivered_ms" | "observed_ms"> {
  return { delivered_ms: delivered === null ? null : Math.round(delivered), observed_ms: Math.round(observed) }
}

/** What a sample says: answered in time, answered late, or not; of the latter, whether it was watched long enough to say so. */
export interface FirstReplyClass {
  readonly answered: boolean
  readonly overGoal: boolean
  /** Not answered, and not watched until the goal. */
  readonly incomplete: boolean
}

export function classifyFirstReply({ delivered_ms, observed_ms, goal_ms }: FirstReply): FirstReplyClass {
  if (delivered_ms !== null) return { answered: true, overGoal: delivered_ms > goal_ms, incomplete: false }
  return { answered: false, overGoal: observed_ms >= goal_ms, incomplete: observed_ms < goal_ms }
}

/** First replies of one case, counted for a report. `longest_ms`: of delivered ones; null: none was. */
export interface FirstReplySummary {
  readonly samples: number
  readonly over_goal: number
  readonly unanswered: number
  readonly incomplete: number
  readonly longest_ms: number | null
}

/** Null where there are no samples: absent is not zero. */
export function summarizeFirstReplies(samples: readonly FirstReply[]): FirstReplySummary | null {
  if (samples.length === 0) return null
  const classes = samples.map(classifyFirstReply)
  const delivered = samples.flatMap(({ delivered_ms }) => (delivered_ms === null ? [] : [delivered_ms]))
  return {
    samples: samples.length,
    over_goal: classes.filter(({ overGoal }) => overGoal).length,
    unanswered: classes.filter(({ answered }) => !answered).length,
    incomplete: classes.filter(({ incomplete }) => incomplete).length,
    longest_ms: delivered.length === 0 ? null : Math.max(...delivered),
  }
}
