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
  option: 0.93, // of axes with a choice are asked for
  paraphrased: 0.38, // of wanted options are said in other words, where there are some
  firstValue: 0.18, // of wanted options are the first in their list
  budget: 0.82, // of tasks whose price is known name one
  explicitlyNone: 0.2, // of the others say that money does not matter
}

/** How many attributes are asked for beside none, one, or more wanted options. */
const ATTRIBUTE_COUNTS: readonly (readonly number[])[] = [[3], [3], [1, 2, 2, 3]]
/** How many of them are chosen for what they exclude. */
const DECIDING_SHARES: readonly number[] = [0.95, 0.8, 0.6]

/**
 * Chooses what a shopper wants of `product`, so that it decides between it and its `peers` (products a search may find instead).
 * Null when nothing can be asked.
 */
export function chooseWant(
  random: Random,
  product: Product,
  {
    peers,
    sayables,
    sayings,
  }: { peers: readonly Product[]; sayables: readonly Sayable[]; sayings: (axis: string, value: string) => string[] },
): Want | null {
  if (sayables.length === 0) return null
  const selection = new Map<string, string>()
  const options: WantedOption[] = []
  const spare: WantedOption[] = []
  for (const axis of product.axes) {
    const value = chooseValue(random, axis)
    if (value === null) return null // an axis without values can never be bought
    selection.set(axis.name, publicOptionValue(value.value))
    if (axis.values.length < 2) continue
    const option = sayOption(random, axis, value.value, { peers, sayings })
    if (random.chance(SHARES.option)) options.push(option)
    else spare.push(option)
  }
  if (options.length === 0 && spare.length > 0) options.push(random.pick(spare))
  const attributes = chooseAttributes(random, peers, sayables, options.length)
  const price = verifiablePrice(product, selection)
  const budget = chooseBudget(random, { price, peers, attributes, options })
  return { attributes, options, selection, price, budget }
}

/**
 * The fewer options are wanted, the more attributes, and the more of them are chosen for what they exclude: one that most of the
 * similar products still in question lack. The others come as they do.
 */
function chooseAttributes(
  random: Random,
  peers: readonly Product[],
  sayables: readonly Sayable[],
  optionCount: number,
): Sayable[] {
  const kind = Math.min(optionCount, 2)
  const count = random.pick(ATTRIBUTE_COUNTS[kind]!)
  const chosen: Sayable[] = []
  let left = peers
  const rest = random.shuffle(sayables)
  while (chosen.length < count && rest.length > 0) {
    const deciding = random.chance(DECIDING_SHARES[kind]!)
    const remaining = rest.map(({ text }) => left.filter((peer) => has(peer, text)).length)
    const at = deciding ? remaining.indexOf(Math.min(...remaining)) : 0
    const [next] = rest.splice(at, 1)
    chosen.push(next!)
    left = left.filter((peer) => has(peer, next!.text))
  }
  return random.shuffle(chosen)
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

/**
 * How a shopper says a value: `雾蓝【新色】` → `雾蓝`, unless another value would sound the same; or otherwise (`蓝色`), where that
 * means no other value of this axis, here or at a peer.
 */
function sayOption(
  random: Random,
  axis: OptionAxis,
  value: string,
  { peers, sayings }: { peers: readonly Product[]; sayings: (axis: string, value: string) => string[] },
): WantedOption {
  const bare = undecorated(value)
  const alike = axis.values.filter((other) => undecorated(other.value) === bare)
  const plain = (bare !== "" && alike.length === 1 ? bare : value.trim()).replace(/\s*\|\s*/g, "/")
  const axes = [axis, ...peers.flatMap((peer) => peer.axes.filter(({ name }) => name === axis.name))]
  const others = new Set(axes.flatMap(({ values }) => values.map((other) => undecorated(other.value))))
  others.delete(bare)
  const taken = new Set([...others].flatMap((other) => [other, ...sayings(axis.name, other)]))
  const telling = sayings(axis.name, bare).filter((saying) => !taken.has(saying))
  const paraphrased = telling.length > 0 && random.chance(SHARES.paraphrased)
  return { axis: axis.name, value, spoken: paraphrased ? random.pick(telling) : plain, paraphrased }
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
function leastPrice(product: Product, options: readonly WantedOption[]): number | null {
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
