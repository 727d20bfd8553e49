import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts"
import type { ScriptTime } from "../../../core/time.ts"
import { casefold } from "../../../lib/casefold.ts"
import type { FactReader } from "./facts.ts"
import type { Recorded } from "./lookup.ts"
import type { FactSource, ProductRecords } from "./products.ts"

/** Far later than any story. */
const EVER = "9999-12-31T23:59:59.999Z" as ScriptTime

export interface TitleMatch {
  readonly itemId: string
  readonly title: Json
  readonly source: FactSource
}

export type TitleSearch =
  | { readonly reason: "matched"; readonly matches: readonly TitleMatch[] }
  | { readonly reason: "no_command_record" | "arguments_mismatch" | "not_yet_available" }

/** Titles of a case's products: those read for it, and those that a recorded search listed (things to compare with). */
export class TitleIndex {
  readonly #products: ProductRecords
  readonly #listed: readonly { readonly itemId: string; readonly title: Json; readonly at: ScriptTime }[]

  constructor(products: ProductRecords, searches: readonly Recorded[], reader: FactReader) {
    this.#products = products
    this.#listed = searches.flatMap(({ result, at }) => {
      const items = isJsonObject(result) && Array.isArray(result.items) ? result.items.filter(isJsonObject) : []
      return items.flatMap((item) => {
        const itemId = itemIdOf(item, reader.policy.wrappers)
        const title = reader.read(item, reader.title) ?? null
        return itemId === undefined || title === null ? [] : [{ itemId, title, at }]
      })
    })
  }

  /** Products whose title, as of `cutOff`, contains every word of the query, in the order of the records. */
  search(query: string, cutOff: ScriptTime): TitleSearch {
    const words = folded(query).split(/\s+/).filter(Boolean)
    const among = (titles: readonly TitleMatch[]) =>
      titles.filter(({ title }) => words.length > 0 && words.every((word) => folded(String(title)).includes(word)))
    const matches = among(this.#titles(cutOff))
    if (matches.length > 0) return { reason: "matched", matches }
    const ever = this.#titles(EVER)
    if (ever.length === 0) return { reason: "no_command_record" }
    return { reason: among(ever).length > 0 ? "not_yet_available" : "arguments_mismatch" }
  }

  #titles(cutOff: ScriptTime): TitleMatch[] {
    const titles = new Map<string, TitleMatch>()
    for (const itemId of this.#products.itemIds) {
      const fact = this.#products.title(itemId, cutOff)
      if (fact !== null) titles.set(itemId, { itemId, title: fact.value, source: fact.source })
    }
    for (const { itemId, title, at } of this.#listed) {
      if (at <= cutOff && !titles.has(itemId)) titles.set(itemId, { itemId, title, source: { source: "history", at } })
    }
    return [...titles.values()]
  }
}

function itemIdOf(item: JsonObject, wrappers: readonly string[]): string | undefined {
  for (const body of [item, ...wrappers.map((name) => item[name]).filter(isJsonObject)]) {
    if (typeof body.item_id === "string") return body.item_id
  }
  return undefined
}

function folded(text: string): string {
  return casefold(text.normalize("NFKC"))
}
