import { type OptionAxis, type Product, publicOptionValue } from "./product.ts"
import { PAGE_SIZE } from "./rules.ts"
import type { Session } from "./session.ts"
import type { Shop } from "./shop.ts"

export const BACK_TO_SEARCH = "back to search"
export const PREVIOUS = "< prev"
export const NEXT = "next >"
export const BUY_NOW = "buy now"

/** What a click does. `document` numbers a product, `axis` and `value` count in the product's own lists. */
export type Move =
  | { readonly type: "back_to_search" }
  | { readonly type: "previous" }
  | { readonly type: "next" }
  | { readonly type: "open"; readonly document: number }
  | { readonly type: "select"; readonly axis: number; readonly value: number }
  | { readonly type: "buy" }

/** An axis as it is shown and chosen from: values in their public form, in source order, each once. */
export interface Choice {
  /** Index into the product's axes. */
  readonly axis: number
  readonly name: string
  readonly values: readonly { readonly index: number; readonly text: string }[]
  /** The text of the chosen value; null: none yet. */
  readonly selected: string | null
}

/** The axes of the product on the page, with what is chosen on each. Axes without any value to choose are not part of it. */
export function choices(product: Product, selected: Session["selected"]): Choice[] {
  const list: Choice[] = []
  for (const [axis, { name, values }] of product.axes.entries()) {
    const shown = publicValues(values)
    if (shown.length === 0) continue
    const index = selected.find(([chosen]) => chosen === axis)?.[1]
    const text = index === undefined ? undefined : values[index]?.value
    list.push({ axis, name, values: shown, selected: text === undefined ? null : publicOptionValue(text) })
  }
  return list
}

/** Names of the axes that still have to be chosen, in source order. */
export function missingAxes(list: readonly Choice[]): string[] {
  return list.filter(({ selected }) => selected === null).map(({ name }) => name)
}

/** The selections as axis name → value. */
export function selections(list: readonly Choice[]): Map<string, string> {
  const map = new Map<string, string>()
  for (const { name, selected } of list) if (selected !== null) map.set(name, selected)
  return map
}

/** What an option is clicked by. */
export function optionLabel(axis: string, value: string): string {
  return `${axis}=${value}`
}

export function pageCount(hits: number): number {
  return Math.max(1, Math.ceil(hits / PAGE_SIZE))
}

/** The documents on a results page. */
export function pageHits(session: Pick<Session, "hits" | "result_page">): number[] {
  const from = (session.result_page - 1) * PAGE_SIZE
  return session.hits.slice(from, from + PAGE_SIZE)
}

/** The buttons of a results page, in page order. */
export function resultButtons({ hits, result_page }: Pick<Session, "hits" | "result_page">): string[] {
  const buttons = [BACK_TO_SEARCH]
  if (result_page > 1) buttons.push(PREVIOUS)
  if (result_page < pageCount(hits.length)) buttons.push(NEXT)
  return buttons
}

/** The buttons of a product page, in page order. */
export function productButtons(complete: boolean): string[] {
  return complete ? [BACK_TO_SEARCH, PREVIOUS, BUY_NOW] : [BACK_TO_SEARCH, PREVIOUS]
}

/** Option labels in page order: axes and values as in the source, without what is chosen already, no label twice. */
export function optionLabels(list: readonly Choice[]): string[] {
  const chosen = new Set(list.flatMap(({ name, selected }) => (selected === null ? [] : [optionLabel(name, selected)])))
  const labels = new Set<string>()
  for (const { name, values } of list) {
    for (const { text } of values) {
      const label = optionLabel(name, text)
      if (!chosen.has(label)) labels.add(label)
    }
  }
  return [...labels]
}

/** The move that a label of the current page stands for; labels match exactly. Undefined: there is no such label. */
export function findMove(session: Session, label: string, shop: Shop): Move | undefined {
  if (session.page === "search_results") {
    if (resultButtons(session).includes(label)) return BUTTON_MOVES[label]
    const document = shop.documentOf(label)
    return document !== undefined && pageHits(session).includes(document) ? { type: "open", document } : undefined
  }
  if (session.page === "product_detail" && session.product !== null) {
    const list = choices(shop.product(session.product), session.selected)
    if (productButtons(missingAxes(list).length === 0).includes(label)) return BUTTON_MOVES[label]
    for (const { axis, name, values } of list) {
      if (!label.startsWith(`${name}=`)) continue
      const value = values.find(({ text }) => label === optionLabel(name, text))
      if (value !== undefined) return { type: "select", axis, value: value.index }
    }
  }
  return undefined
}

const BUTTON_MOVES: Readonly<Record<string, Move>> = {
  [BACK_TO_SEARCH]: { type: "back_to_search" },
  [PREVIOUS]: { type: "previous" },
  [NEXT]: { type: "next" },
  [BUY_NOW]: { type: "buy" },
}

/** What is shown of an axis's values never changes, and every step of a visit asks for it several times. */
const shownValues = new WeakMap<OptionAxis["values"], { index: number; text: string }[]>()

function publicValues(values: OptionAxis["values"]): { index: number; text: string }[] {
  const known = shownValues.get(values)
  if (known !== undefined) return known
  const seen = new Set<string>()
  const shown: { index: number; text: string }[] = []
  for (const [index, { value }] of values.entries()) {
    const text = publicOptionValue(value)
    if (text === "" || seen.has(text)) continue
    seen.add(text)
    shown.push({ index, text })
  }
  shownValues.set(values, shown)
  return shown
}
