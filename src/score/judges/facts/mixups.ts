import type { Clause } from "./clauses.ts"
import type { Mention } from "./mentions.ts"
import { type ReadMessage, scopeOf } from "./scope.ts"
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

const BOUGHT =
  /订单|[您你](?:选|下|拍|订|挑)的|\byou(?:'ve| have)? (?:went for|went with|ended up with|chose|chosen|picked|selected|gone for|got)\b|您买的|您购买|购买的|下单的|您拍|拍下的|订的|订购|买的是|发出的|发的是|寄的是|收到的|订了|买了|your order|you ordered|you bought|you purchased|ordered|purchased|bought|in the parcel|in your package|we shipped|was shipped|order (?:no\.? ?|number ?|#)?[a-z]{0,3}-?\d{5,}|order (?:now |currently )?(?:has|contains|includes|is|shows|lists)|on order/
const CHANGE =
  /换|改|想要|需要|如果|推荐|也有|还有|其他|另外|instead|exchange|change|switch|swap|prefer|want|recommend|also|other|alternativ|would you/
/** What a changed order has now. */
const NOW = /现在(?:订单|单子|这单)里?(?:面)?(?:是|有)|\bnow has\b/
const NUMBERED = /(?:^|\s)(?:id|sku|item|variant|asin|product|barcode)$/

const isOption = (axis: string) => axis !== "order" && axis !== "product" && !NUMBERED.test(axis)
const isNumbered = (axis: string) => NUMBERED.test(axis) && axis !== "product"

/**
 * Where `message` names another colour, size or product than the order has, or gives an item the number of another; and where it names
 * the right one.
 */
export function findMixups(
  message: ReadMessage,
  earlier: readonly ReadMessage[],
  facts: readonly Fact[],
): { wrong: Mixup[]; right: Match[] } {
  const wrong: Mixup[] = []
  const right: Match[] = []
  for (const clause of message.clauses) {
    if (clause.question || clause.conditional || clause.unsure) continue
    if (/\bwas\b|\bwere\b|\bfrom\b|→|原来|原先|之前|从/.test(message.text.slice(clause.start, clause.end))) continue
    const mentions = message.mentions.filter(({ start }) => start >= clause.start && start < clause.end)
    if (mentions.length === 0) continue
    const sentence = message.clauses.filter((one) => one.sentence === clause.sentence)
    const words = message.text.slice(sentence[0]!.start, sentence.at(-1)!.end)
    const found = [
      ...ofOrder(message, earlier, clause, mentions, words, facts),
      ...ofNumbers(message, earlier, clause, mentions, facts),
    ]
    for (const { fact, mention } of found) {
      if (fact === undefined) right.push({ clause })
      else wrong.push({ start: mention.start, end: mention.end, clause, fact })
    }
  }
  return { wrong, right }
}

interface Named {
  readonly mention: Mention
  /** What it should have been; absent: it is right. */
  readonly fact?: Fact
}

const NOT =
  /(?:不是|而不是|并非|非|没有|不再是?|取代|代替|替换?|not|isn't|rather than|instead of|in place of|no longer|no|replac(?:es|ed|ing)|from)\s*(?:the |a |an )?$/

/** What was bought is named by what the order says. */
function ofOrder(
  message: ReadMessage,
  earlier: readonly ReadMessage[],
  clause: Clause,
  mentions: readonly Mention[],
  words: string,
  facts: readonly Fact[],
): Named[] {
  const isNow = NOW.test(message.text.slice(clause.start, clause.end))
  if (!isNow && (!BOUGHT.test(words) || CHANGE.test(words))) return []
  const ordered = facts.filter(({ labels, outdated }) => labels.has("order") && !outdated)
  const groups = new Map<string, Mention[]>()
  for (const mention of mentions) {
    if (!isOption(mention.axis) && mention.axis !== "product") continue
    if (NOT.test(message.text.slice(clause.start, mention.start))) continue
    if (
      /^(?:已经|已|也)?(?:去掉|拿掉|取消|不要|撤)|^ (?:is|has been|was) (?:off|gone|removed|out)/.test(
        message.text.slice(mention.end),
      )
    )
      continue
    groups.set(mention.axis, [...(groups.get(mention.axis) ?? []), mention])
  }
  return [...groups].flatMap(([axis, named]): Named[] => {
    const without = withoutAxis(message, (other) => other === axis)
    const past = earlier.map((one) => withoutAxis(one, (other) => other !== "order"))
    const lines = scopeOf(
      named[0]!.start,
      without,
      past,
      ordered.filter(({ labels }) => labels.has(axis)),
    ).agreeing
    if (lines.length === 0) return []
    return named.map((mention) => {
      const isThere = lines.some(({ labels }) => [...labels.get(axis)!].some((name) => mention.names.has(name)))
      return isThere ? { mention } : { mention, fact: lines[0]! }
    })
  })
}

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

function withoutAxis(message: ReadMessage, drop: (axis: string) => boolean): ReadMessage {
  return { ...message, mentions: message.mentions.filter(({ axis }) => !drop(axis)) }
}
