import { collapseText } from "../../../lib/python-text.ts"
import { BACK_TO_SEARCH, BUY_NOW, NEXT, PREVIOUS } from "../../moves.ts"
import { chooseOption, scoresOf } from "./appraise.ts"
import type { Memory } from "./memory.ts"
import type { SeenAxis, SeenPage, SeenProduct } from "./pages.ts"
import type { Request } from "./request.ts"

/** How the shopper looks around. Part of the version of `lexical`. */
export const HABITS = {
  candidates: 4, // products opened before it takes the best of them
  good: 0.7, // a candidate's relevance, as a share of the most relevant product's
  options: 2, // what an option that is offered as wanted adds to the relevance of an opened product
  settle_at: 18, // replies after which it looks no further
  buy_at: 25, // replies after which it buys what is in front of it
} as const

/** What can be called now. */
export interface Offer {
  readonly canSearch: boolean
  /** Values that `click` takes. */
  readonly labels: readonly string[]
}

export interface Choice {
  readonly tool: "search" | "click" | "ask"
  readonly argument: string
}

/** A product that was opened, as it looked last. */
interface Inspection extends Verdict {
  readonly asin: string
  /** What it was found with. */
  readonly query: string
  readonly relevance: number
  readonly visits: number
  /** The shopper would not have it as it was chosen last. */
  readonly declined: boolean
}

interface Verdict {
  /** Axes of which the request names a value, by how surely it does; and those with a choice that it says nothing of. */
  readonly matched: number
  readonly unmatched: number
  /** Its price is above the budget, or not known to be within it although everything is chosen. */
  readonly over: boolean
}

/** All the shopper can base a decision on. */
interface Situation {
  readonly request: Request
  readonly offer: Offer
  /** Searched for so far. */
  readonly queries: readonly string[]
  /** Relevance of the products on the results of the last search. */
  readonly scores: ReadonlyMap<string, number>
  readonly inspections: ReadonlyMap<string, Inspection>
  /** The best product opened so far. */
  readonly best: Inspection | undefined
  /** It has seen enough, or has no time to see more. */
  readonly settled: boolean
  readonly hurried: boolean
  /** The shopper has said more than the request. */
  readonly told: boolean
}

/**
 * What a careful, simple shopper does next: searches, opens the most relevant products within the budget one after the other until
 * one offers all the options that are wanted at a price that fits, else returns to the best of them; searches with fewer words when
 * nothing is left to open. Null: nothing can be done.
 */
export function decide(memory: Memory, request: Request, offer: Offer): Choice | null {
  const situation = situationOf(memory, request, offer)
  if (offer.canSearch) return { tool: "search", argument: nextQuery(situation) }
  const { page } = memory
  const planned =
    page?.type === "search_results"
      ? fromResults(page.products, situation)
      : page?.type === "product_detail"
        ? fromProduct(page, situation)
        : null
  return planned ?? anything(offer)
}

/** Searched for where nothing is known to search for. */
const ANYTHING = "*"

function nextQuery({ queries, best, settled, request }: Situation): string {
  const fresh = request.queries.find((query) => !queries.includes(query))
  const known = best !== undefined && (settled || fresh === undefined) ? best.query : undefined
  return known || fresh || queries.at(-1) || ANYTHING
}

function fromResults(products: readonly SeenProduct[], situation: Situation): Choice | null {
  const { request, offer, queries, best, settled, hurried, scores } = situation
  const [candidate] = candidates(products, situation)
  if (!settled) {
    if (candidate !== undefined && isGood(candidate, products, situation)) return click(candidate.asin, offer)
    if (request.queries.some((query) => !queries.includes(query))) return click(BACK_TO_SEARCH, offer)
  }
  const needsAnother = best === undefined || best.over
  if (needsAnother && !hurried && candidate !== undefined) return click(candidate.asin, offer)
  if (best !== undefined) {
    const open = click(best.asin, offer)
    if (open !== null) return open
    if (best.query !== queries.at(-1)) return click(BACK_TO_SEARCH, offer)
  }
  const [first] = byRelevance(products, scores)
  return (first === undefined ? null : click(first.asin, offer)) ?? click(NEXT, offer) ?? click(BACK_TO_SEARCH, offer)
}

/** Products of a page that were not opened yet and may be within the budget, the most relevant first. */
function candidates(products: readonly SeenProduct[], { inspections, scores, request }: Situation): SeenProduct[] {
  return byRelevance(
    products.filter((product) => !inspections.has(product.asin) && mayFit(product, request)),
    scores,
  )
}

/** Whether a product is about as relevant as the most relevant one of the page that may be within the budget. */
function isGood({ asin }: SeenProduct, products: readonly SeenProduct[], { scores, request }: Situation): boolean {
  const [top] = byRelevance(
    products.filter((product) => mayFit(product, request)),
    scores,
  )
  return top !== undefined && (scores.get(asin) ?? 0) >= HABITS.good * (scores.get(top.asin) ?? 0)
}

function mayFit({ price }: SeenProduct, { upper }: Request): boolean {
  return upper === null || price === null || price.low <= upper
}

function byRelevance(products: readonly SeenProduct[], scores: ReadonlyMap<string, number>): SeenProduct[] {
  return [...products].sort((a, b) => (scores.get(b.asin) ?? 0) - (scores.get(a.asin) ?? 0))
}

type ProductPage = Extract<SeenPage, { type: "product_detail" }>

function fromProduct({ product, axes: shown }: ProductPage, situation: Situation): Choice | null {
  const { offer, request, inspections, best, settled, hurried, told } = situation
  const axes = shown.map((axis) => withOffered(axis, offer))
  const { unmatched, over: tooDear } = judge(product, axes, request)
  const over = tooDear || inspections.get(product.asin)?.declined === true
  const better = told
    ? axes.flatMap((axis) => otherThanChosen(axis, request) ?? []).find((label) => click(label, offer))
    : undefined
  if (better !== undefined) return click(better, offer)
  const isFirstVisit = (inspections.get(product.asin)?.visits ?? 1) <= 1
  const isBest = settled && best?.asin === product.asin
  const others = [...inspections.values()].some((other) => other.asin !== product.asin && !other.over)
  if (!hurried && over && (isFirstVisit || others)) return click(PREVIOUS, offer)
  if (!hurried && unmatched > 0 && isFirstVisit && !isBest) return click(PREVIOUS, offer)
  for (const axis of axes) {
    if (axis.selected !== null) continue
    const label = axis.labels.get(chooseOption(axis, request).value)
    if (label !== undefined) return click(label, offer)
  }
  return click(BUY_NOW, offer)
}

/** What to click where the shopper has said since that another value is meant than the chosen one. */
function otherThanChosen(axis: SeenAxis & { readonly labels: ReadonlyMap<string, string> }, request: Request) {
  if (axis.selected === null) return undefined
  const { value, certainty } = chooseOption({ values: [...axis.labels.keys()] }, request)
  const chosen = chooseOption({ values: [axis.selected] }, request)
  return certainty > chosen.certainty ? axis.labels.get(value) : undefined
}

/**
 * An axis with all its values that can be clicked, and by what: a page lists only the first hundred, and shows runs of blanks as one.
 * Nothing can be clicked of what is not there: an axis that is chosen stays as it is.
 */
function withOffered(axis: SeenAxis, { labels }: Offer): SeenAxis & { readonly labels: ReadonlyMap<string, string> } {
  const prefix = `${axis.name}=`
  const offered = new Map<string, string>()
  for (const label of labels) {
    const shown = collapseText(label)
    if (shown.startsWith(prefix)) offered.set(shown.slice(prefix.length), label)
  }
  const values = axis.selected !== null || offered.size === 0 ? axis.values : [...offered.keys()]
  return { ...axis, values, labels: offered }
}

/** Pages never change, and every turn looks at all of them again. */
const judged = new WeakMap<SeenPage, { readonly request: Request; readonly verdict: Verdict }>()

function verdictOn(page: ProductPage, request: Request): Verdict {
  const before = judged.get(page)
  if (before?.request === request) return before.verdict
  const verdict = judge(page.product, page.axes, request)
  judged.set(page, { request, verdict })
  return verdict
}

function judge({ price }: SeenProduct, axes: readonly SeenAxis[], request: Request): Verdict {
  const choices = axes.filter(({ values }) => values.length > 1).map((axis) => chooseOption(axis, request))
  const isComplete = axes.every(({ selected }) => selected !== null)
  const { upper } = request
  return {
    matched: choices.reduce((sum, { certainty }) => sum + certainty, 0),
    unmatched: choices.filter(({ certainty }) => certainty === 0).length,
    over: upper !== null && (price === null ? isComplete : (isComplete ? price.high : price.low) > upper),
  }
}

function situationOf({ turns, steps, told: answers }: Memory, request: Request, offer: Offer): Situation {
  const queries: string[] = []
  const inspections = new Map<string, Inspection>()
  let scores: ReadonlyMap<string, number> = new Map()
  for (const { tool, argument, page } of turns) {
    if (tool === "search" && page?.type === "search_results") {
      queries.push(argument)
      scores = scoresOf(page.products, request)
    }
    if (page?.type !== "product_detail") continue
    const { asin } = page.product
    const before = inspections.get(asin)
    const verdict = verdictOn(page, request)
    const reopened = argument === asin && before?.declined === true
    const declined = page.reply?.kind === "declined" || reopened
    inspections.set(asin, {
      ...verdict,
      over: verdict.over || declined,
      declined,
      asin,
      query: before?.query ?? queries.at(-1) ?? "",
      relevance: before?.relevance ?? scores.get(asin) ?? 0,
      visits: (before?.visits ?? 0) + (argument === asin ? 1 : 0),
    })
  }
  const settled = steps >= HABITS.settle_at || inspections.size >= HABITS.candidates
  const hurried = steps >= HABITS.buy_at
  return {
    request,
    offer,
    queries,
    scores,
    inspections,
    best: bestOf(inspections),
    settled,
    hurried,
    told: answers.length > 0,
  }
}

/** The most promising of the opened products: rather any within the budget than one above it. */
function bestOf(inspections: ReadonlyMap<string, Inspection>): Inspection | undefined {
  const worth = ({ relevance, matched }: Inspection) => relevance + HABITS.options * matched
  return [...inspections.values()].sort((a, b) => Number(a.over) - Number(b.over) || worth(b) - worth(a))[0]
}

function click(label: string, { labels }: Offer): Choice | null {
  return labels.includes(label) ? { tool: "click", argument: label } : null
}

/** For pages that say nothing to this shopper: forward rather than back. */
function anything({ labels }: Offer): Choice | null {
  const label = labels.find((text) => text !== BACK_TO_SEARCH && text !== PREVIOUS) ?? labels[0]
  return label === undefined ? null : { tool: "click", argument: label }
}
