/**
 * What a store is made of. The data files (`zh/*`, `en/*`) are written in a short notation, read once by `readKind`:
 *
 * - a choice: `主动降噪 x1.4 | 降噪要强 | 地铁上也安静`: the attribute as the store lists it, by how much it changes the price,
 *   then clauses a shopper may say instead. English attributes begin with the sign of their grammar: `=waterproof` (is),
 *   `+USB-C charging` (with), `~full-grain leather` (made of);
 * - an axis: `容量: 128GB, 256GB x1.3`: name, values in order, by how much a value changes the price. `?` before the name: only
 *   some products have it. `~` before the name: any values in any order (colours), else a run of neighbours (sizes).
 */
export interface KindSource {
  /** Category path, nodes separated by `›`; the leaf is the kind's own. */
  readonly path: string
  /** What sellers call the thing in titles. */
  readonly names: readonly string[]
  /** What shoppers call it. English: singular with its article, or a plural without one. */
  readonly asks: readonly string[]
  /** Chinese measure word after 一. */
  readonly unit?: string
  /** Lowest and highest listing price, in yuan or dollars. */
  readonly price: readonly [number, number]
  /** Each product has exactly one choice of every facet. No choice may match a sibling by the reward's rules. */
  readonly facets: Readonly<Record<string, readonly string[]>>
  /** Each product has some of these; any of them goes with any choice of the facets. */
  readonly features: readonly string[]
  readonly axes: readonly string[]
  /** Why a shopper wants one: whole clauses that stand before the request. */
  readonly scenes: readonly string[]
  /** Whom or what titles say it is for. */
  readonly tags: readonly string[]
  readonly slogans: readonly string[]
}

export interface DomainSource {
  readonly name: string
  readonly short: string
  readonly long: string
  /** Invented. */
  readonly brands: readonly string[]
  /** How model numbers begin (`H`, `KX-`); absent: things of this domain have a line name instead. */
  readonly models?: readonly string[]
  readonly kinds: readonly KindSource[]
}

export type AttributeForm = "is" | "with" | "of" | "plain"

export interface Choice {
  readonly text: string
  readonly form: AttributeForm
  readonly factor: number
  readonly clauses: readonly string[]
}

interface Facet {
  readonly name: string
  readonly choices: readonly Choice[]
}

export interface AxisPattern {
  readonly name: string
  readonly optional: boolean
  readonly anyOrder: boolean
  readonly values: readonly { readonly text: string; readonly factor: number }[]
}

export interface Kind extends Omit<KindSource, "facets" | "features" | "axes"> {
  readonly domain: DomainSource
  readonly facets: readonly Facet[]
  readonly features: readonly Choice[]
  readonly axes: readonly AxisPattern[]
}

const FORMS: Readonly<Record<string, AttributeForm>> = { "=": "is", "+": "with", "~": "of" }

/** Text and price factor of `256GB x1.3`. */
function splitFactor(source: string): { text: string; factor: number } {
  const match = / x(\d+(?:\.\d+)?)$/.exec(source)
  return match ? { text: source.slice(0, match.index), factor: Number(match[1]) } : { text: source, factor: 1 }
}

export function readChoice(source: string): Choice {
  const [head = "", ...clauses] = source.split("|").map((part) => part.trim())
  const form = FORMS[head[0] ?? ""]
  const { text, factor } = splitFactor(form ? head.slice(1) : head)
  return { text, form: form ?? "plain", factor, clauses }
}

function readAxis(source: string): AxisPattern {
  const colon = source.indexOf(":")
  const [, signs = "", name = ""] = /^([?~]*)(.*)$/.exec(source.slice(0, colon)) ?? []
  const values = source.slice(colon + 1).split(",")
  return {
    name,
    optional: signs.includes("?"),
    anyOrder: signs.includes("~"),
    values: values.map((value) => splitFactor(value.trim())),
  }
}

export function readKind(domain: DomainSource, source: KindSource): Kind {
  return {
    ...source,
    domain,
    facets: Object.entries(source.facets).map(([name, choices]) => ({ name, choices: choices.map(readChoice) })),
    features: source.features.map(readChoice),
    axes: source.axes.map(readAxis),
  }
}
