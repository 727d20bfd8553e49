import { collapseText } from "../../lib/python-text.ts"
import type { Language } from "../catalog.ts"
import type { Card, Page } from "../observe.ts"
import { priceText } from "../price.ts"
import { type Phrases, phrases } from "./phrases.ts"

/** A page as the text an agent reads. Deterministic; every value is on one line. */
export function renderPage(page: Page, language: Language): string {
  const words = phrases(language)
  const lines = [
    words.page[page.type],
    ...content(page, words, language),
    ...lastAction(page, words),
    "",
    ...interaction(page, words),
  ]
  return `${lines.join("\n")}\n`
}

function content(page: Page, words: Phrases, language: Language): string[] {
  switch (page.type) {
    case "search_home":
      return []
    case "terminal":
      return [words.terminal]
    case "search_results": {
      const range = {
        page: page.page,
        pages: page.totalPages,
        total: page.totalResults,
        from: page.rankStart,
        to: page.rankEnd,
      }
      const lines = [words.searchText(given(page.searchText, words)), words.range(range), "", words.products]
      if (page.products.length === 0) lines.push(words.noProducts)
      for (const { rank, card } of page.products) lines.push(`${rank}. ${entry(card, words, language)}`)
      return lines
    }
    case "product_detail": {
      const { product, selectedPrice } = page
      const price = selectedPrice === null ? product.price : priceText(selectedPrice, page.rules)
      const lines = [words.product, `- ${words.title(collapseText(product.title) || words.untitled)}`]
      for (const line of facts(product, price, words)) lines.push(`- ${line}`)
      lines.push("", words.options)
      for (const { name, values, selected } of page.axes) {
        const axis = collapseText(name)
        lines.push(`- ${selected === null ? words.unselected(axis) : words.selected(axis, collapseText(selected))}`)
        lines.push(`  ${words.values(values.map(collapseText))}`)
      }
      if (page.axes.length === 0) lines.push(`- ${words.noOptions}`)
      const missing = page.missingAxes.map(collapseText)
      lines.push(missing.length > 0 ? words.missing(words.axes(missing)) : words.complete)
      return lines
    }
    default:
      throw page satisfies never
  }
}

/** Entries of results pages, made once for each card. */
const ENTRIES: Readonly<Record<Language, WeakMap<Card, string>>> = { zh: new WeakMap(), en: new WeakMap() }

/** A product on a results page, without its rank: several lines. */
function entry(card: Card, words: Phrases, language: Language): string {
  const known = ENTRIES[language].get(card)
  if (known !== undefined) return known
  const title = collapseText(card.title) || words.untitled
  const text = [title, ...facts(card, card.price, words).map((line) => `   ${line}`)].join("\n")
  ENTRIES[language].set(card, text)
  return text
}

function facts(product: Card, price: string | null, words: Phrases): string[] {
  const lines = [
    words.asin(product.asin),
    words.price(price === null ? words.noPrice : given(price, words)),
    words.brand(given(product.brand, words)),
    words.category(given(product.category, words)),
  ]
  if (product.key_attributes.length > 0) lines.push(words.keyAttributes(product.key_attributes.map(collapseText)))
  return lines
}

function lastAction({ lastAction }: Page, words: Phrases): string[] {
  if (lastAction === null) return []
  const lines = ["", words.lastAction, `- ${lastAction.valid ? words.valid : words.invalid}`]
  const message = collapseText(lastAction.message)
  if (message !== "") lines.push(`- ${words.message(message)}`)
  if (lastAction.reason !== "executed") lines.push(`- ${words.reason(lastAction.reason)}`)
  return lines
}

function interaction(page: Page, words: Phrases): string[] {
  const lines: string[] = []
  if (page.searchAvailable) lines.push(words.abilities, `- ${words.canSearch}`)
  if (page.actions.length > 0) {
    if (lines.length > 0) lines.push("")
    lines.push(words.clickable)
    for (const action of page.actions) lines.push(`- ${collapseText(action)}`)
  }
  return lines.length > 0 ? lines : [words.nothing]
}

function given(text: string, words: Phrases): string {
  return collapseText(text) || words.notGiven
}
