import { z } from "zod"
import type { ActionFeedback } from "../core/environment.ts"
import { AppError } from "../core/errors.ts"
import { JsonObject } from "../core/json-schema.ts"
import { stripText } from "../lib/python-text.ts"
import { parseAction } from "./action.ts"
import type { Language } from "./catalog.ts"
import { goalOf } from "./goal.ts"
import { type Deed, judge } from "./judge.ts"
import { choices, selections } from "./moves.ts"
import type { Product } from "./product.ts"
import { scorePurchase, zeroDetail } from "./reward.ts"
import { InteractionMode, RulesName, rulesOf, SEARCH_TOP } from "./rules.ts"
import { normalizeQuery } from "./search/tokens.ts"
import type { Shop } from "./shop.ts"
import { ShopTask } from "./task.ts"

const Feedback = z.object({
  action: z.string(),
  valid: z.boolean(),
  reason: z.string(),
  message: z.string(),
  missing_option_axes: z.array(z.string()).readonly().exactOptional(),
})

/** What a session has done so far, for behaviour metrics. */
const SessionCounters = z.object({
  actions: z.number(), // all that were received, unreadable ones too
  valid_actions: z.number(),
  invalid_actions: z.number(),
  searches: z.number(),
  product_opens: z.number(),
  product_revisits: z.number(), // opens of a product that had been opened before
  backtracks: z.number(), // back to the search page, or from a product to the results
  pagination: z.number(),
  option_selections: z.number(),
  option_changes: z.number(), // selections on an axis that had another value
})
type SessionCounters = z.infer<typeof SessionCounters>

/** How a session ended. Private until then, and never for a model's eyes: the detail measures against the goal. */
const SessionEnd = z.object({
  reason: z.enum(["purchase", "action_limit", "generation_length"]),
  reward: z.number(),
  reward_detail: JsonObject,
  purchase: JsonObject.nullable(),
})
type SessionEnd = z.infer<typeof SessionEnd>

/**
 * One shopper's visit: plain JSON. Products are numbers of the catalog's documents, options are places in a product's lists.
 * It holds the private task: show `observationState` and its text to an agent, never this.
 */
export const Session = z.object({
  schema: z.literal("souk.session/1"),
  task: ShopTask,
  rules: RulesName,
  mode: InteractionMode,
  persona: z.boolean(),
  language: z.enum(["zh", "en"]), // the catalog's
  page: z.enum(["search_home", "search_results", "product_detail", "terminal"]),
  query: z.string(), // as typed; empty before the first search
  hits: z.array(z.number()),
  result_page: z.number(), // from 1
  product: z.number().nullable(),
  selected: z.array(z.tuple([z.number(), z.number()])), // axis and value, by axis
  last_action: Feedback.nullable(),
  counters: SessionCounters,
  queries: z.array(z.string()), // different ones, normalized
  opened: z.array(z.number()), // different products
  end: SessionEnd.nullable(),
})
export type Session = z.infer<typeof Session>

/** How a session is to be played. */
export interface SessionStart {
  readonly task: ShopTask
  readonly mode?: InteractionMode
  /** Play as a shopper whose profile is known: the instruction is the short one, where the task has a profile. */
  readonly persona?: boolean
  readonly rules?: RulesName
  /** The catalog's language. */
  readonly language?: Language
}

/** A session on the search page, with nothing done yet. Throws `BAD_INPUT` for a mode or rules that do not exist. */
export function startSession(start: SessionStart): Session {
  const { task, mode = "single_turn", persona = false, rules = "souk", language = "zh" } = start
  if (!InteractionMode.safeParse(mode).success) {
    throw new AppError(
      "BAD_INPUT",
      `Unknown interaction mode ${JSON.stringify(mode)}; use one of ${InteractionMode.options.join(", ")}`,
    )
  }
  if (!RulesName.safeParse(rules).success) {
    throw new AppError(
      "BAD_INPUT",
      `Unknown rules ${JSON.stringify(rules)}; use one of ${RulesName.options.join(", ")}`,
    )
  }
  return {
    schema: "souk.session/1",
    task,
    rules,
    mode,
    persona,
    language,
    ...HOME,
    query: "",
    last_action: null,
    counters: {
      actions: 0,
      valid_actions: 0,
      invalid_actions: 0,
      searches: 0,
      product_opens: 0,
      product_revisits: 0,
      backtracks: 0,
      pagination: 0,
      option_selections: 0,
      option_changes: 0,
    },
    queries: [],
    opened: [],
    end: null,
  }
}

/** One step: the next session and what is to be said about the action. */
export interface Step {
  readonly session: Session
  readonly feedback: ActionFeedback
}

/**
 * Plays one agent response (`search[...]`, `click[...]`; null: it was no text). Pure: the session handed in is left alone, and the same session, response
 * and shop give the same step. Every response costs an action; an invalid one changes nothing else but the feedback. The last
 * action allowed ends the session, unless it is a purchase, which ends it as one.
 * Throws `CONFLICT` when the session is over.
 */
export function act(session: Session, response: string | null, shop: Shop): Step {
  refuseEnded(session)
  const { feedback, deed } = judge(session, response, shop)
  const done = deed === null ? session : perform(session, deed, shop)
  return { session: counted(done, feedback), feedback }
}

/** The session with one action more, and over if that was the last one allowed. */
function counted(session: Session, feedback: ActionFeedback): Session {
  const counters = { ...session.counters, actions: session.counters.actions + 1 }
  counters[feedback.valid ? "valid_actions" : "invalid_actions"] += 1
  const next: Session = { ...session, last_action: feedback, counters }
  const limit = rulesOf(session.rules).actionLimits[session.mode]
  const over = next.end === null && counters.actions >= limit
  return over ? endWithoutPurchase(next, "action_limit") : next
}

/**
 * One action that was another's to answer than the shop's: it costs as any other, and the page stays as it is but for `feedback`.
 * Throws `CONFLICT` when the session is over.
 */
export function spend(session: Session, feedback: ActionFeedback): Session {
  refuseEnded(session)
  return counted(session, feedback)
}

/**
 * Ends a session from outside: the agent's own limit of steps, or a reply cut off by its length. The reward is 0.
 * Throws `CONFLICT` when it is over already, `BAD_INPUT` for another reason.
 */
export function terminate(session: Session, reason: "action_limit" | "generation_length"): Session {
  refuseEnded(session)
  if (reason !== "action_limit" && reason !== "generation_length") {
    throw new AppError(
      "BAD_INPUT",
      `Unknown termination reason ${JSON.stringify(reason)}; use action_limit or generation_length`,
    )
  }
  return endWithoutPurchase(session, reason)
}

/** The query that {@link act} would search for with this response; undefined when it would not search. */
export function plannedSearch(session: Session, response: string | null): string | undefined {
  if (session.end !== null || session.page !== "search_home") return undefined
  const action = parseAction(response)
  if (action.fault !== null || action.verb !== "search" || action.argument === null) return undefined
  return stripText(action.argument) === "" ? undefined : action.argument
}

/** The session after `actions`: with its start, they are all there is to it. Throws `CONFLICT` for actions after the end. */
export function replaySession(start: SessionStart, actions: Iterable<string | null>, shop: Shop): Session {
  let session = startSession(start)
  for (const action of actions) session = act(session, action, shop).session
  return session
}

const HOME = { page: "search_home", hits: [], result_page: 1, product: null, selected: [] } satisfies Partial<Session>

function perform(session: Session, deed: Deed, shop: Shop): Session {
  switch (deed.type) {
    case "search": {
      const normalized = normalizeQuery(deed.query)
      const { queries } = session
      return {
        ...count(session, "searches"),
        ...HOME,
        page: "search_results",
        query: deed.query,
        hits: shop.search(deed.query, SEARCH_TOP),
        queries: queries.includes(normalized) ? queries : [...queries, normalized],
      }
    }
    case "back_to_search":
      return { ...count(session, "backtracks"), ...HOME }
    case "next":
      return { ...count(session, "pagination"), result_page: session.result_page + 1 }
    case "previous":
      if (session.page === "search_results")
        return { ...count(session, "pagination"), result_page: session.result_page - 1 }
      return { ...count(session, "backtracks"), page: "search_results", product: null, selected: [] }
    case "open": {
      const known = session.opened.includes(deed.document)
      const opened = known ? session.opened : [...session.opened, deed.document]
      const counted = known ? count(session, "product_opens", "product_revisits") : count(session, "product_opens")
      return { ...counted, page: "product_detail", product: deed.document, selected: [], opened }
    }
    case "select": {
      const others = session.selected.filter(([axis]) => axis !== deed.axis)
      const changed = others.length < session.selected.length
      const counted = changed
        ? count(session, "option_selections", "option_changes")
        : count(session, "option_selections")
      const selected: Session["selected"] = [...others, [deed.axis, deed.value]]
      return { ...counted, selected: selected.sort(([a], [b]) => a - b) }
    }
    case "buy":
      return purchase(session, shop)
    default:
      throw deed satisfies never
  }
}

function purchase(session: Session, shop: Shop): Session {
  const { task, rules, language } = session
  const document = session.product! // buying is only offered on a product's page
  const product = shop.product(document)
  const selected = selections(choices(product, session.selected))
  const goal = goalOf(task, goalProduct(session, shop), rules)
  const { reward, reward_detail } = scorePurchase({ goal, product, selected, rules, language })
  const record: JsonObject = {
    asin: product.asin,
    category: product.category,
    name: product.title,
    product_category: product.product_category,
    ...(rulesOf(rules).purchaseQuotesInstruction ? { instruction_text: shop.instructionOf(document) } : {}),
    attributes: product.attributes,
    price: reward_detail.price_resolution.price,
    options: Object.fromEntries(selected),
  }
  return { ...session, page: "terminal", end: { reason: "purchase", reward, reward_detail, purchase: record } }
}

/** The product a session's task was written for. Throws `CATALOG_CORRUPT` when the shop does not have it. */
export function goalProduct(session: Session, shop: Shop): Product {
  const document = shop.documentOf(session.task.asin)
  if (document !== undefined) return shop.product(document)
  throw new AppError(
    "CATALOG_CORRUPT",
    `Task ${session.task.task_id} was written for product ${session.task.asin}, which this catalog does not have; import it again`,
  )
}

function endWithoutPurchase(session: Session, reason: "action_limit" | "generation_length"): Session {
  const rules = rulesOf(session.rules)
  const end: SessionEnd = { reason, reward: 0, reward_detail: zeroDetail(reason, rules), purchase: null }
  return { ...session, page: rules.terminalAfterLimit ? "terminal" : session.page, end }
}

function refuseEnded(session: Session): void {
  if (session.end === null) return
  throw new AppError(
    "CONFLICT",
    `Task ${session.task.task_id} is over (${session.end.reason}); start a new session to play again`,
  )
}

function count(session: Session, ...names: (keyof SessionCounters)[]): Session {
  const counters = { ...session.counters }
  for (const name of names) counters[name] += 1
  return { ...session, counters }
}
