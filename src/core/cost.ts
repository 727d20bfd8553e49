import type { Usage } from "./model.ts"
import type { Price } from "./run-spec.ts"

/** What tokens cost by a price table. Tokens read from the provider's cache are part of the prompt's and have their own price. */
export function costOf(usage: Usage, price: Price): { currency: string; amount: number } {
  const { prompt_tokens = 0, cached_tokens = 0, completion_tokens = 0 } = usage
  const cached = Math.min(cached_tokens, prompt_tokens)
  const amount =
    (prompt_tokens - cached) * price.input_per_million +
    cached * (price.cached_input_per_million ?? price.input_per_million) +
    completion_tokens * price.output_per_million
  return { currency: price.currency, amount: amount / 1e6 }
}
