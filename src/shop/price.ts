import type { JsonObject } from "../core/json.ts"
import { casefold } from "../lib/casefold.ts"
import { floatText } from "../lib/python-number.ts"
import { removeSpaces } from "../lib/python-text.ts"
import type { NumberText, OptionAxis, Product } from "./product.ts"
import { type Rules, type RulesName, rulesOf } from "./rules.ts"

/** Chosen option values by the source's axis name; values in the form that is clicked. */
export type SelectedOptions = ReadonlyMap<string, string> | Readonly<Record<string, string>>

/** How the price of a product with these selections was found, or why it cannot be known. */
export type PriceResolution = {
  readonly status: "pass" | "unverifiable"
  /** In the catalog's currency; null unless `pass`. */
  readonly price: number | null
  readonly version: string
  readonly method:
    | "invalid_selected_options" // what was given are no options
    | "multiple_price_affecting_axes" // two axes move the price: no single value names it
    | "price_axis_unselected" // the axis that moves the price has no selection
    | "selected_variant_price_missing" // the chosen value of that axis carries no price
    | "selected_price_axis" // the chosen value of that axis names it
    | "constant_option_price" // every priced option costs the same
    | "single_listing_price" // no options, one listing price
    | "price_not_deterministic"
  readonly evidence: JsonObject
}

/** Names of the axes with more than one price, in source order. */
export function priceAffectingAxes(product: Pick<Product, "axes">): string[] {
  return affectingAxes(product.axes).map((axis) => axis.name)
}

/**
 * The price of `product` as it is configured by `selected` (axis name → value).
 *
 * Exactly one axis may move the price; its chosen value then names it. Otherwise one price common to all priced options holds, and
 * for a product without options its one listing price. Everything else is `unverifiable`, which is an answer and not an error.
 * `v8` takes a product without any price for one of 100; `souk` invents nothing, and lets one listing price hold for options
 * without prices. Values are compared after NFKC, case folding, `/` as `|`, and without spaces.
 *
 * @example resolvePrice(product, { 颜色分类: "白色" }, { rules: "souk" }) // { status: "pass", price: 1999, method: "selected_price_axis", … }
 */
export function resolvePrice(
  product: Pick<Product, "axes" | "pricing">,
  selected: SelectedOptions,
  { rules = "souk" }: { rules?: RulesName } = {},
): PriceResolution {
  return resolve(product, selected, rulesOf(rules))
}

function resolve(product: Pick<Product, "axes" | "pricing">, selected: unknown, rules: Rules): PriceResolution {
  const version = rules.price_version
  const unverifiable = (method: PriceResolution["method"], evidence: JsonObject): PriceResolution => {
    return { status: "unverifiable", price: null, version, method, evidence }
  }
  const pass = (method: PriceResolution["method"], price: number, evidence: JsonObject = {}): PriceResolution => {
    return { status: "pass", price, version, method, evidence }
  }

  const options = selectedMap(selected)
  if (options === undefined)
    return unverifiable("invalid_selected_options", { reason: "selected options must map axes to values" })

  const affecting = affectingAxes(product.axes)
  const [axis] = affecting
  if (affecting.length > 1) {
    return unverifiable("multiple_price_affecting_axes", { price_affecting_axes: affecting.map(({ name }) => name) })
  }
  if (axis !== undefined) {
    const chosen = options.get(axis.name)
    const evidence = { price_axis: axis.name }
    if (chosen === undefined) return unverifiable("price_axis_unselected", evidence)
    const price = priceOfValue(axis, chosen)
    return price === undefined
      ? unverifiable("selected_variant_price_missing", evidence)
      : pass("selected_price_axis", price, evidence)
  }

  const optionPrices = [...new Set(product.axes.flatMap(pricesOfAxis))]
  if (optionPrices.length === 1) return pass("constant_option_price", optionPrices[0]!)
  const listing = [...new Set(listingPrices(product.pricing, rules).map(Number))].filter(isUsable)
  const listingHolds = product.axes.length === 0 || (rules.listingPriceCoversOptions && optionPrices.length === 0)
  if (listingHolds && listing.length === 1) return pass("single_listing_price", listing[0]!)
  const candidates = optionPrices.length > 0 ? optionPrices : listing
  return unverifiable("price_not_deterministic", { candidate_prices: candidates.sort((a, b) => a - b) })
}

/** Option text made comparable: NFKC, case folding, `/` as `|`, no white space. */
export function normalizeOption(text: string): string {
  return removeSpaces(casefold(text.normalize("NFKC")).replaceAll("/", "|"))
}

/** Selections as a map; undefined for what is none. */
export function selectedMap(selected: unknown): ReadonlyMap<string, string> | undefined {
  if (selected instanceof Map) return selected
  if (typeof selected !== "object" || selected === null || Array.isArray(selected)) return undefined
  return new Map(Object.entries(selected).map(([axis, value]) => [axis, String(value)]))
}

/** The price a product is listed at, as pages show it (`118.0`, `66 to 83`); null when it has none. */
export function listingPriceText(pricing: readonly NumberText[], rules: Rules): string | null {
  const low = pricing[0] ?? rules.inventedPrice
  if (low === null) return null
  const high = pricing[1]
  if (rules.pythonNumbers) return high === undefined ? low : `${low} to ${high}`
  const from = Number(low)
  const to = high === undefined ? from : Number(high)
  return from === to ? String(from) : `${Math.min(from, to)} to ${Math.max(from, to)}`
}

/** A resolved price as pages show it. */
export function priceText(price: number, rules: Rules): string {
  return rules.pythonNumbers ? floatText(price) : String(price)
}

function listingPrices(pricing: readonly NumberText[], rules: Rules): readonly NumberText[] {
  return pricing.length === 0 && rules.inventedPrice !== null ? [rules.inventedPrice] : pricing
}

function affectingAxes(axes: readonly OptionAxis[]): OptionAxis[] {
  return axes.filter((axis) => new Set(pricesOfAxis(axis)).size > 1)
}

function pricesOfAxis(axis: OptionAxis): number[] {
  const prices: number[] = []
  for (const { price } of axis.values) if (price !== undefined && isUsable(Number(price))) prices.push(Number(price))
  return prices
}

/** The price of the first value that reads like `chosen` and has one. */
function priceOfValue(axis: OptionAxis, chosen: string): number | undefined {
  const key = normalizeOption(chosen)
  const value = axis.values.find(
    ({ value, price }) => price !== undefined && isUsable(Number(price)) && normalizeOption(value) === key,
  )
  return value === undefined ? undefined : Number(value.price)
}

function isUsable(price: number): boolean {
  return Number.isFinite(price) && price >= 0
}
