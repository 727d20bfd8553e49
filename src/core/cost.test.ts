import { expect, it } from "vitest"
import { costOf } from "./cost.ts"

const price = { currency: "CNY", input_per_million: 4, cached_input_per_million: 1, output_per_million: 16 }

it("prices prompt, cached and completion tokens apart", () => {
  const usage = { prompt_tokens: 1_000_000, cached_tokens: 250_000, completion_tokens: 500_000 }
  expect(costOf(usage, price)).toEqual({ currency: "CNY", amount: 3 + 0.25 + 8 })
})

it("prices cached tokens as others where no price is given for them, and nothing at nothing", () => {
  const plain = { ...price, cached_input_per_million: null }
  expect(costOf({ prompt_tokens: 500_000, cached_tokens: 500_000 }, plain).amount).toBe(2)
  expect(costOf({}, price).amount).toBe(0)
})
