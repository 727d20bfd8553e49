import { z } from "zod"
import { CaseRecord, type FirstReply } from "../core/case-record.ts"
import type { ConversationMessage, ToolRecord } from "../core/conversation.ts"
import { AppError } from "../core/errors.ts"
import { salesProblems } from "./sales.ts"

/** In the order of their times; what has the same time stays in the order it came in. */
export function inScriptOrder<T extends { readonly at: string }>(items: readonly T[]): T[] {
  return [...items].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}

/** Reads a case record and checks what a schema cannot. Throws `BAD_INPUT` naming everything that is wrong with it. */
export function parseCaseRecord(value: unknown): CaseRecord {
  const parsed = CaseRecord.safeParse(value)
  if (!parsed.success) throw new AppError("BAD_INPUT", `Not a case record: ${z.prettifyError(parsed.error)}`)
  const problems = caseRecordProblems(parsed.data)
  if (problems.length > 0) {
    throw new AppError("BAD_INPUT", `Record of case ${parsed.data.case_id}: ${problems.join("; ")}`)
  }
  return parsed.data
}

/** What is wrong with a record beyond its form: references, order of time, turns, emptiness. Empty: nothing is. */
export function caseRecordProblems(record: CaseRecord): string[] {
  const executed = Math.max(0, ...record.turns.map(({ turn }) => turn))
  return [
    ...emptiness(record),
    ...duplicates(
      "message",
      record.messages.map(({ id }) => id),
    ),
    ...duplicates(
      "original message",
      record.original_messages.map(({ id }) => id),
    ),
    ...duplicates(
      "tool call",
      record.tools.map(({ id }) => id),
    ),
    ...duplicates(
      "check",
      record.judge_inputs.checks.map(({ id }) => id),
    ),
    ...references(record),
    ...backwards("message", record.messages),
    ...backwards("tool call", record.tools),
    ...afterEnd(record),
    ...turns(record, executed),
    ...humanActions(record, executed),
    ...salesProblems(record),
  ]
}

/** What is wrong with the first replies of a case: turns that were not played, twice, or that nobody could answer. */
export function firstReplyProblems(record: CaseRecord, samples: readonly FirstReply[]): string[] {
  const buyer = new Set(record.messages.filter(({ sender }) => sender === "buyer").map(({ turn }) => turn))
  const seen = new Set<number>()
  return samples.flatMap(({ turn, delivered_ms, observed_ms }) => {
    const problems: string[] = []
    if (!buyer.has(turn)) problems.push(`a first reply is measured for turn ${turn}, where the buyer said nothing`)
    if (seen.has(turn)) problems.push(`turn ${turn} has two first replies`)
    seen.add(turn)
    const ended = record.turns.find((played) => played.turn === turn)?.ended
    if (ended === "discarded") problems.push(`turn ${turn} was discarded and has a first reply`)
    if (delivered_ms !== null && delivered_ms > observed_ms) {
      problems.push(`the first reply of turn ${turn} came later than it was watched`)
    }
    return problems
  })
}

function emptiness({ messages, buyer_invalid_reason, end_reason, error }: CaseRecord): string[] {
  const problems: string[] = []
  if (messages.length === 0 && buyer_invalid_reason === undefined) {
    problems.push("it holds no message, which only a case with an invalid buyer may")
  }
  if (buyer_invalid_reason !== undefined && end_reason !== "error") {
    problems.push(`buyer_invalid_reason needs end_reason error, and it is ${end_reason}`)
  }
  if (end_reason === "error" && error === undefined && buyer_invalid_reason === undefined) {
    problems.push("end_reason error does not say what failed")
  }
  return problems
}

function duplicates(what: string, ids: readonly string[]): string[] {
  return [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))].map((id) => `${what} ${id} occurs twice`)
}

function references({ messages, original_messages }: CaseRecord): string[] {
  const known = new Set([...messages, ...original_messages].map(({ id }) => id))
  return messages.flatMap(({ id, answers = [] }) =>
    answers.filter((answered) => !known.has(answered)).map((answered) => `message ${id} answers unknown ${answered}`),
  )
}

function backwards(what: string, items: readonly (ConversationMessage | ToolRecord)[]): string[] {
  return items.flatMap((item, index) => {
    const before = items[index - 1]
    return before !== undefined && item.at < before.at ? [`${what} ${item.id} is earlier than ${before.id}`] : []
  })
}

function afterEnd({ messages, tools, human_actions, ended_at }: CaseRecord): string[] {
  const late = [
    ...messages.map(({ id, at }) => ({ what: `message ${id}`, at })),
    ...tools.map(({ id, at }) => ({ what: `tool call ${id}`, at })),
    ...human_actions.map(({ turn, at }) => ({ what: `the human action of turn ${turn}`, at })),
  ].filter(({ at }) => at > ended_at)
  return late.map(({ what }) => `${what} is later than the end`)
}

function turns({ messages, tools, turns }: CaseRecord, executed: number): string[] {
  const problems = turns.flatMap(({ turn }, index) =>
    turn === index + 1 ? [] : [`turn ${index + 1} is missing before turn ${turn}`],
  )
  for (const { id, turn } of messages)
    if (turn > executed) problems.push(`message ${id} is of turn ${turn}, not played`)
  for (const { id, turn } of tools) if (turn > executed) problems.push(`tool call ${id} is of turn ${turn}, not played`)
  return problems
}

function humanActions({ human_actions, messages }: CaseRecord, executed: number): string[] {
  const seen = new Set<string>()
  return human_actions.flatMap(({ kind, turn, channel, text }) => {
    const problems: string[] = []
    if (turn > executed) problems.push(`the human action of turn ${turn} is beyond the ${executed} turns played`)
    const key = JSON.stringify([kind, turn, text])
    if (seen.has(key)) problems.push(`the human action of turn ${turn} was acknowledged twice`)
    seen.add(key)
    const said = messages.some(
      (message) => message.sender === "human_console" && message.channel === channel && message.text === text,
    )
    if (!said) problems.push(`the human action of turn ${turn} is not among the messages`)
    return problems
  })
}
