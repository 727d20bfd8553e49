import type { JsonObject } from "../core/json.ts"
import { casefold } from "../lib/casefold.ts"
import { stripText } from "../lib/python-text.ts"
import type { Language } from "./catalog.ts"
import { type Explanation, explain } from "./explain.ts"
import type { Goal } from "./goal.ts"
import { type AttributeMatch, matchAttributes, matchOptions, type OptionMatch } from "./match.ts"
import { type PriceResolution, resolvePrice, type SelectedOptions, selectedMap } from "./price.ts"
import type { Product } from "./product.ts"
import { type Rules, type RulesName, rulesOf } from "./rules.ts"
import { titleTerms } from "./title-terms.ts"

/** Every component of a purchase's reward. Shares and products of shares lie in [0, 1]. */
export type RewardDetail = {
  readonly reward_version: string
  readonly termination_reason: "purchase"
  /** Is it the kind of thing that was wanted: 1, 0.5, 0.1 or 0. */
  readonly r_type: number
  readonly category_match: boolean
  readonly title_score: number
  readonly num_attr_matches: number
  readonly num_option_matches: number
  readonly r_att: number
  readonly r_option: number
  readonly r_price: number
  readonly r_loose: number
  readonly r_strict: number
  readonly r_success: number
  /** For diagnosis only: another product can succeed, and the wanted one with the wrong options fails. */
  readonly target_asin_match: boolean
  readonly price_verifiable: boolean
  readonly price_upper: number | null
  readonly price_resolution: PriceResolution
  /** Only where rules ask for it (`souk`). */
  readonly title_tokenizer?: string
  readonly explanation?: Explanation
}

/** A purchase: what was bought, configured how, and what had been wanted. */
export interface Purchase {
  readonly goal: Goal
  readonly product: Product
  readonly selected: SelectedOptions
  readonly rules?: RulesName
  /** Of the catalog's text: chooses the title tokenizer and the language of the explanation. */
  readonly language?: Language
}

/** The facts behind a reward, as the explanation tells them. */
export interface Findings {
  readonly type: { shared_categories: string[]; shared_terms: string[]; title_tokenizer: string }
  readonly attributes: AttributeMatch[]
  readonly options: OptionMatch[]
}

/**
 * Scores a purchase. The scalar `reward` is `r_strict` = r_type · r_att · r_option · r_price, and `r_loose` = r_type · (matched
 * attributes + matched options + r_price) / (attributes + options + 1), after ShopSimulator's reward.
 *
 * An attribute matches when a product attribute is alike (fuzzy ratio above 85) or the product's text contains it; an option when a
 * selected value is alike; the price when the configured price is known and within the budget, or when there is none.
 * Pure; throws nothing.
 *
 * @example scorePurchase({ goal, product, selected: { 颜色分类: "白色" } }).reward // 1
 */
export function scorePurchase({ goal, product, selected, rules: name = "souk", language = "zh" }: Purchase): {
  reward: number
  reward_detail: RewardDetail
} {
  const rules = rulesOf(name)
  const type = scoreType(goal, product, rules, language)
  const wanted = rules.blankAttributesCount ? goal.attributes : goal.attributes.filter((text) => stripText(text) !== "")
  const attributes = matchAttributes(wanted, product)
  const options = matchOptions(goal, product, selectedMap(selected) ?? new Map(), rules)
  const price = resolvePrice(product, selected, { rules: name })

  const matchedAttributes = attributes.filter(({ matched }) => matched).length
  const matchedOptions = options.filter(({ matched }) => matched).length
  const r_att = share(matchedAttributes, attributes.length)
  const r_option = share(matchedOptions, options.length)
  const r_price = isAffordable(price, goal.price_upper) ? 1 : 0
  const r_strict = type.r_type * r_att * r_option * r_price
  const detail: RewardDetail = {
    reward_version: rules.reward_version,
    termination_reason: "purchase",
    r_type: type.r_type,
    category_match: type.category_match,
    title_score: type.title_score,
    num_attr_matches: matchedAttributes,
    num_option_matches: matchedOptions,
    r_att,
    r_option,
    r_price,
    r_loose: (type.r_type * (matchedAttributes + matchedOptions + r_price)) / (attributes.length + options.length + 1),
    r_strict,
    r_success: type.r_type === 1 && r_att === 1 && r_option === 1 && r_price === 1 ? 1 : 0,
    target_asin_match: product.asin === goal.asin,
    price_verifiable: price.status === "pass",
    price_upper: goal.price_upper,
    price_resolution: price,
  }
  if (!rules.explained) return { reward: r_strict, reward_detail: detail }
  const findings: Findings = { type: type.evidence, attributes, options }
  const explanation = explain(goal, detail, findings, language)
  const title_tokenizer = type.evidence.title_tokenizer
  return { reward: r_strict, reward_detail: { ...detail, title_tokenizer, explanation } }
}

/** The detail of an episode that ended without a purchase: every component zero. */
export function zeroDetail(reason: "action_limit" | "generation_length", rules: Rules): JsonObject {
  return {
    reward_version: rules.reward_version,
    termination_reason: reason,
    r_type: 0,
    r_att: 0,
    r_option: 0,
    r_price: 0,
    r_loose: 0,
    r_strict: 0,
    r_success: 0,
    target_asin_match: false,
    price_verifiable: false,
  }
}

/** Titles that share more than a fifth of the goal's terms, or paths that share two nodes, are the same kind of thing. */
function scoreType(goal: Goal, product: Product, rules: Rules, language: Language) {
  const wantedNodes = categoryNodes(goal.category)
  const shared_categories = [...categoryNodes(product.category)].filter((node) => wantedNodes.has(node))
  const category_match = shared_categories.length >= 2

  const title_tokenizer = rules.titleTokenizer[language]
  const wantedTerms = titleTerms(goal.name, title_tokenizer)
  const offeredTerms = new Set(titleTerms(product.title, title_tokenizer))
  const shared_terms = wantedTerms.filter((term) => offeredTerms.has(term))
  const title_score = wantedTerms.length === 0 ? 0.2 : shared_terms.length / wantedTerms.length

  const r_type = category_match || title_score > 0.2 ? 1 : title_score === 0 ? 0 : title_score < 0.1 ? 0.1 : 0.5
  return { r_type, category_match, title_score, evidence: { shared_categories, shared_terms, title_tokenizer } }
}

function categoryNodes(path: string): Set<string> {
  const nodes = path.split(/[›>/\\]/).map((node) => casefold(stripText(node)))
  return new Set(nodes.filter((node) => node !== ""))
}

function isAffordable(price: PriceResolution, upper: number | null): boolean {
  return upper === null || (price.price !== null && price.price <= upper)
}

/** Nothing wanted is nothing missed. */
function share(matched: number, of: number): number {
  return of === 0 ? 1 : matched / of
}
