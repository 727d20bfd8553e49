import { aspectsIn, nearestAspect } from "./aspects.ts"
import { type Clause, isDenied, isDisputed, isImpossible, isReported } from "./clauses.ts"
import { ORDER_NUMBER } from "./number-meaning.ts"
import type { ReadMessage } from "./scope.ts"
import type { Statement } from "./statements.ts"
import type { FactKind } from "./types.ts"

/** A statement that the agent stands for. */
export interface Claim extends Statement {
  readonly clause: Clause
  /** Which price, date or number is meant, as far as its words say. */
  readonly aspects: ReadonlySet<string>
  /** Words in its clause and sentence. */
  readonly words: string
  readonly sentence: string
  /** The words right around it. */
  readonly around: string
  /** What the buyer asked last. */
  readonly topic: string
  /** What stands behind it. */
  readonly behind: string
}

/** The buyer's own day, which something is in time for: `which is before November 16`. */
const AHEAD = /\b(?:which is|that's|that is|so)(?: \w+)?(?: \w+)? (?:before|ahead of|earlier than)\s*$/
const BUDGET = /(?:预算|budget)\s*(?:是|为|of|is|was|:)?\s*(?:about |around |大概|约)?[¥$£€]?$/
/** What the buyer wishes is not told as a fact. */
const WISHES =
  /(?:帮|为|给)您?(?:下单|备注|登记|安排|预留|留|加|申请|拍下|改|换)|\bnoted\b|i'?ll (?:put|add|reserve|order|note)|\bi(?:'ve|'ll| have| will)? put down|reserved?|您(?:想|要(?!的|了)|需要)|换成|改成|\b(?:you(?:'d| would)? (?:want|like|need)|change (?:it )?to|switch to|exchange (?:it )?for|instead)\b/

/** Whether so many have been changed: 您的8件全部改成XL码了, `I've changed all 8 of them to blue`. */
function isChanged(words: string, start: number, end: number): boolean {
  const before = words.slice(0, start)
  if (!/已|好了|了\s*[哦呢哈。,，!！~]*$|\b(?:has|have) been\b|\bi've\b|\bwe've\b/.test(words)) return false
  if (/[由从]|\bfrom\b/.test(before)) return false
  return (
    /(?:换|改)[成为]|\bbeen (?:changed|switched|swapped|updated|exchanged|moved) (?:to|for)\b/.test(words.slice(end)) ||
    (/\b(?:changed|switched|swapped|updated|exchanged) (?:all |the |your |all the )*$/.test(before) &&
      /^(?: of them| of those| [a-z]+)? (?:to|for)\b/.test(words.slice(end)))
  )
}

/** The claims of an agent's message. Questions, conditions, denials and what others said are none. `said`: what the buyer wrote so far, `question`: the last of it. */
export function claimsOf(
  message: ReadMessage,
  statements: readonly Statement[],
  said: string,
  question: string,
): Claim[] {
  const plain = withoutTitles(message)
  return statements.flatMap((statement): Claim[] => {
    const { start, end, value } = statement
    const clause = message.clauses.find((one) => one.start <= start && start < one.end)
    if (clause === undefined || clause.question || clause.conditional || clause.unsure) return []
    if ((value.kind !== "stock" || value.count !== null) && isDenied(message.text, clause, start)) return []
    if (isReported(message.text, clause, start, end)) return []
    if ((value.kind !== "stock" || value.count !== null) && isDisputed(message.text, clause, start, end)) return []
    if (value.kind !== "stock" && isImpossible(message.text, clause, start)) return []
    if (isQuotation(message.text, start, end, said)) return []
    if (isTitled(statement, message)) return []
    if (value.kind !== "date" && message.mentions.some((mention) => isLabel(mention, start, end))) return []
    const words = message.text.slice(clause.start, clause.end)
    if (value.kind === "date" && AHEAD.test(message.text.slice(clause.start, start))) return []
    if (value.kind === "price" && BUDGET.test(message.text.slice(clause.start, start + 1).replace(/\d$/, ""))) return []
    if (
      (value.kind === "quantity" || value.kind === "measure") &&
      WISHES.test(words) &&
      !isChanged(words, start - clause.start, end - clause.start)
    )
      return []
    const sentence = sentenceOf(message, clause)
    return [
      {
        ...statement,
        clause,
        words,
        sentence,
        topic: question,
        behind: message.text.slice(end, clause.end),
        around: message.text.slice(Math.max(clause.start, start - 18), Math.min(clause.end, end + 18)),
        aspects:
          value.kind === "quantity" || value.kind === "stock"
            ? aspectsOf(
                statement,
                clause,
                plain.text.slice(clause.start, clause.end),
                sentenceOf(plain, clause),
                question,
              )
            : ofThing(aspectsOf(statement, clause, words, sentence, question), statement, message, clause),
      },
    ]
  })
}

/** A number that stands in a product's title, and is no amount of money: the 316 of 316不锈钢. */
function isTitled({ value, start, end }: Statement, { text, titleNumbers }: ReadMessage): boolean {
  if (value.kind === "price" || value.kind === "date") return false
  const digits = /\d+(?:\.\d+)?/.exec(text.slice(start, end))?.[0]
  return (
    digits !== undefined &&
    digits.length > 1 &&
    titleNumbers.has(digits) &&
    /^[a-z一-龥]|^ [a-z]/.test(text.slice(start + digits.length, start + digits.length + 2)) &&
    value.kind === "quantity"
  )
}

/** Whether the statement is part of a name: the 500ml of a title. */
function isLabel(mention: { start: number; end: number }, start: number, end: number): boolean {
  return mention.start <= start && end <= mention.end
}

/** Whether it stands in quotation marks and repeats the buyer. */
function isQuotation(text: string, start: number, end: number, said: string): boolean {
  const open = Math.max(
    text.lastIndexOf('"', start - 1),
    text.lastIndexOf("「", start - 1),
    text.lastIndexOf("'", start - 1),
    text.lastIndexOf("『", start - 1),
  )
  if (open < 0) return false
  const close = /["」』']/.exec(text.slice(end))
  if (close === null) return false
  const quoted = text.slice(open + 1, end + close.index).trim()
  return quoted.length > 0 && quoted.length < 200 && said.includes(quoted)
}

function sentenceOf({ clauses, text }: ReadMessage, { sentence }: Clause): string {
  const all = clauses.filter((clause) => clause.sentence === sentence)
  return text.slice(all[0]!.start, all.at(-1)!.end)
}

/** Costs that are part of a sum do not name it: 加运费608元, with shipping that is $309. */
const INCLUDED =
  /(?:含|加上?|连|包含|算上|包括|不含|不算|未含|with|including|plus|incl\.?|after|before|without|excluding|excl\.?|not including|not counting)\s?(?:the |your |our )?(?:运费|邮费|快递费|税|优惠|折扣|shipping|delivery|tax|postage|freight|discount)(?: (?:fee|cost|charge)s?)?(?!\s*(?:是|为|:|of)?\s*[¥$€£]?\d+(?:\.\d+)?[元块]?[^,，。;]{0,4}(?:共|总|合计|等于|=|total|makes|comes))/g

/** Before the fee itself, or before what all comes to with it: 加运费10元, 加运费608元. */
const ADDED = /(?:加上?|另加|plus|with) ?(?:the )?(?:运费|邮费|快递费|shipping)(?: of)?\s*$/

/** What the claim is about by the words of its clause, else of its sentence, else of the buyer's question. */
function aspectsOf(
  { value, start, end, word }: Statement,
  clause: Clause,
  clauseWords: string,
  sentence: string,
  question: string,
): ReadonlySet<string> {
  if (word === "shipping") return new Set(["shipping"])
  const { kind } = value
  if (kind === "price" && ADDED.test(clauseWords.slice(0, start - clause.start)))
    return new Set(["shipping", "total", "either"])
  const words = clauseWords.replace(INCLUDED, (match) =>
    kind === "price" ? "total".padEnd(match.length).slice(0, match.length) : match,
  )
  const own = aspectsIn(words, kind)
  if (own.size === 0) {
    const around = kind === "price" ? own : aspectsIn(sentence, kind)
    if (around.size > 0)
      return kind === "quantity" ? packOrOrder(around, `${question} ${sentence}`, clauseWords) : around
    const wanted = asked(question, kind)
    if (wanted.size === 0 && kind === "quantity" && ORDER_NUMBER.test(question)) return new Set(["order"])
    return wanted.size === 0 && kind === "date" && PARCEL.test(words) ? new Set(["arrive"]) : wanted
  }
  if (kind === "quantity") return packOrOrder(own, `${question} ${sentence}`, clauseWords)
  const nearest = nearestAspect(words, kind, start - clause.start, end - clause.start)
  if (nearest === undefined) return own
  if (kind !== "price") return new Set([nearest])
  return new Set([
    nearest,
    ...[...own].filter((aspect) => aspect !== "original" && aspect !== "price" && aspect !== "shipping"),
  ])
}

/** Asked for the shipping, one is told what the thing costs too: `The jacket is $235, and orders of $49 or more ship free`. */
function ofThing(
  aspects: ReadonlySet<string>,
  { value, word }: Statement,
  { text, mentions }: ReadMessage,
  { start, end }: Clause,
): ReadonlySet<string> {
  if (value.kind !== "price" || word === "shipping" || !aspects.has("shipping")) return aspects
  const isNamed = mentions.some(
    (one) => one.start >= start && one.end <= end && one.end > one.start && one.axis !== "order",
  )
  if (!isNamed || aspectsIn(text.slice(start, end), "price").has("shipping")) return aspects
  return new Set([...aspects].filter((aspect) => aspect !== "shipping"))
}

/** Words of a product's title say nothing of what is counted: 清洁套装7件. */
function withoutTitles(message: ReadMessage): ReadMessage {
  const titles = message.mentions.filter(({ axis }) => axis === "product")
  const text = titles.reduce(
    (rest, { start, end }) => rest.slice(0, start) + " ".repeat(end - start) + rest.slice(end),
    message.text,
  )
  return { ...message, text }
}

/** A question's aspects, but for those that an answer's figure seldom is: asked for a discount, one is told the price. */
function asked(question: string, kind: FactKind): ReadonlySet<string> {
  const aspects = new Set(aspectsIn(question, kind))
  for (const vague of ["discount", "compensation", "price", "original", "balance", "deposit"]) aspects.delete(vague)
  return aspects
}

/** What is to come, when nothing more is said. */
const PARCEL = /包裹|快递|物流|预计|parcel|package|shipment|expected/

const PER_PACK =
  /每|一[箱盒包袋套提]|整箱|装$|\bper\b|\beach\b|\b(?:a|one|every)(?: full| whole| single| sealed)? (?:box|pack|carton|case|set)|(?:boxes|packs|cartons|cases|sets) (?:are|is|make|come|mean|equal|=)|(?:box|pack|carton|case|set)(?:es|s)? (?:of|holds?|has|contains?)/

/** What an order contains is no size of a pack. */
function packOrOrder(own: ReadonlySet<string>, said: string, words: string): ReadonlySet<string> {
  if (!own.has("pack") || PER_PACK.test(words)) return own
  return /订单|购买|下单|买|拍|退的|退货|order|bought|purchas|\b(?:did|have) i (?:get|got)\b|[a-z]{1,3}-?\d{5,}|\d{8,}/.test(
    said,
  )
    ? new Set([...own, "order"].filter((aspect) => aspect !== "pack"))
    : own
}
