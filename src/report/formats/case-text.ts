import { BuyerFidelity } from "../../core/buyer.ts"
import { CaseRecord } from "../../core/case-record.ts"
import type { ConversationMessage, ToolRecord } from "../../core/conversation.ts"
import { storeTime } from "../../core/time.ts"
import type { EpisodeRecord } from "../../core/trace.ts"
import type { Verdict } from "../../core/verdict.ts"

/** Letters of a tool's answer that are shown unless all are asked for. */
const ANSWER = 160

interface Shown {
  /** Tools' answers whole. */
  readonly full?: boolean
  readonly verdicts?: readonly Verdict[]
}

/** The case that an episode holds, as {@link recordText} has it; undefined for an episode that holds none. */
export function caseText({ evidence }: EpisodeRecord, shown: Shown = {}): string | undefined {
  const parsed = CaseRecord.safeParse(evidence.case)
  if (!parsed.success) return undefined
  const buyer = BuyerFidelity.safeParse(evidence.buyer)
  return [recordText(parsed.data, shown), ...(buyer.success ? [buyerText(buyer.data)] : [])].join("\n\n")
}

/**
 * A case of a service evaluation to be read in a terminal: the conversation with the story's times, the agent's calls where it made them,
 * how each wait ended, and the verdicts if there are any.
 */
export function recordText(record: CaseRecord, { full = false, verdicts = [] }: Shown = {}): string {
  const lines: string[] = []
  for (let turn = 0; turn <= Math.max(record.turns.length, ...record.messages.map((message) => message.turn)); turn++) {
    const messages = record.messages.filter((message) => message.turn === turn)
    const tools = record.tools.filter((tool) => tool.turn === turn)
    if (messages.length === 0 && tools.length === 0) continue
    lines.push(`── Turn ${turn} ${"─".repeat(60)}`)
    const [first, ...rest] = messages
    if (first !== undefined) lines.push(messageLine(first, record.time_zone))
    lines.push(...tools.map((tool) => toolLine(tool, full)))
    lines.push(...rest.map((message) => messageLine(message, record.time_zone)))
    const { ended } = record.turns[turn - 1] ?? {}
    if (ended !== undefined && ended !== "answered") lines.push(`   (${ended.replaceAll("_", " ")})`)
  }
  lines.push(`── Ended: ${record.end_reason} at ${storeTime(record.ended_at, record.time_zone)}`)
  if (record.buyer_invalid_reason !== undefined) lines.push(`   our buyer spoilt it: ${record.buyer_invalid_reason}`)
  if (record.error !== undefined) lines.push(`   ${record.error.code} (${record.error.stage}): ${record.error.message}`)
  if (verdicts.length > 0) lines.push("", "── Verdicts", ...verdicts.map(verdictText))
  return lines.join("\n")
}

/** How true the simulated buyer was: its faults with what was said, what was caught before it was sent, and its moods. */
function buyerText({ mode, turns, faults, refused, held_back, reminders, moods }: BuyerFidelity): string {
  const counts = [
    `${faults.length} faults in ${turns} turns`,
    `${held_back} goodbyes held back`,
    `${reminders} reminders`,
  ]
  const quoted = (text: unknown) => (typeof text === "string" ? `: “${text}”` : "")
  return [
    `── The simulated buyer (${mode}; none of it is the agent's)`,
    `  ${counts.join(" · ")}`,
    ...faults.map(
      ({ turn, kind, what, quote }) =>
        `  ✗ turn ${turn}: ${kind.replaceAll("_", " ")}${what === undefined ? "" : ` (${what})`}${quoted(quote)}`,
    ),
    ...refused.map(({ turn, text }) => `  – turn ${turn}: a draft was refused${quoted(text)}`),
    ...moods.map(({ mood, reason }) => `  mood ${mood}${typeof reason === "string" ? `: ${reason}` : ""}`),
  ].join("\n")
}

const NAMES: Readonly<Record<ConversationMessage["sender"], string>> = {
  buyer: "Buyer",
  agent: "Agent",
  human_native: "Colleague",
  human_console: "Colleague",
  system: "System",
  unknown: "Unknown",
}

function messageLine({ sender, channel, at, text }: ConversationMessage, timeZone: string): string {
  const aside = channel === "private" ? " (to the agent only)" : ""
  const indented = text.split("\n").join(`\n${" ".repeat(28)}`)
  return `${storeTime(at, timeZone)}  ${`${NAMES[sender]}${aside}`.padEnd(9)}  ${indented}`
}

function toolLine({ name, arguments: args, content, ok, reason, write }: ToolRecord, full: boolean): string {
  const answer = full || content.length <= ANSWER ? content : `${content.slice(0, ANSWER)} … (--full)`
  const marks = [...(write === true ? ["changed the store"] : []), ...(reason === undefined ? [] : [reason])]
  return `   → ${name} ${JSON.stringify(args)}\n   ${ok ? "←" : "✗"} ${answer}${marks.length === 0 ? "" : `  [${marks.join(", ")}]`}`
}

const MARKS: Readonly<Record<Verdict["state"], string>> = {
  pass: "✓",
  fail: "✗",
  not_applicable: "–",
  unjudgeable: "?",
}

function verdictText({ state, check_id, judge, reason, evidence }: Verdict): string {
  const quotes = evidence.map(({ message_id, tool_id, quote }) => `\n      ${message_id ?? tool_id ?? ""}: “${quote}”`)
  return `  ${MARKS[state]} ${check_id} (${judge}): ${reason}${state === "fail" ? quotes.join("") : ""}`
}
