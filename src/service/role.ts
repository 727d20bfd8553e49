import type { JsonObject } from "../core/json.ts"
import type { Usage } from "../core/model.ts"
import type { ScriptTime } from "../core/time.ts"
import type { Script } from "./script.ts"
import type { ReplyObservation } from "./target.ts"

/** What our side of the conversation does next. */
export type RoleAction =
  /** The story's clock moves. */
  | { readonly kind: "advance"; readonly to: ScriptTime }
  | { readonly kind: "send"; readonly text: string }
  /** The plot is over. */
  | { readonly kind: "end"; readonly outcome: "goal_reached" | "abandoned" }
  /** Nothing came of this step; twice in a row ends the case. */
  | { readonly kind: "idle" }
  /** Our own side made the case unusable. */
  | { readonly kind: "invalid"; readonly reason: string }

/** The party that we play. Each `yield` of a `send` gives back what came of it; other actions give undefined. */
export interface EvaluationRole<Binding = unknown> {
  identity(): JsonObject
  actions(
    script: Script,
    signal: AbortSignal,
    binding: Binding,
  ): AsyncGenerator<RoleAction, void, ReplyObservation | undefined>
  /** Of a role that has moods: whether the buyer came to buy. */
  outcome?(): { readonly simulated_deal: boolean }
  /** Of a role that has a model: what it has used in the case. Counted beside the agent's, under `buyer`. */
  usage?(): ({ model_calls: number } & Usage) | undefined
}

/** Says what each segment lists, at the segment's time, and then ends as the script does. Needs no model. */
export const deterministicRole: EvaluationRole = {
  identity: () => ({ role: "deterministic", version: 1 }),
  async *actions(script) {
    for (const segment of script.segments) {
      yield { kind: "advance", to: segment.at }
      for (const text of segment.texts) yield { kind: "send", text }
    }
    yield { kind: "end", outcome: script.outcome }
  },
}
