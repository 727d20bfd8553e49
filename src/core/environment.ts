import type { JsonObject } from "./json.ts"
import type { ShopperExchange } from "./shopper.ts"
import type { TaskId } from "./task.ts"

/** What the agent may do and see next. `text` is all that a model reads; `state` is the same page as data. */
export interface Observation {
  readonly text: string
  readonly state: JsonObject & {
    readonly observation_version: string
    readonly page_type: string
    readonly search_available: boolean
    readonly actions: string[]
  }
}

/** What became of the last action. */
export interface ActionFeedback {
  readonly action: string
  readonly valid: boolean
  readonly reason: string
  readonly message: string
  readonly missing_option_axes?: readonly string[]
}

export interface ResetResult {
  readonly observation: Observation
  /** The requirement shown to the agent. */
  readonly instruction: string
  /** The shopper's profile, or null where the task is played without one. */
  readonly persona: JsonObject | null
  /** Everything else public about the episode: mode, versions, language. */
  readonly info: JsonObject
}

/** The end of an episode. Holds the private goal: never to be shown to a model. */
export interface EpisodeOutcome {
  readonly termination_reason: string
  readonly reward: number
  readonly reward_detail: JsonObject
  readonly purchase: JsonObject | null
  readonly goal: JsonObject
}

export interface StepResult {
  readonly observation: Observation
  readonly feedback: ActionFeedback | null // null: ended from outside by `terminate`
  readonly outcome: EpisodeOutcome | null // set exactly when the episode is over
  /** What was said with the shopper, where the action was theirs to answer. */
  readonly exchange?: ShopperExchange
}

interface Call {
  readonly signal: AbortSignal
}

/** One episode's world, driven by text actions (`search[...]`, `click[...]`). */
export interface Environment {
  /** Versions, rules, catalog hash, mode: what may change results, without addresses. */
  identity(call: Call): Promise<JsonObject>
  reset(taskId: TaskId, call: Call): Promise<ResetResult>
  /** Rejects with `CONFLICT` after the end. */
  step(action: string, call: Call): Promise<StepResult>
  terminate(reason: "action_limit" | "generation_length", call: Call): Promise<StepResult>
  /** Releases what `reset` took. Closing twice is fine. */
  close(): Promise<void>
}
