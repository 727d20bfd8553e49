import type { Actor, Move } from "../core/actor.ts"
import type { ActionFeedback, Environment, EpisodeOutcome, Observation, StepResult } from "../core/environment.ts"
import { AppError, throwIfCancelled } from "../core/errors.ts"
import type { JsonObject } from "../core/json.ts"

/** What the tiny shop sells: each product in two sizes. */
const PRODUCTS = [
  { asin: "101", title: "Red tent", price: 40 },
  { asin: "102", title: "Green tent", price: 60 },
  { asin: "103", title: "Blue kettle", price: 15 },
] as const

/** Tasks of the tiny shop; `secret` stands for everything private and must never be seen before the end. */
const TASKS: Readonly<Record<string, { instruction: string; asin: string; size: string; secret: string }>> = {
  "1": { instruction: "A red tent, large, please.", asin: "101", size: "large", secret: "canary-1" },
  "2": { instruction: "I need a large green tent.", asin: "102", size: "large", secret: "canary-2" },
  "3": { instruction: "A small blue kettle.", asin: "103", size: "small", secret: "canary-3" },
}

/** Ids of the tasks that {@link tinyEnvironment} has. */
export const TINY_TASKS: readonly string[] = Object.keys(TASKS)

/** The actions that buy what a tiny task asks for. */
export function tinySolution(taskId: string): string[] {
  const task = TASKS[taskId]!
  return ["search[tent]", `click[${task.asin}]`, `click[size=${task.size}]`, "click[buy now]"]
}

const SIZES = ["small", "large"] as const

interface Visit {
  readonly taskId: string
  page: "search_home" | "search_results" | "product_detail" | "terminal"
  asin: string | null
  size: string | null
  actions: number
  outcome: EpisodeOutcome | null
}

/**
 * A shop of three products, small enough to be understood at a glance, that keeps the whole `Environment` contract: for tests of
 * whatever plays, records or scores. Any search finds everything. `actionLimit` actions end an episode.
 */
export function tinyEnvironment({ actionLimit = 30 }: { readonly actionLimit?: number } = {}): Environment {
  let visit: Visit | null = null
  const current = (): Visit => {
    if (visit === null) throw new AppError("CONFLICT", "Call reset first")
    if (visit.outcome !== null) throw new AppError("CONFLICT", "The episode is over")
    return visit
  }
  const end = (at: Visit, reason: string): EpisodeOutcome => {
    const task = TASKS[at.taskId]!
    const bought = reason === "purchase"
    const success = bought && at.asin === task.asin && at.size === task.size
    const r_type = bought && at.asin === task.asin ? 1 : 0
    at.page = "terminal"
    at.outcome = {
      termination_reason: reason,
      reward: success ? 1 : r_type * 0.5,
      reward_detail: { r_success: success ? 1 : 0, r_type, r_option: bought && at.size === task.size ? 1 : 0 },
      purchase: bought ? { asin: at.asin, options: { size: at.size } } : null,
      goal: { asin: task.asin, goal_options: [task.size], secret: task.secret },
    }
    return at.outcome
  }

  return {
    async identity({ signal }) {
      throwIfCancelled(signal)
      return { environment: "tiny", environment_version: "tiny-1", action_limit: actionLimit }
    },
    async reset(taskId, { signal }) {
      throwIfCancelled(signal)
      const task = TASKS[taskId]
      if (task === undefined) throw new AppError("NOT_FOUND", `The tiny shop has no task ${taskId}`)
      visit = { taskId, page: "search_home", asin: null, size: null, actions: 0, outcome: null }
      return { observation: show(visit, null), instruction: task.instruction, persona: null, info: { language: "en" } }
    },
    async step(action, { signal }): Promise<StepResult> {
      throwIfCancelled(signal)
      const at = current()
      at.actions++
      const valid = perform(at, action)
      const feedback: ActionFeedback = valid
        ? { action, valid, reason: "executed", message: "Done" }
        : { action, valid, reason: "unavailable_action", message: `Not on this page: ${action}` }
      const bought = valid && action === "click[buy now]"
      const outcome = bought ? end(at, "purchase") : at.actions >= actionLimit ? end(at, "action_limit") : null
      return { observation: show(at, feedback), feedback, outcome }
    },
    async terminate(reason, { signal }) {
      throwIfCancelled(signal)
      const at = current()
      const outcome = end(at, reason)
      return { observation: show(at, null), feedback: null, outcome }
    },
    async close() {
      visit = null
    },
  }
}

/** Does what the action says; false when the page does not offer it. */
function perform(at: Visit, action: string): boolean {
  if (at.page === "search_home" && /^search\[.+\]$/.test(action)) {
    at.page = "search_results"
    return true
  }
  const value = /^click\[(.+)\]$/.exec(action)?.[1]
  if (value === undefined || !clickable(at).includes(value)) return false
  if (value === "back to search") Object.assign(at, { page: "search_home", asin: null, size: null })
  else if (value.startsWith("size=")) at.size = value.slice(5)
  else if (value !== "buy now") Object.assign(at, { page: "product_detail", asin: value, size: null })
  return true
}

function clickable({ page, size }: Visit): string[] {
  if (page === "search_results") return ["back to search", ...PRODUCTS.map(({ asin }) => asin)]
  if (page !== "product_detail") return []
  const sizes = SIZES.filter((value) => value !== size).map((value) => `size=${value}`)
  return ["back to search", ...(size === null ? [] : ["buy now"]), ...sizes]
}

function show(at: Visit, last: ActionFeedback | null): Observation {
  const actions = clickable(at)
  const product = PRODUCTS.find(({ asin }) => asin === at.asin)
  const details: JsonObject =
    at.page === "search_results"
      ? { products: PRODUCTS.map((sold, index) => ({ rank: index + 1, ...sold })) }
      : at.page === "product_detail" && product !== undefined
        ? { product: { ...product }, selected: at.size }
        : {}
  const lines = [
    `Page: ${at.page}`,
    ...(at.page === "search_results"
      ? PRODUCTS.map((sold, i) => `${i + 1}. ${sold.title}\n   ID: ${sold.asin}\n   Price: ${sold.price}`)
      : []),
    ...(at.page === "product_detail" && product !== undefined
      ? [`${product.title}, ${product.price}, size ${at.size ?? "not chosen"}`]
      : []),
    ...(last === null ? [] : [`Last action: ${last.message}`]),
    ...actions.map((action) => `- ${action}`),
  ]
  const state = {
    observation_version: "tiny-observation-1",
    page_type: at.page,
    search_available: at.page === "search_home",
    actions,
    ...details,
    ...(last === null
      ? {}
      : { last_action: { action: last.action, valid: last.valid, reason: last.reason, message: last.message } }),
  }
  return { text: `${lines.join("\n")}\n`, state: state as Observation["state"] }
}

/** An actor without a model: makes the moves it was given, a text being an action, and throws an error it meets among them. */
export function tinyActor(moves: readonly (string | Exclude<Move, { type: "action" }> | Error)[]): Actor {
  let next = 0
  return {
    async begin() {},
    async act(_observation, _turn, { signal }): Promise<Move> {
      throwIfCancelled(signal)
      const move = moves[next++]
      if (move === undefined) throw new AppError("MODEL_UNAVAILABLE", "The actor has no moves left")
      if (move instanceof Error) throw move
      return typeof move === "string" ? { type: "action", action: move } : move
    },
    observe() {},
    async close() {},
  }
}
