import type { CaseRecord } from "../../../core/case-record.ts"
import type { ConversationMessage } from "../../../core/conversation.ts"
import { foldText } from "../../../lib/fold-text.ts"
import { findAmounts } from "./amounts.ts"
import type { Terms } from "./arithmetic.ts"
import { type Assessment, assess, isBearer } from "./assess.ts"
import { dayIn } from "./calendar.ts"
import { type Claim, claimsOf } from "./claims.ts"
import { findClauses } from "./clauses.ts"
import { knowledgeAt } from "./knowledge.ts"
import { findMentions, type Vocabulary, vocabularyOf } from "./mentions.ts"
import { findMixups, type Mixup } from "./mixups.ts"
import { findNamedStock } from "./named-stock.ts"
import { ASKS_STOCK, askedIn } from "./number-meaning.ts"
import { type ReadMessage, scopeOf } from "./scope.ts"
import { findStatements, type Statement } from "./statements.ts"
import type { Fact, FactValue } from "./types.ts"

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

const PAST = /之前|原来|原先|当时|以前|previously|earlier|\bwas\b|\bused to\b|before/

function judgeMessage(
  record: CaseRecord,
  message: ConversationMessage,
  before: readonly ConversationMessage[],
  known: readonly string[],
): JudgedMessage {
  const today = dayIn(message.at, record.time_zone)
  const facts = knowledgeAt(record, message, known)
  const vocabulary = vocabularyOf(facts)
  const earlier = before
    .filter(({ channel }) => channel === "conversation")
    .map((one) => readMessage(one.text, vocabulary))
  const own = readMessage(message.text, vocabulary, titleNumbersOf(facts))
  const said = before.filter(({ sender }) => sender === "buyer")
  const buyerText = said.map(({ text }) => foldText(text)).join("\n")
  const question = foldText(said.at(-1)?.text ?? "")
  const asked = askedIn(question)
  const statements = [
    ...findStatements(own.text, record.language, today, asked),
    ...answers(own, said.at(-1), record, today),
    ...findNamedStock(own, asked === "stock"),
  ]
  const given = numbersOf(buyerText, record.language)
  const judged = (claim: Claim): Assessment => {
    const usable = facts.filter((fact) => !fact.outdated || PAST.test(claim.words))
    const candidates = usable.filter((fact) => isBearer(fact, claim.value.kind) || isHelper(fact, claim))
    const scope = scopeOf(claim.start, own, earlier, candidates)
    return assess(claim, scope, { all: usable, today, given, terms: termsOf(usable, own, buyerText, record.language) })
  }
  const claims = claimsOf(own, statements, buyerText, question).map((claim): JudgedClaim => {
    const assessment = judged(claim)
    const { alternate } = claim
    if (alternate === undefined || assessment.outcome === "supported") return { message, claim, assessment }
    const other = { ...claim, value: alternate }
    const second = judged(other)
    const isOpen = asked === null || asked === "price" || claim.bound === "under" || isNothing(assessment)
    const isBetter =
      (second.outcome === "supported" && isOpen) ||
      (second.outcome === "wrong" &&
        isNothing(assessment) &&
        second.code !== "unsupported" &&
        (alternate.kind === asked || isStockTalk(claim, alternate, facts, given)) &&
        !isLoneOne(claim))
    return isBetter ? { message, claim: other, assessment: second } : { message, claim, assessment }
  })
  const { wrong, right } = findMixups(own, earlier, facts)
  return { message, claims, mixups: wrong, rightNames: right.length }
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

const NONE: ReadonlySet<string> = new Set()

function titleNumbersOf(facts: readonly Fact[]): Set<string> {
  const titles = new Set(facts.flatMap(({ labels }) => [...(labels.get("product") ?? [])]))
  return new Set([...titles].flatMap((title) => title.match(/\d+(?:\.\d+)?/g) ?? []))
}

/** Numbers of a list's lines: ①, (1), 2. */
const LIST_NUMBERS = /[①-⒛❶-❿⓵-⓾㈠-㈩]|(?<=^|[\n:：;；])[ \t]*(?:\(\d{1,2}\)|\d{1,2}(?:[.)](?!\d)|,(?=\D)))(?=\s*\S)/g

function readMessage(original: string, vocabulary: Vocabulary, titleNumbers: ReadonlySet<string> = NONE): ReadMessage {
  const text = foldText(original).replace(LIST_NUMBERS, (sign) => " ".repeat(sign.length))
  return {
    text,
    clauses: findClauses(text, original),
    mentions: findMentions(text, original, vocabulary),
    titleNumbers,
  }
}

function numbersOf(text: string, language: "zh" | "en"): Set<number> {
  return new Set(findAmounts(text, language).flatMap(({ type, readings }) => (type === "money" ? [] : readings)))
}

/** What totals and differences may be made of: all amounts on record, and how many of a thing are spoken of. */
function termsOf(facts: readonly Fact[], own: ReadMessage, buyerText: string, language: "zh" | "en"): Terms {
  const isUnit = ({ aspects }: Fact) => aspects.size === 0 || aspects.has("price") || aspects.has("original")
  const amountsOf = (some: readonly Fact[]) =>
    some.flatMap(({ value }) => (value.kind === "price" ? value.readings : []))
  const units = amountsOf(facts.filter(isUnit))
  const extras = amountsOf(facts.filter((fact) => !isUnit(fact)))
  const amounts = [...findAmounts(buyerText, language), ...findAmounts(own.text, language)]
  const isCount = (count: number) => count >= 2 && count <= 100 && Number.isInteger(count)
  const spoken = [
    ...amounts.flatMap(({ type, readings }) => (type === "count" || type === "bare" ? readings : [])),
    ...(/\bboth\b|\bpair\b|两|\bcouple\b|\btwice\b/.test(own.text) ? [2] : []),
  ].filter(isCount)
  const recorded = facts.flatMap(({ value, aspects }) =>
    value.kind === "quantity" && !aspects.has("unknown") ? value.readings : [],
  )
  const counts = [...spoken, ...recorded.filter(isCount)]
  const offered = findAmounts(buyerText, language).flatMap(({ type, readings }) =>
    type === "money" || type === "bare" ? readings.filter((amount) => amount >= 10) : [],
  )
  const percents = [
    ...facts.flatMap(({ value }) => (value.kind === "percent" ? value.readings : [])),
    ...amounts.flatMap(({ type, readings }) => (type === "percent" ? readings : [])),
    ...(/半价|half/.test(own.text) ? [50] : []),
  ]
  return {
    units,
    extras,
    counts: [...new Set(counts)].slice(0, 12),
    spoken: [...new Set(spoken)].slice(0, 12),
    offered: [...new Set(offered)].slice(0, 6),
    percents: [...new Set(percents)].slice(0, 4),
  }
}

const YES =
  /^\s*(?:亲[,，~!\s]*|您好[,，!\s]*|hi[,!\s]*|hello[,!\s]*)*(?:是的?|对的?|没错|嗯嗯?|确实|是这样|正确|yes|yep|yeah|correct|that's (?:right|correct)|right|exactly|indeed|absolutely|sure(?: is| thing)?|it (?:is|does)(?! not)|you(?:'re| are) (?:right|correct))(?=$|[\s,，。.!！~呢哦哈的])/
const HAS = /^\s*(?:亲[,，~!\s]*|您好[,，!\s]*)*(?:有的?|有哦|有呢|在的)(?=$|[\s,，。.!！~呢哦哈亲])/
const HAS_NOT =
  /^\s*(?:亲[,，~!\s]*|您好[,，!\s]*|抱歉[,，!\s]*|不好意思[,，!\s]*|sorry[,!\s]*|unfortunately[,!\s]*)*(?:没有|没了|无|no(?! (?:hurry|rush|need|worr|problem|doubt|issue|pressure|panic|stress|trouble|matter))|nope)(?=$|[\s,，。.!！~呢哦哈了])/

/** `Yes` to whether it is more, less or enough states no figure. */
const COMPARES =
  /超过|低于|高于|不到|以内|以上|够|能不能|可以.*吗|能.*吗|比|than|over|under|below|above|\bmore\b|\bless\b|enough|within|can you|could you|would you|will you|do you want/

/** Whether there is enough is another question. */
const ENOUGH = /够|enough|\d/

/** Short answers to whether something can be had. */
const CAN =
  /^\s*(?:(?:yes|sure|hi|hello)[,!.\s]*)?(?:of course|certainly|definitely|we do|it is|they are|you can|you could|sure|there (?:is|are)|可以的?|能的?|够的?|当然|买得到|来得及)(?! not|n't|n’t)(?=$|[\s,，。.!！~:：哦呢])/
const CANNOT =
  /^\s*(?:(?:no|sorry|unfortunately|i'm afraid|抱歉|不好意思)[,!.\s，]*)*(?:unfortunately not|i'm afraid not|not (?:at the moment|right now|currently|any ?more)|we don't|it isn't|they aren't|you can't|there (?:isn't|aren't)|不能|买不到|不够|来不及)(?=$|[\s,，。.!！~:：哦呢了])/

/** Whether it will soon be gone, and that it will not. */
const HURRIES =
  /\bhurry|\brush|\bquick|\bfast\b|run(?:ning)? (?:out|low)|sell(?:ing)? out|赶紧|赶快|抢|着急|急着|要快|手慢|尽快|紧张|卖完|断货/
const CALM =
  /\bno (?:hurry|rush|need to (?:hurry|rush))|\bneedn't (?:hurry|rush)|(?:don't|do not) (?:need|have) to (?:hurry|rush)|(?:不用|不必|无需|不要|别|不)(?:太|那么|这么)?(?:着?急|赶|抢|慌|担心)/

/** `Yes` states what the question asked. */
function answers(
  own: ReadMessage,
  question: ConversationMessage | undefined,
  record: CaseRecord,
  today: string,
): Statement[] {
  if (question === undefined) return []
  const asked = foldText(question.text)
  const clause = own.clauses[0]
  if (clause === undefined) return []
  const first = own.text.slice(clause.start, clause.end)
  const at = {
    start: clause.start,
    end: Math.max(clause.start + 1, clause.end - 1),
    bound: "exact",
    word: "",
    relative: false,
    bare: false,
  } as const
  const isYes = YES.test(first)
  if (HURRIES.test(asked) && CALM.test(first))
    return [{ ...at, value: { kind: "stock", inStock: true, count: null, level: null } }]
  if (
    ASKS_STOCK.test(asked) &&
    (isYes ||
      HAS.test(first) ||
      HAS_NOT.test(first) ||
      ((CAN.test(first) || CANNOT.test(first)) && !ENOUGH.test(asked)))
  ) {
    const negative = /sold out|缺货|没货|售罄/.test(asked)
    const inStock = CANNOT.test(first)
      ? false
      : HAS_NOT.test(first)
        ? negative && /^\s*(?:no|nope|没有)/.test(first)
        : HAS.test(first) || !negative
    return [{ ...at, value: { kind: "stock", inStock, count: null, level: null } }]
  }
  if (!isYes || COMPARES.test(asked)) return []
  const clauses = findClauses(asked, question.text).filter((one) => one.question)
  return findStatements(asked, record.language, today)
    .filter(({ start }) => clauses.some((one) => one.start <= start && start < one.end))
    .map((statement) => ({
      ...statement,
      ...at,
      bound: statement.bound,
      word: statement.word,
      relative: statement.relative,
    }))
}
