import type { CaseRecord } from "../../../core/case-record.ts"
import type { ConversationMessage, ToolRecord } from "../../../core/conversation.ts"
import { canonicalJson } from "../../../core/fingerprint.ts"
import type { Verdict } from "../../../core/verdict.ts"

/** Characters of a tool's answer that are shown at most. */
const LONGEST_ANSWER = 6000

/** A piece of the record that can be quoted, under the label it is shown with: `M3`, `T1`. */
interface Quotable {
  readonly text: string
  readonly evidence: { readonly message_id: string } | { readonly tool_id: string }
}

/** A case as a model reads it. */
export interface Transcript {
  readonly text: string
  readonly labels: ReadonlyMap<string, Quotable>
}

/**
 * Messages and tool calls in the order they happened. Every line of what was said or returned begins with `| `, and nothing else does: no
 * text can pass for a heading, or for the end of the transcript.
 */
export function transcriptOf(record: CaseRecord): Transcript {
  const labels = new Map<string, Quotable>()
  const blocks: string[] = []
  let messages = 0
  let tools = 0
  for (const { message, tool } of timeline(record)) {
    if (message !== undefined) {
      const label = `M${++messages}`
      labels.set(label, { text: message.text, evidence: { message_id: message.id } })
      blocks.push(`[${label}] ${message.at} ${message.sender}${marks(message)}\n${quoted(message.text)}`)
    }
    if (tool !== undefined) {
      const label = `T${++tools}`
      labels.set(label, { text: tool.content, evidence: { tool_id: tool.id } })
      const shown = tool.content.slice(0, LONGEST_ANSWER)
      const rest = tool.content.length - shown.length
      const answered = tool.ok ? "answered" : "refused"
      blocks.push(
        `[${label}] ${tool.at} tool called by the agent\n${quoted(`${tool.name} ${canonicalJson(tool.arguments)}`)}\n[${label}] ${answered}\n${quoted(shown)}` +
          (rest > 0 ? `\n(${rest} more characters are not shown)` : ""),
      )
    }
  }
  return { text: blocks.join("\n\n"), labels }
}

/** Where `quote` of the piece called `label` stands in the record; undefined: it does not, letter for letter. */
export function evidenceAt(
  { labels }: Transcript,
  label: string,
  quote: string,
): Verdict["evidence"][number] | undefined {
  const piece = labels.get(label.trim().replace(/^\[(.*)\]$/, "$1"))
  if (piece === undefined || quote.trim() === "" || !piece.text.includes(quote)) return undefined
  return { ...piece.evidence, quote }
}

interface Event {
  readonly message?: ConversationMessage
  readonly tool?: ToolRecord
}

/** As it happened. Of one time and turn, calls come before what the agent then says. */
function timeline({ messages, tools }: CaseRecord): Event[] {
  const events: Event[] = []
  let called = 0
  for (const message of messages) {
    for (let tool = tools[called]; tool !== undefined && isBefore(tool, message); tool = tools[++called])
      events.push({ tool })
    events.push({ message })
  }
  return [...events, ...tools.slice(called).map((tool) => ({ tool }))]
}

function isBefore(tool: ToolRecord, message: ConversationMessage): boolean {
  const ahead = Date.parse(message.at) - Date.parse(tool.at) || message.turn - tool.turn
  return ahead > 0 || (ahead === 0 && message.sender === "agent")
}

function marks({ channel, delivery }: ConversationMessage): string {
  return [
    ...(channel === "private" ? [", private: the buyer does not see it"] : []),
    ...(delivery === "failed" ? [", was not delivered"] : []),
    ...(delivery === "unknown" ? [", may not have arrived"] : []),
  ].join("")
}

function quoted(text: string): string {
  return text
    .split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
    .map((line) => `| ${line}`)
    .join("\n")
}
