import type { EpisodeOutcome } from "../core/environment.ts"
import type { JsonObject } from "../core/json.ts"

/** Components of a reward that tell nothing of the goal but how well it was met. */
const PUBLIC_DETAIL = new Set([
  "reward_version",
  "termination_reason",
  "title_tokenizer",
  "r_type",
  "category_match",
  "title_score",
  "num_attr_matches",
  "num_option_matches",
  "r_att",
  "r_option",
  "r_price",
  "r_loose",
  "r_strict",
  "r_success",
  "target_asin_match",
  "price_verifiable",
  "price_resolution", // of the product that was bought
])

/** An outcome without the goal, the budget, the explanation that quotes them, and the instruction the agent was not shown. */
export function publicOutcome({ termination_reason, reward, reward_detail, purchase }: EpisodeOutcome): JsonObject {
  return {
    termination_reason,
    reward,
    reward_detail: publicDetail(reward_detail),
    purchase: purchase === null ? null : publicPurchase(purchase),
  }
}

export function publicDetail(detail: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(detail).filter(([key]) => PUBLIC_DETAIL.has(key)))
}

export function publicPurchase({ instruction_text: _, ...rest }: JsonObject): JsonObject {
  return rest
}
