import type { Observation } from "./environment.ts"
import type { JsonObject } from "./json.ts"
import type { TaskId } from "./task.ts"
import type { Emit } from "./trace.ts"

/** What an actor knows when an episode starts: nothing but public facts. */
export interface PublicContext {
  readonly task_id: TaskId
  readonly sample_id: number
  readonly split: string
  readonly instruction: string
  readonly persona: JsonObject | null
  readonly observation: Observation
  readonly info: JsonObject
}

/** What an actor makes of a page. */
export type Move =
  | { readonly type: "action"; readonly action: string }
  /** The reply was malformed: nothing is executed, the same page is shown again, and a step is spent. */
  | { readonly type: "protocol_error"; readonly code: string }
  /** The reply was cut off (`generation_length`), or there is no room for one (`context_overflow`): the episode ends with a zero score. */
  | { readonly type: "policy_failure"; readonly code: string }

export interface ActorCall {
  readonly signal: AbortSignal
  readonly emit: Emit
}

/** Chooses the actions of one episode: `begin` once, then `act` and `observe` in turn, `close` at the end whatever happened. */
export interface Actor {
  begin(context: PublicContext, call: ActorCall): Promise<void>
  /** `step` counts from 1. Rejects with `AppError` only for infrastructure failures. */
  act(observation: Observation, turn: { readonly step: number; readonly seed: number }, call: ActorCall): Promise<Move>
  /** The page that the last action led to. Not called for moves that executed nothing. */
  observe(observation: Observation, call: ActorCall): void
  /** Closing twice is fine. */
  close(): Promise<void>
}
