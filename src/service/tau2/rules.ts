import { roundToCents } from "../../lib/python-round.ts"
import type { OrderItem, Payment, Variant } from "./data.ts"

/** `strict`: as the original, faults included. `fixed`: the same without them. */
export const TAU2_MODES = ["strict", "fixed"] as const
export type Tau2Mode = (typeof TAU2_MODES)[number]

/** An item of an order that is to become another variant. */
export interface ItemChange {
  readonly oldId: string
  readonly variant: Variant
}

/** Where the two modes part. Everything else (checks, their order, texts) is the same. */
export interface RetailRules {
  /** What is given back when an order is cancelled, given what was paid and refunded before. */
  refunds(history: readonly Payment[]): Payment[]
  /** What the changes cost: above zero is to be paid, below to be refunded. Not rounded in the original. */
  difference(items: readonly OrderItem[], changes: readonly ItemChange[]): number
  /** The order's items after the changes. */
  changed(items: readonly OrderItem[], changes: readonly ItemChange[]): OrderItem[]
  /** How a requested exchange lists its items. */
  exchangeLists(changes: readonly ItemChange[]): { readonly items: string[]; readonly newItems: string[] }
}

/**
 * The original: cancelling refunds every row of the history, refunds too; after a change of items all changed rows carry the price
 * and options of the last one; differences are sums of doubles; an exchange sorts its two lists apart and loses what becomes what.
 */
const strict: RetailRules = {
  refunds: (history) => history.map((row) => ({ ...row, transaction_type: "refund" })),
  difference(items, changes) {
    let difference = 0
    for (const { oldId, variant } of changes) {
      difference += variant.price - items.find(({ item_id }) => item_id === oldId)!.price
    }
    return difference
  },
  changed(items, changes) {
    const result = [...items]
    const last = changes.at(-1)
    for (const { oldId, variant } of changes) {
      const at = result.findIndex(({ item_id }) => item_id === oldId) // perhaps one that was renamed just now
      const { price, options } = last!.variant
      result[at] = { ...result[at]!, item_id: variant.item_id, price, options }
    }
    return result
  },
  exchangeLists: (changes) => ({
    items: changes.map(({ oldId }) => oldId).sort(),
    newItems: changes.map(({ variant }) => variant.item_id).sort(),
  }),
}

/**
 * Without the faults: cancelling gives back what each method has paid and not got back, never more than the order has been paid;
 * every row carries its own variant; amounts are whole cents; the order in which items are named makes no difference, and an
 * exchange's two lists match place by place.
 */
const fixed: RetailRules = {
  refunds(history) {
    const paid = new Map<string, number>()
    for (const { transaction_type, amount, payment_method_id } of history) {
      const signed = transaction_type === "payment" ? cents(amount) : -cents(amount)
      paid.set(payment_method_id, (paid.get(payment_method_id) ?? 0) + signed)
    }
    let left = [...paid.values()].reduce((sum, amount) => sum + amount, 0)
    const refunds: Payment[] = []
    for (const [payment_method_id, amount] of paid) {
      const refund = Math.min(amount, left)
      if (refund <= 0) continue
      left -= refund
      refunds.push({ transaction_type: "refund", amount: refund / 100, payment_method_id })
    }
    return refunds
  },
  difference(items, changes) {
    let difference = 0
    for (const { row, change } of assigned(items, changes)) difference += cents(change.variant.price) - cents(row.price)
    return difference / 100
  },
  changed(items, changes) {
    const result = [...items]
    for (const { at, row, change } of assigned(items, changes)) {
      const { item_id, price, options } = change.variant
      result[at] = { ...row, item_id, price, options }
    }
    return result
  },
  exchangeLists(changes) {
    const ordered = sorted(changes)
    return { items: ordered.map(({ oldId }) => oldId), newItems: ordered.map(({ variant }) => variant.item_id) }
  },
}

/** Each change with a row of its own, as the order was before any of them. */
function assigned(
  items: readonly OrderItem[],
  changes: readonly ItemChange[],
): { readonly at: number; readonly row: OrderItem; readonly change: ItemChange }[] {
  const taken = new Set<number>()
  return sorted(changes).map((change) => {
    const at = items.findIndex(({ item_id }, index) => item_id === change.oldId && !taken.has(index))
    taken.add(at)
    return { at, row: items[at]!, change }
  })
}

function sorted(changes: readonly ItemChange[]): ItemChange[] {
  const key = ({ oldId, variant }: ItemChange) => `${oldId}\n${variant.item_id}`
  return [...changes].sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0))
}

function cents(amount: number): number {
  return Math.round(roundToCents(amount) * 100)
}

export const RETAIL_RULES: Readonly<Record<Tau2Mode, RetailRules>> = { strict, fixed }
