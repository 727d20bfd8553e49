import type { ActionFeedback } from "../core/environment.ts"
import type { JsonObject } from "../core/json.ts"
import {
  choices,
  missingAxes,
  optionLabels,
  pageCount,
  pageHits,
  productButtons,
  resultButtons,
  selections,
} from "./moves.ts"
import { listingPriceText, resolvePrice } from "./price.ts"
import { type ProductSummary, summarizeProduct } from "./product.ts"
import { LISTED_VALUES, PAGE_SIZE, type Rules, type RulesName, rulesOf } from "./rules.ts"
import { normalizeQuery } from "./search/tokens.ts"
import type { Session } from "./session.ts"
import type { Shop } from "./shop.ts"

/** A product as a page shows it. All pages that show it share it: nothing may change it. */
export interface Card {
  readonly asin: string
  readonly title: string
  readonly brand: string
  readonly category: string
  /** The listing price as text; null: not priced. */
  readonly price: string | null
  readonly key_attributes: readonly string[]
}

/** An option axis as a page shows it. */
interface AxisView {
  readonly name: string
  readonly values: readonly string[]
  readonly selected: string | null
}

/** What an agent may see, before it becomes data or text. Made from the session's public side only: no goal can reach it. */
export type Page = {
  readonly rules: Rules
  readonly searchAvailable: boolean
  /** Everything that can be clicked, in page order. */
  readonly actions: readonly string[]
  readonly lastAction: ActionFeedback | null
} & (
  | { readonly type: "search_home" }
  | { readonly type: "terminal" }
  | {
      readonly type: "search_results"
      readonly searchText: string
      readonly normalizedSearchText: string
      readonly page: number
      readonly totalPages: number
      readonly totalResults: number
      /** 1-based ranks of the first and last product shown; 0 on an empty page. */
      readonly rankStart: number
      readonly rankEnd: number
      readonly products: readonly { readonly rank: number; readonly card: Card }[]
    }
  | {
      readonly type: "product_detail"
      readonly product: Card
      readonly axes: readonly AxisView[]
      readonly missingAxes: readonly string[]
      /** The price of what is selected, where it can be known. */
      readonly selectedPrice: number | null
    }
)

/** A page as data, as the reference shop publishes it: the keys of `shopping-observation-v7`. */
export type ObservationState = JsonObject & {
  readonly observation_version: string
  readonly page_type: Page["type"]
  readonly search_available: boolean
  readonly actions: string[]
}

/** The page a session is on. */
export function pageOf(session: Session, shop: Shop): Page {
  const rules = rulesOf(session.rules)
  const common = { rules, searchAvailable: false, actions: [], lastAction: session.last_action }
  switch (session.page) {
    case "search_home":
      return { ...common, type: "search_home", searchAvailable: true }
    case "terminal":
      return { ...common, type: "terminal" }
    case "search_results": {
      const before = (session.result_page - 1) * PAGE_SIZE
      const products = pageHits(session).map((document, i) => {
        return { rank: before + i + 1, card: cardOf(shop.summary(document), rules, (summary) => summary) }
      })
      return {
        ...common,
        type: "search_results",
        actions: [...new Set([...resultButtons(session), ...products.map(({ card }) => card.asin)])],
        searchText: session.query,
        normalizedSearchText: normalizeQuery(session.query),
        page: session.result_page,
        totalPages: pageCount(session.hits.length),
        totalResults: session.hits.length,
        rankStart: products.length === 0 ? 0 : before + 1,
        rankEnd: products.length === 0 ? 0 : before + products.length,
        products,
      }
    }
    case "product_detail": {
      const product = shop.product(session.product!) // set on this page
      const list = choices(product, session.selected)
      const missing = missingAxes(list)
      return {
        ...common,
        type: "product_detail",
        actions: [...productButtons(missing.length === 0), ...optionLabels(list)],
        product: cardOf(product, rules, summarizeProduct),
        axes: list.map(({ name, values, selected }) => {
          return { name, values: values.slice(0, LISTED_VALUES).map(({ text }) => text), selected }
        }),
        missingAxes: missing,
        selectedPrice: resolvePrice(product, selections(list), { rules: session.rules }).price,
      }
    }
    default:
      throw session.page satisfies never
  }
}

/** The page a session is on, as data. Public: it never holds anything of the goal. */
export function observationState(session: Session, shop: Shop): ObservationState {
  return pageState(pageOf(session, shop))
}

/** A page as data. */
export function pageState(page: Page): ObservationState {
  const state = {
    observation_version: page.rules.observation_version,
    page_type: page.type,
    search_available: page.searchAvailable,
    actions: [...page.actions],
    ...(page.lastAction === null ? {} : { last_action: feedbackState(page.lastAction) }),
  }
  switch (page.type) {
    case "search_home":
    case "terminal":
      return state
    case "search_results":
      return {
        ...state,
        search_text: page.searchText,
        normalized_search_text: page.normalizedSearchText,
        page: page.page,
        total_pages: page.totalPages,
        total_results: page.totalResults,
        rank_start: page.rankStart,
        rank_end: page.rankEnd,
        products: page.products.map(({ rank, card }) => cardState(card, { rank })),
      }
    case "product_detail":
      return {
        ...state,
        product: cardState(page.product, {}),
        selected_options: Object.fromEntries(
          page.axes.flatMap(({ name, selected }) => (selected === null ? [] : [[name, selected]])),
        ),
        available_options: Object.fromEntries(page.axes.map(({ name, values }) => [name, [...values]])),
        missing_option_axes: [...page.missingAxes],
        options_complete: page.missingAxes.length === 0,
        ...(page.selectedPrice === null ? {} : { selected_price: page.selectedPrice }),
      }
    default:
      throw page satisfies never
  }
}

/** Feedback as data. */
export function feedbackState({ action, valid, reason, message, missing_option_axes }: ActionFeedback): JsonObject {
  const feedback = { action, valid, reason, message }
  return missing_option_axes === undefined ? feedback : { ...feedback, missing_option_axes: [...missing_option_axes] }
}

/** A card as data: whoever gets it may do with it what they like. */
function cardState(card: Card, more: { readonly rank?: number }): JsonObject {
  const { asin, title, brand, category, price, key_attributes } = card
  return { asin, title, brand, category, price, key_attributes: key_attributes.slice(), ...more }
}

/** Cards by profile, made once for each product that is in memory: a results page shows twenty. */
const CARDS: Readonly<Record<RulesName, WeakMap<object, Card>>> = { v8: new WeakMap(), souk: new WeakMap() }

function cardOf<Source extends object>(
  source: Source,
  rules: Rules,
  summarize: (source: Source) => ProductSummary,
): Card {
  const known = CARDS[rules.name].get(source)
  if (known !== undefined) return known
  const { asin, title, brand, category, pricing, key_attributes } = summarize(source)
  const card = { asin, title, brand, category, price: listingPriceText(pricing, rules), key_attributes }
  CARDS[rules.name].set(source, card)
  return card
}
