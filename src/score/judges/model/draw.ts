import { AppError, messageOf } from "../../../core/errors.ts"
import type { Message } from "../../../core/message.ts"
import { type Model, type ModelReply, type Usage, wireCall } from "../../../core/model.ts"
import { type Answer, readAnswers } from "./answer.ts"
import { onceMore, promptOf, unreadReply, verdictTool } from "./prompt.ts"
import type { Question } from "./questions.ts"
import type { Transcript } from "./transcript.ts"

/** What one draw came to. */
export interface Draw {
  readonly answers: readonly Answer[]
  /** Criterion → why there is no answer: the judge's own fault, never the agent's. */
  readonly faults: ReadonlyMap<string, string>
  readonly usage: Usage & { readonly model_calls: number }
}

/** Calls of one draw: the first, and further ones where a reply cannot be used. */
const ATTEMPTS = 3

/** Faults of the way that asking about another case would meet again: someone has to mend something first. */
const TO_BE_MENDED = new Set(["unauthorized", "not_found", "quota_exhausted", "redirected", "cassette_miss"])

/**
 * Asks a model about a case, again where a reply is malformed or quotes what is not there. What is unproven after the last attempt is an
 * abstention, what is missing a fault. Throws what would keep every other case from being judged too, such as a key that is refused.
 */
export async function drawAnswers({
  model,
  questions,
  transcript,
  language,
  swapped,
  seed,
  signal,
}: {
  readonly model: Model
  readonly questions: readonly Question[]
  readonly transcript: Transcript
  readonly language: "zh" | "en"
  readonly swapped: boolean
  readonly seed: number
  readonly signal: AbortSignal
}): Promise<Draw> {
  const messages: Message[] = promptOf(questions, transcript, { language, swapped })
  const usage: Draw["usage"] & { model_calls: number } = { model_calls: 0 }
  const answers: Answer[] = []
  const unproven = new Map<string, string>()
  let open = questions.map(({ id }) => id)
  let fault = ""
  for (let attempt = 1; attempt <= ATTEMPTS && open.length > 0; attempt++) {
    const ids = swapped ? [...open].reverse() : open
    let reply: ModelReply
    let given: unknown
    try {
      const outcome = await model.generate({ messages, tools: [verdictTool(ids, language)], seed }, { signal })
      reply = outcome.reply
      addUsage(usage, reply.usage)
      fault = outcome.type === "reply" ? "" : `${outcome.code}: ${outcome.message}`
      if (outcome.type === "policy_failure") break // it would be as long once more
      given = outcome.type === "reply" ? reply.tool_calls[0]?.arguments : undefined
    } catch (error) {
      usage.model_calls++
      if (signal.aborted || (error instanceof AppError && error.code === "CANCELLED")) throw error
      if (error instanceof AppError && TO_BE_MENDED.has(String(error.details.code))) throw error
      fault = messageOf(error)
      break // the model's client has tried again already
    }
    if (fault !== "") {
      messages.push(
        { role: "assistant", content: reply.content || unreadReply(language) },
        { role: "user", content: onceMore(fault, ids, language) },
      )
      continue
    }
    const read = readAnswers(given, open, transcript)
    answers.push(...read.answers)
    for (const id of open) unproven.delete(id)
    for (const [id, why] of read.unproven) unproven.set(id, why)
    open = open.filter((id) => !read.answers.some(({ criterion }) => criterion === id))
    const left = [...read.unproven].map(([id, why]) => `${id}: ${why}`)
    fault = read.fault ?? read.missing.map((id) => `${id} is not answered, or twice`).join("; ")
    if (open.length > 0)
      messages.push(...callAnswered(reply, onceMore([...left, fault].filter(Boolean).join("; "), open, language)))
  }
  for (const [criterion, why] of unproven) {
    answers.push({
      criterion,
      state: "abstain",
      code: "evidence_not_found",
      reason: `The quotes do not hold: ${why}`,
      evidence: [],
    })
  }
  const faults = open.filter((id) => !unproven.has(id)).map((id) => [id, fault] as const)
  return { answers, faults: new Map(faults), usage }
}

function callAnswered({ content, tool_calls }: ModelReply, told: string): Message[] {
  const call = tool_calls[0]
  if (call === undefined) return []
  return [
    {
      role: "assistant",
      content,
      tool_calls: [wireCall(call)],
    },
    { role: "tool", tool_call_id: call.call_id, content: told },
  ]
}

/** Adds up tokens, field by field; a field that was never reported stays absent. */
export function addUsage(
  to: Usage & { model_calls: number },
  usage: (Usage & { readonly model_calls?: number }) | null,
): void {
  to.model_calls += usage?.model_calls ?? 1
  for (const key of [
    "prompt_tokens",
    "completion_tokens",
    "total_tokens",
    "cached_tokens",
    "reasoning_tokens",
  ] as const) {
    const tokens = usage?.[key]
    if (tokens !== undefined) to[key] = (to[key] ?? 0) + tokens
  }
}
