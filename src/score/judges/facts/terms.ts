import { findAmounts } from "./amounts.ts"
import type { Terms } from "./arithmetic.ts"
import type { ReadMessage } from "./scope.ts"
import { isOption } from "./things.ts"
import type { Fact } from "./types.ts"

/** Numbers that are no amounts of money. */
export function numbersOf(text: string, language: "zh" | "en"): Set<number> {
  return new Set(findAmounts(text, language).flatMap(({ type, readings }) => (type === "money" ? [] : readings)))
}

/**
 * What totals and differences may be made of: amounts on record of what `own` and the buyer's last messages speak of, or of an order, and
 * how many of a thing are spoken of.
 */
export function termsOf(
  all: readonly Fact[],
  own: ReadMessage,
  buyers: readonly ReadMessage[],
  language: "zh" | "en",
): Terms {
  const buyerText = buyers.map(({ text }) => text).join("\n")
  const facts = spokenOf(all, [own, ...buyers.slice(-2)])
  const isUnit = ({ aspects }: Fact) => aspects.size === 0 || aspects.has("price") || aspects.has("original")
  const amountsOf = (some: readonly Fact[]) =>
    some.flatMap(({ value }) => (value.kind === "price" ? value.readings : []))
  const units = amountsOf(
    facts.filter((fact) => isUnit(fact) && (!fact.aspects.has("original") || ONCE.test(own.text))),
  )
  const extras = amountsOf(
    facts.filter((fact) => !isUnit(fact) && (!fact.aspects.has("shipping") || SHIPPING.test(own.text))),
  )
  const amounts = [...findAmounts(buyerText, language), ...findAmounts(own.text, language)]
  const isCount = (count: number) => count >= 2 && count <= 100 && Number.isInteger(count)
  const spoken = [
    ...amounts.flatMap(({ type, readings }) => (type === "count" || type === "bare" ? readings : [])),
    ...(/\bboth\b|\bpair\b|两|\bcouple\b|\btwice\b/.test(own.text) ? [2] : []),
  ].filter(isCount)
  const recorded = facts.flatMap(({ value, aspects }) =>
    value.kind === "quantity" && !aspects.has("unknown") ? value.readings : [],
  )
  const counts = [...spoken, ...recorded.filter(isCount)]
  const offered = findAmounts(buyerText, language).flatMap(({ type, readings }) =>
    type === "money" || type === "bare" ? readings.filter((amount) => amount >= 10) : [],
  )
  const percents = [
    ...facts.flatMap(({ value }) => (value.kind === "percent" ? value.readings : [])),
    ...amounts.flatMap(({ type, readings }) => (type === "percent" ? readings : [])),
    ...(/半价|half/.test(own.text) ? [50] : []),
  ]
  return {
    units,
    extras,
    counts: [...new Set(counts)].slice(0, 12),
    spoken: [...new Set(spoken)].slice(0, 12),
    offered: [...new Set(offered)].slice(0, 6),
    percents: [...new Set(percents)].slice(0, 4),
  }
}

const SHIPPING = /运|邮|快递费|配送|物流|ship|deliver|postage|freight|courier/
const ONCE = /原|吊牌|划线|市场价|省|便宜|优惠|降|减|original|list price|regular|was\b|sav|off\b|down|reduced|cheaper/

/** The facts but for those of things that `messages` leave out while they name others. */
function spokenOf(facts: readonly Fact[], messages: readonly ReadMessage[]): Fact[] {
  const named = new Map<string, Set<string>>()
  for (const { axis, names } of messages.flatMap(({ mentions }) => mentions)) {
    const known = named.get(axis) ?? new Set()
    for (const name of names) known.add(name)
    named.set(axis, known)
  }
  const isOfOrder = named.has("order") && ![...named.keys()].some((axis) => axis === "product" || isOption(axis))
  const spoken = facts.filter(
    ({ labels }) =>
      labels.has("order") ||
      (!isOfOrder &&
        [...labels].every(([axis, own]) => !named.has(axis) || [...own].some((name) => named.get(axis)!.has(name)))),
  )
  return spoken.some(({ value }) => value.kind === "price") ? spoken : [...facts]
}
