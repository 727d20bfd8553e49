import { collapseText } from "../../lib/python-text.ts"
import { type NumberText, type OptionAxis, type OptionValue, publicOptionValue } from "../product.ts"

/** One thing a store sells: a value for each option axis, and what it costs. */
export interface Variant {
  readonly values: readonly string[] // as many as there are axes
  readonly price: NumberText | null
  readonly image: string | null
}

/** Ways to join more axes than this are not searched through: they stay apart, or all become one. */
const MAX_AXES_TO_PARTITION = 6

/**
 * Lays the variants of a product out as option axes so that everything that can be chosen is for sale, at its price: axes are chosen
 * one by one, and only one of them may move the price. Where variants do not fit that (the price hangs on two axes together, or
 * some combinations are not sold), as few axes as possible are joined into one, `Color/Size` with values such as `Red/S`.
 * Values keep the order of the variants; those that read the same when clicked are one. Of variants with the same values the first
 * counts. `axisNames` may be empty: then there are no axes.
 */
export function layOutVariants(axisNames: readonly string[], variants: readonly Variant[]): OptionAxis[] {
  if (axisNames.length === 0 || variants.length === 0) return []
  const distinct = distinctVariants(variants)
  const layout = partitions(axisNames.length).find((groups) => fits(groups, distinct))!
  const priced = layout.find((group) => movesThePrice(group, distinct)) ?? layout[0]!
  return layout.map((group) => axisOf(group, axisNames, distinct, { priced: group === priced }))
}

/** A text as a variant's value or axis name: one line, without white space around it. */
export function optionText(text: string): string {
  return collapseText(text)
}

/** Indices of the axes that become one. */
type Group = readonly number[]

function axisOf(
  group: Group,
  axisNames: readonly string[],
  variants: readonly Variant[],
  { priced }: { priced: boolean },
): OptionAxis {
  const separator = separatorFor(group, variants)
  const values = new Map<string, OptionValue>()
  const images = new Map<string, Set<string | null>>()
  for (const variant of variants) {
    const key = keyOf(group, variant)
    if (!values.has(key)) {
      const value = group.map((axis) => variant.values[axis]!).join(separator)
      values.set(key, priced && variant.price !== null ? { value, price: variant.price } : { value })
    }
    images.set(key, (images.get(key) ?? new Set()).add(variant.image))
  }
  const shown = [...values].map(([key, value]): OptionValue => {
    const [image, ...others] = images.get(key) ?? []
    return image == null || others.length > 0 ? value : { ...value, image }
  })
  return { name: group.map((axis) => axisNames[axis]!).join("/"), values: shown }
}

/** Joins values without making two of them read the same (`1/2` and `3` as `1` and `2/3`). */
function separatorFor(group: Group, variants: readonly Variant[]): string {
  const distinct = new Set(variants.map((variant) => keyOf(group, variant))).size
  const reads = (separator: string) =>
    new Set(variants.map(({ values }) => publicOptionValue(group.map((axis) => values[axis]!).join(separator)))).size
  return ["/", ", ", " + "].find((separator) => reads(separator) === distinct) ?? " & "
}

function distinctVariants(variants: readonly Variant[]): Variant[] {
  const first = new Map<string, Variant>()
  for (const variant of variants) {
    const key = keyOf([...variant.values.keys()], variant)
    if (!first.has(key)) first.set(key, variant)
  }
  return [...first.values()]
}

/** Everything that can be chosen is a variant, and one group alone decides the price. */
function fits(groups: readonly Group[], variants: readonly Variant[]): boolean {
  let combinations = 1
  for (const group of groups) combinations *= new Set(variants.map((variant) => keyOf(group, variant))).size
  return combinations === variants.length && groups.some((group) => decidesThePrice(group, variants))
}

function decidesThePrice(group: Group, variants: readonly Variant[]): boolean {
  const prices = new Map<string, number | null>()
  for (const variant of variants) {
    const key = keyOf(group, variant)
    const known = prices.get(key)
    if (known === undefined) prices.set(key, amountOf(variant))
    else if (known !== amountOf(variant)) return false
  }
  return true
}

function movesThePrice(group: Group, variants: readonly Variant[]): boolean {
  return new Set(variants.map(amountOf)).size > 1 && decidesThePrice(group, variants)
}

/** `12` and `12.0` are one price. */
function amountOf({ price }: Variant): number | null {
  return price === null ? null : Number(price)
}

function keyOf(group: Group, variant: Variant): string {
  return JSON.stringify(group.map((axis) => publicOptionValue(variant.values[axis]!)))
}

/** Every way to put `count` axes into groups, those with most groups first, all in one last. */
function partitions(count: number): Group[][] {
  const axes = Array.from({ length: count }, (_, axis) => axis)
  if (count > MAX_AXES_TO_PARTITION) return [axes.map((axis) => [axis]), [axes]]
  let all: number[][][] = [[]]
  for (const axis of axes) {
    all = all.flatMap((groups) => [...groups.map((group, i) => groups.with(i, [...group, axis])), [...groups, [axis]]])
  }
  return all.sort((a, b) => b.length - a.length)
}
