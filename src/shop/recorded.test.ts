import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { JsonObject } from "../core/json.ts"
import { testData } from "../testing/data.ts"
import { importCatalog } from "./catalog/import.ts"
import { openCatalog } from "./catalog/open.ts"
import { fuzzyRatio } from "./fuzzy.ts"
import { goalOf, goalRecord } from "./goal.ts"
import { priceAffectingAxes, resolvePrice } from "./price.ts"
import { scorePurchase } from "./reward.ts"
import type { InteractionMode } from "./rules.ts"
import { act, replaySession, type Session, startSession, terminate } from "./session.ts"
import { type Shop, shopOf } from "./shop.ts"
import { titleTerms } from "./title-terms.ts"
import { interactResult, resetResult, terminateResult } from "./wire.ts"

/** What the reference environment answered on its catalog: see the data's own README. */
interface Recorded {
  http: { name: string; exchanges: Exchange[] }[]
  reward: {
    task_id: number
    purchase_asin: string
    options: Record<string, string>
    reward: number
    reward_detail: JsonObject
  }[]
  price_resolution: {
    asin: string
    options: Record<string, string>
    price_affecting_axes: string[]
    resolution: JsonObject
  }[]
  title_terms: { title: string; terms: string[] }[]
  fuzzy_ratio: { left: string; right: string; ratio: number }[]
  goals: JsonObject[]
}
interface Exchange {
  request: { path: string; body?: RequestBody | null }
  status: number
  response: { result?: JsonObject }
}
interface RequestBody {
  action?: string
  idx?: unknown
  if_persona?: boolean
  include_private_goal?: boolean
  interaction_mode?: InteractionMode
  lease_id?: string
  response?: string
  termination_reason?: "action_limit" | "generation_length"
}

const data = testData()

describe.skipIf(data === undefined)("what the reference environment answered", () => {
  const folder = mkdtempSync(join(tmpdir(), "souk-recorded-"))
  const file = (name: string) => join(data ?? "", "shop-v8", name)
  let catalog: ReturnType<typeof openCatalog>
  let shop: Shop
  let recorded: Recorded

  beforeAll(async () => {
    recorded = JSON.parse(gunzipSync(readFileSync(file("vectors-sample.json.gz"))).toString()) as Recorded
    await importCatalog({ files: [file("catalog-1k.json.gz")], out: join(folder, "catalog") })
    catalog = openCatalog(join(folder, "catalog"))
    shop = shopOf(catalog)
  })
  afterAll(() => {
    catalog?.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const productOf = (asin: string) => shop.product(shop.documentOf(asin)!)
  const taskOf = (id: unknown) => catalog.task(String(id))!

  it("to whole episodes: observations, states, feedback, rewards, goals", () => {
    let steps = 0
    for (const { name, exchanges } of recorded.http) {
      const sessions = new Map<string, Session>()
      for (const [i, { request, status, response }] of exchanges.entries()) {
        const { body } = request
        const where = `${name}, exchange ${i}`
        if (request.path !== "/api/shop_agent" || !body) continue
        if (body.action === "reset" && status === 200) {
          const { if_persona: persona = false, interaction_mode: mode = "single_turn" } = body
          const session = startSession({ task: taskOf(body.idx), rules: "v8", persona, mode })
          sessions.set(String(response.result?.lease_id), session)
          const given = resetResult(session, shop, { includePrivateGoal: body.include_private_goal ?? false })
          expect(given, where).toEqual(withoutLease(response.result, { keepId: true }))
          steps++
          continue
        }
        const session = sessions.get(String(body.lease_id))
        if (session === undefined || (body.action !== "interact" && body.action !== "terminate")) continue
        if (status === 409) continue // a lease that had been released: the server's business
        const step = () => {
          if (body.action === "interact") return act(session, body.response!, shop).session
          return terminate(session, body.termination_reason!)
        }
        if (status === 500) {
          expect(step, where).toThrow(expect.objectContaining({ code: "CONFLICT" }))
          continue
        }
        const next = step()
        sessions.set(String(body.lease_id), next)
        const given = body.action === "interact" ? interactResult(next, shop) : terminateResult(next, shop)
        expect(given, where).toEqual(withoutLease(response.result))
        steps++
      }
    }
    expect(recorded.http).toHaveLength(22)
    expect(steps).toBe(193)
  })

  it("again, when its requests are replayed from the start of each episode", () => {
    for (const { exchanges } of recorded.http.filter(({ name }) => /^(gold|nongold|over)/.test(name))) {
      const actions = exchanges.flatMap(({ request: { body } }) =>
        body?.action === "interact" ? [body.response!] : [],
      )
      const session = replaySession({ task: taskOf(exchanges[0]!.request.body!.idx), rules: "v8" }, actions, shop)
      expect(interactResult(session, shop)).toEqual(withoutLease(exchanges.at(-2)!.response.result))
    }
  })

  it("to purchases: the whole detail", () => {
    for (const { task_id, purchase_asin, options, reward, reward_detail } of recorded.reward) {
      const task = taskOf(task_id)
      const goal = goalOf(task, productOf(task.asin), "v8")
      const scored = scorePurchase({ goal, product: productOf(purchase_asin), selected: options, rules: "v8" })
      expect(scored, `task ${task_id}, product ${purchase_asin}`).toEqual({ reward, reward_detail })
    }
    expect(recorded.reward).toHaveLength(60)
  })

  it("to questions of price", () => {
    for (const { asin, options, price_affecting_axes, resolution } of recorded.price_resolution) {
      expect(priceAffectingAxes(productOf(asin)), asin).toEqual(price_affecting_axes)
      expect(resolvePrice(productOf(asin), options, { rules: "v8" }), asin).toEqual(resolution)
    }
    expect(recorded.price_resolution).toHaveLength(110)
  })

  it("to titles and to pairs of texts", () => {
    for (const { title, terms } of recorded.title_terms) {
      expect(titleTerms(title, "han-bigram-latin-number-v1")).toEqual(terms)
    }
    for (const { left, right, ratio } of recorded.fuzzy_ratio)
      expect(fuzzyRatio(left, right), `${left}, ${right}`).toBe(ratio)
    expect(recorded.fuzzy_ratio).toHaveLength(60)
  })

  it("to questions for the goal", () => {
    for (const goal of recorded.goals) {
      const task = taskOf(goal.task_id)
      expect(goalRecord(task, productOf(task.asin), "v8")).toMatchObject(goal)
    }
    expect(recorded.goals).toHaveLength(60)
  })
})

/** What the lease adds to an answer is the server's: left out here. */
function withoutLease(result: JsonObject | undefined, { keepId = false } = {}): JsonObject {
  const { env_idx: _slot, lease_id: _lease, idx, ...rest } = result ?? {}
  return keepId ? { ...rest, idx: idx! } : rest
}
