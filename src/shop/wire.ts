import type { JsonObject } from "../core/json.ts"
import { goalRecord, numericId, visibleInstruction, visiblePersona } from "./goal.ts"
import { observe } from "./observation.ts"
import { feedbackState } from "./observe.ts"
import { rulesOf } from "./rules.ts"
import { goalProduct, type Session } from "./session.ts"
import type { Shop } from "./shop.ts"

/**
 * What the reference server answers to `reset`, without what belongs to the lease (`env_idx`, `lease_id`). Public, unless the
 * private goal was asked for.
 */
export function resetResult(session: Session, shop: Shop, { includePrivateGoal = false } = {}): JsonObject {
  const { task, mode, persona } = session
  const rules = rulesOf(session.rules)
  return {
    message: `Task ${task.task_id} started`,
    idx: numericId(task.task_id),
    task_instruction: visibleInstruction(task, { persona }),
    task_mode: persona ? "persona" : "standard",
    interaction_mode: mode,
    environment_version: rules.environment_version,
    user_persona: visiblePersona(task, { persona, rules }) ?? {},
    ...observed(session, shop),
    ...(includePrivateGoal
      ? { private_task_instruction: task.instruction, goal_options: [...task.options], reason_key: null }
      : {}),
  }
}

/**
 * The answer to `interact` after that step, without `env_idx`, `lease_id` and `idx` (which names the session there). When the
 * episode is over it holds the whole private goal: clients keep it from their model.
 */
export function interactResult(session: Session, shop: Shop): JsonObject {
  const feedback = session.last_action
  return {
    message: feedback?.valid === false ? "Invalid action" : "Continue interaction",
    action_feedback: feedback === null ? {} : feedbackState(feedback),
    ...observed(session, shop),
    ...outcome(session, shop),
  }
}

/** The answer to `terminate`; see {@link interactResult}. */
export function terminateResult(session: Session, shop: Shop): JsonObject {
  return {
    message: `Episode terminated: ${session.end?.reason ?? "not yet"}`,
    ...observed(session, shop),
    ...outcome(session, shop),
  }
}

function observed(session: Session, shop: Shop): JsonObject {
  const { text, state } = observe(session, shop)
  return { observation: text, observation_state: state }
}

function outcome(session: Session, shop: Shop): JsonObject {
  const { end, task, rules } = session
  if (end === null) return { done: false, over: false, reward: 0, reward_detail: {}, purchase: {}, goal: {} }
  return {
    done: true,
    over: true,
    reward: end.reward,
    reward_detail: end.reward_detail,
    purchase: end.purchase ?? {},
    goal: goalRecord(task, goalProduct(session, shop), rules),
    termination_reason: end.reason,
  }
}
