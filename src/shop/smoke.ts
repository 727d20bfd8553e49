import type { Environment, StepResult } from "../core/environment.ts"
import { AppError, messageOf, throwIfCancelled } from "../core/errors.ts"
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts"

/** One thing a shop must do. `detail` says what was seen: of a failure, what was wrong; of a skip, what could not be found. */
export interface SmokeCheck {
  readonly name: string
  readonly result: "passed" | "failed" | "skipped"
  readonly detail: string
}

export interface SmokeOptions {
  /** Tasks to play on, in this order; more of them find more kinds of products. */
  readonly taskIds: readonly string[]
  readonly signal: AbortSignal
  readonly onCheck?: (check: SmokeCheck) => void
}

/** Products looked at in one episode: with four axes to choose afterwards, that stays within 30 actions. */
const LOOK_AT = 7

/**
 * Plays a shop without a model and checks what it answers: first page, refusals, search, pages, a product with options, one without,
 * one from a later page, purchases, an end from outside. Stops at nothing: a failed check is reported and the next one is played.
 * Throws only what `signal` or an unreachable shop throws.
 */
export async function smokeTest(shop: Environment, { taskIds, signal, onCheck }: SmokeOptions): Promise<SmokeCheck[]> {
  const checks: SmokeCheck[] = []
  const report = (check: SmokeCheck): void => {
    checks.push(check)
    onCheck?.(check)
  }
  const visit = new Visit(shop, signal)
  const check = async (name: string, play: () => Promise<string>): Promise<void> => {
    try {
      report({ name, result: "passed", detail: await play() })
    } catch (error) {
      throwIfCancelled(signal)
      if (error instanceof Skip) report({ name, result: "skipped", detail: error.message })
      else if (error instanceof AppError && error.code === "ENVIRONMENT_UNAVAILABLE" && checks.length === 0) throw error
      else report({ name, result: "failed", detail: messageOf(error) })
    }
  }
  const [task] = taskIds
  if (task === undefined) throw new AppError("BAD_INPUT", "A smoke test needs at least one task to play on")

  await check("identity", async () => {
    const { environment_version, rules } = await shop.identity({ signal })
    return `${environment_version ?? "unnamed"}, rules ${rules ?? "not named"}`
  })
  await check("first page", async () => {
    await visit.start(task)
    visit.onPage("search_home")
    demand(visit.actions.length === 0, `nothing to click before a search, but saw ${shown(visit.actions)}`)
    demand(visit.instruction !== "", "an instruction, but it is empty")
    return `task ${task}: ${visit.instruction.slice(0, 60)}`
  })
  await check("refusals before a search", async () => {
    await visit.start(task)
    await visit.refused("jump[high]", "invalid_format")
    await visit.refused("click[buy now]", "unavailable_action")
    await visit.refused("search[ ]", "empty_argument")
    return "each with its reason, and the page stays"
  })
  await check("search", async () => {
    await visit.start(task)
    await visit.search()
    const { total_results, products } = visit.state
    const clickable = new Set(visit.actions)
    demand(visit.asins.length > 0, `products for ${JSON.stringify(visit.query)}, but saw none`)
    demand(visit.asins.length <= 20, `20 products a page at most, but saw ${visit.asins.length}`)
    demand(
      Array.isArray(products) && visit.asins.every((asin) => clickable.has(asin)),
      `every product to be clickable, but saw ${shown(visit.actions)}`,
    )
    await visit.refused("click[no such thing]", "unavailable_action")
    await visit.refused("search[again]", "search_unavailable")
    return `${total_results} products`
  })
  await check("pages of results", async () => {
    await visit.start(task)
    await visit.search()
    if (!visit.actions.includes("next >")) throw new Skip("all results fit on one page")
    const first = visit.asins
    await visit.click("next >")
    demand(
      visit.state.rank_start === first.length + 1,
      `rank ${first.length + 1} first, but saw ${visit.state.rank_start}`,
    )
    const repeated = visit.asins.filter((asin) => first.includes(asin))
    demand(repeated.length === 0, `other products on page 2, but saw ${shown(repeated)} again`)
    await visit.click("< prev")
    demand(shown(visit.asins) === shown(first), `the same first page again, but saw ${shown(visit.asins)}`)
    return `${visit.state.total_pages} pages`
  })
  await check("back to search", async () => {
    await visit.start(task)
    await visit.search()
    await visit.click("back to search")
    visit.onPage("search_home")
    return "search is offered again"
  })
  await check("product with options", () => buyKind(visit, taskIds, "options"))
  await check("product without options", () => buyKind(visit, taskIds, "no options"))
  await check("product from a later page", () => buyKind(visit, taskIds, "later page"))
  await check("end from outside", async () => {
    await visit.start(task)
    const ended = await shop.terminate("generation_length", { signal })
    demand(ended.outcome?.reward === 0, `an end with reward 0, but saw ${shown(ended.outcome?.reward)}`)
    demand(
      ended.outcome.termination_reason === "generation_length",
      `reason generation_length, but saw ${ended.outcome.termination_reason}`,
    )
    await visit.refusesToGoOn()
    return "reward 0, nothing after it"
  })
  await shop.close()
  return checks
}

type Kind = "options" | "no options" | "later page"

/** Looks for a product of the kind in the tasks' results, and buys it. */
async function buyKind(visit: Visit, taskIds: readonly string[], kind: Kind): Promise<string> {
  let looked = 0
  for (const taskId of taskIds) {
    await visit.start(taskId)
    await visit.search()
    if (kind === "later page") {
      if (!visit.actions.includes("next >")) continue
      await visit.click("next >")
    }
    for (const asin of visit.asins.slice(0, kind === "later page" ? 1 : LOOK_AT)) {
      looked++
      await visit.click(asin)
      visit.onPage("product_detail")
      if (kind === "later page" || visit.hasOptions === (kind === "options")) return buy(visit, asin)
      await visit.click("< prev")
    }
  }
  throw new Skip(`none among ${looked} products of ${taskIds.length} tasks`)
}

/** From an open product to the end: every refusal on the way, every axis, the purchase. */
async function buy(visit: Visit, asin: string): Promise<string> {
  await visit.refused("search[anything]", "search_unavailable")
  let axes = 0
  while (!visit.actions.includes("buy now")) {
    const feedback = await visit.refused("click[buy now]", "incomplete_options")
    const missing = visit.state.missing_option_axes
    const [axis] = Array.isArray(missing) ? missing : []
    demand(typeof axis === "string", `an axis in missing_option_axes, but saw ${shown(missing)}`)
    demand(
      feedback.missing_option_axes?.includes(axis) === true,
      `the feedback to name ${axis}, but saw ${shown(feedback.missing_option_axes)}`,
    )
    const option = visit.actions.find((action) => action.startsWith(`${axis}=`))
    demand(option !== undefined, `something to choose for ${axis}, but saw ${shown(visit.actions)}`)
    await visit.click(option)
    await visit.refused(`click[${option}]`, "already_selected")
    axes++
  }
  const { outcome, observation } = await visit.click("buy now")
  demand(outcome !== null, "the episode to be over after the purchase")
  demand(outcome.termination_reason === "purchase", `reason purchase, but saw ${outcome.termination_reason}`)
  demand(observation.state.page_type === "terminal", `the page terminal, but saw ${observation.state.page_type}`)
  const { r_strict, reward_version } = outcome.reward_detail
  demand(outcome.reward === r_strict, `reward = r_strict, but saw ${outcome.reward} and ${shown(r_strict)}`)
  demand(outcome.purchase?.asin === asin, `${asin} to be bought, but saw ${shown(outcome.purchase?.asin)}`)
  await visit.refusesToGoOn()
  return `bought ${asin} with ${axes} options, reward ${outcome.reward} (${reward_version})`
}

/** One episode at a time, seen as an agent sees it. */
class Visit {
  readonly #shop: Environment
  readonly #signal: AbortSignal
  state: JsonObject = {}
  instruction = ""
  query = ""

  constructor(shop: Environment, signal: AbortSignal) {
    this.#shop = shop
    this.#signal = signal
  }

  get actions(): string[] {
    return Array.isArray(this.state.actions) ? this.state.actions.map(String) : []
  }

  get asins(): string[] {
    const { products } = this.state
    return Array.isArray(products) ? products.map((product) => String(isJsonObject(product) ? product.asin : "")) : []
  }

  get hasOptions(): boolean {
    return isJsonObject(this.state.available_options) && Object.keys(this.state.available_options).length > 0
  }

  async start(taskId: string): Promise<void> {
    const { observation, instruction } = await this.#shop.reset(taskId, { signal: this.#signal })
    demand(observation.text.trim() !== "", "a page as text, but it is empty")
    this.state = observation.state
    this.instruction = instruction
  }

  async search(): Promise<void> {
    this.query = this.instruction.replace(/[[\]\s]+/g, " ").trim()
    await this.#valid(`search[${this.query}]`)
    this.onPage("search_results")
  }

  click(value: string): Promise<StepResult> {
    return this.#valid(`click[${value}]`)
  }

  onPage(type: string): void {
    demand(this.state.page_type === type, `the page ${type}, but saw ${shown(this.state.page_type)}`)
    const searchable = type === "search_home"
    demand(this.state.search_available === searchable, `search_available ${searchable} on ${type}`)
  }

  /** Tries what is not allowed: it must be refused for that reason, and the page must stay as it was. */
  async refused(action: string, reason: string): Promise<NonNullable<StepResult["feedback"]>> {
    const before = this.#place()
    const { feedback } = await this.#step(action)
    demand(
      feedback !== null && !feedback.valid && feedback.reason === reason,
      `${action} to be refused as ${reason}, but saw ${shown(feedback)}`,
    )
    demand(this.#place() === before, `${action} to change nothing, but the page is another`)
    return feedback
  }

  async refusesToGoOn(): Promise<void> {
    try {
      await this.#shop.step("search[after the end]", { signal: this.#signal })
    } catch (error) {
      // The reference protocol has one status for everything that goes wrong.
      if (error instanceof AppError && (error.code === "CONFLICT" || error.code === "ENVIRONMENT_UNAVAILABLE")) return
      throw error
    }
    throw new Error("expected no action to be taken after the end, but one was")
  }

  async #valid(action: string): Promise<StepResult> {
    const result = await this.#step(action)
    demand(result.feedback?.valid === true, `${action} to be done, but saw ${shown(result.feedback)}`)
    return result
  }

  async #step(action: string): Promise<StepResult> {
    const result = await this.#shop.step(action, { signal: this.#signal })
    this.state = result.observation.state
    return result
  }

  #place(): string {
    const { last_action: _, ...rest } = this.state
    return JSON.stringify(rest)
  }
}

/** A check that this shop gives no occasion for. */
class Skip extends Error {}

function demand(condition: boolean, expected: string): asserts condition {
  if (!condition) throw new Error(`expected ${expected}`)
}

function shown(value: unknown): string {
  const text = JSON.stringify(value as Json | undefined) ?? "nothing"
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
