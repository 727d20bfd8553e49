import { findAmounts } from "./amounts.ts"
import type { Terms } from "./arithmetic.ts"
import type { ReadMessage } from "./scope.ts"
import type { Fact } from "./types.ts"

/** Numbers that are no amounts of money. */
export function numbersOf(text: string, language: "zh" | "en"): Set<number> {
  return new Set(findAmounts(text, language).flatMap(({ type, readings }) => (type === "money" ? [] : readings)))
}

/** What totals and differences may be made of: all amounts on record, and how many of a thing are spoken of. */
export function termsOf(facts: readonly Fact[], own: ReadMessage, buyerText: string, language: "zh" | "en"): Terms {
  const isUnit = ({ aspects }: Fact) => aspects.size === 0 || aspects.has("price") || aspects.has("original")
  const amountsOf = (some: readonly Fact[]) =>
    some.flatMap(({ value }) => (value.kind === "price" ? value.readings : []))
  const units = amountsOf(facts.filter(isUnit))
  const extras = amountsOf(facts.filter((fact) => !isUnit(fact)))
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
