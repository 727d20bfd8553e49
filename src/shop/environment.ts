import type { Environment, StepResult } from "../core/environment.ts"
import { AppError, throwIfCancelled } from "../core/errors.ts"
import type { Catalog } from "./catalog.ts"
import { visibleInstruction, visiblePersona } from "./goal.ts"
import { environmentIdentity, episodeInfo, outcomeOf } from "./identity.ts"
import { observe } from "./observation.ts"
import { type InteractionMode, type RulesName, rulesOf } from "./rules.ts"
import { act, type Session, startSession, terminate } from "./session.ts"
import { type Shop, shopOf } from "./shop.ts"

/** How episodes of a {@link shopEnvironment} are played. */
export interface ShopEnvironmentOptions {
  readonly catalog: Catalog
  readonly rules?: RulesName
  readonly mode?: InteractionMode
  /** Play as shoppers whose profiles are known. */
  readonly persona?: boolean
  readonly engine?: "memory" | "fts5"
}

/**
 * The shop in this process: one episode at a time over an open catalog, which stays the caller's to close.
 * `reset` rejects with `NOT_FOUND` for a task the catalog does not have, `step` with `CONFLICT` before a reset and after the end.
 */
export function shopEnvironment(options: ShopEnvironmentOptions): Environment {
  const { catalog, rules: name = "souk", mode = "single_turn", persona = false, engine = "memory" } = options
  const rules = rulesOf(name)
  const { language } = catalog.manifest
  const terms = { rules: name, mode, persona }
  const shop: Shop = shopOf(catalog, { engine })
  let session: Session | null = null

  const current = (): Session => {
    if (session !== null) return session
    throw new AppError("CONFLICT", "No episode is being played; call reset first")
  }
  const result = (feedback: StepResult["feedback"]): StepResult => {
    const now = current()
    return { observation: observe(now, shop), feedback, outcome: outcomeOf(now, shop) }
  }

  return {
    async identity({ signal }) {
      throwIfCancelled(signal)
      return environmentIdentity(catalog, terms)
    },
    async reset(taskId, { signal }) {
      throwIfCancelled(signal)
      const task = catalog.task(taskId)
      if (task === undefined)
        throw new AppError("NOT_FOUND", `The catalog ${catalog.path} has no task ${JSON.stringify(taskId)}`)
      session = startSession({ task, mode, persona, rules: name, language })
      return {
        observation: observe(session, shop),
        instruction: visibleInstruction(task, { persona }),
        persona: visiblePersona(task, { persona, rules }),
        info: episodeInfo(catalog, terms),
      }
    },
    async step(action, { signal }) {
      throwIfCancelled(signal)
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
    },
  }
}
