import { isJsonObject, type Json, type JsonObject } from "../core/json.ts"
import type { EpisodeRecord } from "../core/trace.ts"
import { stripText } from "../lib/python-text.ts"
import { fuzzyMatches } from "../shop/fuzzy.ts"
import { matchAttributes, matchOptions } from "../shop/match.ts"
import { selectedMap } from "../shop/price.ts"
import type { Product } from "../shop/product.ts"
import { type Rules, rulesOf, rulesOfObservation } from "../shop/rules.ts"
import type { GoalComparison } from "./views.ts"

/**
 * What was wanted against what was bought, by the rule of the reward. The trace alone suffices: where it explains its reward, that is
 * what counts; else the purchase is matched again. An attribute may also stand in a text of the product that no trace holds: it is then
 * told by how many matched in all, or by `product`, the bought one as a catalog has it. Null: the episode tells no goal.
 */
export function compareGoal(record: EpisodeRecord, product?: Product): GoalComparison | null {
  const goal = filled(record.evidence.goal)
  if (goal === undefined) return null
  const purchase = filled(record.evidence.purchase) ?? null
  const detail = record.reward?.detail ?? null
  return {
    goal,
    purchase,
    reward_detail: detail,
    same_product: purchase === null ? null : purchase.asin === goal.asin,
    ...matchesOf(goal, purchase, { detail, rules: rulesPlayed(record), product }),
    price: priceOf(goal, purchase),
  }
}

interface Facts {
  readonly detail: JsonObject | null
  readonly rules: Rules
  readonly product: Product | undefined
}

function matchesOf(
  goal: JsonObject,
  purchase: JsonObject | null,
  { detail, rules, product }: Facts,
): Pick<GoalComparison, "attributes" | "options"> {
  const wanted = texts(goal.attributes).filter((text) => rules.blankAttributesCount || stripText(text) !== "")
  const options = texts(goal.goal_options)
  if (purchase === null) {
    return {
      attributes: { matched: [], missing: wanted, extra: [] },
      options: { matched: [], missing: options, extra: [] },
    }
  }
  const bought = product ?? productOf(purchase)
  const selected = selectedMap(purchase.options) ?? new Map<string, string>()
  const told = explained(detail)
  const attributes = told?.attributes ?? attributesIn(wanted, bought, detail)
  const chosen = told?.options ?? matchOptions(wish(goal, options), bought, selected, rules)
  const wishes = split(chosen)
  const met = new Set(chosen.filter(({ matched }) => matched).map(({ selected_axis }) => selected_axis))
  return {
    attributes: {
      ...split(attributes),
      extra: bought.attributes.filter((offered) => !wanted.some((text) => fuzzyMatches(offered, text))),
    },
    options: {
      ...wishes,
      // What only looks like a wish that is missing ("2 person" for "4 person") was not asked for.
      extra: [...selected].flatMap(([axis, value]) => {
        return met.has(axis) || wishes.matched.some((text) => fuzzyMatches(value, text)) ? [] : [value]
      }),
    },
  }
}

interface Matched {
  readonly wanted: string
  readonly matched: boolean
}

function split(matches: readonly Matched[]): { matched: string[]; missing: string[] } {
  const of = (state: boolean) => matches.filter(({ matched }) => matched === state).map(({ wanted }) => wanted)
  return { matched: of(true), missing: of(false) }
}

function attributesIn(wanted: readonly string[], product: Product, detail: JsonObject | null): readonly Matched[] {
  const found = matchAttributes(wanted, product)
  // As many as there are: those that are not in the trace were found in a text of the product.
  return detail?.num_attr_matches === wanted.length ? wanted.map((text) => ({ wanted: text, matched: true })) : found
}

/** What the reward's own explanation says; undefined where it does not explain itself. */
function explained(
  detail: JsonObject | null,
): { attributes: Matched[]; options: (Matched & { selected_axis: string | null })[] } | undefined {
  const explanation = filled(detail?.explanation)
  if (!Array.isArray(explanation?.attributes) || !Array.isArray(explanation.options)) return undefined
  const matches = (list: readonly Json[]) =>
    list.flatMap((entry) => {
      if (!isJsonObject(entry) || typeof entry.wanted !== "string") return []
      const axis = entry.selected_axis
      return {
        wanted: entry.wanted,
        matched: entry.matched === true,
        selected_axis: typeof axis === "string" ? axis : null,
      }
    })
  return { attributes: matches(explanation.attributes), options: matches(explanation.options) }
}

function wish(goal: JsonObject, options: readonly string[]): Parameters<typeof matchOptions>[0] {
  const axes = Array.isArray(goal.option_axes) ? goal.option_axes : []
  return { options, option_axes: options.map((_, i) => (typeof axes[i] === "string" ? axes[i] : null)) }
}

/** As much of the bought product as the purchase tells. */
function productOf(purchase: JsonObject): Product {
  const text = (value: Json | undefined) => (typeof value === "string" ? value : "")
  return {
    asin: text(purchase.asin),
    title: text(purchase.name),
    subtitle: "",
    brand: "",
    category: text(purchase.category),
    product_category: text(purchase.product_category),
    attributes: texts(purchase.attributes),
    pricing: [],
    bullets: [],
    description: "",
    axes: [],
  }
}

function priceOf(goal: JsonObject, purchase: JsonObject | null): GoalComparison["price"] {
  const maximum = number(goal.price_upper)
  const minimum = number(filled(goal.budget)?.lower)
  const paid = number(purchase?.price)
  return {
    budget: maximum === null && minimum === null ? null : { minimum, maximum },
    paid,
    within: maximum === null || paid === null ? null : paid <= maximum,
  }
}

/** The rules of the pages that were shown; those of the reference for pages of another server. */
function rulesPlayed({ events }: EpisodeRecord): Rules {
  for (const event of events) {
    if (event.type !== "observation") continue
    const version = event.state.observation_version
    return (typeof version === "string" ? rulesOfObservation(version) : undefined) ?? rulesOf("v8")
  }
  return rulesOf("v8")
}

function filled(value: Json | undefined): JsonObject | undefined {
  return isJsonObject(value) && Object.keys(value).length > 0 ? value : undefined
}

function texts(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === "string") : []
}

function number(value: Json | undefined): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null
}
