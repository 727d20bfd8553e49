import { type Amount, findAmounts } from "./amounts.ts"
import type { Day } from "./calendar.ts"
import { findDates } from "./dates.ts"
import { findStock } from "./stock.ts"
import type { FactValue } from "./types.ts"

/** Something that a text states as a fact. Positions are of the text. */
export interface Statement {
  readonly start: number
  readonly end: number
  readonly value: FactValue
  /** How exact it means to be: `under` and `over` give a bound. */
  readonly bound: "exact" | "about" | "under" | "over"
  /** The word that was counted or the unit: 件, kg. */
  readonly word: string
  /** Said with respect to today: tomorrow. */
  readonly relative: boolean
  /** A single numeral in words, which often is no number: 一件, one. */
  readonly bare: boolean
}

const PRICE_BEFORE =
  /(?:现在|目前|now|价格?|售价|单价|现价|原价|卖|只要|仅需|仅|只需|特价|活动价|到手|优惠价|总价|合计|一共|总共|共计|共|运费|邮费|金额|总额|实付|应付|定价|标价|报价|券后|折后|price|priced at|costs?|cost you|total|comes to|come to|going for|goes for|sells for|selling for|selling at|retails? (?:at|for)|listed at|yours for|pay|paid|charged?|fee|for just|for only|set you back|worth|amount)(?:\s*(?:是|为|在|只要|仅|才|就|了|:|：|is|of|at|are|was|you|just|only|to|for|currently|now|exactly|about|around|大概|大约|约))*\s*[:：=]?\s*$/
const STOCK_BEFORE =
  /(?:库存(?:量|数|数量)?|余量|存货|剩余?|剩下|仅剩|只剩|还剩|现货|现有|余|仅余|只余|stock(?: level| count| is)?|inventory|only|left|remaining|available|last|down to|just|we have|have|there(?:'s| is| are)|on hand)(?:\s*(?:是|为|有|还有|只有|仅有|最后|只|了|:|：|is|of|at|are|just|only|the|last|about|around|大概|大约|约|显示|目前))*\s*[:：=]?\s*$/
const STOCK_STRONG_ZH = /最后$|库存|余量|存货|剩|现货|现有|仅余|只余|可售|在库|有货/
const STOCK_AFTER =
  /^\s*(?:(?:more|units?|pieces?|pcs|pairs?|items?|of (?:them|those|these|it)|copies|boxes|sets|[a-z]+s?)\s+){0,3}(?:left|remaining|remain|in (?:our )?stock|available|in the warehouse|in (?:our )?inventory|on hand|to go\b)|^\s*(?:[件个双条只支盒箱包袋瓶罐台部张片套本把份])?\s*(?:现货|库存|可售|在库|有货|存货|可发|能发货)/
const QUANTITY_BEFORE =
  /(?:数量|件数|共|一共|总共|共计|合计|quantity|qty|count|number of items?|ordered|bought|purchased|contains|includes|pack of|box of|set of|case of|comes with|x|×|\*)(?:\s*(?:是|为|了|:|：|is|of|are|just|only|exactly|购买))*\s*[:：=]?\s*$/
const ABOUT_BEFORE =
  /(?:约|大约|大概|差不多|近|将近|接近|左右|估计|about|around|approximately|approx\.?|roughly|nearly|almost|some|close to|~|≈)\s*[¥$€£]?\s*$/
const ABOUT_AFTER = /^\s*(?:左右|上下|多|来|出头|or so|ish|-ish|or thereabouts)/
const UNDER =
  /(?:不到|低于|少于|不足|不超过|小于|以内|最多|至多|under|below|less than|fewer than|at most|up to|no more than|not more than|max(?:imum)? of)\s*[¥$€£]?\s*$/
const UNDER_AFTER = /^\s*(?:以下|以内|不到|or less|or under|or fewer|max)/
const OVER =
  /(?:超过|多于|高于|大于|不少于|不低于|至少|起码|over|above|more than|at least|no less than|upwards? of|from|starting at|starts? at|start from|starting from)\s*[¥$€£]?\s*$/
const OVER_AFTER = /^\s*(?:以上|起(?!订)|起步|往上|\+|or more|and up|or above|plus)/

/** All statements of a folded text told on `today`. Dates are read before numbers, and their digits are no amounts. */
export function findStatements(text: string, language: "zh" | "en", today: Day): Statement[] {
  const found: Statement[] = []
  let masked = text
  for (const { start, end, spans, wide, relative } of findDates(text, today)) {
    found.push({ start, end, value: { kind: "date", spans, wide }, bound: "exact", word: "", relative, bare: false })
    masked = masked.slice(0, start) + " ".repeat(end - start).replace(/^ /, "\u0001") + masked.slice(end)
  }
  for (const amount of findAmounts(masked, language)) {
    const statement = ofAmount(masked, amount)
    if (statement !== undefined) found.push(statement)
  }
  for (const { start, end, inStock, level } of findStock(text)) {
    found.push({
      start,
      end,
      value: { kind: "stock", inStock, count: null, level },
      bound: "exact",
      word: text.slice(start, end),
      relative: false,
      bare: false,
    })
  }
  for (const match of text.matchAll(
    /包邮|免运费|免邮|free (?:shipping|delivery)|ships? (?:for )?free|no (?:shipping|delivery) (?:fee|charge)/g,
  )) {
    const value: FactValue = { kind: "price", readings: [0], low: null, currency: null }
    found.push({
      start: match.index,
      end: match.index + match[0].length,
      value,
      bound: "exact",
      word: "shipping",
      relative: false,
      bare: false,
    })
  }
  for (const match of text.matchAll(
    /最后(?:一|1)[件个双条只支盒台套]|(?:the )?(?:very )?last one(?! (?:question|thing|moment|step|note))|only one left/g,
  )) {
    const value: FactValue = { kind: "stock", inStock: true, count: 1, level: null }
    found.push({
      start: match.index,
      end: match.index + match[0].length,
      value,
      bound: "exact",
      word: "",
      relative: false,
      bare: false,
    })
  }
  return found.sort((one, other) => one.start - other.start)
}

function ofAmount(text: string, amount: Amount): Statement | undefined {
  const before = text.slice(Math.max(0, amount.start - 48), amount.start)
  const after = text.slice(amount.end, amount.end + 48)
  const common = {
    start: amount.start,
    end: amount.end,
    word: amount.word,
    relative: false,
    bare: amount.bare,
    bound: boundOf(before, after, amount),
  }
  const { readings, low } = amount
  switch (amount.type) {
    case "money":
      return { ...common, value: { kind: "price", readings, low, currency: amount.currency } }
    case "percent":
      return { ...common, value: { kind: "percent", readings, low } }
    case "measure": {
      const { dimension, factor } = amount
      if (dimension === null) return undefined
      if (dimension === "time") {
        const high = readings[0]! * factor
        return { ...common, value: { kind: "duration", low: low === null ? high : low * factor, high } }
      }
      return { ...common, value: { kind: "measure", readings, low, dimension, factor } }
    }
    case "count":
      return { ...common, value: isStock(before, after) ? stock(readings[0]!) : { kind: "quantity", readings, low } }
    case "bare":
      return bare(text, amount, before, after, common)
  }
}

const clauseOf = (before: string) => /[^,，。；;!！?？\n]*$/.exec(before)![0]
const clauseAfter = (after: string) => /^[^,，。；;!！?？\n]*/.exec(after)![0]

function isStock(before: string, after: string): boolean {
  const lead = clauseOf(before)
  const tail = clauseAfter(after)
  return (
    STOCK_STRONG_ZH.test(lead) ||
    STOCK_AFTER.test(tail) ||
    /^.{0,12}(?:现货|库存|可售|在库|有货)/.test(tail) ||
    (/(?:还有|只有|仅有|就有|还能拍)\s*(?:最后)?$/.test(lead) && !/订单|未|没|需|要/.test(lead + tail)) ||
    /\b(?:left|remaining|in stock|stock)\b/.test(`${lead} ${tail}`)
  )
}

function stock(count: number): FactValue {
  return { kind: "stock", inStock: count > 0, count, level: null }
}

/** A number without a unit is one of what its words name: 价格299, stock: 3, only 3 left. */
function bare(
  text: string,
  amount: Amount,
  before: string,
  after: string,
  common: Omit<Statement, "value">,
): Statement | undefined {
  const { readings, low } = amount
  const lead = clauseOf(before)
  if (STOCK_AFTER.test(after)) return { ...common, value: stock(readings[0]!) }
  if (
    /(?:库存(?:量|数|数量)?|余量|存货|剩余?|剩下|仅剩|只剩|还剩|stock|inventory|remaining)(?:\s*(?:是|为|有|只有|:|：|is|level|count|at|of))*\s*[:：=]?\s*$/.test(
      lead,
    )
  )
    return { ...common, value: stock(readings[0]!) }
  if (amount.bare && /[一二两三四五六七八九]/.test(text[amount.start]!)) return undefined
  if (
    /(?:数量|件数|quantity|qty|count)(?:\s*(?:是|为|:|：|is|of))*\s*[:：=]?\s*$/.test(lead) ||
    /(?:^|[\s个件])[x×]\s*$/.test(lead)
  ) {
    return { ...common, value: { kind: "quantity", readings, low } }
  }
  if (PRICE_BEFORE.test(lead)) return { ...common, value: { kind: "price", readings, low, currency: null } }
  const noun = /^\s+(?:[a-z-]+\s+){0,2}?([a-z]{2,})\b/.exec(after)?.[1]
  if (
    noun !== undefined &&
    !/^(?:and|or|to|is|are|was|at|for|in|on|of|per|a|the|stars?|percent|times?|options?|ways?|questions?|steps?|more|less|am|pm|minutes?)$/.test(
      noun,
    )
  ) {
    return { ...common, word: after.trim().split(/[^a-z-]/)[0]!, value: { kind: "quantity", readings, low } }
  }
  if (STOCK_BEFORE.test(lead) && /^\s*(?:$|[.。,，!！])/.test(after)) return { ...common, value: stock(readings[0]!) }
  if (QUANTITY_BEFORE.test(lead)) return { ...common, value: { kind: "quantity", readings, low } }
  return undefined
}

function boundOf(before: string, after: string, amount: Amount): Statement["bound"] {
  if (UNDER.test(before) || UNDER_AFTER.test(after)) return "under"
  if (OVER.test(before) || OVER_AFTER.test(after)) return "over"
  if (ABOUT_BEFORE.test(before) || ABOUT_AFTER.test(after) || (amount.vague && amount.low === null)) return "about"
  return "exact"
}
