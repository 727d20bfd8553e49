import { z } from "zod"
import type { ActionFeedback } from "../../core/environment.ts"
import { AppError } from "../../core/errors.ts"
import type { Language } from "../catalog.ts"
import { BACK_TO_SEARCH, NEXT, PREVIOUS } from "../moves.ts"
import type { Page } from "../observe.ts"
import { PAGE_SIZE, rulesOfObservation } from "../rules.ts"
import { renderPage } from "./page.ts"

/** What no page may hold at its top level: a state with one of these was not made by a shop's public side. */
const FORBIDDEN = ["goal", "reward", "reward_detail", "target_asin", "answer"]

const RESULT_BUTTONS = new Set([BACK_TO_SEARCH, PREVIOUS, NEXT])

const Card = z.object({
  asin: z.string().min(1),
  title: z.string(),
  brand: z.string(),
  category: z.string(),
  price: z.string().nullable(),
  key_attributes: z.array(z.string()),
})
const Feedback = z.object({
  action: z.string(),
  valid: z.boolean(),
  reason: z.string(),
  message: z.string(),
  missing_option_axes: z.array(z.string()).optional(),
})
const COMMON = {
  observation_version: z.string(),
  search_available: z.boolean(),
  actions: z.array(z.string().min(1)),
  last_action: Feedback.optional(),
}
const State = z.discriminatedUnion("page_type", [
  z.object({ ...COMMON, page_type: z.literal("search_home") }),
  z.object({ ...COMMON, page_type: z.literal("terminal") }),
  z.object({
    ...COMMON,
    page_type: z.literal("search_results"),
    search_text: z.string(),
    normalized_search_text: z.string(),
    page: z.number(),
    total_pages: z.number(),
    total_results: z.number(),
    rank_start: z.number(),
    rank_end: z.number(),
    products: z.array(Card.extend({ rank: z.number() })).max(PAGE_SIZE),
  }),
  z.object({
    ...COMMON,
    page_type: z.literal("product_detail"),
    product: Card,
    selected_options: z.record(z.string(), z.string()),
    available_options: z.record(z.string(), z.array(z.string())),
    missing_option_axes: z.array(z.string()),
    selected_price: z.number().optional(),
  }),
])

/**
 * The text of a page that was kept as data (a trace, a file, another server's answer). Axes come in the order of
 * `available_options`, which JSON on its way may have changed; in a session, use the observation's own text.
 *
 * Throws `BAD_INPUT` for what is no such state: another version, an unknown page, a field that would disclose the goal, more than
 * 20 products, or products other than those that can be clicked.
 */
export function renderObservation(state: unknown, language: Language): string {
  return renderPage(readPage(state), language)
}

function readPage(value: unknown): Page {
  const parsed = State.safeParse(value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw refused(`${issue?.path.join(".") || "state"}: ${issue?.message ?? "not valid"}`)
  }
  const state = parsed.data
  const disclosed = FORBIDDEN.find((key) => Object.hasOwn(value as object, key)) // an object, or it had not parsed
  if (disclosed !== undefined) throw refused(`it has the private field ${disclosed}`)
  const rules = rulesOfObservation(state.observation_version)
  if (rules === undefined)
    throw refused(`observation_version ${JSON.stringify(state.observation_version)} is not known`)

  const common = {
    rules,
    searchAvailable: state.search_available,
    actions: state.actions,
    lastAction: state.last_action === undefined ? null : (state.last_action as ActionFeedback), // an absent list is absent
  }
  switch (state.page_type) {
    case "search_home":
    case "terminal":
      return { ...common, type: state.page_type }
    case "search_results": {
      const shown = new Set(state.products.map(({ asin }) => asin))
      const links = state.actions.filter((label) => !RESULT_BUTTONS.has(label))
      const odd = [...shown].find((asin) => !state.actions.includes(asin)) ?? links.find((label) => !shown.has(label))
      if (odd !== undefined) throw refused(`${JSON.stringify(odd)} is not both shown and clickable`)
      return {
        ...common,
        type: "search_results",
        searchText: state.search_text,
        normalizedSearchText: state.normalized_search_text,
        page: state.page,
        totalPages: state.total_pages,
        totalResults: state.total_results,
        rankStart: state.rank_start,
        rankEnd: state.rank_end,
        products: state.products.map(({ rank, ...card }) => ({ rank, card })),
      }
    }
    case "product_detail": {
      const selected = new Map(Object.entries(state.selected_options))
      return {
        ...common,
        type: "product_detail",
        product: state.product,
        axes: Object.entries(state.available_options).map(([name, values]) => ({
          name,
          values,
          selected: selected.get(name) ?? null,
        })),
        missingAxes: state.missing_option_axes,
        selectedPrice: state.selected_price ?? null,
      }
    }
    default:
      throw state satisfies never
  }
}

function refused(why: string): AppError {
  return new AppError("BAD_INPUT", `This is no observation state of a shop: ${why}`)
}
