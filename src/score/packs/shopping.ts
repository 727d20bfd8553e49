import type { EpisodeRecord } from "../../core/trace.ts"

/** Version of what is measured, and how. */
export const SHOPPING_PACK = "shopping@1"

/** What one shopping episode comes to. Score members are there for completed, scored episodes only. */
export interface ShoppingMeasures {
  readonly reward?: number
  readonly success?: boolean
  /** The reward's `r_…` parts, those that are numbers. */
  readonly components: ReadonlyMap<string, number>
  /** Model turns, malformed ones too. */
  readonly steps: number
  readonly protocolErrors: number
  readonly policyFailures: number
  /** What reached the environment, and what of it the environment refused. */
  readonly actions: number
  readonly invalidActions: number
}

/** Measures one episode from its trace alone. Unscored is absent, never zero. */
export function measureShopping(record: EpisodeRecord): ShoppingMeasures {
  let steps = 0
  let protocolErrors = 0
  let policyFailures = 0
  let actions = 0
  let invalidActions = 0
  for (const event of record.events) {
    if (event.type === "model_call") {
      steps++
      if (event.outcome === "protocol_error") protocolErrors++
      if (event.outcome === "policy_failure") policyFailures++
    } else if (event.type === "feedback") {
      actions++
      if (!event.feedback.valid) invalidActions++
    }
  }
  const behaviour = { steps, protocolErrors, policyFailures, actions, invalidActions }
  if (record.status !== "completed" || record.reward === undefined) return { ...behaviour, components: new Map() }
  const { value, detail } = record.reward
  const components = Object.entries(detail).filter(
    (entry): entry is [string, number] => entry[0].startsWith("r_") && typeof entry[1] === "number",
  )
  return { ...behaviour, reward: value, success: detail.r_success === 1, components: new Map(components) }
}
