import type { Choice, Kind } from "./vocabulary.ts"

/** How a product's prices are written in its record. */
export type PriceSpelling = "integer" | "float" | "decimal"

export interface DraftValue {
  readonly text: string
  readonly price: number | null // null: this axis carries no prices
  readonly available: boolean | null // null: the record does not say
}

export interface DraftAxis {
  readonly name: string
  readonly values: readonly DraftValue[]
}

/** One product before it is written down. Prices are whole or have one or two decimals, in the store's currency. */
export interface Draft {
  readonly kind: Kind
  readonly brand: string
  /** Model number or name of the line; empty: none. */
  readonly series: string
  readonly shop: string
  readonly facets: readonly Choice[] // one of each of the kind's, in its order
  readonly features: readonly Choice[]
  readonly axes: readonly DraftAxis[]
  readonly listing: readonly number[]
  readonly spelling: PriceSpelling
}

/** Every attribute the product has. */
export function choicesOf(draft: Draft): Choice[] {
  return [...draft.facets, ...draft.features]
}
