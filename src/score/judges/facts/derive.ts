import { follows, sameAmount, type Terms } from "./arithmetic.ts"
import { aspectsIn } from "./aspects.ts"
import { type Day, daysBetween, plusDays } from "./calendar.ts"
import type { Claim } from "./claims.ts"
import type { Scope } from "./scope.ts"
import { sameCurrency } from "./support.ts"
import type { Fact } from "./types.ts"

/** What a claim is judged by, beside its scope. */
export interface Situation {
  /** All facts, of whatever kind. */
  readonly all: readonly Fact[]
  readonly today: Day
  readonly terms: Terms
  /** Days that the buyer named. */
  readonly days: readonly Day[]
  /** Numbers that the buyer gave. */
  readonly given: ReadonlySet<number>
}

const SUM =
  /商品|小计|subtotal|总|合计|一共|共|加起来|加上|加|一起|含|连|付|[x×*]\s*\d|\d\s*[x×*]|total|altogether|together|in all|sum|comes? to|plus|including|with shipping|for (?:both|all|two|three|four|five|six|the (?:two|three|four|pair|lot|set))|\bboth\b|\bone (?:of )?each\b|各(?:要|来|拿|买|拍)?[一1两2]|pay|due|(?<![.\d$])\d{1,2} (?:of|for)\b|[两二三四五六七八九十\d]+\s?[件个双条只支盒箱袋瓶罐台部张片套本份把]|would be|\bmakes? (?:it |that )?[¥$€£]|\bbrings? (?:it|that|you) to|\bhalf\b|半价|折|\b(?:two|three|four|five|six|seven|eight|nine|ten|a dozen|[2-9]|[1-9]\d) (?:are|is|make|would|cost|come|will|at)\b/
const DIFFERENCE =
  /剩|找您|余|leaves?\b|short\b|\bremain|差|便宜|省|贵(?!的)|多|少|补|退|减|优惠|spare|\bleft\b|\bby [$¥€£]|折|降|difference|cheaper|more expensive|\bmore\b|\bless\b|\bsav|off\b|discount|refund|extra|upgrade|below|above|reduc|drop|half|半价/
const GAP =
  /\bdifference\b|\bgap\b|\bbetween (?:them|the two|these two|those two|both)\b|\binstead\b|\bswap|\bswitch|\bchang|\bupgrad|\banother [$¥€£]|\bneed\b|\bshort\b|\bon top\b|差|补|换|改/
const ORDER_TOTAL = /订单|这一?单|付了|支付|付款|实付|\border|\bpaid\b|charged/
/** Words of a sum. */
export const SUMMED =
  /共|总|合计|加起来|合起来|合在一起|加在一起|加一起|[一1]块儿|相加|全部|所有|total|altogether|in all|together|across|combined|overall|凑|混|\bmix|between (?:the two|them|both)|\d\s*\+\s*\d|=/
const PACKS = /箱|盒|包|袋|套|提|carton|box|pack|case|set/
const LEFT = /还有|还差|差|缺|剩|(?<!至)少|(?<![最至顶])多|不够|left|short|remain|more|fewer|extra|after|missing|rest/
const SHORT = /还能再|再拍|再买|还差|差|缺|不够|少了|short|after|missing|fewer/
const AFTER = /\btake \d|拿走|买走|拍走|[买拍订下]完|拿掉|扣掉|除去|之后|\bleaves?\b|\bafter\b|\bthen\b/
const BUDGET = /[¥$€£]\s?\d|\d\s?(?:元|块|dollars|bucks|quid)/
/** So many days from now. */
const FROM_NOW =
  /\bin (?:about |around |only |just |roughly )?$|\b(?:another|only|still) $|(?:还有|还要|还得|再等|再过|再有)(?:大概|约|差不多|个)?$/
const EACH = /每|平均|单个|单件|each|apiece|\bper\b|average|a piece/

/** Whether a claim follows from facts by simple arithmetic, where its words say that something was computed. */
export function isDerived(claim: Claim, scope: Scope, situation: Situation): boolean {
  const facts = [...scope.facts, ...scope.others]
  switch (claim.value.kind) {
    case "price":
      return isMoneyDerived(claim, scope.facts, facts, situation.terms)
    case "quantity":
      return claim.value.readings.some(
        (stated) =>
          isCountDerived(stated, claim, facts, situation.terms) ||
          isStockDerived(stated, claim, situation.all, situation.terms),
      )
    case "stock":
      return (
        claim.value.count !== null &&
        (isStockDerived(claim.value.count, claim, facts, situation.terms) ||
          ((PACKS.test(claim.sentence) || situation.terms.offered.length > 0) &&
            isCountDerived(claim.value.count, claim, situation.all, situation.terms)))
      )
    case "measure": {
      const { readings, factor, dimension } = claim.value
      const stated = readings[0]! * factor
      const known = facts.flatMap(({ value }) =>
        value.kind === "measure" && value.dimension === dimension ? [value.readings[0]! * value.factor] : [],
      )
      const sums = known.flatMap((one) =>
        [...situation.terms.counts, ...situation.terms.spoken].map((count) => one * count),
      )
      return sums.some((sum) => Math.abs(sum - stated) <= Math.max(0.02 * stated, 1e-6))
    }
    case "duration":
      return isSpanDerived(claim, facts, situation)
    case "date":
      return isDateDerived(claim, scope.facts, situation.today)
    default:
      return false
  }
}

function isMoneyDerived(claim: Claim, scoped: readonly Fact[], facts: readonly Fact[], terms: Terms): boolean {
  const { value } = claim
  if (value.kind !== "price" || (claim.aspects.has("shipping") && !claim.aspects.has("either"))) return false
  const steps = {
    sum: SUM.test(claim.sentence),
    difference: DIFFERENCE.test(claim.around) || GAP.test(`${claim.sentence} ${claim.topic}`),
    each: EACH.test(claim.around),
  }
  const isOrderTotal =
    claim.aspects.has("total") &&
    (ORDER_TOTAL.test(claim.sentence) || /\bnew total\b|新(?:的)?(?:总|合计)/.test(claim.words))
  if (
    isOrderTotal &&
    !/\bwould\b|将是|会是|变成|变为/.test(claim.words) &&
    !isLine(claim, scoped) &&
    scoped.some(({ aspects, labels }) => aspects.has("total") && labels.has("order"))
  ) {
    return false // what an order comes to is on record, not computed
  }
  const money = facts.filter((fact) => fact.value.kind === "price")
  if (!money.some((fact) => sameCurrency(value.currency, fact.value))) return false
  return value.readings.some((stated) => follows(stated, terms, steps))
}

/** Whether so many of one thing in an order are told with what they come to: 3把一共1016.97元. */
function isLine({ value, words, start, clause }: Claim, facts: readonly Fact[]): boolean {
  const before = words.slice(0, start - clause.start)
  const count = Number(/(?<![\d.])(\d{1,3})(?![\d.])(?=\s?[a-z一-龥])(?!.*\d)/.exec(before)?.[1] ?? Number.NaN)
  if (value.kind !== "price" || Number.isNaN(count)) return false
  const units = facts.flatMap((fact) =>
    fact.value.kind === "price" && fact.aspects.has("price") && fact.labels.has("order") ? fact.value.readings : [],
  )
  return value.readings.some((stated) => units.some((unit) => sameAmount(stated, unit * count)))
}

/** Sums of lines, so many packs of so many, what is left of them. */
function isCountDerived(
  stated: number,
  { sentence, around, topic }: Claim,
  facts: readonly Fact[],
  { spoken, offered }: Terms,
): boolean {
  const sizes = facts.flatMap(({ value, aspects }) =>
    value.kind === "quantity" && aspects.has("pack") ? value.readings : [],
  )
  const prices = facts.flatMap(({ value }) => (value.kind === "price" ? value.readings : []))
  if (
    stated >= 1 &&
    BUDGET.test(topic) &&
    offered.some((money) => prices.some((price) => Math.floor(money / price) === stated))
  )
    return true // what a budget buys
  if (PACKS.test(sentence) && sizes.some((size) => spoken.some((count) => Math.ceil(count / size) === stated)))
    return true
  const known = facts.flatMap(({ value, aspects }) =>
    value.kind === "quantity" && !aspects.has("unknown") && !aspects.has("count")
      ? [{ count: value.readings[0]!, pack: aspects.has("pack") }]
      : [],
  )
  const lines = known.flatMap(({ count, pack }) => (pack ? [] : [count]))
  if (SUMMED.test(sentence)) {
    if (lines.length > 1 && lines.reduce((sum, count) => sum + count, 0) === stated) return true
    if (lines.some((one, index) => lines.some((other, place) => place > index && one + other === stated))) return true
  }
  if (PACKS.test(sentence) && known.some(({ count }) => spoken.some((times) => count * times === stated))) return true
  return (
    LEFT.test(around) &&
    known.some(({ count }) => spoken.some((other) => other !== stated && Math.abs(count - other) === stated))
  )
}

function isStockDerived(
  stated: number,
  { sentence, around }: Claim,
  facts: readonly Fact[],
  { spoken }: Terms,
): boolean {
  const known = facts.flatMap(({ value }) => (value.kind === "stock" && value.count !== null ? [value.count] : []))
  if (SUMMED.test(sentence) && known.length > 1) {
    if (known.reduce((sum, count) => sum + count, 0) === stated) return true
    if (known.some((one, index) => known.some((other, place) => place > index && one + other === stated))) return true
  }
  return (
    (SHORT.test(around) || (AFTER.test(sentence) && LEFT.test(around))) &&
    known.some((count) => count > 0 && spoken.some((other) => other !== stated && Math.abs(count - other) === stated))
  )
}

/** So many days lie between two dates on record, or between one and today. */
function isSpanDerived(
  { value: span, bound, words, start, clause, behind }: Claim,
  facts: readonly Fact[],
  { today, days: named }: Situation,
): boolean {
  if (span.kind !== "duration") return false
  const isAhead =
    FROM_NOW.test(words.slice(0, start - clause.start)) ||
    /^\s?(?:之?后|more\b|to go\b|from (?:now|today)\b)/.test(behind)
  const slack = bound === "about" ? 1 : 0
  const low = span.low - slack
  const high = span.high + slack
  const days = [
    today,
    ...named,
    ...facts.flatMap(({ value }) => (value.kind === "date" && !value.wide ? value.spans.map(({ to }) => to) : [])),
  ]
  if (isAhead && named.length === 0) return false // what is to come is held against the days that are to come
  return days.some((one, index) =>
    days.some((other, place) => place > index && isBetween(Math.abs(daysBetween(one, other)), low, high)),
  )
}

function isBetween(days: number, low: number, high: number): boolean {
  return days > 0 && Math.floor(low) <= days && days <= Math.ceil(high)
}

/** A date on record, or today, and a span on record. */
function isDateDerived({ value, aspects: own, sentence }: Claim, facts: readonly Fact[], today: Day): boolean {
  if (value.kind !== "date") return false
  const terms = ["return", "warranty"].filter((aspect) => own.has("expire") && aspectsIn(sentence, "date").has(aspect))
  const aspects = new Set([...own, ...terms])
  const dates = facts.flatMap((fact) => (fact.value.kind === "date" ? fact.value.spans.map(({ to }) => to) : []))
  const spans = facts.flatMap((fact) =>
    fact.value.kind === "duration" &&
    (fact.aspects.size === 0 || [...fact.aspects].some((aspect) => aspects.has(aspect)))
      ? [fact.value]
      : [],
  )
  const days = [today, ...dates].flatMap((day) =>
    spans.flatMap(({ low, high }) => [plusDays(day, Math.round(low)), plusDays(day, Math.round(high))]),
  )
  const [likely] = value.spans
  return likely !== undefined && days.some((day) => likely.from <= day && day <= likely.to)
}
