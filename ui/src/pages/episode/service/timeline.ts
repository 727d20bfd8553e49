import type { CaseRecord } from "../../../../../src/core/case-record.ts"
import type { ConversationMessage, ToolRecord } from "../../../../../src/core/conversation.ts"
import type { EpisodeEvent } from "../../../../../src/core/trace.ts"
import type { EpisodeView } from "../../../../../src/server/views.ts"

type Of<Type extends EpisodeEvent["type"]> = Extract<EpisodeEvent, { type: Type }>

/** Something the agent did between two messages. */
type Call =
  | { readonly kind: "tool"; readonly tool: ToolRecord; readonly atMs: number | undefined }
  | { readonly kind: "model"; readonly call: Of<"model_call">; readonly atMs: number | undefined }

/** A line of the conversation, in the order in which things came to be known. */
export type Row = { readonly key: string } & (
  | { readonly kind: "day"; readonly at: string }
  | {
      readonly kind: "message"
      readonly message: ConversationMessage
      readonly atMs: number | undefined
      /** Of an agent's words: milliseconds of the host since the buyer's words that they answer. */
      readonly tookMs: number | undefined
      /** They came after the wait for them was over. */
      readonly late: boolean
      /** What they were as a colleague's action. */
      readonly action: string | undefined
    }
  /** `turn`: the buyer's last one before them; late calls are of an earlier one. */
  | { readonly kind: "calls"; readonly calls: readonly Call[]; readonly turn: number }
  | { readonly kind: "clock"; readonly at: string; readonly from: string | undefined }
  | { readonly kind: "reception"; readonly event: Of<"reception"> }
  | { readonly kind: "reply"; readonly event: Of<"reply">; readonly turnEnded: boolean }
  | { readonly kind: "turn_end"; readonly event: Of<"turn_end"> }
  | { readonly kind: "action"; readonly event: Of<"human_action"> }
  | { readonly kind: "error"; readonly event: Of<"error"> }
  | { readonly kind: "other"; readonly event: EpisodeEvent }
)

/** What a page about a case is made of, whether the case came to a record or broke before it. */
export type CaseFacts = {
  readonly record: CaseRecord | null
  readonly timeZone: string
  readonly messages: readonly ConversationMessage[]
  readonly tools: readonly ToolRecord[]
}

export function caseFacts({ case: played, episode }: EpisodeView): CaseFacts {
  const record = played?.record ?? null
  const start = episode.events.find((event): event is Of<"episode_start"> => event.type === "episode_start")
  const zone = record?.time_zone ?? start?.info.time_zone
  const told = <T>(type: "message" | "tool") =>
    episode.events.flatMap((event) => (event.type === type ? [(event as unknown as Record<typeof type, T>)[type]] : []))
  return {
    record,
    timeZone: typeof zone === "string" ? zone : "UTC",
    messages: record?.messages ?? told<ConversationMessage>("message"),
    tools: record?.tools ?? told<ToolRecord>("tool"),
  }
}

/** The rows of a case. `dayOf` says on which day of the script's zone a moment is. */
export function timelineOf(
  { episode }: EpisodeView,
  { messages, tools }: CaseFacts,
  dayOf: (at: string) => string,
): Row[] {
  const known = new Map(messages.map((message) => [message.id, message]))
  const called = new Map(tools.map((tool) => [tool.id, tool]))
  const events = episode.events.some(({ type }) => type === "message")
    ? episode.events
    : [...episode.events, ...untold(messages, tools)]
  const rows: Row[] = []
  const spokenAt = new Map<string, number>() // a buyer's message → when, by the host
  const turnAt = new Map<number, number>() // its turn → the same
  const over = new Set<number>() // turns whose wait is over
  let calls: Call[] | undefined // of the row that is last, where it is one of calls
  let current = 0 // the buyer's last turn
  let day: string | undefined
  let now: string | undefined

  const moveTo = (at: string | undefined, key: string) => {
    if (at === undefined) return
    const next = dayOf(at)
    if (next !== day) rows.push({ kind: "day", key: `day-${key}`, at })
    day = next
    now = at
  }

  for (const [index, event] of events.entries()) {
    const key = String(index)
    switch (event.type) {
      case "episode_start":
        break
      case "message": {
        const message = known.get(event.message.id) ?? event.message
        moveTo(message.at, key)
        const { sender, turn } = message
        if (sender === "buyer") current = turn
        if (sender === "buyer" && event.at_ms !== undefined) {
          spokenAt.set(message.id, event.at_ms)
          turnAt.set(turn, event.at_ms)
        }
        const asked = message.answers?.map((id) => spokenAt.get(id)).find((at) => at !== undefined) ?? turnAt.get(turn)
        const answers = sender === "agent" && message.channel !== "private"
        rows.push({
          kind: "message",
          key,
          message,
          atMs: event.at_ms,
          tookMs: answers && event.at_ms !== undefined && asked !== undefined ? event.at_ms - asked : undefined,
          late: sender === "agent" && over.has(turn),
          action: undefined,
        })
        break
      }
      case "tool":
      case "model_call": {
        const call: Call =
          event.type === "tool"
            ? { kind: "tool", tool: called.get(event.tool.id) ?? event.tool, atMs: event.at_ms }
            : { kind: "model", call: event, atMs: event.at_ms }
        if (call.kind === "tool") moveTo(call.tool.at, key)
        const last = rows.at(-1)
        if (last?.kind === "calls" && calls !== undefined) calls.push(call)
        else {
          calls = [call]
          rows.push({ kind: "calls", key, calls, turn: current })
        }
        break
      }
      case "clock": {
        const from = now
        moveTo(event.at, key)
        rows.push({ kind: "clock", key, at: event.at, from })
        break
      }
      case "reception":
        moveTo(event.at, key)
        rows.push({ kind: "reception", key, event })
        break
      case "reply": {
        over.add(event.turn)
        const last = rows.at(-1)
        const merged = last?.kind === "turn_end" && last.event.reason === "completed" && last.event.turn === event.turn
        if (merged) rows.pop()
        rows.push({ kind: "reply", key, event, turnEnded: merged })
        break
      }
      case "turn_end":
        rows.push({ kind: "turn_end", key, event })
        break
      case "human_action": {
        const said = rows.findLastIndex(
          (row) =>
            row.kind === "message" && row.message.sender.startsWith("human") && row.message.text === event.action.text,
        )
        const row = rows[said]
        if (row?.kind === "message" && row.action === undefined) rows[said] = { ...row, action: event.action.kind }
        else rows.push({ kind: "action", key, event })
        break
      }
      case "error":
        rows.push({ kind: "error", key, event })
        break
      default:
        rows.push({ kind: "other", key, event })
    }
  }
  return rows
}

/** A record without events, as events: by turn, the buyer's words first, then the calls, then the answers. */
function untold(messages: readonly ConversationMessage[], tools: readonly ToolRecord[]): EpisodeEvent[] {
  const placed = [
    ...messages.map((message) => ({
      at: message.at,
      turn: message.turn,
      rank: message.sender === "buyer" ? 0 : 2,
      event: { type: "message", message } as const,
    })),
    ...tools.map((tool) => ({ at: tool.at, turn: tool.turn, rank: 1, event: { type: "tool", tool } as const })),
  ]
  placed.sort((a, b) => a.turn - b.turn || (a.at < b.at ? -1 : a.at > b.at ? 1 : a.rank - b.rank))
  return placed.map(({ event }) => event)
}

/** Which row holds a message or a call of this id; -1: none. */
export function rowOf(rows: readonly Row[], id: string): number {
  const said = rows.findIndex((row) => row.kind === "message" && row.message.id === id)
  if (said >= 0) return said
  return rows.findIndex(
    (row) => row.kind === "calls" && row.calls.some((call) => call.kind === "tool" && call.tool.id === id),
  )
}
