import type { CaseRecord } from "../../core/case-record.ts"
import type { ConversationMessage, ToolRecord } from "../../core/conversation.ts"
import type { FailedCase, FailedCases } from "../../core/judgment.ts"
import { storeTime } from "../../core/time.ts"
import type { Verdict } from "../../core/verdict.ts"
import { cutToWidth } from "../../lib/display-width.ts"
import type { Block, Language, Talk } from "../document.ts"
import { reasonIn } from "./reasons.ts"
import { named, SERVICE_WORDS, type ServiceWords } from "./words.ts"

/** Messages of one conversation; more are left out, those that a verdict points at never. */
const MESSAGES = 12
/** Columns of a tool's answer, and of a quote, which is marked whole in what was said. */
const ANSWER = 240
const QUOTE = 160

/** Each failed check with its reason and quotes, and below it what was said, case by case. */
export function failedBlocks({ cases, shown, all }: FailedCases, language: Language): Block[] {
  const words = SERVICE_WORDS[language]
  if (all.checks === 0) {
    return [
      { type: "heading", text: words.failures },
      { type: "text", text: words.nothingFailed },
    ]
  }
  const whole = shown.checks === all.checks
  const told = whole
    ? words.shownAll(all.checks, all.cases)
    : words.shown(shown.checks, all.checks, shown.cases, all.cases)
  return [
    { type: "heading", text: words.failures },
    { type: "text", text: told },
    ...cases.flatMap((one) => caseBlocks(one, language)),
  ]
}

function caseBlocks({ job, judgment, record, verdicts }: FailedCase, language: Language): Block[] {
  const words = SERVICE_WORDS[language]
  const facts = [
    job.sample_id === 0 ? job.task_id : job.key,
    ...(record.category === null ? [] : [record.category]),
    named(words.endings, record.end_reason),
    ...(judgment.state === "passed" ? [words.passedAnyway] : []),
  ]
  return [
    { type: "section", text: facts.join(" · ") },
    { type: "list", items: verdicts.map((verdict) => verdictText(verdict, record, language)) },
    talkOf(record, verdicts, words),
  ]
}

function verdictText(verdict: Verdict, record: CaseRecord, language: Language): string {
  const words = SERVICE_WORDS[language]
  const { check_id, judge, code, reason, blocking, evidence } = verdict
  const asked = record.judge_inputs.checks.find(({ id }) => id === check_id)?.text ?? verdict.text
  const why = code === undefined ? undefined : words.reasons[code]
  const said = reasonIn(reason, language)
  const parts = [
    `${check_id} (${judge}${blocking ? "" : `${words.comma}${words.notBlocking}`})`,
    ...(asked === undefined ? [] : [asked]),
    said ?? (why === undefined ? reason : `${why}${words.colon}${reason}`),
    ...evidence.map(({ message_id, tool_id, quote }) => `${message_id ?? tool_id ?? ""} “${cutToWidth(quote, QUOTE)}”`),
  ]
  return parts.join(" — ")
}

/** Marked where verdicts point; of calls of tools those that changed the store or that a verdict points at. */
function talkOf(record: CaseRecord, verdicts: readonly Verdict[], words: ServiceWords): Talk {
  const quotes = new Map<string, string[]>()
  for (const { evidence } of verdicts) {
    for (const { message_id, tool_id, quote } of evidence) {
      const id = message_id ?? tool_id
      if (id !== undefined) quotes.set(id, [...(quotes.get(id) ?? []), quote])
    }
  }
  const kept = keptMessages(record.messages, quotes)
  const tools = record.tools.filter(({ id, write }) => write === true || quotes.has(id))
  const lines: Talk["lines"][number][] = []
  let left = 0
  const tellLeft = (): void => {
    if (left > 0) lines.push({ side: "middle", text: words.leftOut(left) })
    left = 0
  }
  for (const [index, message] of record.messages.entries()) {
    if (!kept.has(index)) {
      left++
      continue
    }
    // A turn's calls come between the buyer's words and the answer.
    if (message.sender !== "buyer") takeTools(({ turn, at }) => turn <= message.turn && at <= message.at)
    tellLeft()
    const note = [message.id, storeTime(message.at, record.time_zone)]
    if (message.channel === "private") note.push(words.privately)
    lines.push({
      who: words.who[message.sender],
      side: message.sender === "buyer" ? "left" : message.sender === "system" ? "middle" : "right",
      note: note.join(" · "),
      text: message.text,
      marks: quotes.get(message.id) ?? [],
    })
  }
  tellLeft()
  takeTools(() => true)
  return { type: "talk", caption: words.conversation, lines }

  function takeTools(due: (tool: ToolRecord) => boolean): void {
    while (tools[0] !== undefined && due(tools[0])) {
      tellLeft()
      lines.push(toolLine(tools.shift()!, record.time_zone, words, quotes))
    }
  }
}

function toolLine(
  { id, name, arguments: args, content, write, at }: ToolRecord,
  timeZone: string,
  words: ServiceWords,
  quotes: ReadonlyMap<string, readonly string[]>,
): Talk["lines"][number] {
  const notes = [id, storeTime(at, timeZone), ...(write === true ? [words.changed] : [])]
  return {
    who: words.tool,
    side: "middle",
    note: notes.join(" · "),
    text: `${name} ${JSON.stringify(args)}\n${cutToWidth(content, ANSWER)}`,
    marks: quotes.get(id) ?? [],
  }
}

/** Indices of the messages that are shown: all of a short conversation; of a long one what is pointed at, with what it answers, and the end. */
function keptMessages(messages: readonly ConversationMessage[], quotes: ReadonlyMap<string, unknown>): Set<number> {
  if (messages.length <= MESSAGES) return new Set(messages.keys())
  const kept = new Set<number>()
  for (const [index, { id, sender }] of messages.entries()) {
    if (!quotes.has(id)) continue
    kept.add(index)
    if (sender === "buyer") continue
    let asked = index - 1
    while (asked >= 0 && messages[asked]!.sender !== "buyer") asked--
    if (asked >= 0) kept.add(asked)
  }
  for (let index = messages.length - 1; index >= 0 && kept.size < MESSAGES; index--) kept.add(index)
  return kept
}
