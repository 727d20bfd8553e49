import type { ReplayReason, ToolClass } from "../core/conversation.ts"
import type { Json, JsonObject } from "../core/json.ts"
import type { ToolDefinition } from "../core/message.ts"

export interface ToolCallRequest {
  /** Ours, unique within the case. */
  readonly id: string
  readonly name: string
  readonly arguments: JsonObject
}

/** What a tool answers. A refusal is an answer too (`ok: false`); throwing is a fault of the world. */
export interface ToolAnswer {
  readonly ok: boolean
  /** What the agent reads. */
  readonly content: string
  readonly data?: Json
  readonly class: ToolClass
  readonly reason?: ReplayReason
  readonly affects_conclusion?: boolean
  readonly write?: boolean
  /** Digest of the state after the call, where there is a state. */
  readonly state?: string
}

/** The tools that an agent may call in one case. Unknown names and wrong arguments are answered, not thrown. */
export interface ToolHost {
  readonly schemas: readonly ToolDefinition[]
  /** `turn`: the buyer turn that the agent works for, where that is not the present one. */
  call(request: ToolCallRequest, call: { readonly signal: AbortSignal; readonly turn?: number }): Promise<ToolAnswer>
}
