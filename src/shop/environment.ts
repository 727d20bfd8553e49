import type { Environment, EpisodeOutcome, StepResult } from "../core/environment.ts"
import { AppError, throwIfCancelled } from "../core/errors.ts"
import type { JsonObject } from "../core/json.ts"
import type { Catalog } from "./catalog.ts"
import { goalRecord, visibleInstruction, visiblePersona } from "./goal.ts"
import { observe } from "./observation.ts"
import { phrases } from "./render/phrases.ts"
import { type InteractionMode, pageLanguage, type RulesName, rulesOf } from "./rules.ts"
import { act, goalProduct, type Session, startSession, terminate } from "./session.ts"
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
  const versions = {
    environment_version: rules.environment_version,
    observation_version: rules.observation_version,
    tool_version: rules.tool_version,
    reward_version: rules.reward_version,
    price_version: rules.price_version,
    title_tokenizer: rules.titleTokenizer[language],
    page_text: phrases(pageLanguage(rules, language)).version,
  }
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
      const { content_hash, versions: catalogVersions } = catalog.manifest
      return {
        environment: "shop",
        rules: name,
        mode,
        persona,
        language,
        ...versions,
        catalog: { content_hash, versions: catalogVersions },
      }
    },
    async reset(taskId, { signal }) {
      throwIfCancelled(signal)
      const task = catalog.task(taskId)
      if (task === undefined)
        throw new AppError("NOT_FOUND", `The catalog ${catalog.path} has no task ${JSON.stringify(taskId)}`)
      session = startSession({ task, mode, persona, rules: name, language })
      const info: JsonObject = {
        task_mode: persona ? "persona" : "standard",
        interaction_mode: mode,
        max_actions: rules.actionLimits[mode],
        rules: name,
        language,
        ...versions,
      }
      return {
        observation: observe(session, shop),
        instruction: visibleInstruction(task, { persona }),
        persona: visiblePersona(task, { persona, rules }),
        info,
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

function outcomeOf(session: Session, shop: Shop): EpisodeOutcome | null {
  const { end, task, rules } = session
  if (end === null) return null
  return {
    termination_reason: end.reason,
    reward: end.reward,
    reward_detail: end.reward_detail,
    purchase: end.purchase,
    goal: goalRecord(task, goalProduct(session, shop), rules),
  }
}
