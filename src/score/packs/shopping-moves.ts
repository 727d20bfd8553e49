import type { Json } from "../../core/json.ts"
import type { Members, Play } from "../../core/play.ts"
import { casefold } from "../../lib/casefold.ts"

/** What an action that the shop carried out did. */
type Move = "search" | "open" | "select" | "back" | "paginate" | "purchase" | "other"

/**
 * Adds how an episode was played, by name. Counts are of actions that the shop carried out; a refused one is an invalid action and
 * nothing else.
 *
 * - `searches`, `unique_queries` (without regard to case and spacing), `query_chars` of all of them
 * - `product_opens` from a list; `unique_products` opened, `product_revisits` = the difference
 * - `exposed_products`: different products seen in lists; `first_product_rank` of the first one opened
 * - `backtracks`: back to the search, or back from a product; `paginations` of a list
 * - `option_selections`, `option_changes` of an axis that had another value
 */
export function addShoppingMoves(events: Play["events"], behavior: Map<string, number>): void {
  let searches = 0
  let opens = 0
  let backtracks = 0
  let paginations = 0
  let selections = 0
  let changes = 0
  const queries = new Set<string>()
  const opened = new Set<string>()
  const lists: Members[] = []
  let queryChars = 0
  let firstRank: number | undefined
  let page: Members | undefined
  let action: string | undefined // carried out, and not seen yet where it led to
  let wanted = ""
  for (const event of events) {
    if (event.type === "action") wanted = textOf(event.get("action"))
    else if (event.type === "feedback") action = isValid(event.get("feedback")) ? wanted : undefined
    if (event.type !== "observation") continue
    const before = page
    page = event.state
    if (page?.get("page_type") === "search_results") lists.push(page)
    if (action === undefined) continue
    const [move, value] = moveOf(action, before, page)
    action = undefined
    switch (move) {
      case "search": {
        const query = value.replace(/\s+/g, " ").trim()
        searches++
        queries.add(casefold(query))
        queryChars += query.length
        break
      }
      case "open": {
        const rank = rankIn(before, value)
        if (rank === undefined) break // not from the list
        opens++
        opened.add(value)
        firstRank ??= rank
        break
      }
      case "select":
        selections++
        if (isChange(before?.get("selected_options"), page?.get("selected_options"))) changes++
        break
      case "back":
        backtracks++
        break
      case "paginate":
        paginations++
        break
      default: // a purchase is how the episode ends
    }
  }
  behavior.set("searches", searches)
  behavior.set("unique_queries", queries.size)
  behavior.set("query_chars", queryChars)
  behavior.set("product_opens", opens)
  behavior.set("unique_products", opened.size)
  behavior.set("product_revisits", opens - opened.size)
  behavior.set("exposed_products", exposed(lists))
  if (firstRank !== undefined) behavior.set("first_product_rank", firstRank)
  behavior.set("backtracks", backtracks)
  behavior.set("paginations", paginations)
  behavior.set("option_selections", selections)
  behavior.set("option_changes", changes)
}

function moveOf(action: string, before: Members | undefined, after: Members | undefined): [Move, string] {
  const match = /^(search|click)\[([\s\S]*)\]$/i.exec(action.trim())
  if (match === null) return ["other", ""]
  const [, verb, inside] = match as unknown as [string, string, string]
  if (verb.toLowerCase() === "search") return ["search", inside]
  const value = inside.trim()
  const from = before?.get("page_type")
  switch (value.toLowerCase()) {
    case "back to search":
      return ["back", value]
    case "< prev":
      return [from === "product_detail" ? "back" : "paginate", value]
    case "next >":
      return ["paginate", value]
    case "buy now":
      return ["purchase", value]
  }
  const to = after?.get("page_type")
  if (to === "product_detail" && from === "search_results") return ["open", value.toLowerCase()]
  if (to === "product_detail" && from === "product_detail") return ["select", value]
  return ["other", value]
}

/** Place of a product in a list, from 1; undefined when it is not in it. */
function rankIn(list: Members | undefined, asin: string): number | undefined {
  const products = productsOf(list)
  const index = products.findIndex((product) => product.asin.toLowerCase() === asin)
  return index < 0 ? undefined : (products[index]!.rank ?? index + 1)
}

function productsOf(list: Members | undefined): { asin: string; rank: number | undefined }[] {
  const products = list?.get("products")
  if (!Array.isArray(products)) return []
  return products.map((product) => {
    const { asin, rank } = (product ?? {}) as { asin?: Json; rank?: Json }
    return { asin: textOf(asin), rank: typeof rank === "number" ? rank : undefined }
  })
}

/** Different products in all lists. A single list names each once, so its ranks tell, and it need not be read. */
function exposed(lists: readonly Members[]): number {
  const [only, another] = lists
  if (only === undefined) return 0
  const [start, end] = [only.get("rank_start"), only.get("rank_end")]
  if (another === undefined && typeof start === "number" && typeof end === "number" && start >= 1 && end >= start) {
    return end - start + 1
  }
  return new Set(lists.flatMap((list) => productsOf(list).map(({ asin }) => asin))).size
}

function isChange(before: Json | undefined, after: Json | undefined): boolean {
  const [was, is] = [before ?? {}, after ?? {}] as Record<string, Json>[]
  return Object.entries(was!).some(([axis, value]) => Object.hasOwn(is!, axis) && is![axis] !== value)
}

function isValid(feedback: Json | undefined): boolean {
  return (feedback as { valid?: Json } | undefined)?.valid === true
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : ""
}
