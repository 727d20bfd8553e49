import type { BuyerFault, BuyerFidelity } from "../../core/buyer.ts"
import type { CaseRecord } from "../../core/case-record.ts"
import type { Script } from "../script.ts"
import { asksToGoAhead, saysGoodbye } from "./acts.ts"
import { buyerCard } from "./card.ts"
import { Knowledge } from "./knowledge.ts"
import { leavesEarly, unasked } from "./leaving.ts"
import { saysNothing } from "./silence.ts"
import type { BuyerNotes, SimulatedBuyerRole } from "./simulated.ts"
import { driftOf, styleOf } from "./style.ts"

/** Version of what is counted, and how. */
const BUYER_MEASURE = "buyer-fidelity@2"

/** One fault of a buyer. */
export interface BuyerFaultFound {
  readonly turn: number
  readonly kind: BuyerFault
  readonly what?: string
  readonly quote?: string
}

/** The faults of the buyer's side in a record, in order: by the words alone, whoever played it. Pure. */
export function buyerFaults(record: Pick<CaseRecord, "messages" | "end_reason">, script: Script): BuyerFaultFound[] {
  const { language } = script
  const knowledge = new Knowledge(buyerCard(script))
  const style = styleOf(script)
  const faults: BuyerFaultFound[] = []
  const messages = record.messages.filter(
    ({ sender, channel, delivery }) => channel === "conversation" && (sender === "buyer" || delivery === "sent"),
  )
  const last = messages.findLastIndex(({ sender }) => sender === "buyer")
  const ended = record.end_reason === "goal_reached" || record.end_reason === "abandoned"
  const said: string[] = []
  let heard: string | undefined // since the buyer spoke
  let left = false
  let turn = 0
  const early = (quote?: string) => {
    if (faults.some(({ kind }) => kind === "early_end")) return
    faults.push({ turn, kind: "early_end", ...(quote !== undefined && { quote }) })
  }
  for (const [index, { sender, text, turn: number }] of messages.entries()) {
    if (sender !== "buyer") {
      knowledge.hear(text)
      heard = heard === undefined ? text : `${heard}\n${text}`
      continue
    }
    turn = number
    for (const { kind, what, quote } of knowledge.review(text)) faults.push({ turn, kind, what, quote })
    const planned = script.segments.some(({ texts }) => texts.includes(text)) // the author's words, whatever they answer
    if (!planned && saysNothing(text, language, heard)) faults.push({ turn, kind: "empty_turn", quote: text })
    if (style !== undefined) {
      for (const what of driftOf(text, style)) faults.push({ turn, kind: "style_drift", what })
    }
    left = saysGoodbye(text, language) || (ended && index === messages.length - 1)
    const parting = { text, heard, said, told: knowledge.heard, script, last: index === last }
    if (left && !planned && leavesEarly(parting)) early(text)
    said.push(text)
    heard = undefined
  }
  if (ended && said.length > 0 && !left) {
    if (heard !== undefined && asksToGoAhead(heard, language)) early(heard)
    else if (unasked(script, said, knowledge.heard)) early()
  }
  return faults
}

/** All that is known of a buyer in a case, as it stands in evidence. `record`: absent where the case has none. */
export function buyerFidelity(
  role: Pick<SimulatedBuyerRole, "notes" | "outcome">,
  script: Script,
  record: CaseRecord | undefined,
): BuyerFidelity {
  const notes: BuyerNotes = role.notes()
  const faults = record === undefined ? [] : buyerFaults(record, script)
  const own = record?.messages.filter(({ sender, channel }) => sender === "buyer" && channel === "conversation") ?? []
  return {
    measure: BUYER_MEASURE,
    turns: own.length,
    faults: faults.map((fault) => ({ ...fault })),
    ended_by_buyer:
      notes.finish !== undefined || record?.end_reason === "goal_reached" || record?.end_reason === "abandoned",
    invalid: record?.buyer_invalid_reason !== undefined,
    simulated_deal: role.outcome().simulated_deal,
    mode: notes.mode,
    drafts: notes.drafts,
    refused: notes.refused.map((draft) => ({ ...draft })),
    reminders: notes.reminders,
    held_back: notes.held_back,
    moods: notes.moods.map((mood) => ({ ...mood })),
    ...(notes.finish !== undefined && { finish: { ...notes.finish } }),
  }
}
