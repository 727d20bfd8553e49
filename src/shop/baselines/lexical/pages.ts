import type { Language } from "../../catalog.ts"
import { type Phrases, phrases } from "../../render/phrases.ts"

/** A product as a page tells of it. */
export interface SeenProduct {
  readonly asin: string
  readonly title: string
  readonly category: string
  /** In the catalog's currency; both ends are the same where one price is shown. Null: none is. */
  readonly price: { readonly low: number; readonly high: number } | null
  readonly attributes: readonly string[]
}

export interface SeenAxis {
  readonly name: string
  readonly values: readonly string[]
  readonly selected: string | null
}

/** What a shopper said to the last action: an answer, or why it would not want what was about to be bought. */
interface SeenReply {
  readonly kind: "answered" | "declined"
  readonly text: string
}

/** What a reader makes of a page's text, in either language and of either rule profile. */
export type SeenPage = { readonly language: Language; readonly reply?: SeenReply } & (
  | { readonly type: "search_home" }
  | { readonly type: "terminal" }
  | { readonly type: "search_results"; readonly products: readonly SeenProduct[] }
  | { readonly type: "product_detail"; readonly product: SeenProduct; readonly axes: readonly SeenAxis[] }
)

const LANGUAGES = ["zh", "en"] as const
const TYPES = ["search_home", "search_results", "product_detail", "terminal"] as const

const HEADERS = new Map(
  LANGUAGES.flatMap((language) => TYPES.map((type) => [phrases(language).page[type], { language, type }] as const)),
)

/** A page inside a text, and where it begins: at the beginning, else at the last line that is a page's heading. */
export function findPage(text: string): { readonly page: SeenPage; readonly start: number } | null {
  const lines = text.split("\n")
  const at = HEADERS.has(lines[0]!) ? 0 : lines.findLastIndex((line) => HEADERS.has(line))
  const header = HEADERS.get(lines[at] ?? "")
  if (header === undefined) return null
  const before = lines.slice(0, at)
  const start = before.reduce((sum, line) => sum + line.length + 1, 0)
  return { page: readPage(lines.slice(at), header.type, header.language), start }
}

function readPage(lines: readonly string[], type: SeenPage["type"], language: Language): SeenPage {
  const reply = readReply(lines, phrases(language))
  const page = readContent(lines, type, language)
  return reply === null ? page : { ...page, reply }
}

function readReply(lines: readonly string[], words: Phrases): SeenReply | null {
  const about = lines.slice(lines.indexOf(words.lastAction) + 1)
  const kind = (["answered", "declined"] as const).find((reason) => about.includes(`- ${words.reason(reason)}`))
  if (kind === undefined || !lines.includes(words.lastAction)) return null
  const label = `- ${words.message("")}`
  return { kind, text: about.find((line) => line.startsWith(label))?.slice(label.length) ?? "" }
}

function readContent(lines: readonly string[], type: SeenPage["type"], language: Language): SeenPage {
  const words = phrases(language)
  switch (type) {
    case "search_home":
    case "terminal":
      return { type, language }
    case "search_results":
      return { type, language, products: readResults(section(lines, words.products, words), words) }
    case "product_detail": {
      const body = section(lines, words.product, words)
      const facts = body.map((line) => line.replace(/^- /, ""))
      return { type, language, product: readProduct(facts, words), axes: readAxes(body, words) }
    }
    default:
      throw type satisfies never
  }
}

/** The lines from a heading to what is said of the last action or of what can be done. */
function section(lines: readonly string[], heading: string, words: Phrases): string[] {
  const from = lines.indexOf(heading) + 1
  const ends = [words.lastAction, words.abilities, words.clickable].map((end) => lines.indexOf(end, from))
  const to = Math.min(...ends.filter((at) => at >= 0), lines.length)
  return lines.slice(from, to)
}

function readResults(lines: readonly string[], words: Phrases): SeenProduct[] {
  const products: SeenProduct[] = []
  let facts: string[] = []
  const finish = () => {
    if (facts.length > 0) products.push(readProduct(facts, words))
  }
  for (const line of lines) {
    const title = /^\d+\. (.*)$/s.exec(line)?.[1]
    if (title !== undefined) {
      finish()
      facts = [words.title(title)]
    } else if (facts.length > 0 && line.startsWith("   ")) facts.push(line.slice(3))
  }
  finish()
  return products
}

function readProduct(facts: readonly string[], words: Phrases): SeenProduct {
  const told = (label: string) => facts.find((line) => line.startsWith(label))?.slice(label.length) ?? ""
  const attributes = told(words.keyAttributes([""]))
  const separator = words.keyAttributes(["", ""]).slice(words.keyAttributes([""]).length)
  return {
    asin: told(words.asin("")),
    title: told(words.title("")),
    category: told(words.category("")),
    price: readPrice(told(words.price(""))),
    attributes: attributes === "" ? [] : attributes.split(separator),
  }
}

/** `118`, `118.0`, `66 to 83`, `66.0 to 83.0`; null for words. */
function readPrice(text: string): SeenProduct["price"] {
  const [low, high = low, ...more] = text.split(" to ").map((part) => (part === "" ? Number.NaN : Number(part)))
  if (low === undefined || high === undefined || more.length > 0) return null
  if (!Number.isFinite(low) || !Number.isFinite(high)) return null
  return { low: Math.min(low, high), high: Math.max(low, high) }
}

/** Under `Options:` two lines an axis: its name with what is chosen, then its values. */
function readAxes(lines: readonly string[], words: Phrases): SeenAxis[] {
  const open = words.unselected("")
  const chosen = words.selected("", "")
  const valuesLabel = `  ${words.values([])}`
  const separator = words.values(["", ""]).slice(words.values([]).length)
  const axes: SeenAxis[] = []
  for (let i = lines.indexOf(words.options) + 1; i > 0 && i + 1 < lines.length; i += 1) {
    const line = lines[i]!
    const values = lines[i + 1]!
    if (!line.startsWith("- ") || !values.startsWith(valuesLabel)) continue
    const list = values.slice(valuesLabel.length).split(separator)
    const cut = line.indexOf(chosen)
    if (line.endsWith(open)) axes.push({ name: line.slice(2, -open.length), values: list, selected: null })
    else if (cut >= 0) axes.push({ name: line.slice(2, cut), values: list, selected: line.slice(cut + chosen.length) })
  }
  return axes
}
