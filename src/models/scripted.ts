import { AppError, throwIfCancelled } from "../core/errors.ts"
import { fingerprint } from "../core/fingerprint.ts"
import type { Json } from "../core/json.ts"
import type { Model, ModelOutcome, ModelReply, ModelRequest } from "../core/model.ts"

/**
 * One reply of a script: an action (`search[tent]`, `click[buy now]`, `ask[How big?]`) that is sent as the call of that tool; a call of any tool; a
 * text without a call; a whole outcome, for everything else a model can do; an error, which is thrown.
 */
export type ScriptedReply =
  | string
  | { readonly tool: string; readonly arguments: { readonly [name: string]: Json }; readonly reasoning?: string }
  | { readonly text: string }
  | ModelOutcome
  | Error

/**
 * A model that says what it was told to say: a list, one reply per call, or a function of the request and the number of calls
 * before it. Rejects with `MODEL_UNAVAILABLE` when the list is used up.
 */
export function scriptedModel(
  script: readonly ScriptedReply[] | ((request: ModelRequest, index: number) => ScriptedReply),
  { name = "scripted" }: { readonly name?: string } = {},
): Model {
  let calls = 0
  return {
    identity: () => ({
      provider: "scripted",
      model: name,
      ...(typeof script !== "function" && { script_sha256: fingerprint(script.map(describe)) }),
    }),
    async generate(request, { signal }) {
      throwIfCancelled(signal)
      const index = calls++
      const reply = typeof script === "function" ? script(request, index) : script[index]
      if (reply === undefined) {
        throw new AppError("MODEL_UNAVAILABLE", `The script has ${calls - 1} replies; call ${calls} needs another one`)
      }
      if (reply instanceof Error) throw reply
      return outcomeOf(reply, index)
    },
    close: async () => {},
  }
}

function outcomeOf(reply: Exclude<ScriptedReply, Error>, index: number): ModelOutcome {
  if (typeof reply === "object" && "type" in reply) return reply
  if (typeof reply === "object" && "text" in reply) return { type: "reply", reply: replyWith({ content: reply.text }) }
  const { tool, arguments: values, reasoning = null } = typeof reply === "string" ? callOf(reply) : reply
  const call = {
    call_id: `call-${index + 1}`,
    name: tool,
    arguments: { ...values },
    raw_arguments: JSON.stringify(values),
  }
  return { type: "reply", reply: replyWith({ tool_calls: [call], reasoning, finish_reason: "tool_calls" }) }
}

/** The tool call an action stands for. Throws `BAD_INPUT` for what is no action. */
const ARGUMENTS = { search: "query", click: "value", ask: "question" } as const

function callOf(action: string): { tool: string; arguments: Record<string, Json>; reasoning?: string } {
  const match = /^(search|click|ask)\[([\s\S]+)\]$/.exec(action)
  if (match === null) {
    throw new AppError("BAD_INPUT", `A script's reply is search[…], click[…] or ask[…], not ${JSON.stringify(action)}`)
  }
  const [, tool, argument] = match as unknown as [string, keyof typeof ARGUMENTS, string]
  return { tool, arguments: { [ARGUMENTS[tool]]: argument } }
}

function replyWith(parts: Partial<ModelReply>): ModelReply {
  return {
    content: null,
    reasoning: null,
    tool_calls: [],
    finish_reason: "stop",
    usage: null,
    response_id: null,
    metadata: {},
    latency_ms: 0,
    ...parts,
  }
}

function describe(reply: ScriptedReply): Json {
  return reply instanceof Error ? { error: reply.message } : (reply as Json)
}
