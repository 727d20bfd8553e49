import type { CaseRecord } from "../core/case-record.ts"
import type { ConversationMessage } from "../core/conversation.ts"
import type { CaseSales, HumanComparison, IntentPoint } from "../core/sales.ts"
import type { Script } from "./script.ts"

/** Who answers a buyer in an original conversation: a colleague, or what answered for one then. */
const ANSWERS: ReadonlySet<ConversationMessage["sender"]> = new Set(["agent", "human_native", "human_console"])

/** What a record says about selling; undefined for a script that does not say when in a sale it plays. */
export function caseSales(
  { phase, original_messages }: Pick<Script, "phase" | "original_messages">,
  messages: readonly ConversationMessage[],
  { deal, intent }: { readonly deal?: boolean | undefined; readonly intent?: readonly IntentPoint[] | undefined },
): CaseSales | undefined {
  if (phase !== "presales") return phase && { phase }
  return {
    phase,
    ...(deal !== undefined && { simulated_deal: deal }),
    human_comparisons: humanComparisons(original_messages, messages),
    ...(intent !== undefined && { purchase_intent: [...intent] }),
  }
}

/**
 * Pairs the buyer's words of a play with the same words, to the letter, of the original conversation (both in their order), and so the
 * agent's answers with those that a human gave. Words that are said again match their next occurrence there. Words that were answered
 * on one side only have no pair.
 */
export function humanComparisons(
  original: readonly ConversationMessage[],
  played: readonly ConversationMessage[],
): HumanComparison[] {
  const used = new Map<string, number>() // words → where they were matched last
  return played.filter(isBuyers).flatMap(({ id, turn, text }) => {
    const index = original.findIndex(
      (message, at) => at > (used.get(text) ?? -1) && isBuyers(message) && message.text === text,
    )
    if (index < 0) return []
    used.set(text, index)
    const next = original.findIndex((message, at) => at > index && isBuyers(message))
    const replies = original.slice(index + 1, next < 0 ? undefined : next).filter(isReply)
    const answers = played.filter((message) => message.turn === turn && message.sender === "agent" && isReply(message))
    if (replies.length === 0 || answers.length === 0) return []
    return {
      turn,
      buyer_message_id: id,
      original_message_id: original[index]!.id,
      human_reply_ids: replies.map((message) => message.id),
      agent_message_ids: answers.map((message) => message.id),
    }
  })
}

function isBuyers({ sender, channel }: ConversationMessage): boolean {
  return sender === "buyer" && channel === "conversation"
}

function isReply({ sender, channel, delivery }: ConversationMessage): boolean {
  return ANSWERS.has(sender) && channel === "conversation" && delivery === "sent"
}

/** What a record says about selling that its messages contradict. */
export function salesProblems({ sales, messages, original_messages }: CaseRecord): string[] {
  if (sales === undefined) return []
  const { phase, simulated_deal, human_comparisons, purchase_intent } = sales
  const given = simulated_deal ?? human_comparisons ?? purchase_intent
  if (phase === "other" && given !== undefined) return ["a case that is not before the sale has figures of one"]
  const said = new Map(messages.map((message) => [message.id, message]))
  const originals = new Set(original_messages.map(({ id }) => id))
  const problems: string[] = []
  for (const { turn, buyer_message_id, original_message_id, human_reply_ids, agent_message_ids } of human_comparisons ??
    []) {
    const own = [buyer_message_id, ...agent_message_ids]
    const right =
      own.every((id) => said.get(id)?.turn === turn) &&
      [original_message_id, ...human_reply_ids].every((id) => originals.has(id))
    if (!right) problems.push(`the comparison of message ${buyer_message_id} names messages that are not there`)
  }
  const seen = new Set<string>()
  for (const { buyer_message_id: id, turn, at } of purchase_intent ?? []) {
    const message = said.get(id)
    if (message === undefined || !isBuyers(message) || message.turn !== turn || message.at !== at) {
      problems.push(`the purchase intent at message ${id} is of no words of the buyer`)
    }
    if (seen.has(id)) problems.push(`message ${id} has two purchase intents`)
    seen.add(id)
  }
  return problems
}
