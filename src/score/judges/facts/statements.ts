import { type Amount, findAmounts } from "./amounts.ts"
import type { Day } from "./calendar.ts"
import { findDates } from "./dates.ts"
import { isNoFigure } from "./no-figure.ts"
import { type Asked, bareMeaning, countMeaning } from "./number-meaning.ts"
import { findStock } from "./stock.ts"
import type { FactValue } from "./types.ts"

/** Something that a text states as a fact. Positions are of the text. */
export interface Statement {
  readonly start: number
  readonly end: number
  readonly value: FactValue
  /** What it may mean instead, where its words leave that open: seven pairs in stock, or in an order. */
  readonly alternate?: FactValue
  /** How exact it means to be: `under` and `over` give a bound. */
  readonly bound: "exact" | "about" | "under" | "over"
  /** The word that was counted or the unit: 件, kg. */
  readonly word: string
  /** Said with respect to today: tomorrow. */
  readonly relative: boolean
  /** A single numeral in words, which often is no number: 一件, one. */
  readonly bare: boolean
  /** Its words do not say what it is of: only the question does (`asked`), or not even that. */
  readonly open?: "asked" | "none"
}

const ABOUT_BEFORE =
  /(?:约|大约|大概|差不多|近|将近|接近|左右|估计|about|around|approximately|approx\.?|roughly|nearly|almost|some|close to|~|≈)\s*[¥$€£]?\s*$/
const ABOUT_AFTER = /^\s*(?:左右|上下|多|来|出头|or so|ish|-ish|or thereabouts)/
const UNDER =
  /(?:不到|低于|少于|不足|不超过|小于|以内|最多|至多|under|below|less than|cheaper than|lower than|fewer than|at most|up to|no more than|not more than|max(?:imum)? of)\s*[¥$€£]?\s*$/
const UNDER_AFTER = /^\s*(?:以下|以内|不到|at most|tops\b|or less|or under|or fewer|max)/
const OVER =
  /(?:超过|多于|高于|大于|不少于|不低于|至少|起码|over|above|more than|at least|no less than|upwards? of|from|starting at|starts? at|start from|starting from)\s*[¥$€£]?\s*$/
const OVER_AFTER = /^\s*(?:以上|起(?!订)|起步|往上|\+(?!\s*[¥$€£]?\d)|or more|and up|or above|plus(?=\s*(?:$|[,.])))/

/** All statements of a folded text told on `today`, in answer to a question for `asked`. Dates are read before numbers, and their digits are no amounts. */
export function findStatements(text: string, language: "zh" | "en", today: Day, asked: Asked = null): Statement[] {
  const found: Statement[] = []
  let masked = text
  for (const { start, end, spans, wide, relative } of findDates(text, today)) {
    found.push({ start, end, value: { kind: "date", spans, wide }, bound: "exact", word: "", relative, bare: false })
    masked = masked.slice(0, start) + " ".repeat(end - start).replace(/^ /, "\u0001") + masked.slice(end)
  }
  for (const amount of findAmounts(masked, language)) {
    const statement = ofAmount(masked, amount, asked)
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
    /(?<![不没非无])包邮|(?<![不没])免运费|免邮|free (?:shipping|delivery)|ships? (?:for )?free|no (?:shipping|delivery) (?:fee|charge)/g,
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

function ofAmount(text: string, amount: Amount, asked: Asked): Statement | undefined {
  const before = text.slice(Math.max(0, amount.start - 48), amount.start)
  const after = text.slice(amount.end, amount.end + 48).split("\n", 1)[0]! // another line says nothing of it
  const common = {
    start: amount.start,
    end: amount.end,
    word: amount.word,
    relative: false,
    bare: amount.bare,
    bound: boundOf(before, after, amount),
  }
  if (isNoFigure(text, amount)) return undefined
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
    case "bare": {
      const meaning =
        amount.type === "count"
          ? countMeaning(amount, before, after, asked)
          : bareMeaning(text, amount, before, after, asked)
      return meaning === undefined ? undefined : { ...common, ...meaning }
    }
  }
}

function boundOf(before: string, after: string, amount: Amount): Statement["bound"] {
  if (UNDER.test(before) || UNDER_AFTER.test(after)) return "under"
  if (/\bfrom\s*[¥$€£]?\s*$/.test(before) && /^ (?:down |up )?to [¥$€£]?\d/.test(after)) return "exact" // from $844 to $628
  if (OVER.test(before) || OVER_AFTER.test(after)) return "over"
  if (ABOUT_BEFORE.test(before) || ABOUT_AFTER.test(after) || (amount.vague && amount.low === null)) return "about"
  return "exact"
}
