import type { BuyerFault, BuyerFidelity } from "../../core/buyer.ts"
import type { CaseRecord } from "../../core/case-record.ts"
import type { Script } from "../script.ts"
import { agrees, asks, asksToGoAhead, beforeGoodbye, refuses, saysGoodbye, wasNotUnderstood } from "./acts.ts"
import { buyerCard } from "./card.ts"
import { factsOf } from "./facts.ts"
import { Knowledge } from "./knowledge.ts"
import type { BuyerNotes, SimulatedBuyerRole } from "./simulated.ts"
import { driftOf, styleOf } from "./style.ts"

/** Version of what is counted, and how. */
const BUYER_MEASURE = "buyer-fidelity@1"

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
  const said: string[] = []
  let heard: string | undefined // since the buyer spoke
  let answered = false
  let left = false
  let turn = 0
  const early = (quote?: string) => {
    if (faults.some(({ kind }) => kind === "early_end")) return
    faults.push({ turn, kind: "early_end", ...(quote !== undefined && { quote }) })
  }
  for (const { sender, channel, delivery, text, turn: number } of record.messages) {
    if (channel !== "conversation") continue
    if (sender !== "buyer") {
      if (delivery !== "sent") continue
      knowledge.hear(text)
      answered = true
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
    left = saysGoodbye(text, language)
    if (left && !planned && leavesEarly(text, heard, { said, answered, script })) early(text)
    said.push(text)
    heard = undefined
  }
  const ended = record.end_reason === "goal_reached" || record.end_reason === "abandoned"
  if (ended && said.length > 0 && !left) {
    if (heard !== undefined && asksToGoAhead(heard, language)) early(heard)
    else if (unsaid(script, said)) early()
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

/**
 * Whether a goodbye comes too early: nothing was ever answered, it is in one breath with a yes to a go-ahead, the shop's question is
 * left open, or what the buyer came for was not brought up.
 */
function leavesEarly(
  text: string,
  heard: string | undefined,
  { said, answered, script }: { readonly said: readonly string[]; readonly answered: boolean; readonly script: Script },
): boolean {
  const { language } = script
  if (heard === undefined) return !answered
  if (asksToGoAhead(heard, language)) {
    if (refuses(text, language)) return false
    return true
  }
  const words = beforeGoodbye(text, language) ?? text
  if (asks(heard, language) && !wasNotUnderstood(heard, language) && isBare(words, language)) return true
  return unsaid(script, [...said, text])
}

/** Whether the words before a goodbye answer nothing: thanks and the like. */
function isBare(words: string, language: Script["language"]): boolean {
  if (refuses(words, language) || agrees(words, language) || factsOf(words).length > 0) return false
  return words.replace(THANKS, "").replace(/[\p{P}\p{S}\s]/gu, "") === ""
}
const THANKS =
  /\b(?:ok(?:ay)?|alright|all ?right|well|great|good|fine|cool|perfect|thanks?(?: you)?(?: (?:so|very) much)?|thank|thx|ty|cheers|then|so|and|anyway|right|got it|i see|never ?mind|a lot|for (?:the|your) (?:help|time|info\w*))\b|好的?|行|嗯+|谢谢(?:你|您)?(?:了|啦)?|谢了|多谢|那|哦|知道了|明白了?|了解了?|吧|啦|了|麻烦(?:你|您)了|辛苦(?:你|您)?了/gi

/** Whether something that the buyer was to ask or to tell never came up. Only of plots that end well. */
function unsaid(script: Script, said: readonly string[]): boolean {
  if (script.outcome !== "goal_reached") return false
  const all = said.join("\n")
  const values = new Set(factsOf(all).map(({ value }) => value))
  return script.segments
    .flatMap(({ texts }) => texts)
    .filter((line) => !agrees(line, script.language) && !refuses(line, script.language))
    .some((line) => {
      const facts = factsOf(line)
      if (facts.length === 0 && !asks(line, script.language)) return false
      if (facts.length > 0 && facts.filter(({ value }) => values.has(value)).length * 2 >= facts.length) return false
      const units = unitsOf(line)
      return units.filter((unit) => all.toLowerCase().includes(unit)).length < 0.4 * units.length
    })
}

/** Words of a text, or pairs of Chinese characters. */
function unitsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[a-z]{3,}/g) ?? []
  const han = text.replace(/[^\p{Script=Han}]/gu, "")
  return [...words, ...Array.from({ length: Math.max(0, han.length - 1) }, (_, index) => han.slice(index, index + 2))]
}

const STAGE = /[*_]{1,2}[^*_]+[*_]{1,2}|[([（【<][^)\]）】>]*[)\]）】>]/g
const NOTHING =
  /^(?:n\/?a|null|undefined|none|nil|empty|blank|silence|no (?:response|reply|message|comment|text|answer)|nothing(?: to (?:say|add))?|i have nothing to (?:say|add)|placeholder|todo|text|message|say|无|没有回复|无回复|空|沉默|没有内容|无内容|无话可说|没什么(?:好|可)?说的?|等待(?:中|回复)?|\(?pause\)?|waiting|typing|no input|continue|next)$/i
const HESITATION =
  /^(?:h+m+|u+h+|u+m+|e+r+m*|a+h+|o+h+|hm+|mhm+|m+|huh|eh|well|so|and|but|like|you know|let me (?:see|think)|i guess|i mean|anyway|嗯+|额+|呃+|啊+|哦+|噢+|唔+|那个|这个|就是|然后|emm+|e+m+|hhh*|呵呵|哈+|诶+|唉+)$/i
/** Says only that something was heard: empty where an answer was wanted that this is none to. */
const HEARD = /^(?:ok(?:ay)?|k+|i see|got it|right|alright|noted|sure thing|好的?|知道了|收到|明白|了解|行|嗯+|哦+)$/i

/** Whether a message says nothing: no words, stage directions alone, hesitation, or an acknowledgement of a question that needs an answer. */
function saysNothing(text: string, language: Script["language"], heard: string | undefined): boolean {
  const asked = heard !== undefined && asks(heard, language)
  const goAhead = heard !== undefined && asksToGoAhead(heard, language)
  const plain = text
    .replace(STAGE, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim()
  if (plain === "" || NOTHING.test(plain) || NOTHING.test(text.trim())) return true
  const words = plain.split(" ")
  if (HEARD.test(plain) || words.every((word) => HEARD.test(word)))
    return /[…?？]|\.\.\.?/.test(text) || (asked && !goAhead)
  if (/^(?:嗯|额|呃|啊|哦|唔|这|那个|这个|就是|然后)+$/.test(words.join(""))) return true
  return HESITATION.test(plain) || words.every((word) => HESITATION.test(word))
}
