import type { JsonObject } from "../../../src/core/json.ts"

/** A product as a page's state tells it. */
export type ShopCard = {
  readonly asin: string
  readonly title: string
  readonly brand: string
  readonly category: string
  /** As text, without a currency; null: not priced. */
  readonly price: string | null
  readonly attributes: readonly string[]
}

/** An option to choose and its values; `label` is what a value is clicked by. */
export type ShopAxis = {
  readonly name: string
  readonly selected: string | null
  readonly isMissing: boolean
  readonly values: readonly { readonly text: string; readonly label: string }[]
}

/** A page of the shop, read from the state of an observation. Whatever a state lacks is empty: recorded ones come from many versions. */
export type ShopState = {
  readonly type: string
  readonly canSearch: boolean
  readonly actions: readonly string[]
  readonly query: string
  readonly page: number | null
  readonly pages: number | null
  readonly total: number | null
  readonly products: readonly (ShopCard & { readonly rank: number | null })[]
  readonly product: ShopCard | null
  readonly axes: readonly ShopAxis[]
  /** Of what is chosen, where it is known. */
  readonly selectedPrice: number | null
  readonly lastAction: { readonly action: string; readonly valid: boolean; readonly message: string } | null
}

/** What the buttons of every page are clicked by. */
export const BUTTONS = { back: "back to search", previous: "< prev", next: "next >", buy: "buy now" } as const

export function readShopState(state: JsonObject): ShopState {
  const actions = texts(state.actions)
  const last = object(state.last_action)
  return {
    type: text(state.page_type),
    canSearch: state.search_available === true,
    actions,
    query: text(state.search_text),
    page: number(state.page),
    pages: number(state.total_pages),
    total: number(state.total_results),
    products: list(state.products).map((entry) => ({ ...card(object(entry)), rank: number(object(entry).rank) })),
    product: state.product === undefined ? null : card(object(state.product)),
    axes: axesOf(state, actions),
    selectedPrice: number(state.selected_price),
    lastAction:
      typeof last.action === "string"
        ? { action: last.action, valid: last.valid === true, message: text(last.message) }
        : null,
  }
}

/** The verb and the value of `search[…]`, `click[…]`, `ask[…]`; null: it is none. */
export function readAction(action: string): { readonly verb: string; readonly value: string } | null {
  const found = /^\s*([a-z_]+)\[([\s\S]*)\]\s*$/i.exec(action)
  return found === null ? null : { verb: found[1]!.toLowerCase(), value: found[2]! }
}

/** Values that are only among what can be clicked are there too: a state lists no more than so many. */
function axesOf(state: JsonObject, actions: readonly string[]): ShopAxis[] {
  const offered = object(state.available_options)
  const chosen = object(state.selected_options)
  const missing = new Set(texts(state.missing_option_axes))
  const names = Object.keys(offered)
  const nameOf = (label: string) =>
    names.filter((name) => label.startsWith(`${name}=`)).sort((a, b) => b.length - a.length)[0]
  const more = new Map<string, string[]>()
  for (const label of actions) {
    const name = nameOf(label)
    if (name !== undefined) more.set(name, [...(more.get(name) ?? []), label.slice(name.length + 1)])
  }
  return names.map((name) => {
    const selected = Object.hasOwn(chosen, name) ? text(chosen[name]) : null
    const values = [
      ...new Set([...texts(offered[name]), ...(more.get(name) ?? []), ...(selected === null ? [] : [selected])]),
    ]
    return {
      name,
      selected,
      isMissing: missing.has(name),
      values: values.map((value) => ({ text: value, label: `${name}=${value}` })),
    }
  })
}

function card(value: JsonObject): ShopCard {
  const price = value.price
  return {
    asin: text(value.asin),
    title: text(value.title),
    brand: text(value.brand),
    category: text(value.category),
    price: typeof price === "string" ? price : typeof price === "number" ? String(price) : null,
    attributes: [...new Set(texts(value.key_attributes))],
  }
}

function object(value: unknown): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function texts(value: unknown): string[] {
  return list(value).filter((entry) => typeof entry === "string")
}

function text(value: unknown): string {
  return typeof value === "string" ? value : ""
}

function number(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null
}
