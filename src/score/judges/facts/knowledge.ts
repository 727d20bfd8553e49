import type { CaseRecord } from "../../../core/case-record.ts"
import type { ConversationMessage, ToolRecord } from "../../../core/conversation.ts"
import { canonicalJson } from "../../../core/fingerprint.ts"
import type { Json } from "../../../core/json.ts"
import { type Day, dayIn } from "./calendar.ts"
import { ofText, type Source, walkAll } from "./json-facts.ts"
import { fold, labelsOfArguments } from "./labels.ts"
import type { Fact, Labels } from "./types.ts"

/** The facts that the agent had when it wrote `message`: tool answers up to then, and what it was given from the start. */
export function knowledgeAt(record: CaseRecord, message: ConversationMessage, known: readonly string[]): Fact[] {
  const tools = record.tools.filter(
    (tool) => tool.at <= message.at && (tool.turn <= message.turn || tool.at < message.at),
  )
  const last = new Map(tools.map((tool) => [callKey(tool), tool.id]))
  const start: Day = dayIn(message.at, record.time_zone)
  const given: Fact[] = [
    ...record.judge_inputs.required_facts.flatMap((fact) =>
      fact.available && fact.value !== undefined ? ofRequired(fact.key, fact.value, record, start) : [],
    ),
    ...(record.judge_inputs.identity === undefined
      ? []
      : walkAll(record.judge_inputs.identity, sourceOf(record, start))),
    ...[...known, ...colleagues(record, message)].flatMap((text) => ofText(text, sourceOf(record, start), new Map())),
  ]
  return [
    ...given,
    ...tools.flatMap((tool, index) =>
      ofTool(tool, record, last.get(callKey(tool)) !== tool.id || isOvertaken(tool, tools.slice(index + 1))),
    ),
  ]
}

/** What people on the agent's side said before, and what only the agent was told. */
function colleagues(record: CaseRecord, message: ConversationMessage): string[] {
  return record.messages
    .filter(({ sender, at, id }) => at <= message.at && id !== message.id && sender !== "buyer" && sender !== "agent")
    .map(({ text }) => text)
}

/** Whether a later answer tells the same order anew, with its lines: it has been changed. */
function isOvertaken(tool: ToolRecord, later: readonly ToolRecord[]): boolean {
  const { order_id: order } = tool.arguments
  if (typeof order !== "string") return false
  return later.some(
    (one) => one.ok && one.name !== tool.name && one.arguments.order_id === order && hasLines(one) && hasLines(tool),
  )
}

function hasLines({ data }: ToolRecord): boolean {
  return typeof data === "object" && data !== null && !Array.isArray(data) && Array.isArray(data.items)
}

function callKey({ name, arguments: given }: ToolRecord): string {
  return `${name} ${canonicalJson(given)}`
}

function sourceOf(record: CaseRecord, today: Day): Source {
  return { language: record.language, timeZone: record.time_zone, today, content: "", outdated: false }
}

/** What a tool answered is read once for all messages of its case: as it is, and as it was before something else was told. */
const read = new WeakMap<ToolRecord, Map<boolean, readonly Fact[]>>()

function ofTool(tool: ToolRecord, record: CaseRecord, outdated: boolean): readonly Fact[] {
  const known = read.get(tool) ?? new Map<boolean, readonly Fact[]>()
  read.set(tool, known)
  const facts = known.get(outdated) ?? readTool(tool, record, outdated)
  known.set(outdated, facts)
  return facts
}

function readTool(tool: ToolRecord, record: CaseRecord, outdated: boolean): Fact[] {
  if (tool.class === "miss") return []
  const source: Source = {
    ...sourceOf(record, dayIn(tool.at, record.time_zone)),
    toolId: tool.id,
    content: tool.content,
    outdated,
  }
  const data = tool.data ?? parsed(tool.content)
  const asked = labelsOfArguments(tool.arguments)
  if (data !== undefined && typeof data === "object" && data !== null) return walkAll(data, source, asked)
  return tool.content.split(/\n+/).flatMap((line) => ofText(line, source, asked))
}

function parsed(content: string): Json | undefined {
  if (!/^\s*[[{]/.test(content)) return undefined
  try {
    return JSON.parse(content) as Json
  } catch {
    return undefined
  }
}

/** A fact that was there from the start: `item:88:price` says by its name what it is of. */
function ofRequired(key: string, value: Json, record: CaseRecord, today: Day): Fact[] {
  const parts = key.split(/[:/]/)
  const name = parts.at(-1) ?? key
  const labels: Labels = new Map(
    parts
      .slice(0, -1)
      .flatMap((part, index) => (index % 2 === 1 ? [[parts[index - 1]!, new Set([fold(part)])] as const] : [])),
  )
  return walkAll({ [name]: value }, sourceOf(record, today), labels)
}
