import type { Random } from "../../core/random.ts"
import type { BudgetPlan } from "./shopper.ts"

/** Steps in which people name amounts of about this size. */
function steps(price: number): readonly number[] {
  if (price < 20) return [1, 5]
  if (price < 100) return [5, 10]
  if (price < 300) return [10, 50]
  if (price < 1000) return [20, 50, 100]
  if (price < 3000) return [50, 100, 200]
  return [100, 500, 1000]
}

/**
 * A budget that admits `price` and, where a natural amount does, excludes `rival`, the next dearer offer that would otherwise
 * do (null: there is none). Approximate amounts are accepted up to a tenth more.
 */
export function planBudget(random: Random, price: number, rival: number | null): BudgetPlan {
  const draw = random.next()
  if (draw < 0.22) {
    const plan = approximate(random, price)
    if (plan !== null && (rival === null || plan.upper < rival)) return plan
  }
  const amount = ceiling(random, price, rival)
  if (draw > 0.86) {
    const low = floorTo(price * (0.6 + 0.25 * random.next()), steps(price)[0]!)
    if (low > 0 && low < price) return { kind: "range", low, amount, upper: amount }
  }
  return { kind: "upper", amount, upper: amount }
}

function ceiling(random: Random, price: number, rival: number | null): number {
  const roomy = random.chance(0.15)
  const candidates = steps(price).map((step) => ceilTo(roomy ? price * 1.12 : price, step))
  const excluding = candidates.filter((amount) => rival === null || amount < rival)
  if (excluding.length > 0) return random.pick(excluding)
  const exact = ceilTo(price, 1)
  return rival !== null && exact < rival && random.chance(0.6) ? exact : Math.min(...candidates)
}

/** An amount a little below the price that still reaches it with a tenth more; null where no natural one does. */
function approximate(random: Random, price: number): (BudgetPlan & { kind: "approximate" }) | null {
  const amounts = steps(price)
    .flatMap((step) => [floorTo(price, step), ceilTo(price, step)])
    .filter((amount) => amount > 0 && amount * 1.1 >= price && amount <= price * 1.08)
  if (amounts.length === 0) return null
  const amount = random.pick(amounts)
  return { kind: "approximate", amount, upper: Math.round(amount * 110) / 100 }
}

function ceilTo(value: number, step: number): number {
  return Math.ceil(value / step - 1e-9) * step
}

function floorTo(value: number, step: number): number {
  return Math.floor(value / step + 1e-9) * step
}
