import type { Json } from "../../core/json.ts"
import type { Random } from "../../core/random.ts"
import type { Language } from "../catalog.ts"
import type { Product } from "../product.ts"
import type { AttributeForm } from "./vocabulary.ts"

/** How a shopper names the thing. */
export interface Noun {
  /** With what stands before it: `一副头戴式耳机`, `a pair of over-ear headphones`. */
  readonly phrase: string
  /** Without: `头戴式耳机`, `over-ear headphones`. */
  readonly bare: string
  /** Why one may want it: clauses that stand before the request; empty where nothing is known of the kind. */
  readonly scenes: readonly string[]
  /** Whose it is, when the shopper may name a brand. */
  readonly brand: string
}

/** A property of a product that a shopper may ask for. */
export interface Sayable {
  /** As the goal requires it: matches the product by the reward's rules. */
  readonly text: string
  readonly form: AttributeForm
  /** What may be said instead of the text. */
  readonly clauses: readonly string[]
}

export interface WantedOption {
  readonly axis: string
  /** In the source's spelling. */
  readonly value: string
  /** What a shopper says: the value without a seller's decoration, or another way to say it. */
  readonly spoken: string
  readonly paraphrased: boolean
}

/** What a shopper is willing to pay, to be put into words. `upper` is where acceptance ends. */
export type BudgetPlan =
  | { readonly kind: "upper"; readonly amount: number; readonly upper: number }
  | { readonly kind: "approximate"; readonly amount: number; readonly upper: number }
  | { readonly kind: "range"; readonly low: number; readonly amount: number; readonly upper: number }
  | { readonly kind: "explicitly_none" }
  | { readonly kind: "not_stated" }

/** Everything a request may mention. */
export interface Request {
  readonly noun: Noun
  readonly attributes: readonly Sayable[]
  readonly options: readonly WantedOption[]
  readonly budget: BudgetPlan
  readonly mentionsBrand: boolean
}

export interface Spoken {
  readonly text: string
  /** Name of the template it was built on. */
  readonly phrasing: string
}

/** Who asks, for the persona that goes with a request. */
export interface Shopper {
  /** Identifies the person: the same key gives the same id, home and habits. */
  readonly key: string
  readonly request: Request
  readonly category: string
  /** What the task's product costs in the wanted configuration; null: not known. */
  readonly price: number | null
  /** Everything the persona must hint at since the short request leaves it out. */
  readonly hidden: { readonly attributes: readonly Sayable[]; readonly options: readonly WantedOption[] }
}

/** How shoppers of one language ask. */
export interface ShopperVoice {
  readonly language: Language
  noun(product: Product, random: Random): Noun
  /** What can be asked of `product`, most telling first. `noun` is not among them. */
  sayables(product: Product, noun: Noun): Sayable[]
  /** Other ways to say an option value; whether one tells it from its neighbours is not looked at. */
  sayings(axis: string, value: string): string[]
  /** A whole request, all of it mentioned. */
  request(request: Request, random: Random): Spoken
  /** The least a shopper says, with whatever of attributes and options is left in `request`. */
  shortRequest(request: Request, random: Random): Spoken
  persona(shopper: Shopper, random: Random): Json
}
