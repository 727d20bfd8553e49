import type { Random } from "../../core/random.ts"
import { fuzzyMatches } from "../fuzzy.ts"
import { matchAttributes } from "../match.ts"
import { normalizeOption, priceAffectingAxes, resolvePrice } from "../price.ts"
import { type OptionAxis, type OptionValue, type Product, publicOptionValue } from "../product.ts"
import { planBudget } from "./amounts.ts"
import type { BudgetPlan, Sayable, WantedOption } from "./shopper.ts"

/** What is wanted of a product, and one way to get it. */
export interface Want {
  readonly attributes: readonly Sayable[]
  readonly options: readonly WantedOption[]
  /** Values chosen on every axis, as they are clicked. */
  readonly selection: ReadonlyMap<string, string>
  /** Of that selection; null: not verifiable under both rule profiles. */
  readonly price: number | null
  readonly budget: BudgetPlan
}

const SHARES = {
  distinguishing: 0.9, // of tasks ask for something that a similar product lacks, where there is such a thing
  mostTelling: 0.6, // of those, for what most of the similar products lack
  option: 0.88, // of axes with a choice are asked for
  firstValue: 0.1, // of wanted options are the first in their list
  budget: 0.75, // of tasks whose price is known name one
  explicitlyNone: 0.2, // of the others say that money does not matter
}

/**
 * Chooses what a shopper wants of `product`, so that it decides between it and its `peers` (products a search may find instead).
 * Null when nothing can be asked.
 */
export function chooseWant(
  random: Random,
  product: Product,
  { peers, sayables }: { peers: readonly Product[]; sayables: readonly Sayable[] },
): Want | null {
  const attributes = chooseAttributes(random, peers, sayables)
  if (attributes.length === 0) return null
  const selection = new Map<string, string>()
  const options: WantedOption[] = []
  for (const axis of product.axes) {
    const value = chooseValue(random, axis)
    if (value === null) return null // an axis without values can never be bought
    selection.set(axis.name, publicOptionValue(value.value))
    if (axis.values.length < 2 || !random.chance(SHARES.option)) continue
    options.push({ axis: axis.name, value: value.value, spoken: spokenValue(axis, value.value) })
  }
  const price = verifiablePrice(product, selection)
  const budget = chooseBudget(random, { price, peers, attributes, options })
  return { attributes, options, selection, price, budget }
}

function chooseAttributes(random: Random, peers: readonly Product[], sayables: readonly Sayable[]): Sayable[] {
  const lacking = (text: string) => peers.filter((peer) => !has(peer, text)).length
  const telling = sayables
    .map((sayable) => ({ sayable, peers: lacking(sayable.text) }))
    .filter(({ peers }) => peers > 0)
  const most = Math.max(...telling.map(({ peers }) => peers))
  const wanted = random.chance(SHARES.mostTelling) ? telling.filter(({ peers }) => peers === most) : telling
  const first = wanted.length > 0 && random.chance(SHARES.distinguishing) ? [random.pick(wanted).sayable] : []
  const count = random.pick([1, 2, 2, 2, 3, 3])
  const rest = random.sample(sayables, sayables.length).filter((sayable) => !first.includes(sayable))
  return random.shuffle([...first, ...rest.slice(0, count - first.length)])
}

function has(product: Product, attribute: string): boolean {
  return product.attributes.includes(attribute) || matchAttributes([attribute], product)[0]!.matched
}

/** Not the first of the list, nor one that is sold out, where there is another. */
function chooseValue(random: Random, axis: OptionAxis): OptionValue | null {
  const sold = axis.values.filter(({ value, available }) => available !== false && /[\p{L}\p{N}]/u.test(value))
  if (sold.length === 0) return null
  const first = axis.values[0]
  const later = sold.filter((value) => value !== first && !sameAs(value, first))
  return later.length === 0 || random.chance(SHARES.firstValue) ? sold[0]! : random.pick(later)
}

function sameAs(value: OptionValue, first: OptionValue | undefined): boolean {
  return first !== undefined && normalizeOption(value.value) === normalizeOption(first.value)
}

/** `雾蓝【新色】` → `雾蓝`, unless another value would sound the same. */
function spokenValue(axis: OptionAxis, value: string): string {
  const bare = undecorated(value)
  const alike = axis.values.filter((other) => undecorated(other.value) === bare)
  return (bare !== "" && alike.length === 1 ? bare : value.trim()).replace(/\s*\|\s*/g, "/")
}

function undecorated(value: string): string {
  return value
    .replace(/[【[(（][^】\])）]*[】\])）]/gu, "")
    .replace(/ - Limited$/, "")
    .trim()
}

/** The price of that configuration where both profiles agree on one. */
function verifiablePrice(product: Product, selection: ReadonlyMap<string, string>): number | null {
  const [souk, v8] = (["souk", "v8"] as const).map((rules) => resolvePrice(product, selection, { rules }))
  return souk!.status === "pass" && v8!.status === "pass" && souk!.price === v8!.price ? souk!.price : null
}

function chooseBudget(
  random: Random,
  {
    price,
    peers,
    attributes,
    options,
  }: {
    price: number | null
    peers: readonly Product[]
    attributes: readonly Sayable[]
    options: readonly WantedOption[]
  },
): BudgetPlan {
  if (price === null || price <= 0 || !random.chance(SHARES.budget)) {
    return { kind: random.chance(SHARES.explicitlyNone) ? "explicitly_none" : "not_stated" }
  }
  const dearer = peers
    .filter((peer) => attributes.every(({ text }) => has(peer, text)))
    .flatMap((peer) => leastPrice(peer, options) ?? [])
    .filter((other) => other > price)
  return planBudget(random, price, dearer.length === 0 ? null : Math.min(...dearer))
}

/** What `product` costs at least with these options; null when it lacks one, or its price cannot be known. */
export function leastPrice(product: Product, options: readonly WantedOption[]): number | null {
  const selection = new Map<string, string>()
  for (const { axis: name, value } of options) {
    const axis = product.axes.find((candidate) => candidate.name === name)
    const offered = axis?.values.find((candidate) => fuzzyMatches(candidate.value, value))
    if (offered === undefined) return null
    selection.set(name, publicOptionValue(offered.value))
  }
  const [moving] = priceAffectingAxes(product)
  if (moving === undefined || selection.has(moving)) return resolvePrice(product, selection).price
  const values = product.axes.find(({ name }) => name === moving)!.values
  const prices = values.flatMap(({ value }) => {
    return resolvePrice(product, new Map(selection).set(moving, publicOptionValue(value))).price ?? []
  })
  return prices.length === 0 ? null : Math.min(...prices)
}
