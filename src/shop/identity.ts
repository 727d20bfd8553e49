import type { EpisodeOutcome } from "../core/environment.ts"
import type { JsonObject } from "../core/json.ts"
import type { Catalog, Language } from "./catalog.ts"
import { goalRecord } from "./goal.ts"
import { phrases } from "./render/phrases.ts"
import { type InteractionMode, pageLanguage, type RulesName, rulesOf } from "./rules.ts"
import { goalProduct, type Session } from "./session.ts"
import type { Shop } from "./shop.ts"

/** How episodes are played, whoever plays them and wherever. */
export interface Terms {
  readonly rules: RulesName
  readonly mode: InteractionMode
  readonly persona: boolean
}

/** Everything that may change results of episodes on `catalog`, without addresses. */
export function environmentIdentity(catalog: Catalog, { rules, mode, persona }: Terms): JsonObject {
  const { content_hash, versions, language } = catalog.manifest
  return {
    environment: "shop",
    rules,
    mode,
    persona,
    language,
    ...ruleVersions(rules, language),
    catalog: { content_hash, versions },
  }
}

/** What is public about an episode beside its first page. */
export function episodeInfo(catalog: Catalog, { rules, mode, persona }: Terms): JsonObject {
  const { language } = catalog.manifest
  return {
    task_mode: persona ? "persona" : "standard",
    interaction_mode: mode,
    max_actions: rulesOf(rules).actionLimits[mode],
    rules,
    language,
    ...ruleVersions(rules, language),
  }
}

/** How a session ended, private goal included; null while it goes on. */
export function outcomeOf(session: Session, shop: Shop): EpisodeOutcome | null {
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

function ruleVersions(name: RulesName, language: Language): JsonObject {
  const rules = rulesOf(name)
  return {
    environment_version: rules.environment_version,
    observation_version: rules.observation_version,
    tool_version: rules.tool_version,
    reward_version: rules.reward_version,
    price_version: rules.price_version,
    title_tokenizer: rules.titleTokenizer[language],
    page_text: phrases(pageLanguage(rules, language)).version,
  }
}
