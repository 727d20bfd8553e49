import type { Environment } from "../core/environment.ts"
import { AppError } from "../core/errors.ts"
import { isJsonObject } from "../core/json.ts"
import type { EpisodeRecord } from "../core/trace.ts"
import type { Catalog } from "./catalog.ts"
import { shopEnvironment } from "./environment.ts"
import type { Terms } from "./identity.ts"
import { InteractionMode, RulesName, rulesOf, rulesOfObservation } from "./rules.ts"
import type { Shopper } from "./shopper/shopper.ts"
import { templateShopper } from "./shopper/template.ts"

/**
 * The shop on `catalog` by the terms an episode was played by, for playing it again. Throws `BAD_INPUT` for rules that there are not
 * in this version.
 */
export function replayEnvironment(catalog: Catalog, record: EpisodeRecord): Environment {
  const terms = termsOf(record)
  const shopper = shopperOf(record)
  return shopEnvironment({ catalog, ...terms, ...(shopper && { shopper }) })
}

/** Who was asked, if anyone: the template shopper says it all again, a model's words are those on record. */
function shopperOf({ events }: EpisodeRecord): Shopper | undefined {
  const start = events.find((event) => event.type === "episode_start")
  const identity = start?.info.shopper
  if (!isJsonObject(identity)) return undefined
  if (identity.kind === "template") return templateShopper
  const exchanges = events.filter((event) => event.type === "shopper")
  return {
    identity: () => identity,
    draft: async (_brief, _prompting, { said }) => {
      const exchange = exchanges[said.length]
      return { text: exchange?.answer ?? "", facts: exchange?.facts ?? [] }
    },
  }
}

/** Rules, mode and persona, as the start of a record says: in our own words, or in those of the reference shop. */
function termsOf({ episode_id, events }: EpisodeRecord): Terms {
  let rules: RulesName | undefined
  let mode: InteractionMode = "single_turn"
  let persona = false
  for (const event of events) {
    if (event.type === "episode_start") {
      const { info } = event
      const named = RulesName.safeParse(info.rules)
      rules = named.success ? named.data : rulesOfVersion(info.environment_version)
      mode = InteractionMode.catch("single_turn").parse(info.interaction_mode)
      persona = info.task_mode === "persona"
    }
    if (event.type !== "observation") continue
    rules ??= rulesOfObservation(String(event.state.observation_version))?.name
    break
  }
  if (rules !== undefined) return { rules, mode, persona }
  throw new AppError(
    "BAD_INPUT",
    `${episode_id} does not say by which rules it was played, or they are none of ${RulesName.options.join(", ")}`,
  )
}

function rulesOfVersion(version: unknown): RulesName | undefined {
  return RulesName.options.find((name) => rulesOf(name).environment_version === version)
}
