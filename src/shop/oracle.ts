import { collapseText } from "../lib/python-text.ts"
import { type Policy, searchFor } from "./baselines/policy.ts"
import { FUZZY_THRESHOLD, fuzzyRatio } from "./fuzzy.ts"
import { type Goal, goalOf } from "./goal.ts"
import { matchOptions } from "./match.ts"
import { BACK_TO_SEARCH, BUY_NOW, type Choice, choices, NEXT, optionLabel, PREVIOUS, pageHits } from "./moves.ts"
import { normalizeOption, resolvePrice } from "./price.ts"
import type { Product } from "./product.ts"
import { type Rules, type RulesName, rulesOf } from "./rules.ts"
import { normalizeQuery } from "./search/tokens.ts"
import { goalProduct, type Session } from "./session.ts"

/** So many configurations of a product are tried before the oracle takes the likeliest one. */
const MAX_CONFIGURATIONS = 500

/**
 * Knows the goal: searches for the product the task was written for, pages until it is shown, opens it, chooses a configuration that
 * earns the full reward, and buys. Where there is no such configuration it takes the likeliest one; where no search of its lists the
 * product it searches until the limit. Throws `CATALOG_CORRUPT` when the shop does not have the product.
 */
export const oracle: Policy = (session, shop) => {
  const product = goalProduct(session, shop)
  const document = shop.documentOf(product.asin)!
  switch (session.page) {
    case "search_home":
      return searchFor(nextQuery(session, product))
    case "search_results":
      if (pageHits(session).includes(document)) return `click[${product.asin}]`
      return `click[${session.hits.includes(document) ? NEXT : BACK_TO_SEARCH}]`
    case "product_detail": {
      if (session.product !== document) return `click[${PREVIOUS}]`
      const plan = planPurchase(goalOf(session.task, product, session.rules), product, { rules: session.rules })
      const open = choices(product, session.selected).find(({ name, selected }) => selected !== plan.selected.get(name))
      return open === undefined
        ? `click[${BUY_NOW}]`
        : `click[${optionLabel(open.name, plan.selected.get(open.name)!)}]`
    }
    case "terminal":
      return ""
    default:
      throw session.page satisfies never
  }
}

/** The first of the oracle's queries that it has not tried yet; the last one when it has tried them all. */
function nextQuery({ queries, task }: Session, product: Product): string {
  const everything = [product.title, product.brand, product.category, ...product.attributes, ...task.options].join(" ")
  const planned = [product.title, everything, task.instruction].map(collapseText)
  return planned.find((query) => query !== "" && !queries.includes(normalizeQuery(query))) ?? planned[0]!
}

/** How a product is to be configured for a goal. */
export interface PurchasePlan {
  /** Axis name → value, in the form that is clicked; every axis has one. */
  readonly selected: ReadonlyMap<string, string>
  /** All wanted options match, and the price is within the budget. */
  readonly satisfies: boolean
}

/** The first configuration of `product` that satisfies options and budget of `goal`, wanted values and low prices first. */
export function planPurchase(
  goal: Pick<Goal, "options" | "option_axes" | "price_upper">,
  product: Product,
  { rules: name }: { rules: RulesName },
): PurchasePlan {
  const rules = rulesOf(name)
  const list = choices(product, [])
  const candidates = list.map((choice) => likelyValues(choice, goal, product, rules))
  let likeliest: ReadonlyMap<string, string> | undefined
  let tried = 0
  for (const values of combinations(candidates)) {
    const selected = new Map(list.map(({ name }, i) => [name, values[i]!]))
    likeliest ??= selected
    if (isSatisfied(goal, product, selected, rules)) return { selected, satisfies: true }
    if (++tried >= MAX_CONFIGURATIONS) break
  }
  return { selected: likeliest ?? new Map(), satisfies: false }
}

function isSatisfied(
  goal: Pick<Goal, "options" | "option_axes" | "price_upper">,
  product: Product,
  selected: ReadonlyMap<string, string>,
  rules: Rules,
): boolean {
  if (!matchOptions(goal, product, selected, rules).every(({ matched }) => matched)) return false
  if (goal.price_upper === null) return true
  const { price } = resolvePrice(product, selected, { rules: rules.name })
  return price !== null && price <= goal.price_upper
}

/** Values of an axis worth trying: those like a wanted option, the same before the alike, then the cheapest. */
function likelyValues(
  choice: Choice,
  goal: Pick<Goal, "options" | "option_axes">,
  product: Product,
  rules: Rules,
): string[] {
  const axis = product.axes[choice.axis]!
  const wanted = goal.options.filter((_, i) => {
    const own = goal.option_axes?.[i] ?? null
    return !rules.optionsOnOwnAxis || own === null || normalizeOption(own) === normalizeOption(axis.name)
  })
  const likeness = (text: string) =>
    Math.max(
      0,
      ...wanted.map((option) => (normalizeOption(option) === normalizeOption(text) ? 101 : fuzzyRatio(text, option))),
    )
  const alike = choice.values
    .map(({ text }) => ({ text, likeness: likeness(text) }))
    .filter((value) => value.likeness > FUZZY_THRESHOLD)
    .sort((a, b) => b.likeness - a.likeness)
  const price = (index: number) => Number(axis.values[index]?.price ?? Number.POSITIVE_INFINITY)
  const [cheapest] = [...choice.values].sort((a, b) =>
    price(a.index) < price(b.index) ? -1 : price(a.index) > price(b.index) ? 1 : 0,
  )
  return [...new Set([...alike, ...(cheapest === undefined ? [] : [cheapest])].map(({ text }) => text))]
}

/** One of each list, first ones first, the last list fastest. */
function* combinations(lists: readonly (readonly string[])[]): Generator<string[]> {
  const [first, ...others] = lists
  if (first === undefined) {
    yield []
    return
  }
  for (const value of first) for (const rest of combinations(others)) yield [value, ...rest]
}
