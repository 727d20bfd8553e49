import type { Environment, StepResult } from "../core/environment.ts"
import { AppError, throwIfCancelled } from "../core/errors.ts"
import type { Catalog } from "./catalog.ts"
import { visibleInstruction, visiblePersona } from "./goal.ts"
import { environmentIdentity, episodeInfo, outcomeOf } from "./identity.ts"
import { observe } from "./observation.ts"
import { type InteractionMode, type RulesName, rulesOf } from "./rules.ts"
import { act, type Session, spend, startSession, terminate } from "./session.ts"
import { type Shop, shopOf } from "./shop.ts"
import { type Conversation, openConversation, shopperIdentity } from "./shopper/conversation.ts"
import type { Shopper } from "./shopper/shopper.ts"

/** How episodes of a {@link shopEnvironment} are played. */
export interface ShopEnvironmentOptions {
  readonly catalog: Catalog
  readonly rules?: RulesName
  readonly mode?: InteractionMode
  /** Play as shoppers whose profiles are known. */
  readonly persona?: boolean
  readonly engine?: "memory" | "fts5"
  /**
   * Whom the agent may ask, by `ask[question]`. It then starts with the short requirement, where the task has one; answers cost an
   * action. Only of `multi_turn` by the rules `souk`.
   */
  readonly shopper?: Shopper
}

/**
 * The shop in this process: one episode at a time over an open catalog, which stays the caller's to close.
 * `reset` rejects with `NOT_FOUND` for a task the catalog does not have, `step` with `CONFLICT` before a reset and after the end.
 */
export function shopEnvironment(options: ShopEnvironmentOptions): Environment {
  const { catalog, rules: name = "souk", mode = "single_turn", persona = false, engine = "memory", shopper } = options
  if (shopper !== undefined && (mode !== "multi_turn" || name !== "souk")) {
    throw new AppError(
      "BAD_INPUT",
      `There is no shopper to ask in ${mode} by the rules ${name}; it takes multi_turn and souk`,
    )
  }
  const rules = rulesOf(name)
  const { language } = catalog.manifest
  const terms = { rules: name, mode, persona }
  const more = shopper === undefined ? {} : { shopper: shopperIdentity(shopper) }
  const shop: Shop = shopOf(catalog, { engine })
  let session: Session | null = null
  let conversation: Conversation | null = null

  const current = (): Session => {
    if (session !== null) return session
    throw new AppError("CONFLICT", "No episode is being played; call reset first")
  }
  const look = (now: Session) => {
    const page = observe(now, shop)
    if (conversation === null || now.end !== null) return page
    return { ...page, state: { ...page.state, ask_available: true } }
  }
  const result = (feedback: StepResult["feedback"]): StepResult => {
    const now = current()
    return { observation: look(now), feedback, outcome: outcomeOf(now, shop) }
  }

  return {
    async identity({ signal }) {
      throwIfCancelled(signal)
      return { ...environmentIdentity(catalog, terms), ...more }
    },
    async reset(taskId, { signal }) {
      throwIfCancelled(signal)
      const task = catalog.task(taskId)
      if (task === undefined)
        throw new AppError("NOT_FOUND", `The catalog ${catalog.path} has no task ${JSON.stringify(taskId)}`)
      session = startSession({ task, mode, persona, rules: name, language })
      conversation = shopper === undefined ? null : openConversation(shopper, session, shop)
      const full = visibleInstruction(task, { persona })
      return {
        observation: look(session),
        instruction: shopper === undefined ? full : (task.instruction_simple ?? full),
        persona: visiblePersona(task, { persona, rules }),
        info: { ...episodeInfo(catalog, terms), ...more },
      }
    },
    async step(action, { signal }) {
      throwIfCancelled(signal)
      const heard = await conversation?.hear(current(), action, shop, { signal })
      if (heard) {
        session = spend(current(), heard.feedback)
        return { ...result(heard.feedback), ...(heard.exchange !== null && { exchange: heard.exchange }) }
      }
      const step = act(current(), action, shop)
      session = step.session
      return result(step.feedback)
    },
    async terminate(reason, { signal }) {
      throwIfCancelled(signal)
      session = terminate(current(), reason)
      return result(null)
    },
    async close() {
      session = null
      conversation = null
    },
  }
}
