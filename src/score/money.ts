import { costOf } from "../core/cost.ts"
import { isJsonObject, type Json } from "../core/json.ts"
import type { Price } from "../core/run-spec.ts"
import type { Summary } from "../core/score.ts"
import { ExactSum } from "../lib/exact-sum.ts"

/** What attempts cost, by currency: as their record says (`cost: { amount, currency }`, or a list of these), else by the price table. */
export class MoneySum {
  readonly #price: Price | undefined
  readonly #sums = new Map<string, ExactSum>()
  readonly #attempts = { recorded: 0, priced: 0, unknown: 0 }

  constructor(price: Price | undefined) {
    this.#price = price
  }

  add(usage: Readonly<Record<string, unknown>>, recorded: Json | undefined): void {
    const known = amountsOf(recorded)
    if (known.length > 0) {
      this.#attempts.recorded++
      for (const { amount, currency } of known) this.#sumOf(currency).add(amount)
      return
    }
    const price = this.#price
    const tokens = (kind: string) => (typeof usage[kind] === "number" ? usage[kind] : undefined)
    const [prompt_tokens, completion_tokens] = [tokens("prompt_tokens"), tokens("completion_tokens")]
    const nothing = usage.model_calls === 0 // nobody was asked: free
    if (price === undefined || (!nothing && (prompt_tokens === undefined || completion_tokens === undefined))) {
      this.#attempts.unknown++
      return
    }
    const cached_tokens = tokens("cached_tokens")
    const used = {
      prompt_tokens,
      completion_tokens,
      ...(cached_tokens !== undefined && { cached_tokens }),
    }
    const { currency, amount } = costOf(nothing ? {} : used, price)
    this.#attempts.priced++
    this.#sumOf(currency).add(amount)
  }

  /** Nothing where no cost is known at all. */
  figures(): Pick<Summary["cost"], "money" | "money_attempts"> {
    if (this.#sums.size === 0) return {}
    const money = [...this.#sums].sort(([a], [b]) => (a < b ? -1 : 1))
    return {
      money: money.map(([currency, sum]) => ({ amount: decimalText(sum.total), currency })),
      money_attempts: { ...this.#attempts },
    }
  }

  #sumOf(currency: string): ExactSum {
    let sum = this.#sums.get(currency)
    if (sum === undefined) {
      sum = new ExactSum()
      this.#sums.set(currency, sum)
    }
    return sum
  }
}

function amountsOf(recorded: Json | undefined): { amount: number; currency: string }[] {
  const list = Array.isArray(recorded) ? recorded : [recorded]
  return list.flatMap((item) => {
    if (!isJsonObject(item) || typeof item.currency !== "string") return []
    const amount = typeof item.amount === "string" && item.amount.trim() !== "" ? Number(item.amount) : item.amount
    return typeof amount === "number" && Number.isFinite(amount) ? [{ amount, currency: item.currency }] : []
  })
}

/** Without exponent, to nine decimals. */
function decimalText(amount: number): string {
  return amount.toFixed(9).replace(/\.?0+$/, "")
}
