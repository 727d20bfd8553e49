import { canonicalJson, sha256Hex } from "../../core/fingerprint.ts"
import type { InsightAnalyzer } from "./analyzer.ts"

/** Version of the rules and words below. */
const LEXICAL_INSIGHTS = "souk-lexical-insights-1"

interface Cue {
  readonly name: string
  /** The name for people who read Chinese. */
  readonly zhName: string
  /** Adds to the log-odds of buying. */
  readonly weight: number
  readonly zh: RegExp
  readonly en: RegExp
}

/** Refusals stand before orders: a sentence that says no to buying is none. */
const REFUSAL: Cue = {
  name: "refusal",
  zhName: "拒绝",
  weight: -2.5,
  zh: /不要了|不买|不想买|不想要|不考虑|算了|别家|别的店|不下单/,
  en: /\b(?:not (?:going to |gonna )?(?:buy|order|take)|(?:don't|do not|won't|will not) (?:want|need|buy|order|take)|never mind|no thanks?|forget it|(?:another|other) (?:shop|store|seller))\b/i,
}

const CUES: readonly Cue[] = [
  REFUSAL,
  {
    name: "order",
    zhName: "下单",
    weight: 2.4,
    zh: /下单|拍下|拍了|付款|支付|买单|结账|我要了|就要这|就这[个件款]|来[一两二三][个件只双台盒]|我买/,
    en: /\b(?:i(?:'|’)?(?:ll| will) (?:take|buy|order)|place (?:an|the|my) order|check ?out|(?:how|where) (?:do|can) i (?:pay|order|buy)|order (?:it|one|now|two)|buy (?:it|one|now|two)|add (?:it )?to (?:my )?(?:cart|basket))\b/i,
  },
  {
    name: "stock",
    zhName: "问库存",
    weight: 0.9,
    zh: /有货|现货|库存|还有吗|缺货/,
    en: /\b(?:in stock|available|sold out|do you have|any left)\b/i,
  },
  {
    name: "delivery",
    zhName: "问发货",
    weight: 0.8,
    zh: /发货|包邮|运费|[几多]久?天?能?到|什么时候.{0,4}到|送到/,
    en: /\b(?:ship(?:ping|s)?|deliver(?:y|ed)?|arrive|by (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/i,
  },
  {
    name: "discount",
    zhName: "问优惠",
    weight: 0.6,
    zh: /优惠|折扣|打折|便宜点|满减|券/,
    en: /\b(?:discount|coupon|voucher|promo|deal)\b/i,
  },
  {
    name: "price",
    zhName: "问价",
    weight: 0.5,
    zh: /多少钱|价格|价钱|怎么卖|几块/,
    en: /\b(?:how much|price|cost)\b/i,
  },
  {
    name: "details",
    zhName: "问细节",
    weight: 0.4,
    zh: /尺码|尺寸|颜色|材质|参数|型号|规格|码数/,
    en: /\b(?:sizes?|colou?rs?|material|specs?|fits?|models?|version)\b/i,
  },
  {
    name: "hesitation",
    zhName: "犹豫",
    weight: -1.1,
    zh: /太贵|再看看|先看看|随便看|考虑一下|想一想|比较一下|对比/,
    en: /\b(?:too expensive|just (?:looking|browsing)|think about it|maybe later|not sure|compare|let me think)\b/i,
  },
]

/** Log-odds of a buyer who has said nothing that tells. */
const BASE = -0.8
/** Words of the turns before count so much less, each a step further back. */
const FADING = 0.5
/** Turns that are looked back. */
const MEMORY = 4

/**
 * Estimates intent by words, without a model: a logistic sum over the cues that a buyer's words hold, each once a turn, those of earlier
 * turns fading. Deterministic, rounded to thousandths. A baseline to measure others against, not a judgement of people.
 */
export function lexicalInsights(): InsightAnalyzer {
  const words = sha256Hex(
    canonicalJson(CUES.map(({ name, zhName, weight, zh, en }) => [name, zhName, weight, zh.source, en.source])),
  )
  return {
    identity: () => ({ analyzer: "lexical", version: LEXICAL_INSIGHTS, words_sha256: words }),
    async analyze({ language, words, said }) {
      const now = cuesOf(words.map(({ text }) => text).join("\n"), language)
      const unanswered = new Set(words.map(({ id }) => id))
      const turns = new Map<number, string>()
      for (const { id, sender, turn, text } of said) {
        if (sender === "buyer" && !unanswered.has(id)) turns.set(turn, `${turns.get(turn) ?? ""}\n${text}`)
      }
      const before = [...turns].sort(([a], [b]) => b - a).slice(0, MEMORY)
      let sum = BASE + weightOf(now)
      for (const [back, [, text]] of before.entries()) sum += weightOf(cuesOf(text, language)) * FADING ** (back + 1)
      return {
        intent: Math.round(1000 / (1 + Math.exp(-sum))) / 1000,
        cues: now.map(({ name, zhName }) => (language === "zh" ? zhName : name)),
      }
    },
  }
}

function cuesOf(text: string, language: "zh" | "en"): Cue[] {
  const found = CUES.filter((cue) => cue[language].test(text))
  return found.includes(REFUSAL) ? found.filter(({ name }) => name !== "order") : found
}

function weightOf(cues: readonly Cue[]): number {
  return cues.reduce((sum, { weight }) => sum + weight, 0)
}
