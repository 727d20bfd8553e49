import type { Claim } from "./claims.ts"
import { isDerived, type Situation, SUMMED } from "./derive.ts"
import { ORDER_NUMBER } from "./number-meaning.ts"
import { assessPoints } from "./points.ts"
import { endOfRange, endsOf, isHalfRange } from "./ranges.ts"
import type { Scope } from "./scope.ts"
import { SERVICES } from "./services.ts"
import { sameCurrency, supports } from "./support.ts"
import type { Fact, FactKind } from "./types.ts"
import { countWordAt } from "./units.ts"

/** What became of a claim. `fact` is what it was held against, where there was something. */
export type Assessment =
  | { readonly outcome: "supported"; readonly fact?: Fact }
  | { readonly outcome: "wrong"; readonly code: string; readonly fact?: Fact }
  | { readonly outcome: "ignored" } // nothing that facts decide: a greeting's number, an offer

/** The kinds of facts that may bear a claim of a kind. */
const BEARERS: Readonly<Record<FactKind, readonly FactKind[]>> = {
  price: ["price"],
  stock: ["stock"],
  date: ["date"],
  duration: ["duration", "date"],
  quantity: ["quantity"],
  measure: ["measure"],
  percent: ["percent"],
}

export function isBearer(fact: Fact, kind: FactKind): boolean {
  if (fact.aspects.has("unknown")) return kind === "price" || kind === "measure" || kind === "quantity"
  return BEARERS[kind].includes(fact.value.kind)
}

const WRONG: Readonly<Record<FactKind, string>> = {
  price: "wrong_price",
  stock: "wrong_stock",
  date: "wrong_date",
  duration: "wrong_date",
  quantity: "wrong_quantity",
  measure: "wrong_quantity",
  percent: "wrong_price",
}

/** What was so once is not held against what is so now. */
const LAST_TIME = /昨天还|之前是|以前是|上周还|上次|yesterday|last (?:week|month|year|time)|previously/
const OFFER =
  /补偿|赔|送您|赠|给您(?:申请|争取|优惠|减|打)|帮您(?:申请|争取)|offer you (?:a|an|up)|compensat|goodwill|gift you|store credit|\bcredit /
/** When the agent itself will do something is no fact of the shop. */
const SERVICE =
  /祝|愉快|快乐|happy|have a (?:great|nice|good|lovely|wonderful)|enjoy|上班|营业|工作时间|在线|we're open|we are open|open (?:from|until|on|every)|office hours|联系|回复|答复|回电|处理|审核|核实|跟进|客服|get back|contact|reply|respond|review|reach out|call you|follow up|look into|business hours/
const IS_TODAY = /(?:今天|今日|现在)是|today is|today's date|it is now/
/** A rule for all orders, not the date of one. */
const ORDER_NOW =
  /(?:今天|现在|当天|即刻|今日)(?:下单|拍|付款)|下单(?:后|即|当天)|付款后|order (?:it )?(?:today|now|before|by|within)|orders? placed|if you order/
const GIFT = /即?送|赠|gift|for free|free of charge|complimentary/
const CARTON = /^(?:箱|提|cartons?|cases?)$/
const CONTAINER = /^(?:箱|盒|包|袋|套|提|packs?|box(?:es)?|cartons?|cases?|sets?|parcels?|packages?)$/
const STRICT_QUANTITY =
  /下的|[您你](?:填|点|录|定|输入|要|选)(?:的|了)|you(?:'ve| have)? (?:put in|entered|picked|selected|added|typed|keyed)|订单|购买|下单|买了|订了|拍了|订购|下了|一共|总共|共|每[箱盒包袋套件]|[一二两三四五六七八九十\d][箱盒包袋套提]|\bcartons?\b|\bboxes\b|套装|内含|包含|里面|规格|数量|件数|发出|已发|退了|收到|order|bought|purchas|quantity|qty|contain|includes?|comes? with|per |each |pack|box of|set of|case|inside|shipped|sent|received|returned|parcel|items?\b/
const GENERIC_NOUN =
  /^(?:options?|ways?|questions?|steps?|choices?|things?|reasons?|colou?rs?|sizes?|models?|styles?|results?|people|persons?|stars?|moments?|款|部|单|组|对|把|位)$/

export function assess(claim: Claim, scope: Scope, situation: Situation): Assessment {
  const points = assessPoints(claim, situation.all)
  if (points !== undefined) return points
  const all = preferred(scope.facts, claim)
  const end = endOfRange(claim)
  return end === undefined
    ? against(all, claim, scope, situation)
    : against(endsOf(all, end), { ...claim, bound: "exact" }, scope, situation)
}

function against(pool: readonly Fact[], claim: Claim, scope: Scope, situation: Situation): Assessment {
  const kind = claim.value.kind
  if (isHalfRange(claim, pool)) return { outcome: "wrong", code: WRONG[kind], fact: pool[0]! }
  const fact = pool.find((one) => supports(one, claim, situation.today))
  if (fact !== undefined) return { outcome: "supported", fact }
  if (pool.length === 0 && scope.facts.some((one) => supports(one, claim, situation.today)))
    return { outcome: "supported" }
  if (
    kind === "price" &&
    /[+=×→]|\btwice\b|\d\s?x\s?[$¥]|从.*(?:变|到|换成|改成)|\bfrom\b.*\bto\b/.test(claim.sentence) &&
    otherThings(scope.others, claim).some((one) => supports(one, claim, situation.today))
  )
    return { outcome: "supported" } // a term of a sum
  if (isDerived(claim, scope, situation)) return { outcome: "supported" }
  if (isIgnored(claim, pool, situation)) return { outcome: "ignored" }
  if (pool.length === 0 && scope.others.length === 0) return unsupported(claim)
  const other = otherThings(scope.others, claim).find((one) => supports(one, claim, situation.today))
  if (other !== undefined) return { outcome: "wrong", code: "other_sku", fact: other }
  if (pool.length === 0) return unsupported(claim)
  const [first] = pool
  if (isUnitWrong(claim, pool)) return { outcome: "wrong", code: "wrong_unit", ...(first && { fact: first }) }
  return { outcome: "wrong", code: WRONG[kind], ...(first && { fact: first }) }
}

/** The facts of the aspect that the claim names; all of them where it names none, or where there are none. */
function preferred(facts: readonly Fact[], claim: Claim): readonly Fact[] {
  const bearers = facts.filter((fact) => isBearer(fact, claim.value.kind))
  const typed = bearers.filter((fact) => !fact.aspects.has("unknown"))
  const all = typed.length > 0 ? typed : bearers
  const { kind } = claim.value
  if (kind === "price") {
    const isPast = claim.aspects.has("original") && !ONCE.test(claim.sentence)
    const wanted = isPast ? new Set([...claim.aspects, "price"]) : claim.aspects
    const matching = all.filter((fact) => fitsPrice(fact, wanted))
    return matching.length > 0 || wanted.size === 0 ? matching : all.filter((fact) => fact.aspects.size === 0)
  }
  if ((claim.aspects.size === 0 && kind !== "quantity") || kind === "measure") return all
  if (kind === "duration") return all.filter((fact) => fact.value.kind === "duration" || mayBear(fact, claim))
  if (kind === "quantity") return quantities(all, claim)
  const matching = all.filter((fact) => [...claim.aspects].some((aspect) => fact.aspects.has(aspect)))
  const open = all.filter((fact) => fact.aspects.size === 0)
  const best = matching.length > 0 ? matching : open.length > 0 ? open : claim.relative ? [] : all
  // 到货 is both
  return claim.aspects.has("arrive") ? all.filter((fact) => best.includes(fact) || fact.aspects.has("restock")) : best
}

/** Whether a day on record may be what a span of time leads to: of what it is told, or of nothing that is told. */
function mayBear({ aspects }: Fact, { aspects: wanted }: Claim): boolean {
  if (wanted.size === 0 || aspects.size === 0 || wanted.has("arrive"))
    return !wanted.has("return") && !wanted.has("warranty")
  return [...wanted].some((aspect) => aspects.has(aspect))
}

const KINDS_OF_THINGS = /^(?:种|款|样|类|lines?|kinds?|products?|articles?|different)$/
const THINGS = /^(?:|件|个|样|items?|things?|pieces?|pcs|units?|articles?)$/

/** How many are in a pack is one matter, in an order another; and how many in all a third. */
function quantities(facts: readonly Fact[], { aspects, word, sentence }: Claim): readonly Fact[] {
  return facts.filter((fact) => {
    if (fact.aspects.has("lines")) return KINDS_OF_THINGS.test(word) || /^items?$/.test(word)
    if (fact.aspects.has("sum")) return THINGS.test(word) || SUMMED.test(sentence)
    if (fact.aspects.has("pack") !== aspects.has("pack")) return false
    return !fact.aspects.has("limit") || aspects.has("limit")
  })
}

/** `was` alone may be said of today's price too. */
const ONCE = /原|吊牌|划线|市场价|original|list price|msrp|regular|used to|usual|compare at|now\b|down from|reduced/

function fitsPrice(fact: Fact, wanted: ReadonlySet<string>): boolean {
  const own = fact.aspects
  if (own.size === 0) return true
  if (wanted.has("original") && own.has("original")) return true
  if (wanted.size === 0 || wanted.has("price")) return own.has("price") || (own.has("total") && !own.has("shipping"))
  for (const aspect of wanted) {
    if (own.has(aspect)) return true
    if (aspect === "total" && own.has("price")) return true
    if (aspect === "refund" && (own.has("total") || own.has("price"))) return true
  }
  return false
}

/** Facts of other things that could be taken for the one that is meant: of one aspect, and told apart by more than yes and no. */
function otherThings(facts: readonly Fact[], claim: Claim): readonly Fact[] {
  const { value } = claim
  if (value.kind === "stock" && value.count === null) return []
  return facts.filter((fact) => {
    if (fact.aspects.has("unknown") || !isBearer(fact, value.kind)) return false
    return value.kind !== "price" || fitsPrice(fact, claim.aspects)
  })
}

/** A span of time is wrong by a span on record of its aspect, or by a day to come. */
function bearsOnSpan({ aspects, value }: Fact, claim: Claim, today: string): boolean {
  const wanted =
    claim.aspects.size === 0
      ? ["arrive", "restock", "ship"]
      : claim.aspects.has("arrive")
        ? [...claim.aspects, "restock"]
        : [...claim.aspects]
  if (aspects.size > 0 && !wanted.some((aspect) => aspects.has(aspect))) return false
  if (value.kind === "duration") return true
  return !/时|钟|hour|hr|^h$/.test(claim.word) && value.kind === "date" && value.spans.some(({ to }) => to > today)
}

const ABLE = /能|可以?|当天|现货|拍|\bcan\b|\bcould\b|\bable\b|ready|in stock|same[- ]day/

/** `can ship today`, 今天就能发: that it is there, no dated fact; but for an order whose day is on record. */
function isReady({ value, relative, aspects, words }: Claim, pool: readonly Fact[], today: string): boolean {
  if (value.kind !== "date" || !relative || !aspects.has("ship")) return false
  if (!value.spans.some(({ from, to }) => from === today && to === today)) return false
  return ABLE.test(words) || !pool.some((fact) => fact.labels.has("order") && fact.aspects.has("ship"))
}

const ASKS_TIME =
  /\bwhen\b|\bhow (?:soon|long|many (?:more )?days)\b|\bwhat (?:day|date)\b|\bwhich day\b|\beta\b|\b(?:this|next|the) week\b|\btoday\b|\btomorrow\b|\bweekend\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\bmake it\b|什么时候|啥时候|何时|几时|多久|几天|多少天|哪天|哪一天|几号|几月|这周|本周|下周|周末|今天|明天|后天|周[一二三四五六日天]/
const ASKS_SPAN = /\bhow (?:soon|long|many (?:more )?days)\b|\bdays?\b.*\?|多久|几天|多少天|几日/

function isService({ sentence, topic }: Claim, facts: readonly Fact[]): boolean {
  const said = SERVICES.exec(sentence) ?? (/价|钱|price|cost/.test(sentence) ? null : SERVICES.exec(topic))
  if (said === null) return false
  const names = facts.flatMap(({ value, labels }) => (value.kind === "price" ? [...labels.values()] : []))
  return !names.some((each) => [...each].some((name) => name.toLowerCase().includes(said[0])))
}

/** Free above an amount is a rule, in which there is another figure. */
const THRESHOLD =
  /满\s?[¥$]?\d|\b(?:orders?|purchases?|spend(?:ing)?|totals?|anything|carts?) (?:of |over |above |from |at least )+[$¥€£]?\d|[$¥€£]\d[\d.,]* (?:or more|and up|and over|or above|minimum|threshold)/

/** Numbers that state no fact of the shop. */
function isIgnored(claim: Claim, pool: readonly Fact[], { given, today, all }: Situation): boolean {
  const { value, words, sentence } = claim
  const before = words.slice(0, claim.start - claim.clause.start)
  const typed = pool.filter((fact) => !fact.aspects.has("unknown"))
  switch (value.kind) {
    case "price":
      if (claim.word === "shipping" && THRESHOLD.test(sentence)) return true
      if (
        /满\s*$|满.{0,10}[减送]\s*$/.test(before) ||
        /(?:orders?|purchases?|spend|spending) (?:over|above|of)\s*[$¥€£]?\s*$/.test(before)
      )
        return true
      return OFFER.test(words) || LAST_TIME.test(words) || isService(claim, all)
    case "quantity": {
      if (isForeign(claim, all)) return true
      const strict = STRICT_QUANTITY.test(words) || ORDER_NUMBER.test(claim.topic) || claim.aspects.has("limit")
      if (typed.length === 0)
        return !(strict && claim.aspects.size > 0) || value.readings.some((count) => given.has(count))
      if ((GENERIC_NOUN.test(claim.word) && !(strict && /^[组对把部]$/.test(claim.word))) || GIFT.test(words))
        return true
      if (
        (CARTON.test(claim.word) || (CONTAINER.test(claim.word) && /需要|take|need|够/.test(words))) &&
        typed.every(({ aspects }) => aspects.has("pack"))
      )
        return true
      if (CONTAINER.test(claim.word) && !claim.aspects.has("order") && value.readings.some((count) => given.has(count)))
        return true
      if (claim.bare && value.readings[0] === 1)
        return !/(?:只|仅|就|买了|订了|拍了|only|just|single|exactly|ordered|bought|purchased|quantity)[^,，]{0,6}$/.test(
          words.slice(0, claim.start - claim.clause.start),
        )
      if (strict && claim.aspects.size > 0) return false
      if (value.readings[0] === 1) return true
      return (
        value.readings.some((count) => given.has(count)) ||
        /[¥$€£]|元|块|价|price|dollar/.test(words) ||
        (!strict && /如|比如|例如|for example|e\.g\./.test(sentence))
      )
    }
    case "date":
      if (IS_TODAY.test(words) && value.spans.some(({ from }) => from === today)) return true
      if (isReady(claim, pool, today)) return true
      if (claim.relative && /[¥$€£]\s?\d|\d\s?[元块]/.test(words) && value.spans.some(({ from }) => from === today))
        return true
      if (SERVICE.test(words) || (claim.relative && ORDER_NOW.test(sentence))) return true
      if (typed.length > 0)
        return (
          claim.relative && claim.aspects.size === 0 && !(ASKS_TIME.test(claim.topic) && !/[¥$€£]|price|价/.test(words))
        )
      return claim.relative || claim.aspects.size === 0 || value.wide
    case "duration":
      if (
        value.high < 1 / 24 ||
        (value.low !== value.high && !isAboutOrder(claim) && typed.every(({ labels }) => labels.has("order")))
      )
        return true
      return (
        SERVICE.test(words) ||
        (claim.aspects.size === 0 && !ASKS_SPAN.test(claim.topic)) ||
        !typed.some((fact) => bearsOnSpan(fact, claim, today))
      )
    case "stock":
      return value.count !== null && isForeign(claim, all)
    case "measure":
      return (
        !pool.some((fact) => fact.value.kind !== "measure" || fact.value.dimension === value.dimension) &&
        !isUnitWrong(claim, pool)
      )
    case "percent":
      return typed.length === 0
    default:
      return false
  }
}

const SOLD =
  /销量|卖了|卖出|累计|已售|月销|好评|评价|评分|\breviews\b|\bratings?\b|\bcustomers\b|\bsold (?:over|more|about|\d)/

/** Whether something is counted that is none of the goods: reviews, degrees, characters. */
function isForeign({ word, words, topic }: Claim, all: readonly Fact[]): boolean {
  if (SOLD.test(words)) return true
  if (!/^[a-z]{2,}s$/.test(word) || countWordAt(word, 0)?.end === word.length) return false
  const stem = word.replace(/(?:ves|ies|es|s)$/, "")
  return (
    !topic.includes(stem) &&
    !all.some(({ labels }) => [...(labels.get("product") ?? [])].some((title) => title.includes(stem)))
  )
}

/** Whether a parcel is spoken of, or an order by its number. */
function isAboutOrder({ topic, sentence }: Claim): boolean {
  return (
    ORDER_NUMBER.test(`${topic} ${sentence}`) ||
    /\b(?:my|your) (?:order|parcel|package)\b|订单|包裹|快递|我的|我买/.test(`${topic} ${sentence}`)
  )
}

function unsupported(claim: Claim): Assessment {
  if (claim.value.kind === "price" && claim.value.readings[0] === 0) return { outcome: "ignored" } // 包邮 is policy
  return { outcome: "wrong", code: "unsupported" }
}

/** The number is right and the unit, or the currency, is not: 1.5斤 for 1.5kg. */
function isUnitWrong({ value }: Claim, pool: readonly Fact[]): boolean {
  if (value.kind === "price") {
    return pool.some(
      (fact) =>
        !sameCurrency(value.currency, fact.value) &&
        fact.value.kind === "price" &&
        fact.value.readings.some((amount) => value.readings.includes(amount)),
    )
  }
  return (
    value.kind === "measure" &&
    pool.some(
      (fact) => fact.value.kind === "measure" && fact.value.readings.some((amount) => value.readings.includes(amount)),
    )
  )
}
