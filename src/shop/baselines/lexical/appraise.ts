import type { SeenAxis, SeenProduct } from "./pages.ts"
import type { Request } from "./request.ts"
import { mentions, plain, termsOf } from "./text.ts"

/** Weights of what speaks for a product. Part of the version of `lexical`. */
const WEIGHTS = { named: 1.5, namedByProfile: 0.6, rank: 0.3 }

/** Pages never change, and every turn looks at all of them again. */
const known = new WeakMap<readonly SeenProduct[], { readonly request: Request; readonly scores: Map<string, number> }>()

/**
 * What each product of a results page has to do with the request, by its id: the request's words that it shows, rare ones on this
 * page before common ones, more for attributes that the request names word for word, and a little for standing first.
 */
export function scoresOf(products: readonly SeenProduct[], request: Request): ReadonlyMap<string, number> {
  const before = known.get(products)
  if (before?.request === request) return before.scores
  const shown = products.map((product) => termsOf(textOf(product)))
  const counts = new Map<number | string, number>()
  for (const terms of shown) {
    for (const term of terms) if (request.terms.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1)
  }
  const scores = new Map<string, number>()
  for (const [rank, product] of products.entries()) {
    let score = WEIGHTS.rank / (1 + rank)
    for (const term of shown[rank]!) {
      const weight = request.terms.get(term)
      if (weight !== undefined) score += weight * Math.log(1 + products.length / counts.get(term)!)
    }
    for (const attribute of product.attributes) score += attributeScore(plain(attribute), request)
    scores.set(product.asin, score)
  }
  known.set(products, { request, scores })
  return scores
}

function textOf({ title, category, attributes }: SeenProduct): string {
  return plain([title, category, ...attributes].join(" "))
}

function attributeScore(attribute: string, { said, profile }: Request): number {
  if (mentions(said, attribute)) return WEIGHTS.named
  return profile.some((text) => mentions(text, attribute)) ? WEIGHTS.namedByProfile : 0
}

/** What the request says of an axis: the value to choose, and how surely it is meant (0: nothing is said of it). */
export interface OptionChoice {
  readonly value: string
  readonly certainty: number
}

/** How surely a value is meant that … Part of the version of `lexical`. */
const CERTAINTY = { said: 1, profile: 0.9, bare: 0.8, alike: 0.5 }
/** At least this share of a value's words must be said for it to be alike. */
const ALIKE = 0.6

/** The value of an axis that the request names, the longest where it names several; else the first. */
export function chooseOption({ values }: Pick<SeenAxis, "values">, request: Request): OptionChoice {
  let best: OptionChoice = { value: values[0] ?? "", certainty: 0 }
  for (const value of values) {
    const certainty = certaintyOf(plain(value), request)
    const isLonger = certainty === best.certainty && certainty > 0 && value.length > best.value.length
    if (certainty > best.certainty || isLonger) best = { value, certainty }
  }
  return best
}

function certaintyOf(value: string, { said, profile, terms }: Request): number {
  if (mentions(said, value)) return CERTAINTY.said
  if (profile.some((text) => mentions(text, value))) return CERTAINTY.profile
  const bare = value.replace(/[[({【（][^\])}】）]*[\])}】）]/gu, "").trim()
  if (bare !== value && mentions(said, bare)) return CERTAINTY.bare
  const words = [...termsOf(value)]
  const found = words.filter((word) => terms.get(word) === 1).length
  return words.length > 1 && found / words.length >= ALIKE ? CERTAINTY.alike * (found / words.length) : 0
}
