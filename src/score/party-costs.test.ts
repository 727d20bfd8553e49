import { expect, it } from "vitest"
import type { Json } from "../core/json.ts"
import { playOf } from "../core/play.ts"
import type { EpisodeRecord } from "../core/trace.ts"
import { buyerUsage, PartyCosts, shopperUsage } from "./party-costs.ts"

const play = (parts: { readonly evidence?: object; readonly events?: readonly object[] }) =>
  playOf({ usage: {}, evidence: {}, events: [], ...parts } as unknown as EpisodeRecord) // all that is looked at

const used = { model_calls: 3, prompt_tokens: 100, completion_tokens: 10 }
const price = { input_per_million: 1, cached_input_per_million: null, output_per_million: 10, currency: "USD" }

it("a buyer's tokens are added over all attempts, those of cases that broke among them", () => {
  const costs = new PartyCosts({ buyer: price })
  costs.add("buyer", buyerUsage(play({ evidence: { case: { usage: { agent: { model_calls: 9 }, buyer: used } } } })))
  costs.add("buyer", buyerUsage(play({ evidence: { seen: { usage: { buyer: used } } } })))
  costs.add("buyer", buyerUsage(play({ evidence: { case: { usage: { agent: { model_calls: 9 } } } } })))
  expect(costs.figures()).toEqual({
    buyer: {
      attempts: 2,
      model_calls: 6,
      tokens: { prompt_tokens: 200, completion_tokens: 20 },
      money: [{ amount: "0.0004", currency: "USD" }],
      money_attempts: { recorded: 0, priced: 2, unknown: 0 },
    },
  })
})

it("a shopper's are those of its exchanges; a run without either has none", () => {
  const exchange = (usage?: Json) => ({ type: "shopper", ...(usage !== undefined && { usage }) })
  const costs = new PartyCosts({})
  costs.add("shopper", shopperUsage(play({ events: [exchange({ prompt_tokens: 4 }), exchange({ prompt_tokens: 5 })] })))
  costs.add("shopper", shopperUsage(play({ events: [exchange()] })))
  expect(costs.figures()).toEqual({ shopper: { attempts: 1, tokens: { prompt_tokens: 9 } } })
  expect(new PartyCosts({}).figures()).toBeUndefined()
})
