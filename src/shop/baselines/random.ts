import { Random } from "../../core/random.ts"
import { visibleInstruction } from "../goal.ts"
import { observationState } from "../observe.ts"
import { tokenize } from "../search/tokens.ts"
import { type Policy, searchFor } from "./policy.ts"

/** Most words in a random query. */
const MAX_WORDS = 3

/**
 * Uniform over what can be clicked; where only a search is offered, up to three random words of the instruction. Every draw hangs on
 * the seed, the task and the number of the action alone.
 */
export function randomPolicy(seed: number): Policy {
  return (session, shop) => {
    const random = new Random("random-policy-1", seed, session.task.task_id, session.counters.actions)
    const { actions, search_available } = observationState(session, shop)
    if (actions.length > 0) return `click[${random.pick(actions)}]`
    if (!search_available) return ""
    const words = [...new Set(tokenize(visibleInstruction(session.task, session)))]
    return searchFor(random.sample(words, random.integer(1, MAX_WORDS)).join(" "))
  }
}
