import type { Clause } from "./clauses.ts"
import type { Mention } from "./mentions.ts"
import type { Mixup } from "./mixups.ts"
import type { ReadMessage } from "./scope.ts"
import { distinct, goesBy, type Thing, thingsOf } from "./things.ts"
import type { Fact } from "./types.ts"

/** What is said to be greatest or least. */
interface Ranking {
  readonly figure: "price" | "stock" | "date"
  readonly wants: "low" | "high"
}

const SUM = "[¥$€£]\\s?\\d[\\d.,]*(?: dollars| bucks)?"
const CHEAP = new RegExp(
  `便宜|划算|实惠|价格?(?:最|更|要)?低|低一?[些点]|\\bcheap(?:er|est)\\b|\\bless expensive\\b|\\bleast expensive\\b|\\bcosts? less\\b|\\blowest[- ]priced?\\b|${SUM} (?:less|lower|below|under)\\b`,
)
const DEAR = new RegExp(
  `贵|价格?(?:最|更|要)?高|高一?[些点]|\\bdear(?:er|est)\\b|\\bm(?:ore|ost) expensive\\b|\\bprici(?:er|est)\\b|\\bcosts? (?:the )?mo(?:re|st)\\b|\\bhighest[- ]priced?\\b|${SUM} (?:more|higher|above|extra)\\b`,
)
const MANY =
  /(?:库存|货|剩)[^,，。]{0,12}多(?!少)|多些|更多|多一些|多一点|\bmore (?:of (?:it|that|those|them|the)|stock|units|left|in stock)\b|\bhave (?:got )?(?:the )?mo(?:re|st)\b|\bmost (?:of|stock|units|left|in stock|available)\b|\b(?:highest|largest|biggest|higher|bigger) stock\b|\bbetter stocked\b|\bbest stocked\b/
const FEW =
  /(?:库存|货|剩)[^,，。]{0,6}少|\b(?:least|less|lowest|lower|fewest|fewer) (?:stock|of (?:it|that|them|the)|units|left|in stock|pieces|pairs)\b|\bhave the (?:least|fewest)\b/
const SOON =
  /(?:最|更|较|要)早|早(?:一?些|一?点|到)|先(?:到|补|发|回|来|有|送)|\b(?:comes?|arrives?|ships?|restocks?|lands?|is back|back|gets? (?:here|there)|delivered|goes out|leaves?|be here|in stock|is due) (?:in )?(?:first|soonest|earliest|sooner|earlier)\b|\b(?:sooner|earlier|earliest|soonest)\b/

/** What the words rank by; undefined: nothing, or more than one thing. */
function rankingIn(words: string): Ranking | undefined {
  const found: Ranking[] = []
  if (MANY.test(words)) found.push({ figure: "stock", wants: "high" })
  else if (FEW.test(words)) found.push({ figure: "stock", wants: "low" })
  if (SOON.test(words)) found.push({ figure: "date", wants: "low" })
  if (found.length === 0 && CHEAP.test(words)) found.push({ figure: "price", wants: "low" })
  if (found.length === 0 || found[0]!.figure === "price")
    if (DEAR.test(words)) found.push({ figure: "price", wants: "high" })
  return found.length === 1 ? found[0] : undefined
}

const SUPERLATIVE = /最|\b(?:\w+est|most|least|first)\b/
const ASKS_WHICH =
  /哪|什么(?:颜色|尺码|款|轴|口味|规格|型号)|\bwhich\b|\bwhat(?:'s| is| are)? (?:the|your)\b|\bwhat (?:colou?r|size)\b/
const NEVER =
  /不|没|未|无(?!线)|\bnot\b|n't|\bno\b(?!,)|一样|相同|same|\bboth\b|都|除了|except|apart from|以外|之外|另外|其次|second|第二/
/** A name that answers by itself: `that would be oak`, 是青轴. */
const BARE =
  /^(?:[^,，。;!?~]{0,8}(?:是|说的|属|选|推荐)|(?:that|it|this)(?:'s|'d be| is| would be| will be)(?: actually)?(?: the| our| your)?|(?:the|our|your))?\s*$/

/** All that may stand behind such a name. */
const ALONE =
  /^(?:的?(?:最|更)?[多少]|的|款|码|版| one| version| switch| model| size)?(?: by [¥$€£]?\s?\d[\d.,]*)?[\s,，。.!！~哦呢哈哟啊]*$/

/** Only what can be had is compared. */
const STOCKED = /有货|现货|\bin stock\b|\bavailable\b|能买|能拍|\bcan (?:still )?(?:get|buy|order)\b/

/** Where the message says which of two, or of all, is the cheapest, is there most of, comes first, and the record says another. */
export function findComparisons(own: ReadMessage, question: ReadMessage | undefined, facts: readonly Fact[]): Mixup[] {
  const asked = question?.text ?? ""
  const pair =
    question === undefined
      ? []
      : distinct([
          ...named(question, 0, question.text.length),
          ...named(question, 0, question.text.length, true), // is red dearer than brown
        ])
  for (const [index, clause] of own.clauses.entries()) {
    if (clause.question || clause.conditional || clause.unsure) continue
    const words = own.text.slice(clause.start, clause.end)
    const here = named(own, clause.start, clause.end)
    if (here.length !== 1 || NEVER.test(words)) continue
    const [one] = here as [Thing]
    const told = rankingIn(words)
    const isBare =
      clause.sentence === 0 &&
      index <= 2 &&
      BARE.test(own.text.slice(clause.start, one.start).trimStart()) &&
      ALONE.test(own.text.slice(one.end, clause.end))
    const ranking = told ?? (isBare && !isFigure(own.text, one, clause) ? rankingIn(asked) : undefined)
    if (ranking === undefined) continue
    const than = named(own, clause.start, clause.end, true)
    const isOfAll =
      SUPERLATIVE.test(told === undefined ? asked : words) || (pair.length === 0 && ASKS_WHICH.test(asked))
    const rivals =
      than.length === 1
        ? than
        : pair.length === 2 && pair.some(({ key }) => key === one.key)
          ? pair
          : isOfAll && than.length === 0 && (pair.length === 0 || told !== undefined)
            ? siblings(one, facts)
            : []
    const fact = contradicted(one, rivals, ranking, `${asked} ${sentenceAt(own, clause)}`, facts)
    if (fact !== undefined) return [{ start: one.start, end: one.end, clause, fact }]
  }
  return []
}

/** Whether the name is told with a figure of its own: `Red, 33 units`, `red is $299`; the figure is judged by itself. */
function isFigure(text: string, { end }: Thing, clause: Clause): boolean {
  return /\d|[两二三四五六七八九十百]/.test(text.slice(end, clause.end))
}

/** Variants, products, else orders that are named in a stretch; `compared`: those that others are compared with. */
function named({ text, mentions }: ReadMessage, from: number, to: number, compared = false): Thing[] {
  const inside = mentions.filter(
    (one) => one.start >= from && one.start < to && one.end > one.start && one.compared === compared,
  )
  const things = distinct(thingsOf(text, inside))
  return things.length > 0 ? things : distinct(inside.filter(({ axis }) => axis === "order").map(ofOne))
}

function sentenceAt({ text, clauses }: ReadMessage, { sentence }: Clause): string {
  const all = clauses.filter((clause) => clause.sentence === sentence)
  return text.slice(all[0]!.start, all.at(-1)!.end)
}

function ofOne(mention: Mention): Thing {
  return {
    start: mention.start,
    end: mention.end,
    mentions: [mention],
    key: `${mention.axis}:${[...mention.names].sort().join("|")}`,
  }
}

/** Everything on record that has a name where `thing` has one, of the same product. */
function siblings(thing: Thing, facts: readonly Fact[]): Thing[] {
  const isProduct = thing.mentions.some(({ axis }) => axis === "product" || axis === "order")
  const mine = facts.filter((fact) => isOf(fact, thing) && !fact.labels.has("order"))
  const products = new Set(mine.flatMap(({ labels }) => [...(labels.get("product") ?? [])]))
  const found = facts.flatMap(({ labels }): Thing[] => {
    if (!thing.mentions.every(({ axis }) => labels.has(axis))) return []
    if (!isProduct && labels.has("order")) return []
    const title = labels.get("product")
    if (!isProduct && title !== undefined && ![...title].some((one) => products.has(one))) return []
    const mentions = thing.mentions.map((mention) => ({ ...mention, names: labels.get(mention.axis)! }))
    return [
      {
        ...thing,
        mentions,
        key: mentions
          .map(({ axis, names }) => `${axis}:${[...names].sort().join("|")}`)
          .sort()
          .join(" "),
      },
    ]
  })
  return distinct(found)
}

function isOf(fact: Fact, { mentions }: Thing): boolean {
  return mentions.every((mention) => goesBy(fact, mention))
}

/** The record of one that comes before `thing` in the ranking, if there is one. */
function contradicted(
  thing: Thing,
  rivals: readonly Thing[],
  ranking: Ranking,
  words: string,
  facts: readonly Fact[],
): Fact | undefined {
  const mine = figuresOf(thing, facts, ranking, words)
  if (mine.length === 0) return undefined
  const sign = ranking.wants === "low" ? 1 : -1
  const best = Math.min(...mine.map(({ value }) => sign * value))
  const others = rivals.filter(
    (other) =>
      other.key !== thing.key &&
      !isSame(other.mentions, thing.mentions) &&
      !(STOCKED.test(words) && facts.some((fact) => isOf(fact, other) && isGone(fact))),
  )
  for (const other of others) {
    const theirs = figuresOf(other, facts, ranking, words)
    if (theirs.length > 0 && theirs.every(({ value }) => sign * value < best)) return mine[0]!.fact
  }
  return undefined
}

function isGone({ value, outdated }: Fact): boolean {
  return !outdated && value.kind === "stock" && (value.inStock === false || value.count === 0)
}

function isSame(one: readonly Mention[], other: readonly Mention[]): boolean {
  return one.every(({ axis, names }) =>
    other.some((mention) => mention.axis === axis && [...mention.names].some((name) => names.has(name))),
  )
}

const DATE_ASPECTS: readonly (readonly [aspect: string, words: RegExp])[] = [
  ["restock", /补|回货|有货|restock|\bback\b|in stock|replenish/],
  ["ship", /发|寄|ship|leave|dispatch|go(?:es)? out/],
  ["arrive", /./],
]

function figuresOf(
  thing: Thing,
  facts: readonly Fact[],
  { figure }: Ranking,
  words: string,
): { value: number; fact: Fact }[] {
  const wanted = DATE_ASPECTS.find(([, pattern]) => pattern.test(words))?.[0] ?? "arrive"
  return facts.flatMap((fact) => {
    const { value, aspects, outdated } = fact
    if (outdated || !isOf(fact, thing)) return []
    if (figure === "stock" && value.kind === "stock" && value.count !== null) return [{ value: value.count, fact }]
    if (figure === "price" && value.kind === "price" && (aspects.size === 0 || aspects.has("price")))
      return value.low === null ? [{ value: value.readings[0]!, fact }] : []
    if (figure === "date" && value.kind === "date" && !value.wide && aspects.has(wanted))
      return [{ value: Date.parse(value.spans[0]!.from), fact }]
    return []
  })
}
