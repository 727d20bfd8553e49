import type { Clause } from "./clauses.ts"
import type { Mention } from "./mentions.ts"
import { ofOrder } from "./order-names.ts"
import { type ReadMessage, scopeOf, withoutAxis } from "./scope.ts"
import type { Fact } from "./types.ts"

/** A message that calls a thing by another's name. */
export interface Mixup {
  readonly start: number
  readonly end: number
  readonly clause: Clause
  readonly fact: Fact
}

/** The right name for something that was bought, or for an item that is named by number. */
export interface Match {
  readonly clause: Clause
}

const NUMBERED = /(?:^|\s)(?:id|sku|item|variant|asin|product|barcode)$/

const isNumbered = (axis: string) => NUMBERED.test(axis) && axis !== "product"

const PAST = /\bwas\b(?! shipped)|\bwere\b|\bfrom\b(?!.* to )|→|原来|原先|之前|从(?!.*[改换])/

/**
 * Where `message` names another colour, size or product than the order has, or gives an item the number of another; and where it names
 * the right one.
 */
export function findMixups(
  message: ReadMessage,
  earlier: readonly ReadMessage[],
  facts: readonly Fact[],
  question: ReadMessage | undefined,
): { wrong: Mixup[]; right: Match[] } {
  const wrong: Mixup[] = []
  const right: Match[] = []
  for (const clause of message.clauses) {
    if (clause.question || clause.conditional || clause.unsure) continue
    if (PAST.test(message.text.slice(clause.start, clause.end))) continue
    const mentions = message.mentions.filter(({ start }) => start >= clause.start && start < clause.end)
    if (mentions.length === 0) continue
    const sentence = message.clauses.filter((one) => one.sentence === clause.sentence)
    const words = message.text.slice(sentence[0]!.start, sentence.at(-1)!.end)
    const found = [
      ...ofOrder(message, earlier, clause, mentions, words, facts, question),
      ...ofNumbers(message, earlier, clause, mentions, facts),
    ]
    for (const { fact, mention } of found) {
      if (fact === undefined) right.push({ clause })
      else wrong.push({ start: mention.start, end: mention.end, clause, fact })
    }
  }
  return { wrong, right }
}

/** A name, and what it should have been. */
export interface Named {
  readonly mention: Mention
  /** What it should have been; absent: it is right. */
  readonly fact?: Fact
}

const NOT =
  /(?:不是|而不是|并非|非|没有|不再是?|取代|代替|替换?|not|isn't|rather than|instead of|in place of|no longer|no|replac(?:es|ed|ing)|from)\s*(?:the |a |an )?$/

/** An item's number belongs to what is named beside it, or to what was asked for. */
function ofNumbers(
  message: ReadMessage,
  earlier: readonly ReadMessage[],
  clause: Clause,
  mentions: readonly Mention[],
  facts: readonly Fact[],
): Named[] {
  return mentions.flatMap((mention): Named[] => {
    if (!isNumbered(mention.axis)) return []
    if (NOT.test(message.text.slice(clause.start, mention.start))) return []
    const numbered = facts.filter(({ labels }) => labels.has(mention.axis))
    const [name] = mention.names
    const inBuyersWords = earlier.some((one) =>
      one.mentions.some(({ axis, names }) => axis === mention.axis && names.has(name!)),
    )
    const narrow = inBuyersWords ? [] : earlier
    const scope = scopeOf(
      mention.start,
      withoutAxis(message, isNumbered),
      narrow.map((one) => withoutAxis(one, isNumbered)),
      numbered,
    )
    const isIt = (fact: Fact) => [...fact.labels.get(mention.axis)!].some((own) => mention.names.has(own))
    if (scope.facts.length === 0 || !numbered.some(isIt)) return []
    return scope.facts.some(isIt) ? [{ mention }] : [{ mention, fact: scope.facts[0]! }]
  })
}
