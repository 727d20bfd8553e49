import type { Clause } from "./clauses.ts"
import type { Mention } from "./mentions.ts"
import type { Fact } from "./types.ts"

/** A message cut up, with what it names. */
export interface ReadMessage {
  readonly text: string
  readonly clauses: readonly Clause[]
  readonly mentions: readonly Mention[]
  /** Numbers that stand in titles of products. */
  readonly titleNumbers: ReadonlySet<string>
  /** Where something is meant that cannot be told: `the other one` of three. */
  readonly open: readonly { readonly start: number; readonly end: number }[]
}

/** What a statement is about: axis → names. */
type Constraints = ReadonlyMap<string, ReadonlySet<string>>

export interface Scope {
  /** The facts about what the statement is about. */
  readonly facts: readonly Fact[]
  /** The same with those that only might be: of a product, where a variant of it is meant. */
  readonly agreeing: readonly Fact[]
  /** The facts about other things of the same kind: values of these are mix-ups. */
  readonly others: readonly Fact[]
}

const TOGETHER = /都|均|一样|同价|both|\ball\b|(?<!\d )each|either|same/
const IN_TURN = /分别|依次|respectively|in that order/
/** How many messages back a statement's subject is looked for. */
const BACK = 8

/**
 * The facts among `candidates` that are about what the statement at `at` of `message` is about: what is named nearest to it, in its
 * clause, its sentence, its message, or the messages before (`earlier`, oldest first). A name that no candidate goes by narrows nothing, but
 * for names that `isKnown` says are of something on record.
 */
export function scopeOf(
  at: number,
  message: ReadMessage,
  earlier: readonly ReadMessage[],
  candidates: readonly Fact[],
  isKnown: (axis: string, names: ReadonlySet<string>) => boolean = () => false,
): Scope {
  const here = message.clauses.find(({ start, end }) => start <= at && at < end)
  const isOpen = message.open.some(({ start }) => here !== undefined && start >= here.start && start < here.end)
  if (isOpen) return { facts: candidates, agreeing: candidates, others: [] }
  const constraints = new Map<string, ReadonlySet<string>>()
  let facts = candidates
  for (const zone of zonesOf(at, message, earlier)) {
    const settled = new Set(constraints.keys())
    const options = [...settled].filter((axis) => axis !== "product" && axis !== "order")
    const isOption = ({ labels }: Fact) => options.some((axis) => labels.has(axis))
    for (const [axis, names] of zone) {
      if (settled.has(axis)) continue
      const narrowed = facts.filter((fact) => agrees(fact, axis, names))
      // two flasks are $256 and the red M is $299: no red flask is on record
      if (axis === "product" && facts.some(isOption) && !narrowed.some(isOption)) continue
      if (!narrowed.some((fact) => fact.labels.has(axis)) && !isKnown(axis, names)) continue
      constraints.set(axis, names)
      facts = narrowed
    }
  }
  const within = new Set(facts)
  return {
    facts: mostSpecific(facts, constraints),
    agreeing: facts,
    others: candidates.filter((fact) => !within.has(fact)),
  }
}

/** Whether `fact` is about one of `names`, or about something that has no name on that axis. */
function agrees(fact: Fact, axis: string, names: ReadonlySet<string>): boolean {
  const own = fact.labels.get(axis)
  return own === undefined || [...own].some((name) => names.has(name))
}

/** Among facts of one aspect those that the names fit best: a variant's own price rather than its product's. */
function mostSpecific(facts: readonly Fact[], constraints: Constraints): Fact[] {
  const matched = (fact: Fact) => [...constraints.keys()].filter((axis) => fact.labels.has(axis)).length
  const group = (fact: Fact) => `${fact.value.kind} ${[...fact.aspects].sort().join(" ")}`
  const best = new Map<string, number>()
  for (const fact of facts) best.set(group(fact), Math.max(best.get(group(fact)) ?? 0, matched(fact)))
  return facts.filter((fact) => matched(fact) === best.get(group(fact)))
}

/** What is named near the place `at`, nearest first. */
function* zonesOf(at: number, message: ReadMessage, earlier: readonly ReadMessage[]): Generator<Constraints> {
  const { clauses, text } = message
  const mentions = message.mentions.filter(({ compared }) => !compared)
  const told = mentions.filter(({ start, end }) => start === at && end === at) // what this very figure is about
  if (told.length > 0) yield union(told)
  const index = Math.max(
    0,
    clauses.findIndex(({ start, end }) => start <= at && at < end),
  )
  const here = clauses[index]
  if (here !== undefined) {
    const sentence = clauses.filter(({ sentence }) => sentence === here.sentence)
    const from = sentence[0]!.start
    const to = sentence.at(-1)!.end
    const words = text.slice(from, to)
    if (IN_TURN.test(words)) yield union(inside(mentions, from, to))
    const own = inside(message.mentions, here.start, told.length > 0 ? at : here.end)
    yield TOGETHER.test(text.slice(here.start, here.end))
      ? union(TOGETHER.test(words) ? inside(mentions, from, to) : own)
      : nearest(withoutNext(own, at, text), at)
    yield numberBehind(message, index)
    for (let before = index - 1; clauses[before]?.sentence === here.sentence; before--) {
      yield nearest(inside(mentions, clauses[before]!.start, clauses[before]!.end), at)
    }
    for (let number = here.sentence - 1; number >= 0; number--) {
      const earlierClauses = clauses.filter(({ sentence }) => sentence === number)
      if (earlierClauses.length > 0) yield union(inside(mentions, earlierClauses[0]!.start, earlierClauses.at(-1)!.end))
    }
  }
  // Where several products are named, one that was named before is not what the others leave out.
  const namesProduct = message.mentions.some(({ axis }) => axis === "product")
  for (const past of earlier.slice(-BACK).reverse()) {
    yield union(past.mentions.filter(({ axis }) => !(namesProduct && axis === "product")))
  }
}

/** What another number counts: the cleaning kits of 4个充电宝和7件清洁套装 are not 4. */
const ANOTHER =
  /(?:和|、|以及|还有|加上?|\b(?:and|plus)\b|&)\s*(?:the |your |an? )?(?:\d|[一二两三四五六七八九十]|(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve)\b)/

/** A product that comes next says nothing of a variant that is named before: the red M at $299 or the flask at $128. */
function withoutNext(all: readonly Mention[], at: number, text: string): readonly Mention[] {
  const mentions = all.filter(
    ({ start, end }) => start < at || !ANOTHER.test(text.slice(at, start === end ? start + 2 : start)),
  )
  const products = mentions.filter(({ axis }) => axis === "product")
  const isLed = mentions.some(({ axis, start }) => start < at && axis !== "product" && axis !== "order")
  if (!isLed || products.some(({ start }) => start < at)) return mentions
  return mentions.filter(
    ({ axis, start }) => axis !== "product" || !/\b(?:or|and)\b|或|和|、/.test(text.slice(at, start)),
  )
}

/** Characters from where the order is spoken of to its number. */
const NUMBER_WITHIN = 32

/** The order whose number comes behind what is told of it: 那单是6月19日下的,订单号…; `You ordered on July 14. That's order SO-1.` */
function numberBehind({ clauses, mentions, text }: ReadMessage, index: number): Constraints {
  const next = clauses[index + 1]
  const isNumber =
    next !== undefined &&
    /^\s*(?:订单号|单号|编号|(?:that's|it's|that is) order|order (?:number|no))/.test(text.slice(next.start))
  const own = clauses.slice(0, index + 1).filter(({ sentence }) => sentence === clauses[index]?.sentence)
  const isNamed = mentions.some(
    ({ axis, start }) => axis === "order" && own.some((one) => one.start <= start && start < one.end),
  )
  return isNumber && !isNamed
    ? union(inside(mentions, next.start, next.start + NUMBER_WITHIN).filter(({ axis }) => axis === "order"))
    : new Map()
}

function inside(mentions: readonly Mention[], start: number, end: number): Mention[] {
  return mentions.filter((mention) => mention.start >= start && mention.start < end)
}

function union(mentions: readonly Mention[]): Constraints {
  const all = new Map<string, Set<string>>()
  for (const { axis, names } of mentions) all.set(axis, new Set([...(all.get(axis) ?? []), ...names]))
  return all
}

/** On each axis what stands nearest before `at`, else what stands nearest behind it. */
function nearest(mentions: readonly Mention[], at: number): Constraints {
  const best = new Map<string, Mention>()
  const distance = ({ start, end }: Mention) =>
    start <= at && at < end ? -1 : end <= at ? at - end : 1000 + start - at
  for (const mention of mentions) {
    const known = best.get(mention.axis)
    if (known === undefined || distance(mention) < distance(known)) best.set(mention.axis, mention)
    else if (distance(mention) === distance(known))
      best.set(mention.axis, { ...mention, names: both(known.names, mention.names) })
  }
  return new Map(Array.from(best, ([axis, { names }]) => [axis, names]))
}

/** What two words of one place have in common, else all they name. */
function both(one: ReadonlySet<string>, other: ReadonlySet<string>): ReadonlySet<string> {
  const common = [...one].filter((name) => other.has(name))
  return new Set(common.length > 0 ? common : [...one, ...other])
}

/** The same message without what it names on some axes. */
export function withoutAxis(message: ReadMessage, drop: (axis: string) => boolean): ReadMessage {
  return { ...message, mentions: message.mentions.filter(({ axis }) => !drop(axis)) }
}
