import { casefold } from "../lib/casefold.ts"
import { FUZZY_THRESHOLD, fuzzyRatio } from "./fuzzy.ts"
import type { Goal } from "./goal.ts"
import { normalizeOption } from "./price.ts"
import type { OptionAxis, Product } from "./product.ts"
import type { Rules } from "./rules.ts"

/** What became of one wanted attribute. */
export type AttributeMatch = {
  readonly wanted: string
  readonly matched: boolean
  /** Where it was found: among the attributes, or word for word in a text of the product. */
  readonly where: "attributes" | "title" | "bullets" | "description" | "text" | null
  /** The most alike attribute of the product, matched or not. */
  readonly nearest: string | null
  /** {@link fuzzyRatio} of that one. */
  readonly ratio: number
}

/** What became of one wanted option. */
export type OptionMatch = {
  readonly wanted: string
  /** The axis it had to be chosen on; null: any. */
  readonly axis: string | null
  /** Exactly this value is offered there; then no other matches. */
  readonly exact_offered: boolean
  readonly matched: boolean
  /** The selection that came nearest, matched or not. */
  readonly selected_axis: string | null
  readonly selected_value: string | null
  readonly ratio: number
}

/** Each wanted attribute against the product's attributes and, word for word, against its title, bullets and description. */
export function matchAttributes(wanted: readonly string[], product: Product): AttributeMatch[] {
  if (wanted.length === 0) return []
  const bullets = product.bullets.join(" ")
  const texts = { title: product.title, bullets, description: product.description } as const
  const whole = casefold(`${product.title} ${bullets} ${product.description}`)
  return wanted.map((text) => {
    const { item: nearest, ratio } = mostAlike(text, product.attributes, (attribute) => attribute)
    if (ratio > FUZZY_THRESHOLD) return { wanted: text, matched: true, where: "attributes", nearest, ratio }
    const folded = casefold(text)
    if (!whole.includes(folded)) return { wanted: text, matched: false, where: null, nearest, ratio }
    const field = (["title", "bullets", "description"] as const).find((name) => casefold(texts[name]).includes(folded))
    return { wanted: text, matched: true, where: field ?? "text", nearest, ratio }
  })
}

/**
 * Each wanted option against the selections. Without `optionsOnOwnAxis` any selection may satisfy any number of them. With it, an
 * option must be chosen on its own axis, if that is known and the product has it, and where exactly that value is offered nothing
 * similar will do.
 */
export function matchOptions(
  goal: Pick<Goal, "options" | "option_axes">,
  product: Product,
  selected: ReadonlyMap<string, string>,
  rules: Rules,
): OptionMatch[] {
  const selections: readonly Selection[] = [...selected]
  return goal.options.map((wanted, i) => {
    const own = rules.optionsOnOwnAxis ? ownAxes(product, wanted, goal.option_axes?.[i] ?? null) : []
    const exact_offered = own.some((axis) => offers(axis, wanted))
    const candidates =
      own.length === 0 ? selections : selections.filter(([axis]) => own.some(({ name }) => name === axis))
    const same = exact_offered ? candidates.find(([, value]) => isSame(value, wanted)) : undefined
    const { item, ratio } =
      same === undefined ? mostAlike(wanted, candidates, ([, value]) => value) : { item: same, ratio: 100 }
    return {
      wanted,
      axis: own.length === 1 ? own[0]!.name : null,
      exact_offered,
      matched: exact_offered ? same !== undefined : ratio > FUZZY_THRESHOLD,
      selected_axis: item?.[0] ?? null,
      selected_value: item?.[1] ?? null,
      ratio,
    }
  })
}

type Selection = readonly [axis: string, value: string]

/** The axes a wanted option belongs on: the one of that name, else those that offer exactly this value; none: any will do. */
function ownAxes(product: Product, wanted: string, name: string | null): OptionAxis[] {
  const named = name === null ? [] : product.axes.filter((axis) => isSame(axis.name, name))
  return named.length > 0 ? named : product.axes.filter((axis) => offers(axis, wanted))
}

function offers(axis: OptionAxis, wanted: string): boolean {
  return axis.values.some(({ value }) => isSame(value, wanted))
}

function isSame(left: string, right: string): boolean {
  return normalizeOption(left) === normalizeOption(right)
}

/** The first of the items whose text is most alike to `wanted`. */
function mostAlike<T>(
  wanted: string,
  items: readonly T[],
  textOf: (item: T) => string,
): { item: T | null; ratio: number } {
  let item: T | null = null
  let ratio = 0
  for (const candidate of items) {
    const likeness = fuzzyRatio(textOf(candidate), wanted)
    if (item !== null && likeness <= ratio) continue
    item = candidate
    ratio = likeness
    if (ratio === 100) break // none is more alike
  }
  return { item, ratio }
}
