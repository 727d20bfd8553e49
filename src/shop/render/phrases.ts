import type { ActionFault } from "../action.ts"
import type { Language } from "../catalog.ts"
import { en } from "./en.ts"
import { zh } from "./zh.ts"

/** What is said about an action. */
export type FeedbackKey =
  | ActionFault
  | "unknown_verb"
  | "empty_query"
  | "empty_click"
  | "search_unavailable"
  | "already_selected"
  | "incomplete_options"
  | "unavailable_action"
  | "searched"
  | "clicked"
  | "bought"

/** All words of the shop's pages in one language. A change of any of them changes `version`. */
export interface Phrases {
  readonly version: string
  /** `value` is what was clicked or, for `incomplete_options`, the missing axes. */
  readonly feedback: Readonly<Record<FeedbackKey, (value: string) => string>>
  readonly page: Readonly<Record<"search_home" | "search_results" | "product_detail" | "terminal", string>>
  readonly terminal: string
  readonly searchText: (text: string) => string
  readonly range: (range: { page: number; pages: number; total: number; from: number; to: number }) => string
  readonly products: string
  readonly noProducts: string
  readonly product: string
  readonly untitled: string
  readonly notGiven: string
  readonly noPrice: string
  readonly title: (text: string) => string
  readonly asin: (text: string) => string
  readonly price: (text: string) => string
  readonly brand: (text: string) => string
  readonly category: (text: string) => string
  readonly keyAttributes: (texts: readonly string[]) => string
  readonly options: string
  readonly selected: (axis: string, value: string) => string
  readonly unselected: (axis: string) => string
  readonly values: (texts: readonly string[]) => string
  readonly noOptions: string
  readonly missing: (axes: string) => string
  readonly complete: string
  readonly axes: (names: readonly string[]) => string
  readonly lastAction: string
  readonly valid: string
  readonly invalid: string
  readonly message: (text: string) => string
  readonly reason: (code: string) => string
  readonly abilities: string
  readonly canSearch: string
  readonly clickable: string
  readonly nothing: string
}

const PHRASES: Readonly<Record<Language, Phrases>> = { zh, en }

export function phrases(language: Language): Phrases {
  return PHRASES[language]
}
