import type { CaseRecord } from "../../../core/case-record.ts"
import type { ConversationMessage } from "../../../core/conversation.ts"
import { foldText } from "../../../lib/fold-text.ts"
import { answers } from "./answers.ts"
import type { Terms } from "./arithmetic.ts"
import { type Assessment, assess, isBearer } from "./assess.ts"
import { dayIn } from "./calendar.ts"
import { type Claim, claimsOf } from "./claims.ts"
import { findComparisons } from "./comparisons.ts"
import { withoutEchoes } from "./echo.ts"
import { everyThing } from "./every.ts"
import { inTurn } from "./in-turn.ts"
import { knowledgeAt } from "./knowledge.ts"
import { vocabularyOf } from "./mentions.ts"
import { findMixups, type Mixup } from "./mixups.ts"
import { findNamedAnswers } from "./named-answers.ts"
import { findNamedStock } from "./named-stock.ts"
import { ASKS_KINDS, askedIn, ORDER_NUMBER } from "./number-meaning.ts"
import { readOpenNumber } from "./open-number.ts"
import { findPairings } from "./pairings.ts"
import { readMessage, titleNumbersOf } from "./read-message.ts"
import { withoutOvertaken } from "./reconcile.ts"
import { resolveReferences } from "./references.ts"
import { type ReadMessage, type Scope, scopeOf } from "./scope.ts"
import { findStatements, type Statement } from "./statements.ts"
import { numbersOf, termsOf } from "./terms.ts"
import { goesBy, isOption } from "./things.ts"
import type { Fact, FactValue } from "./types.ts"
import { findStockAnswers } from "./which-has.ts"

/** A claim of one message, and what became of it. */
export interface JudgedClaim {
  readonly message: ConversationMessage
  readonly claim: Claim
  readonly assessment: Assessment
}

export interface JudgedMessage {
  readonly message: ConversationMessage
  readonly claims: readonly JudgedClaim[]
  readonly mixups: readonly Mixup[]
  /** Names of bought things and numbers of items that are right. */
  readonly rightNames: number
}

/** Whether a message reached the buyer from the agent. */
export function isToBuyer({ sender, channel, delivery }: ConversationMessage): boolean {
  return sender === "agent" && channel === "conversation" && delivery !== "failed"
}

/** What each message of the agent claims, held against what the agent knew then. `known`: sentences of its policy. */
export function readCase(record: CaseRecord, known: readonly string[]): JudgedMessage[] {
  return record.messages.flatMap((message, index) =>
    isToBuyer(message) ? [judgeMessage(record, message, record.messages.slice(0, index), known)] : [],
  )
}

const PAST = /变|\bhad been\b|\bfrom\b|→|->|从|之前|原来|原先|当时|以前|previously|earlier|\bwas\b|\bused to\b|before/

/** What a change costs follows from what was before. */
const GAP = /差价|差额|\bprice difference\b|\bthe difference\b/

function judgeMessage(
  record: CaseRecord,
  message: ConversationMessage,
  before: readonly ConversationMessage[],
  known: readonly string[],
): JudgedMessage {
  const today = dayIn(message.at, record.time_zone)
  const facts = knowledgeAt(record, message, known)
  const vocabulary = vocabularyOf(facts)
  const past = before
    .filter(({ channel }) => channel === "conversation")
    .map((one) => ({ sender: one.sender, read: readMessage(one.text, vocabulary) }))
  const earlier = past.map(({ read }) => read)
  const buyers = past.flatMap(({ sender, read }) => (sender === "buyer" ? [read] : []))
  const named = readMessage(message.text, vocabulary, titleNumbersOf(facts))
  const references = resolveReferences(named, buyers)
  const meant: ReadMessage = {
    ...named,
    mentions: [...named.mentions, ...references.mentions].sort((one, other) => one.start - other.start),
    open: references.open,
  }
  const said = before.filter(({ sender }) => sender === "buyer")
  const buyerText = said.map(({ text }) => foldText(text)).join("\n")
  const question = foldText(said.at(-1)?.text ?? "")
  const asked = askedIn(question)
  const statements = [
    ...findStatements(meant.text, record.language, today, asked),
    ...answers(meant, said.at(-1), record, today),
    ...findNamedStock(meant, asked === "stock"),
    ...findNamedAnswers(meant, buyers.at(-1), lastSaid(said.at(-1), record)),
  ]
  const own = inTurn(meant, statements, buyers)
  const saidBefore = said
    .flatMap(({ text, at }) => findStatements(foldText(text), record.language, dayIn(at, record.time_zone)))
    .filter(({ bound }) => bound !== "about")
  const days = saidBefore.flatMap(({ value }) =>
    value.kind === "date" && !value.wide ? value.spans.map(({ to }) => to) : [],
  )
  const given = numbersOf(buyerText, record.language)
  const told = (claim: Claim) => facts.filter((fact) => !fact.outdated || PAST.test(claim.words))
  const scopeIn = (claim: Claim, where: ReadMessage): Scope => {
    const candidates = told(claim).filter((fact) => isBearer(fact, claim.value.kind) || isHelper(fact, claim))
    return scopeOf(claim.start, where, earlier, candidates, (axis, names) => isVariant(claim, axis, names, facts))
  }
  const terms = new Map<boolean, Terms>()
  const termsIn = (isPast: boolean, usable: readonly Fact[]): Terms => {
    const known = terms.get(isPast) ?? termsOf(usable, own, buyers, record.language)
    terms.set(isPast, known)
    return known
  }
  const judged = (claim: Claim, where: ReadMessage = own): Assessment => {
    const usable = told(claim)
    return assess(claim, scopeIn(claim, where), {
      all: usable,
      today,
      given,
      days,
      get terms() {
        const isWide = PAST.test(claim.words) || GAP.test(claim.words)
        return termsIn(isWide, isWide ? facts : usable)
      },
    })
  }
  const settled = (claim: Claim): { claim: Claim; assessment: Assessment } => {
    if (claim.open !== undefined) {
      if (claim.open === "none" && (!isLaconic(claim, own) || ASKS_KINDS.test(claim.topic)))
        return { claim, assessment: { outcome: "ignored" } }
      const value = readOpenNumber(claim, scopeOf(claim.start, own, earlier, told(claim)))
      if (value === undefined) return { claim, assessment: { outcome: "ignored" } }
      const read: Claim = { ...claim, value }
      return { claim: read, assessment: judged(read) }
    }
    const every = everyThing(claim, own, buyers)
    if (every.length > 0) {
      const all = every.map((where) => judged(claim, where))
      return { claim, assessment: all.find(({ outcome }) => outcome === "wrong") ?? all[0]! }
    }
    const assessment = judged(claim)
    const { alternate } = claim
    if (alternate === undefined || assessment.outcome === "supported") return { claim, assessment }
    const other = { ...claim, value: alternate }
    const second = judged(other)
    const isOpen = asked === null || asked === "price" || claim.bound === "under" || isNothing(assessment)
    const isBetter =
      (second.outcome === "supported" && (isOpen || (second.fact !== undefined && !isOfOrder(claim)))) ||
      (second.outcome === "wrong" &&
        isNothing(assessment) &&
        second.code !== "unsupported" &&
        (alternate.kind === asked || isStockTalk(claim, alternate, facts, given)) &&
        !isLoneOne(claim))
    return isBetter ? { claim: other, assessment: second } : { claim, assessment }
  }
  const topic = withoutTitles(buyers.at(-1))
  const all = claimsOf(own, statements, buyerText, topic)
  const denied = statements.filter(({ start }) => !all.some((claim) => claim.start === start))
  const claims = withoutEchoes(all, own.text, saidBefore, denied).map((claim) => ({ message, ...settled(claim) }))
  const { wrong, right } = findMixups(own, earlier, facts, buyers.at(-1))
  const answered = [findComparisons, findStockAnswers, findPairings].flatMap((find) => find(own, buyers.at(-1), facts))
  return { message, claims: withoutOvertaken(claims), mixups: [...wrong, ...answered], rightNames: right.length }
}

/** Whether a day is told of a variant on record, which days of other variants then say nothing of. */
function isVariant({ value }: Claim, axis: string, names: ReadonlySet<string>, facts: readonly Fact[]): boolean {
  if (value.kind !== "date" || !isOption(axis)) return false
  return facts.some((fact) => goesBy(fact, { axis, names }))
}

/** Whether a number is told of an order, by its words or by what was asked. */
function isOfOrder({ aspects, topic }: Claim): boolean {
  return aspects.has("order") && ORDER_NUMBER.test(topic)
}

/** Whether a number stands beside the name of a thing, or almost alone: 灰色L码两百八, `ninety-six, then …`. */
function isLaconic({ words, start, end, clause }: Claim, { mentions }: ReadMessage): boolean {
  if (
    mentions.some(
      (mention) => mention.axis !== "order" && mention.start >= clause.start && mention.end <= clause.end + 1,
    )
  )
    return true
  const rest = words.slice(0, start - clause.start) + words.slice(end - clause.start)
  return rest.replace(/[^a-z一-龥]/g, "").length <= 6
}

/** What the buyer's last message states. */
function lastSaid(message: ConversationMessage | undefined, record: CaseRecord): Statement[] {
  return message === undefined
    ? []
    : findStatements(foldText(message.text), record.language, dayIn(message.at, record.time_zone))
}

/** The buyer's words without titles of products, which ask for nothing: 清洁套装 is no pack. */
function withoutTitles(message: ReadMessage | undefined): string {
  const titles = message?.mentions.filter(({ axis }) => axis === "product") ?? []
  return titles.reduce(
    (text, { start, end }) => text.slice(0, start) + " ".repeat(end - start) + text.slice(end),
    message?.text ?? "",
  )
}

/** Where nothing but stocks is on record, a number of things that nobody named before is a stock. */
function isStockTalk(claim: Claim, alternate: FactValue, facts: readonly Fact[], given: ReadonlySet<number>): boolean {
  if (alternate.kind !== "stock" || claim.value.kind !== "quantity") return false
  if (claim.aspects.size > 0 || claim.value.readings.some((count) => given.has(count))) return false
  if (facts.some(({ labels }) => labels.has("order"))) return false
  return !/[¥$€£]|元|块|价|price|dollar|buy|买|[x×*=]|即?送|赠|gift|free/.test(claim.words)
}

/** 一把, one: an article rather than a number. */
function isLoneOne({ bare, value }: Claim): boolean {
  return bare && (value.kind === "quantity" ? value.readings[0] === 1 : value.kind === "stock" && value.count === 1)
}

/** Whether there was nothing to hold a claim against. */
function isNothing(assessment: Assessment): boolean {
  return assessment.outcome === "ignored" || (assessment.outcome === "wrong" && assessment.code === "unsupported")
}

/** A date may follow from another and a number of days. */
function isHelper(fact: Fact, claim: Claim): boolean {
  return claim.value.kind === "date" && fact.value.kind === "duration"
}
