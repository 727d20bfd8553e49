import type { Order, RetailTables, User } from "./data.ts"

/** What must hold of the books whatever agents do; `fixed` keeps all of it, `strict` does not. */
export const INVARIANTS = {
  totals_unbalanced:
    "what was paid less what was refunded is not what the order's items cost (nothing, once cancelled)",
  refunds_exceed_payments: "more was refunded than was ever paid",
  gift_card_off: "a gift card did not move by what its rows say, or is overdrawn",
} as const
type Invariant = keyof typeof INVARIANTS

/** A place where the books are wrong. */
export interface BrokenInvariant {
  readonly invariant: Invariant
  readonly place: string // of a row: `orders/#W0000000`
  readonly detail: string
}

/** Sums of doubles are off by less; cents are not. */
const HALF_A_CENT = 0.005

/** What is wrong in `now`, looking at the rows that are not those of `start`; with `start` itself, at all rows. */
export function brokenInvariants(start: RetailTables, now: RetailTables): BrokenInvariant[] {
  const whole = start === now
  const broken: BrokenInvariant[] = []
  for (const [id, order] of now.orders) {
    if (whole || start.orders.get(id) !== order) broken.push(...brokenOrder(order))
  }
  for (const [id, user] of now.users) {
    if (whole || changedBooks(start, now, id, user)) broken.push(...brokenCards(start, now, user))
  }
  return broken
}

function* brokenOrder(order: Order): Generator<BrokenInvariant> {
  const place = `orders/${order.order_id}`
  const { paid, refunded } = sums(order)
  const due = order.status === "cancelled" ? 0 : order.items.reduce((sum, { price }) => sum + price, 0)
  if (Math.abs(paid - refunded - due) >= HALF_A_CENT) {
    const detail = `paid ${paid.toFixed(2)}, refunded ${refunded.toFixed(2)}, due ${due.toFixed(2)}`
    yield { invariant: "totals_unbalanced", place, detail }
  }
  if (refunded - paid >= HALF_A_CENT) {
    const detail = `paid ${paid.toFixed(2)}, refunded ${refunded.toFixed(2)}`
    yield { invariant: "refunds_exceed_payments", place, detail }
  }
}

function* brokenCards(start: RetailTables, now: RetailTables, user: User): Generator<BrokenInvariant> {
  for (const method of user.payment_methods) {
    if (method.source !== "gift_card") continue
    const place = `users/${user.user_id}/${method.id}`
    const before = start.users.get(user.user_id)?.payment_methods.find(({ id }) => id === method.id)
    const moved = method.balance - (before?.source === "gift_card" ? before.balance : 0)
    const booked = cardRows(now, user, method.id) - cardRows(start, user, method.id)
    if (Math.abs(moved - booked) >= HALF_A_CENT) {
      const detail = `moved by ${moved.toFixed(2)}, booked ${booked.toFixed(2)}`
      yield { invariant: "gift_card_off", place, detail }
    }
    if (method.balance <= -HALF_A_CENT) {
      yield { invariant: "gift_card_off", place, detail: `balance ${method.balance.toFixed(2)}` }
    }
  }
}

function changedBooks(start: RetailTables, now: RetailTables, id: string, user: User): boolean {
  return start.users.get(id) !== user || user.orders.some((order) => start.orders.get(order) !== now.orders.get(order))
}

/** What the rows of the user's orders have brought to a method: refunds less payments. */
function cardRows(tables: RetailTables, user: User, methodId: string): number {
  let sum = 0
  for (const id of user.orders) {
    for (const { transaction_type, amount, payment_method_id } of tables.orders.get(id)?.payment_history ?? []) {
      if (payment_method_id === methodId) sum += transaction_type === "refund" ? amount : -amount
    }
  }
  return sum
}

function sums({ payment_history }: Order): { readonly paid: number; readonly refunded: number } {
  let [paid, refunded] = [0, 0]
  for (const { transaction_type, amount } of payment_history) {
    if (transaction_type === "payment") paid += amount
    else refunded += amount
  }
  return { paid, refunded }
}
