import { canonicalJson, sha256Hex } from "../../core/fingerprint.ts"
import type { Json } from "../../core/json.ts"
import type { BuyingInsight } from "./analyzer.ts"

/** Parts of an insight that an agent can be told. */
export const INSIGHT_FIELDS = ["intent", "tier", "cues"] as const
export type InsightField = (typeof INSIGHT_FIELDS)[number]

/** Figures from here on are called so. For people and notes only: no verdict goes by them. */
const TIERS = [
  { from: 0.66, tier: "high" },
  { from: 0.33, tier: "medium" },
  { from: 0, tier: "low" },
] as const
export type IntentTier = (typeof TIERS)[number]["tier"]

/** What a figure of intent is called. */
export function intentTier(score: number): IntentTier {
  return TIERS.find(({ from }) => score >= from)?.tier ?? "low"
}

const WORDS = {
  zh: {
    lead: "顾客此刻的购买意向，仅供参考，不要向顾客提起",
    high: "高",
    medium: "中",
    low: "低",
    cues: "依据：",
    parts: "，",
    list: "、",
    end: "。",
  },
  en: {
    lead: "How near the customer seems to buying, for you alone",
    high: "high",
    medium: "medium",
    low: "low",
    cues: "by ",
    parts: ", ",
    list: ", ",
    end: ".",
  },
} as const

/** What notes are worded by: other words may get other answers. */
export const ANNOTATION_SHA256 = sha256Hex(canonicalJson([WORDS, TIERS] as unknown as Json)) // texts and figures

/** The note for the agent; undefined where none of the fields has anything to say. */
export function annotation(
  { intent, cues = [] }: BuyingInsight,
  language: "zh" | "en",
  fields: readonly InsightField[],
): string | undefined {
  const words = WORDS[language]
  const parts = [
    ...(fields.includes("tier") ? [words[intentTier(intent)]] : []),
    ...(fields.includes("intent") ? [intent.toFixed(2)] : []),
    ...(fields.includes("cues") && cues.length > 0 ? [`${words.cues}${cues.join(words.list)}`] : []),
  ]
  const colon = language === "zh" ? "：" : ": "
  return parts.length === 0 ? undefined : `${words.lead}${colon}${parts.join(words.parts)}${words.end}`
}
