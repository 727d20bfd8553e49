import type { Clause } from "./clauses.ts"
import type { Mention } from "./mentions.ts"
import type { Named } from "./mixups.ts"
import { ORDER_NUMBER } from "./number-meaning.ts"
import { type ReadMessage, scopeOf, withoutAxis } from "./scope.ts"
import { goesBy, isOption } from "./things.ts"
import type { Fact } from "./types.ts"

const BOUGHT =
  /订单|[您你](?:选|下|拍|订|挑)的|\byou got\b|\byou(?:'ve| have)? (?:went for|went with|ended up with|chose|chosen|picked|selected|gone for|got)\b|您买的|您购买|购买的|下单的|您拍|拍下的|订的|订购|买的是|发出的|发的是|寄的是|收到的|订了|买了|your order|you ordered|you bought|you purchased|ordered|purchased|bought|in the parcel|in your package|we (?:shipped|sent)|was shipped|order (?:no\.? ?|number ?|#)?[a-z]{0,3}-?\d{5,}|order (?:now |currently )?(?:has|contains|includes|is|shows|lists)|on order/
const CHANGE =
  /换|改|想要|需要|如果|推荐|也有|还有|其他|另外|instead|exchange|change|switch(?:ed|ing)? (?:it|them|to|from|your|the)|swap|prefer|want|recommend|also|other|alternativ|would you/
/** What a changed order has now. */
const NOW = /现在(?:订单|单子|这单)?里?(?:面)?(?:是|有)|\bnow (?:has|contains|includes|shows|lists|is|for)\b/
/** What is given back, or called off. */
const RETURNED =
  /退货|退款|退掉|退的|退了|取消|售后|\breturn(?:s|ed|ing)?\b(?! within)|\brefund(?:s|ed|ing)?\b|\bcancel/
/** It has been done. */
const DONE =
  /已|好了|好的|成功|完成|提交|申请|登记|办理|了(?:$|[,，。!！~哈哦呢])|\b(?:done|all set|i've|we've|has been|have been|is now|started|opened|submitted|created|set up|processed|approved|in progress|went through|your (?:return|refund|exchange))\b/
/** Right before what an order was changed to. */
const TO =
  /(?:(?:改|换|变|调整?|更[改换]|替换)(?:成|为|到|作|做)?了?(?:[您你]要的)?|现在是|现为|换)\s*$|\b(?:(?:changed|switched|updated|swapped|exchanged|moved|amended|modified|set)(?: (?!from\b)[\w-]+){0,6} (?:to|for|with|into)|(?:from|of) .{2,40} (?:to|for|with)|(?:is|are) now|you'll (?:receive|get)|now)(?: be)?(?: the| a| an)?\s*$/
const FROM = /^\s?(?:的|款|色|码|键盘)?(?:已经|已)?(?:换成?|改成?|更换)|^ (?:to|for)\b/

/** What the buyer asks is which they bought: 我买的是哪款, what switch is in my order. */
const ASKS_BOUGHT =
  /(?:什么|哪|啥|几|多少|是不是|吗|吧|对吧|\bwhich\b|\bwhat\b|\bhow many\b|\bdid i\b|\bis it\b|\bconfirm\b|\bright\b)/
const ABOUT_BOUGHT =
  /[我俺](?:的|买|拍|订|下|选|当时|之前|上次)|买的|拍的|订的|下的|订单|\bmy (?:order|\w+)|\bi (?:order|bought|purchas|get|got|buy|pick|chose)|\border\b/
/** What asks for something else of what was bought. */
const ASKS_OTHER =
  /换|改|退换|差价|补差|能.*吗|可以.*吗|还有|有货|现货|库存|缺货|多少钱|推荐|区别|比|\b(?:exchange|change|switch (?:it|to|them|my)|swap|instead|return|refund|cancel|in stock|available|difference|how much|price|recommend|can you|could you|do you (?:have|carry|sell))\b/

/** A clause that tells something else of what it names than that it was bought. */
const OWN_PREDICATE =
  /[¥$€£]|元|块|(?<!^[,，。\s]*(?:就|都)?)是|有|缺|货|感|便宜|贵|推荐|\b(?:is|are|was|were|would|has|have|costs?|sold|available|stock|comes?|be)\b/

const NOT =
  /(?:不是|而不是|并非|非|没有|不再是?|取代|代替|替换?|not|isn't|rather than|instead of|in place of|no longer|no|replac(?:es|ed|ing)|from)\s*(?:the |a |an )?$/

/** What was bought, given back or changed is named by what the order says. */
export function ofOrder(
  message: ReadMessage,
  earlier: readonly ReadMessage[],
  clause: Clause,
  mentions: readonly Mention[],
  words: string,
  facts: readonly Fact[],
  question: ReadMessage | undefined,
): Named[] {
  const own = message.text.slice(clause.start, clause.end)
  const from = message.clauses.find(({ sentence }) => sentence === clause.sentence)?.start ?? clause.start
  const upTo = message.text.slice(from, clause.end)
  const target = changedTo(message, clause, mentions, words, facts, question)
  if (target.length > 0) return target
  const isTold = BOUGHT.test(own) || (BOUGHT.test(upTo) && !OWN_PREDICATE.test(own))
  const isBought = (isTold && !CHANGE.test(words)) || NOW.test(own)
  const isReturned = RETURNED.test(words) && DONE.test(words) && !CHANGE.test(words)
  if (!isBought && !isReturned && !answersBought(message, clause, mentions, question)) return []
  const ordered = facts.filter(({ labels, outdated }) => labels.has("order") && !outdated)
  const groups = new Map<string, Mention[]>()
  for (const mention of mentions) {
    if (!isOption(mention.axis) && mention.axis !== "product") continue
    if (mention.axis === "product" && !isBought) continue
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
      const isThere = lines.some((line) => goesBy(line, mention))
      return isThere ? { mention } : { mention, fact: lines[0]! }
    })
  })
}

/** An answer to which was bought, in which a name stands without figures of its own: 茶轴, `it's gray`. */
function answersBought(
  { text }: ReadMessage,
  clause: Clause,
  mentions: readonly Mention[],
  question: ReadMessage | undefined,
): boolean {
  if (question === undefined || clause.sentence > 1) return false
  const asked = question.text
  if (!ASKS_BOUGHT.test(asked) || ASKS_OTHER.test(asked)) return false
  if (!ABOUT_BOUGHT.test(asked) && !ORDER_NUMBER.test(asked)) return false
  const own = text.slice(clause.start, clause.end)
  if (CHANGE.test(own) || /[¥$€£]|元|块|库存|有货|现货|缺货|没货|stock|available|sold out|不是|\bnot\b|n't/.test(own))
    return false
  return mentions.some(({ axis }) => isOption(axis))
}

/** What a change has come to: the names behind 改成 and `changed to` are of the lines as they are now, or of what an exchange asks for. */
function changedTo(
  message: ReadMessage,
  clause: Clause,
  mentions: readonly Mention[],
  words: string,
  facts: readonly Fact[],
  question: ReadMessage | undefined,
): Named[] {
  if (!DONE.test(words)) return []
  const old = facts.filter(({ labels, outdated }) => labels.has("order") && outdated)
  const now = facts.filter(({ labels, outdated }) => labels.has("order") && !outdated)
  return mentions.flatMap((mention): Named[] => {
    if (!isOption(mention.axis)) return []
    const before = message.text.slice(clause.start, mention.start)
    const lead = withoutNames(before, clause.start, mentions)
    if (!TO.test(lead) || FROM.test(message.text.slice(mention.end))) return []
    const wanted = newLines(facts, mention.axis)
    const changed = old.filter(({ labels }) => labels.has(mention.axis))
    if (wanted.length === 0 && changed.length === 0) return asAsked(mention, facts, question)
    const lines = wanted.length > 0 ? wanted : now.filter(({ labels }) => labels.has(mention.axis))
    if (lines.length === 0) return []
    return lines.some((line) => goesBy(line, mention)) ? [{ mention }] : [{ mention, fact: lines[0]! }]
  })
}

/** Where no tool tells what it was changed to, what the buyer asked for does. */
function asAsked(mention: Mention, facts: readonly Fact[], question: ReadMessage | undefined): Named[] {
  const asked = question?.mentions.filter(({ axis }) => axis === mention.axis) ?? []
  const fact = facts.find(({ labels }) => labels.has("order") && labels.has(mention.axis))
  if (asked.length === 0 || fact === undefined || !/换|改|change|swap|switch|exchange/.test(question?.text ?? ""))
    return []
  return asked.some(({ names }) => [...names].some((name) => mention.names.has(name)))
    ? [{ mention }]
    : [{ mention, fact }]
}

/** Other options of the same thing say nothing of how it was changed: `changed to black, L`. */
function withoutNames(before: string, start: number, mentions: readonly Mention[]): string {
  const last = mentions.findLast(({ end }) => end <= start + before.length && end > start + before.length - 4)
  if (last === undefined || !/^[\s,，、/和的(]*$/.test(before.slice(last.end - start))) return before
  return before.slice(0, last.start - start)
}

/** The variants that an exchange asks for, by their ids. */
function newLines(facts: readonly Fact[], axis: string): Fact[] {
  const ids = new Set(
    facts.flatMap(({ labels, outdated }) =>
      outdated ? [] : [...labels].flatMap(([name, own]) => (/^new (?:sku|item|variant)/.test(name) ? [...own] : [])),
    ),
  )
  return facts.filter(
    ({ labels, outdated }) => !outdated && labels.has(axis) && [...(labels.get("sku") ?? [])].some((id) => ids.has(id)),
  )
}
