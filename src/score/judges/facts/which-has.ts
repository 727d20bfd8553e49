import type { Clause } from "./clauses.ts"
import type { Mixup } from "./mixups.ts"
import type { ReadMessage } from "./scope.ts"
import { distinct, goesBy, isOption, type Thing, thingsOf } from "./things.ts"
import type { Fact } from "./types.ts"

const ASKS_OUT =
  /(?:哪|什么|啥).{0,12}(?:缺货|没货|没有货|断货|售罄|卖完|没了|无货|没有了)|\b(?:which|what)\b.*\b(?:sold out|out of stock|unavailable|not available|not in stock|gone)\b/
const ASKS_IN =
  /(?:哪|什么|啥).{0,14}(?:有货|现货|有库存|还有|能买|能拍|能发|马上发|可以发|可以买|可以拍|能订)|还有(?:哪|什么|啥)|\b(?:which|what)\b.*\b(?:in stock|available|(?:can|could) (?:i|you) (?:still )?(?:get|buy|order|ship|have)|do you still have|(?:is|are) left|ready to ship)\b/
/** More than one may be asked for: only one of two. */
const ASKS_ANY = /还是|哪|或|\bor\b|\bwhich\b|\bboth\b|都有/
/** All that may stand beside names which answer by themselves: 红轴和茶轴都有, `it's the gray one`. */
const FILLER =
  /(?:您好|你好|亲|是|的|和|跟|与|、|及|都|有|货|呢|哦|啊|呀|哈|可以|能|发|买|拍|马上|这|款|两|现在|目前|还|只|码|色|～|~)|\b(?:hi|hello|sure|yes|the|it's|it|that's|that|would|be|is|are|and|both|one|ones|only|just|currently|right now|now|version|versions|switch|size|colou?rs?|our|in|we|have|can|ship|do)\b|[\s,，。.!！&'/:：]/g
const ONLY_ZH = /(?:^|[^不])(?:只有|仅有|就只有|就)\s*$/
const ONLY_EN = /\bonly (?:the |our )?$/
const HAS_BEHIND =
  /^\s?(?:的|款|码)?(?:还)?(?:有|有货|有现货|现货|能|可以|在售)|^(?: one| version| switch)? (?:(?:is|are|has)(?! (?:gone|out|sold|not|un|back|off|missing|no)|n't)|in stock|available|left)\b/

/** Where the message names what is sold out, or can be had, and the record says the contrary. */
export function findStockAnswers(own: ReadMessage, question: ReadMessage | undefined, facts: readonly Fact[]): Mixup[] {
  if (question === undefined) return []
  const clauses = own.clauses.filter(({ sentence }) => sentence === 0)
  const [first] = clauses
  if (first === undefined || clauses.some((clause) => clause.question || clause.conditional || clause.unsure)) return []
  const end = clauses.at(-1)!.end
  const things = namedIn(own, first.start, end)
  if (things.length === 0) return []
  const rest = things.reduceRight(
    (text, { start, end: to }) => `${text.slice(0, start)} ${text.slice(to)}`,
    own.text.slice(0, end),
  )
  const isBare = rest.slice(first.start).replace(FILLER, "") === ""
  const only = onlyOne(own, things, end)
  const isOut = ASKS_OUT.test(question.text)
  if (isBare && only === undefined && (isOut || ASKS_IN.test(question.text))) {
    const wrong = things.flatMap((thing) => mixup(thing, !isOut, first, facts))
    if (wrong.length > 0) return wrong
  }
  if (only === undefined || !ASKS_ANY.test(question.text)) return []
  const pair = namedIn(question, 0, question.text.length)
  if (pair.length !== 2 || !pair.some(({ key }) => key === only.key)) return []
  const other = pair.find(({ key }) => key !== only.key)!
  const fact = stockOf(other, facts)
  return fact !== undefined && isThere(fact) ? [{ start: only.start, end: only.end, clause: first, fact }] : []
}

/** The one thing that is told to be there alone: 只有茶轴有, `only the brown one is in stock`. */
function onlyOne({ text }: ReadMessage, things: readonly Thing[], to: number): Thing | undefined {
  const [thing] = things
  if (thing === undefined || things.length !== 1) return undefined
  const before = text.slice(0, thing.start)
  const isOnly = ONLY_ZH.test(before) || ONLY_EN.test(before)
  return isOnly && HAS_BEHIND.test(text.slice(thing.end, to)) ? thing : undefined
}

function namedIn({ text, mentions }: ReadMessage, from: number, to: number): Thing[] {
  const inside = mentions.filter(
    ({ start, end, axis, compared }) => start >= from && start < to && end > start && isOption(axis) && !compared,
  )
  return distinct(thingsOf(text, inside))
}

function mixup(thing: Thing, wanted: boolean, clause: Clause, facts: readonly Fact[]): Mixup[] {
  const fact = stockOf(thing, facts)
  return fact === undefined || isThere(fact) === wanted ? [] : [{ start: thing.start, end: thing.end, clause, fact }]
}

/** The stock of a thing, where all its variants agree. */
function stockOf({ mentions }: Thing, facts: readonly Fact[]): Fact | undefined {
  const stocks = facts.filter(
    (fact) => fact.value.kind === "stock" && !fact.outdated && mentions.every((mention) => goesBy(fact, mention)),
  )
  return new Set(stocks.map(isThere)).size === 1 ? stocks[0] : undefined
}

function isThere({ value }: Fact): boolean {
  return value.kind === "stock" && (value.inStock ?? (value.count ?? 0) > 0)
}
