import type { ShopperFigures } from "../core/shopper.ts"
import { wilsonInterval } from "../lib/intervals.ts"
import { FAULT_MEASURES } from "./packs/shopping-talk.ts"

/**
 * How the shopper of a run did, `total` being the sum of a measure over its completed episodes. Undefined where there was no shopper,
 * or nothing was said.
 */
export function shopperFigures(total: (measure: string) => number): ShopperFigures | undefined {
  const drafts = total("shopper_drafts")
  if (drafts === 0) return undefined
  const fault = (measure: string) => {
    const count = total(measure)
    return { count, rate: count / drafts, interval: wilsonInterval(count, drafts)! }
  }
  return {
    answers: total("questions"),
    declines: total("declines"),
    drafts,
    withheld: total("shopper_withheld"),
    leaks: fault(FAULT_MEASURES.leak),
    empty: fault(FAULT_MEASURES.empty),
    contradictions: fault(FAULT_MEASURES.contradiction),
  }
}
