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
