import { expect, it } from "vitest"
import type { EpisodeRecord } from "../core/trace.ts"
import { scorePurchase } from "../shop/reward.ts"
import { tinyAxes, tinyProduct } from "../testing/tiny-shop.ts"
import { compareGoal } from "./goal-comparison.ts"

it("counts among what was not asked for what only looks like a wish that is missing", () => {
  const goal = { asin: "1", name: "Tent", category: "Tents", attributes: ["windproof"], price_upper: null }
  const wishes = { options: ["4 Person", "Green"], option_axes: ["Sleeps", "Color"] }
  const chosen = { Sleeps: "2 person", Color: "green" }
  const product = tinyProduct({
    asin: "1",
    title: "Tent",
    category: "Tents",
    attributes: ["lamp", "windproof"],
    axes: tinyAxes({ Sleeps: { "2 person": "100", "4 person": "120" }, Color: { green: "100" } }),
  })
  const { reward, reward_detail } = scorePurchase({
    goal: { ...goal, ...wishes },
    product,
    selected: chosen,
    rules: "souk",
    language: "en",
  })
  const { options: goal_options, option_axes } = wishes
  const { title: name, category, attributes } = product
  const compared = compareGoal({
    events: [] as EpisodeRecord["events"],
    reward: { value: reward, detail: reward_detail },
    evidence: {
      goal: { ...goal, goal_options, option_axes },
      purchase: { asin: "1", name, category, attributes: [...attributes], options: chosen, price: 100 },
    },
  } as unknown as EpisodeRecord)
  expect(compared?.options).toEqual({ matched: ["Green"], missing: ["4 Person"], extra: ["2 person"] })
  expect(compared?.attributes).toEqual({ matched: ["windproof"], missing: [], extra: ["lamp"] })
})
