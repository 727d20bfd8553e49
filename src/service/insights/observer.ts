import type { ConversationMessage } from "../../core/conversation.ts"
import type { IntentPoint } from "../../core/sales.ts"
import type { ChannelBinding } from "../targets/channel.ts"
import type { BuyingInsights } from "./insights.ts"

/** Reads what others found out about a buyer's mind. Asks for nothing, and changes nothing. */
export interface PurchaseIntentObserver<Binding = unknown> {
  /** Begins to watch the session of one case. */
  observe(binding: Binding): PurchaseIntentReader
}

export interface PurchaseIntentReader {
  /** A point for each of the buyer's words among `messages`, in their order. */
  read(messages: readonly ConversationMessage[]): IntentPoint[]
  /** Ends the watching: what becomes known later is nobody's. */
  close(): void
}

/**
 * Observes what `insights` made of the words that the case's own conversation received and gave to its agent. Words are known by their
 * ids alone: equal texts or times never stand for each other. Words without an estimate have a reason, and no figure of other words.
 */
export function purchaseIntentObserver(insights: BuyingInsights): PurchaseIntentObserver<ChannelBinding> {
  return {
    observe({ conversation }) {
      let open = true
      return {
        read(messages) {
          const given = new Set(
            conversation.log.flatMap((event) =>
              event.type === "submitted" || event.type === "consumed" ? event.message_ids : [],
            ),
          )
          const received = new Set(
            conversation.log.flatMap((event) => (event.type === "received" ? [event.message.id] : [])),
          )
          return messages
            .filter(({ sender, channel }) => sender === "buyer" && channel === "conversation")
            .map(({ id, turn, at }): IntentPoint => {
              const point = { turn, buyer_message_id: id, at }
              const reading = open && received.has(id) ? insights.reading(conversation, id) : undefined
              if (reading === undefined) return { status: "unavailable", ...point, reason: "result_missing" }
              if (reading.status === "unavailable") return { status: "unavailable", ...point, reason: reading.reason }
              if (!given.has(id)) return { status: "unavailable", ...point, reason: "cancelled" }
              return { status: "observed", ...point, score: reading.insight.intent }
            })
        },
        close() {
          open = false
        },
      }
    },
  }
}
