import { isJsonObject } from "../core/json.ts"
import { addUsage, type Usage } from "../core/model.ts"
import type { Play } from "../core/play.ts"
import type { Price } from "../core/run-spec.ts"
import type { Summary } from "../core/score.ts"
import { MoneySum } from "./money.ts"

/** Who plays with a model beside the agent. */
type Party = "buyer" | "shopper"
type Used = Usage & { readonly model_calls?: number }

interface Sum {
  attempts: number
  calls: number | undefined
  readonly tokens: Usage
  readonly money: MoneySum
}

/** Adds up what our own side's models took, apart from the agent's: all attempts, failed ones were paid for too. */
export class PartyCosts {
  readonly #prices: Partial<Record<Party, Price>>
  readonly #sums = new Map<Party, Sum>()

  /** `prices`: what their tokens cost. */
  constructor(prices: Partial<Record<Party, Price>>) {
    this.#prices = prices
  }

  add(party: Party, used: Used | undefined): void {
    if (used === undefined) return
    const sum = this.#sums.get(party) ?? {
      attempts: 0,
      calls: undefined,
      tokens: {},
      money: new MoneySum(this.#prices[party]),
    }
    this.#sums.set(party, sum)
    sum.attempts++
    if (used.model_calls !== undefined) sum.calls = (sum.calls ?? 0) + used.model_calls
    addUsage(sum.tokens, used)
    sum.money.add(used, undefined)
  }

  /** Undefined where no such model was asked. */
  figures(): Summary["cost"]["parties"] {
    if (this.#sums.size === 0) return undefined
    return Object.fromEntries(
      [...this.#sums].map(([party, { attempts, calls, tokens, money }]) => [
        party,
        {
          attempts,
          ...(calls !== undefined && { model_calls: calls }),
          tokens: tokens as Record<string, number>, // absent kinds are absent keys
          ...money.figures(),
        },
      ]),
    )
  }
}

/** What the buyer's model used in an attempt: of its case, or of what was seen of a case that broke. */
export function buyerUsage({ evidence }: Play): Used | undefined {
  for (const member of ["case", "seen"]) {
    const seen = evidence.get(member)
    if (!isJsonObject(seen) || !isJsonObject(seen.usage)) continue
    const { buyer } = seen.usage
    if (isJsonObject(buyer)) return numbers(buyer)
  }
  return undefined
}

/** What the shopper's model used in an attempt; undefined where it has none or nothing was said. */
export function shopperUsage({ events }: Play): Used | undefined {
  const total: Usage = {}
  for (const event of events) {
    if (event.type !== "shopper") continue
    const usage = event.get("usage")
    if (isJsonObject(usage)) addUsage(total, usage)
  }
  return Object.keys(total).length === 0 ? undefined : total
}

function numbers(given: { readonly [kind: string]: unknown }): Used {
  const total: Usage & { model_calls?: number } = {}
  addUsage(total, given)
  if (typeof given.model_calls === "number") total.model_calls = given.model_calls
  return total
}
