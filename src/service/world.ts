import type { JsonObject } from "../core/json.ts"
import type { Script } from "./script.ts"
import type { ScriptClock } from "./script-clock.ts"
import type { ToolHost } from "./tools.ts"

/** What answers the target's tool calls: facts on record, or small tables that live for one case. */
export interface EvaluationWorld<Binding = unknown> {
  /** What may change answers: packs, tables and policies by hash. */
  identity(): JsonObject
  /** Makes the case's facts ready, before the target is opened. `clock` is the story's: nothing later than it is ever told. */
  mount(
    script: Script,
    setup: { readonly clock: ScriptClock; readonly signal: AbortSignal },
  ): Promise<MountedWorld<Binding>>
}

/** The facts of one case. */
export interface MountedWorld<Binding = unknown> {
  readonly tools: ToolHost
  /** Told what the target's session is bound to, once it is open. */
  bound?(binding: Binding): void
  /** What judges need besides the calls: digests, what changed. Read after the target has stopped. */
  evidence?(): JsonObject
  /** Called only when the target has completely stopped. */
  unmount(): Promise<void>
}
