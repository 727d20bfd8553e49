import type { ToolDefinition } from "../core/message.ts"
import { type ModelOutcome, wireCall } from "../core/model.ts"
import type { EpisodeEvent } from "../core/trace.ts"

/** One reply of a model as it goes into the trace, with the tools that were offered; members that are null or empty are left out. */
export function modelCall(outcome: ModelOutcome, tools: readonly ToolDefinition[], step?: number): EpisodeEvent {
  const { content, reasoning, tool_calls, finish_reason, usage, response_id, metadata, latency_ms, raw_response } =
    outcome.reply
  return {
    type: "model_call",
    ...(step !== undefined && { step }),
    outcome: outcome.type,
    ...(outcome.type !== "reply" && { code: outcome.code, message: outcome.message }),
    tools: tools.map((tool) => tool.function.name),
    ...(content !== null && { content }),
    ...(reasoning !== null && { reasoning }),
    ...(tool_calls.length > 0 && { tool_calls: tool_calls.map(wireCall) }),
    ...(finish_reason !== null && { finish_reason }),
    ...(usage !== null && { usage }),
    ...(response_id !== null && { response_id }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    latency_ms,
    ...(raw_response !== undefined && { raw_response }),
  }
}
