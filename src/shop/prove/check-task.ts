import { playPolicy } from "../baselines/policy.ts"
import type { Language } from "../catalog.ts"
import { type Goal, goalOf } from "../goal.ts"
import { matchAttributes, matchOptions } from "../match.ts"
import { oracle, planPurchase } from "../oracle.ts"
import { resolvePrice } from "../price.ts"
import type { Product } from "../product.ts"
import { scorePurchase } from "../reward.ts"
import { type RulesName, rulesOf } from "../rules.ts"
import type { Shop } from "../shop.ts"
import type { ShopTask } from "../task.ts"

/** Why a task cannot be done with the product it was written for (another one may still do), or why doing it would prove nothing. */
export const FLAWS = {
  product_missing: "the catalog does not have the product the task was written for",
  option_not_offered: "the product does not offer a wanted option",
  attribute_not_met: "the product does not have a wanted attribute, by the reward's own rule",
  kind_not_met:
    "the product's title and category do not name its kind, so that even the product itself counts as another kind",
  price_unknown: "there is a budget, but the price of the wanted configuration cannot be known",
  over_budget: "the wanted configuration costs more than the budget",
  not_found: "no search for the product lists it",
  not_solved: "a shopper who knows the goal does not reach it within the limit of actions",
  rewards_idleness: "an agent that never buys is rewarded",
} as const
export type Flaw = keyof typeof FLAWS

/** What stands against a task. */
export interface TaskFlaw {
  readonly flaw: Flaw
  readonly detail: string // what exactly, in a few words
}

/** What proving one task found. */
export interface TaskProof {
  readonly solved: boolean
  readonly flaws: readonly TaskFlaw[]
  /** Actions the oracle took. */
  readonly actions: number
  /** Whether there is an attribute or an option to satisfy, besides the kind of thing and its price. */
  readonly asks: boolean
}

interface Rules {
  readonly rules: RulesName
  readonly language: Language
}

/** Plays the oracle on a task and looks at its goal: solved, or all that stands against it. */
export function checkTask(task: ShopTask, shop: Shop, { rules, language }: Rules): TaskProof {
  const document = shop.documentOf(task.asin)
  if (document === undefined)
    return { solved: false, flaws: [{ flaw: "product_missing", detail: task.asin }], actions: 0, asks: false }
  const product = shop.product(document)
  const goal = goalOf(task, product, rules)
  const flaws = goalFlaws(goal, product, { rules, language })
  const session = playPolicy(oracle, { task, rules, language }, shop)
  const end = session.end!
  const solved = end.reason === "purchase" && end.reward_detail.r_success === 1
  if (!session.opened.includes(document))
    flaws.push({ flaw: "not_found", detail: `${session.counters.searches} searches` })
  else if (!solved && flaws.length === 0) {
    const detail =
      end.reason === "purchase"
        ? `a purchase is worth ${end.reward}`
        : `the limit of ${session.counters.actions} actions came first`
    flaws.push({ flaw: "not_solved", detail })
  }
  const attributes = goal.attributes.filter((text) => text.trim() !== "")
  return { solved, flaws, actions: session.counters.actions, asks: attributes.length + goal.options.length > 0 }
}

/** What is wrong with a goal in itself: it asks of the product what that does not have. */
function goalFlaws(goal: Goal, product: Product, { rules: name, language }: Rules): TaskFlaw[] {
  const flaws: TaskFlaw[] = []
  const rules = rulesOf(name)
  const { selected } = planPurchase(goal, product, { rules: name })
  for (const [i, option] of goal.options.entries()) {
    const single = { options: [option], option_axes: [goal.option_axes?.[i] ?? null], price_upper: null }
    const alone = planPurchase(single, product, { rules: name })
    if (!alone.satisfies) flaws.push({ flaw: "option_not_offered", detail: option })
  }
  if (flaws.length === 0) {
    for (const { matched, wanted } of matchOptions(goal, product, selected, rules)) {
      if (!matched) flaws.push({ flaw: "option_not_offered", detail: `${wanted}, together with the other options` })
    }
  }
  const wanted = rules.blankAttributesCount ? goal.attributes : goal.attributes.filter((text) => text.trim() !== "")
  for (const { matched, wanted: attribute } of matchAttributes(wanted, product)) {
    if (!matched) flaws.push({ flaw: "attribute_not_met", detail: attribute })
  }
  const { r_type } = scorePurchase({ goal, product, selected, rules: name, language }).reward_detail
  if (r_type !== 1) flaws.push({ flaw: "kind_not_met", detail: product.title })
  if (goal.price_upper !== null) {
    const { price, method } = resolvePrice(product, selected, { rules: name })
    if (price === null) flaws.push({ flaw: "price_unknown", detail: method })
    else if (price > goal.price_upper) flaws.push({ flaw: "over_budget", detail: `${price} of ${goal.price_upper}` })
  }
  return flaws
}
