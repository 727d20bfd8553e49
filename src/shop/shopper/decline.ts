import { parseAction } from "../action.ts"
import { goalOf } from "../goal.ts"
import { BUY_NOW, choices, missingAxes, selections } from "../moves.ts"
import { scorePurchase } from "../reward.ts"
import { goalProduct, type Session } from "../session.ts"
import type { Shop } from "../shop.ts"
import type { Prompting } from "./shopper.ts"

/** Whether the shop would carry out `action` as a purchase. */
export function isPurchase(session: Session, action: string, shop: Shop): boolean {
  const read = parseAction(action)
  if (read.fault !== null || read.verb !== "click" || read.argument !== BUY_NOW) return false
  if (session.page !== "product_detail" || session.product === null) return false
  return missingAxes(choices(shop.product(session.product), session.selected)).length === 0
}

/**
 * The first thing that speaks against what the session is about to buy, going by what would be scored: its kind, a price that is
 * known to be above the budget, another option, a missing attribute. Null: nothing does.
 */
export function objection(session: Session, shop: Shop): Extract<Prompting, { kind: "decline" }> | null {
  const { task, rules, language } = session
  const product = shop.product(session.product!) // set where something can be bought
  const selected = selections(choices(product, session.selected))
  const goal = goalOf(task, goalProduct(session, shop), rules)
  const { r_type, explanation } = scorePurchase({ goal, product, selected, rules, language }).reward_detail
  if (explanation === undefined) return null
  const missing = new Set(explanation.attributes.filter(({ matched }) => !matched).map(({ wanted }) => wanted))
  if (r_type < 1) return { kind: "decline", fact: null }
  const unmet = [
    ...(explanation.price.within === false ? ["budget"] : []),
    ...explanation.options.flatMap(({ matched }, i) => (matched ? [] : [`option:${i}`])),
    ...task.attributes.flatMap((wanted, i) => (missing.has(wanted) ? [`attribute:${i}`] : [])),
  ]
  return unmet[0] === undefined ? null : { kind: "decline", fact: unmet[0] }
}
