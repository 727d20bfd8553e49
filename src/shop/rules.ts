import { z } from "zod"
import type { Language } from "./catalog.ts"

/**
 * The two rule profiles of the shop. `v8` plays as a `shopsimulator-paper-aligned-v8` server does, so that its clients work
 * unchanged and results compare; `souk` is the same shop with its faults mended.
 */
export const RulesName = z.enum(["v8", "souk"])
export type RulesName = z.infer<typeof RulesName>

/** Whether the agent shops alone or may talk with the shopper: sets the number of actions. */
export const InteractionMode = z.enum(["single_turn", "multi_turn"])
export type InteractionMode = z.infer<typeof InteractionMode>

/** How title terms are taken from a title; the name is the version. */
export type TitleTokenizer = "han-bigram-latin-number-v1" | "jieba-nouns-1" | "english-words-1"

/** A profile: all that differs between `v8` and `souk`, as data. Code asks these fields, never the profile's name. */
export interface Rules {
  readonly name: RulesName
  readonly environment_version: string
  readonly observation_version: string
  readonly tool_version: string
  readonly reward_version: string
  readonly price_version: string
  /** Languages that pages can be written in; the first one is used for catalogs in another language. */
  readonly languages: readonly Language[]
  readonly titleTokenizer: Readonly<Record<Language, TitleTokenizer>>
  readonly actionLimits: Readonly<Record<InteractionMode, number>>
  /** A limit shows the page `terminal`, as a purchase does, instead of the page the episode was on. */
  readonly terminalAfterLimit: boolean
  /** What a product without a listing price is said to cost (source's number text); null: nothing is invented. */
  readonly inventedPrice: string | null
  /** Prices keep the source's spelling (`118.0`), as Python prints them; otherwise as plain decimals (`118`). */
  readonly pythonNumbers: boolean
  /** One listing price also holds for a product whose options carry no prices of their own. */
  readonly listingPriceCoversOptions: boolean
  /** A shopper's profile is public in standard mode too. */
  readonly personaInStandardMode: boolean
  /** A blank required attribute counts, as matched: it is part of any text. */
  readonly blankAttributesCount: boolean
  /** A wanted option is looked for on its own axis where that is known, and an exact value there beats a similar one. */
  readonly optionsOnOwnAxis: boolean
  /** The record of a purchase quotes the first instruction written for the product that was bought. */
  readonly purchaseQuotesInstruction: boolean
  /** `reward_detail` says which tokenizer was used and explains itself. */
  readonly explained: boolean
}

const V8: Rules = {
  name: "v8",
  environment_version: "shopsimulator-paper-aligned-v8",
  observation_version: "shopping-observation-v7",
  tool_version: "shopping-tools-paper-v4",
  reward_version: "shopsimulator-paper-reward-v2",
  price_version: "variant-price-paper-v2",
  languages: ["zh"],
  titleTokenizer: { zh: "han-bigram-latin-number-v1", en: "han-bigram-latin-number-v1" },
  actionLimits: { single_turn: 30, multi_turn: 40 },
  terminalAfterLimit: false,
  inventedPrice: "100.0",
  pythonNumbers: true,
  listingPriceCoversOptions: false,
  personaInStandardMode: true,
  blankAttributesCount: true,
  optionsOnOwnAxis: false,
  purchaseQuotesInstruction: true,
  explained: false,
}

const SOUK: Rules = {
  ...V8,
  name: "souk",
  environment_version: "souk-shop-1",
  observation_version: "souk-observation-1",
  reward_version: "souk-reward-1",
  price_version: "souk-price-1",
  languages: ["zh", "en"],
  titleTokenizer: { zh: "jieba-nouns-1", en: "english-words-1" },
  terminalAfterLimit: true,
  inventedPrice: null,
  pythonNumbers: false,
  listingPriceCoversOptions: true,
  personaInStandardMode: false,
  blankAttributesCount: false,
  optionsOnOwnAxis: true,
  purchaseQuotesInstruction: false,
  explained: true,
}

const PROFILES: Readonly<Record<RulesName, Rules>> = { v8: V8, souk: SOUK }

/** The profile of that name. */
export function rulesOf(name: RulesName): Rules {
  return PROFILES[name]
}

/** The language that pages are written in on a catalog in `language`. */
export function pageLanguage(rules: Rules, language: Language): Language {
  return rules.languages.includes(language) ? language : rules.languages[0]!
}

/** Hits kept of a search. */
export const SEARCH_TOP = 150
/** Products on a results page. */
export const PAGE_SIZE = 20
/** Values of an option axis that a page lists; all of them can be clicked. */
export const LISTED_VALUES = 100

/** The profile whose pages have that version. */
export function rulesOfObservation(version: string): Rules | undefined {
  return Object.values(PROFILES).find((rules) => rules.observation_version === version)
}
