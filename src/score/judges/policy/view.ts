import type { CaseRecord } from "../../../core/case-record.ts"
import type { ConversationMessage, ToolRecord } from "../../../core/conversation.ts"
import type { Verdict } from "../../../core/verdict.ts"
import { foldText } from "../../../lib/fold-text.ts"
import { findClauses } from "../facts/clauses.ts"
import { isToBuyer } from "../facts/read.ts"

export type Evidence = Verdict["evidence"]

/** What a rule or a check came to. */
export type Outcome = Pick<Verdict, "state" | "reason" | "evidence"> & {
  readonly code?: string
  readonly gate?: Verdict["gate"]
}

/** A message with its text folded: half-width, lower case, simplified. */
export interface Said {
  readonly message: ConversationMessage
  readonly text: string
}

/** A case as rules look at it. */
export interface CaseView {
  readonly record: CaseRecord
  /** What the buyer was told. */
  readonly agent: readonly Said[]
  readonly buyer: readonly Said[]
}

export function viewOf(record: CaseRecord): CaseView {
  const said = (messages: readonly ConversationMessage[]) =>
    messages.map((message) => ({ message, text: foldText(message.text) }))
  return {
    record,
    agent: said(record.messages.filter(isToBuyer)),
    buyer: said(record.messages.filter(({ sender }) => sender === "buyer")),
  }
}

/** Patterns are compiled once; rules hold them as texts. */
const compiled = new Map<string, RegExp>()

export function matches(text: string, source: string): boolean {
  let pattern = compiled.get(source)
  if (pattern === undefined) {
    pattern = new RegExp(source, "iu")
    compiled.set(source, pattern)
  }
  return pattern.test(text)
}

export function matchesAny(text: string, sources: readonly string[]): boolean {
  return sources.some((source) => matches(text, source))
}

/** A sentence of a message: its folded text, and the same as it was written. */
export interface Sentence {
  readonly text: string
  readonly quote: string
  readonly message: ConversationMessage
  /** Asked, not told. */
  readonly question: boolean
}

export function sentencesOf({ message, text }: Said): Sentence[] {
  const groups = new Map<number, { start: number; end: number; question: boolean }>()
  for (const { sentence, start, end, question } of findClauses(text, message.text)) {
    const known = groups.get(sentence)
    groups.set(sentence, { start: known?.start ?? start, end, question })
  }
  return [...groups.values()].map(({ start, end, question }) => ({
    text: text.slice(start, end),
    quote: message.text.slice(start, end).trim(),
    message,
    question,
  }))
}

/** Whether a call did what it was for. */
export function isDone({ ok, class: kind }: ToolRecord): boolean {
  return ok && kind !== "miss"
}

/** A short piece of a tool's answer, to show where to look. */
export function toolEvidence({ id, content }: ToolRecord): Evidence {
  const quote = content.slice(0, 200)
  return quote === "" ? [] : [{ tool_id: id, quote }]
}

export function messageEvidence(...said: readonly (Said | undefined)[]): Evidence {
  return said.flatMap((one) =>
    one === undefined || one.message.text === ""
      ? []
      : [{ message_id: one.message.id, quote: one.message.text.slice(0, 500) }],
  )
}

/** Text for comparing what must or must not be told: one case, one width, no separators of thousands. */
export function plain(text: string): string {
  return foldText(text)
    .replace(/(?<=\d),(?=\d{3}(?!\d))/g, "")
    .replace(/\s+/g, " ")
    .trim()
}
