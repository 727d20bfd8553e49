import type { Random } from "../../../core/random.ts"
import type { BudgetPlan } from "../shopper.ts"

/** Each as part of a sentence and as a sentence of its own. */
const UPPER = [
  ["under $<n>", "Budget is $<n>"],
  ["for no more than $<n>", "I don't want to spend more than $<n>"],
  ["for $<n> or less", "I can spend up to $<n>"],
  ["up to $<n>", "My budget is $<n> max"],
  ["below $<n>", "Please keep it under $<n>"],
  ["within $<n>", "It has to be under $<n>"],
  ["for at most $<n>", "No more than <n> dollars"],
  ["under <n> bucks", "<n> bucks max"],
] as const
const APPROXIMATE = [
  ["around $<n>", "I'd like to stay around $<n>"],
  ["for about $<n>", "Thinking about $<n>"],
  ["for roughly $<n>", "Budget is around $<n>"],
  ["somewhere around $<n>", "Around <n> dollars"],
] as const
const RANGE = [
  ["between $<l> and $<n>", "Somewhere between $<l> and $<n>"],
  ["in the $<l>-$<n> range", "Price range $<l> to $<n>"],
  ["for $<l> to $<n>", "Budget is $<l>-$<n>"],
] as const
const NO_LIMIT = [
  ["any price", "Price doesn't matter"],
  ["no budget limit", "No budget limit"],
  ["at any price", "Money is no object"],
] as const

/** A budget in a shopper's words, inside a sentence (`under $50`) and as one (`Budget is $50`); empty: not stated. */
export function budgetWords(plan: BudgetPlan, random: Random): { inline: string; sentence: string } {
  switch (plan.kind) {
    case "not_stated":
      return { inline: "", sentence: "" }
    case "explicitly_none":
      return words(NO_LIMIT, random, {})
    case "range":
      return words(RANGE, random, { l: plan.low, n: plan.amount })
    case "upper":
      return words(UPPER, random, { n: plan.amount })
    case "approximate":
      return words(APPROXIMATE, random, { n: plan.amount })
  }
}

function words(
  forms: readonly (readonly [string, string])[],
  random: Random,
  { l, n }: { l?: number; n?: number },
): { inline: string; sentence: string } {
  const put = (form: string) => form.replace("<l>", String(l)).replace("<n>", String(n))
  return { inline: put(random.pick(forms)[0]), sentence: put(random.pick(forms)[1]) }
}
