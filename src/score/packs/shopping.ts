import { isJsonObject, type Json } from "../../core/json.ts"
import { type Play, playOf } from "../../core/play.ts"
import type { EpisodeRecord } from "../../core/trace.ts"
import type { Measures } from "./measures.ts"
import { addShoppingMoves } from "./shopping-moves.ts"
import { addTalk } from "./shopping-talk.ts"

/** Version of what is measured, and how. */
export const SHOPPING_PACK = "shopping@2"

/** Measures one episode from its trace alone. Unscored is absent, never zero. */
export function measureShopping(record: EpisodeRecord): Measures {
  return measurePlay(playOf(record))
}

/** As {@link measureShopping}. */
export function measurePlay(play: Play): Measures {
  const { header, events } = play
  let steps = 0
  let protocolErrors = 0
  let policyFailures = 0
  let actions = 0
  let invalidActions = 0
  for (const event of events) {
    if (event.type === "model_call") {
      steps++
      const outcome = event.get("outcome")
      if (outcome === "protocol_error") protocolErrors++
      if (outcome === "policy_failure") policyFailures++
    } else if (event.type === "feedback") {
      actions++
      const feedback = event.get("feedback")
      if (isJsonObject(feedback) && feedback.valid !== true) invalidActions++
    }
  }
  if (steps === 0) steps = actions // a person played
  const behavior = new Map<string, number>()
  addShoppingMoves(events, behavior)
  addSaid(events, behavior)
  addTalk(events, behavior)
  const measures = {
    steps,
    protocolErrors,
    policyFailures,
    actions,
    invalidActions,
    behavior,
    labels: labelsOf(play),
  }
  if (header.status !== "completed" || header.reward === undefined) return { ...measures, components: new Map() }
  const { value, detail } = header.reward
  const components = new Map<string, number>()
  for (const name of Object.keys(detail)) {
    const part = detail[name]
    if (typeof part === "number" && name.startsWith("r_")) components.set(name, part)
  }
  return { ...measures, reward: value, success: detail.r_success === 1, components }
}

/**
 * `reasoning_chars` (UTF-16 units) of all turns, where any turn shows its reasoning. Tokens only where they are known of every turn:
 * `generated_tokens`, `tokens_per_turn`, `first_turn_tokens`.
 */
function addSaid(events: Play["events"], behavior: Map<string, number>): void {
  let reasoning: number | undefined
  let turns = 0
  let total: number | undefined = 0
  let first: number | undefined
  for (const event of events) {
    if (event.type !== "model_call") continue
    const thought = event.get("reasoning")
    if (typeof thought === "string") reasoning = (reasoning ?? 0) + thought.length
    const usage = event.get("usage")
    const generated = isJsonObject(usage) ? usage.completion_tokens : undefined
    if (typeof generated !== "number") total = undefined
    else if (total !== undefined) total += generated
    if (turns++ === 0) first = typeof generated === "number" ? generated : undefined
  }
  if (reasoning !== undefined) behavior.set("reasoning_chars", reasoning)
  if (turns === 0 || total === undefined) return
  behavior.set("generated_tokens", total)
  behavior.set("tokens_per_turn", total / turns)
  behavior.set("first_turn_tokens", first!)
}

/** Labels of tasks that figures are told apart by. */
const TASK_LABELS = ["domain", "difficulty", "phrasing"] as const

/** `domain` (as the task says, or where its product stands in the store), `difficulty`, `phrasing`, `persona`, `termination`. */
function labelsOf({ header, events, goal }: Play): Map<string, string> {
  const labels = new Map<string, string>()
  const domain = domainOf(goal?.get("category")) ?? domainOf(goal?.get("product_category"))
  if (domain !== undefined) labels.set("domain", domain)
  const given = goal?.get("labels")
  if (isJsonObject(given)) {
    for (const name of TASK_LABELS) {
      const value = given[name]
      if (typeof value === "string" && value !== "") labels.set(name, value)
    }
  }
  const start = events.find((event) => event.type === "episode_start")
  if (start !== undefined) labels.set("persona", isJsonObject(start.get("persona")) ? "shown" : "none")
  if (header.status === "completed") labels.set("termination", header.end_reason)
  return labels
}

/** The first part of a category path. */
function domainOf(path: Json | undefined): string | undefined {
  if (typeof path !== "string") return undefined
  const first = path.split(/[›>/\\]/)[0]!.trim()
  return first === "" ? undefined : first
}
