import type { Mention } from "./mentions.ts"
import type { Fact } from "./types.ts"

/** What words that stand together name: `gray, size L` is one thing with a colour and a size. */
export interface Thing {
  readonly start: number
  readonly end: number
  readonly mentions: readonly Mention[]
  /** The same for all words that name the same thing. */
  readonly key: string
}

/** What may stand between a thing's colour and its size. */
const BETWEEN = /^[\s,，/()·+\-的码号]{0,3}(?:in |size )?$/

export const isOption = (axis: string) =>
  axis !== "order" && axis !== "product" && !/(?:^|\s)(?:id|sku|item|tracking|customer)$/.test(axis)

/** Whether `fact` is told of something that goes by a name of the mention, on its axis. */
export function goesBy({ labels }: Fact, { axis, names }: Pick<Mention, "axis" | "names">): boolean {
  return [...(labels.get(axis) ?? [])].some((name) => names.has(name))
}

/** The variants that a text names, in order; where it names none, its products. `mentions` are of `text`. */
export function thingsOf(text: string, mentions: readonly Mention[]): Thing[] {
  const options = groups(
    text,
    mentions.filter(({ axis }) => isOption(axis)),
  )
  return distinct(options).length > 0 ? options : products(mentions.filter(({ axis }) => axis === "product"))
}

/** Products that a text names, in order. */
export function productsOf(mentions: readonly Mention[]): Thing[] {
  return products(mentions.filter(({ axis }) => axis === "product"))
}

/** Each thing once, where it is named first. */
export function distinct(things: readonly Thing[]): Thing[] {
  return things.filter(({ key }, index) => things.findIndex((other) => other.key === key) === index)
}

function groups(text: string, mentions: readonly Mention[]): Thing[] {
  const found: Mention[][] = []
  for (const mention of mentions) {
    const last = found.at(-1)
    const before = last?.at(-1)
    const overlaps = before !== undefined && mention.start < before.end
    const joins =
      last !== undefined &&
      before !== undefined &&
      !last.some(({ axis }) => axis === mention.axis) &&
      (overlaps || BETWEEN.test(text.slice(before.end, mention.start)))
    if (joins) last.push(mention)
    else if (!(overlaps && last?.some(({ axis }) => axis === mention.axis))) found.push([mention])
  }
  return found.map(thing)
}

/** Words of one title stand together: 移动电源, PB-200. */
function products(mentions: readonly Mention[]): Thing[] {
  const found: Mention[][] = []
  for (const mention of mentions) {
    const last = found.at(-1)
    const before = last?.at(-1)
    const isSame =
      before !== undefined &&
      mention.start - before.end <= 2 &&
      [...mention.names].some((name) => before.names.has(name))
    if (isSame) last!.push(mention)
    else found.push([mention])
  }
  return found.map((group) => {
    const [first] = group
    const shared = [...first!.names].filter((name) => group.every(({ names }) => names.has(name)))
    const common = shared.length > 0 ? new Set(shared) : first!.names
    return thing([{ ...first!, end: group.at(-1)!.end, names: common }])
  })
}

function thing(mentions: readonly Mention[]): Thing {
  const key = mentions
    .map(({ axis, names }) => `${axis}:${[...names].sort().join("|")}`)
    .sort()
    .join(" ")
  return { start: mentions[0]!.start, end: Math.max(...mentions.map(({ end }) => end)), mentions, key }
}
