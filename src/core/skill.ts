import type { PublicContext } from "./actor.ts"
import type { JsonObject } from "./json.ts"

/** One instruction an agent may be given for an episode. */
export interface Skill {
  readonly skill_id: string
  readonly version: string
  readonly content: string
  readonly metadata: JsonObject
}

/** Chooses the skills of each episode, from public facts alone. */
export interface SkillProvider {
  /** Everything that may change the choice or the texts; goes into the fingerprint. `{ provider: "none" }` is no skills. */
  identity(): JsonObject
  /** In the order they are shown. May be called for many episodes at once. */
  select(context: PublicContext, call: { readonly signal: AbortSignal }): Promise<readonly Skill[]>
}
