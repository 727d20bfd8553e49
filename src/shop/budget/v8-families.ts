import { findNumbers, isDigit, numberStartingAt, readDigits, skipSpace, type V8Number } from "./v8-numbers.ts"

const PRICE_WORDS = /预算|价格|价钱|价位|售价|单价|花费|费用|总价/g
const CURRENCIES = ["块钱", "元", "块"]
const RANGE_SIGNS = ["-", "~", "～", "—", "至", "到", "和"]
const RANGE_CLOSINGS = ["之间", "以内", "以下", "之内"]
const CEILING_PHRASE =
  /不得超过|不能超过|不要超过|不能高于|不要高于|不超过|不高于|不高过|别超过|别超|不超|低于|小于|不到|最高[为是]?|上限[为是]?|只能给到/g
const FLOOR_PHRASE = /(?:不低于|至少|(?<!不要|不能|不|别)(?:超过|高于))\s*$/
const AROUND = ["左右", "上下", "大约"]
const STANDALONE_QUALIFIERS = [
  ...["以内", "以下", "之内", "左右", "上下", "大约", "内", "出头", "都不到", "拿下", "能拿下", "帮我搞定", "能搞定"],
  ...["搞定", "能买", "来买", "应该够", "基本能买到", "这个价", "的价格", "的价位", "价位", "的预算", "预算"],
]
/** The first characters of currencies, range signs and qualifiers. */
const FOLLOWERS = new Set("元块多左上大以内-~～—至到和")
const FILLER_LIMIT = 12
const LONGEST_FLOOR_PHRASE = 3

/** What a rule makes of a text: an amount, a floor, or (null) nothing. Positions are in the text without commas. */
export interface Match {
  readonly start: number
  readonly end: number
  readonly upper: number | null
  readonly lower?: number
  readonly approximate?: boolean
  readonly floor?: boolean
}

/** A price word and the first number behind it. */
interface Price {
  readonly start: number
  readonly end: number
  readonly number: V8Number
}

/** The text without commas, its numbers, and those of its price words that have a number near enough to matter to any rule. */
export interface Scan {
  readonly text: string
  readonly numbers: readonly V8Number[]
  /** The numbers followed by something that a rule could want; the only ones that rules without a price word look at. */
  readonly qualified: readonly V8Number[]
  readonly prices: readonly Price[]
}

/** Looks `text`, which has no commas, over once for all families. */
export function scanText(text: string): Scan {
  const numbers = findNumbers(text)
  const qualified = numbers.filter(({ scaleEnd }) => FOLLOWERS.has(text[skipSpace(text, scaleEnd)] ?? ""))
  return { text, numbers, qualified, prices: findPrices(text, numbers) }
}

function findPrices(text: string, numbers: readonly V8Number[]): Price[] {
  const prices: Price[] = []
  let next = 0
  for (const { index: start, 0: word } of text.matchAll(PRICE_WORDS)) {
    const end = start + word.length
    while (next < numbers.length && numbers[next]!.start < end) next++
    const number = numbers[next]
    if (number === undefined) break
    if (number.start - end <= FILLER_LIMIT + LONGEST_FLOOR_PHRASE) prices.push({ start, end, number })
  }
  return prices
}

type Family = (scan: Scan) => Match | undefined

/** The families of phrases in the order they are tried. */
export const FAMILIES: readonly Family[] = [
  tenThousandShorthand,
  rangeWithClosing,
  rangeWithCurrency,
  ceiling,
  floor,
  prefixed,
  approximateBefore,
  approximateBetween,
  amountAndMore,
  largeApproximate,
  largeChinese,
  affordable(["以内", "以下", "内"], false),
  affordable(["左右", "上下"], true),
  prepared,
  standalone,
  vagueTeens,
  singleDigit,
]

/** `预算1万2以内`: the second number counts thousands, whatever its length. */
function tenThousandShorthand({ text, prices }: Scan): Match | undefined {
  for (const price of prices) {
    let at = skipSpace(text, price.end)
    for (const words of [["金额"], ["控制"], ["在", "为", "是"]]) at = skipSpace(text, after(text, at, words) ?? at)
    const first = digitsAt(text, at)
    if (first === undefined || text[first.end] !== "万") continue
    const second = digitsAt(text, first.end + 1)
    if (second === undefined) continue
    const end = after(text, second.end, ["千"]) ?? second.end
    const around = after(text, skipSpace(text, end), ["左右", "上下"])
    const value = first.value * 10_000 + second.value * 1000
    return amount(price.start, around ?? end, value, around !== undefined)
  }
  return undefined
}

/** `价格在10-20之间`. A range that runs backwards is left to later families. */
function rangeWithClosing(scan: Scan): Match | undefined {
  for (const price of scan.prices) {
    const range = isNear(price) ? rangeFrom(scan, price.number) : undefined
    if (range === undefined) continue
    const closing = after(scan.text, skipSpace(scan.text, range.end), RANGE_CLOSINGS)
    if (closing !== undefined) return forwards({ ...range, start: price.start, end: closing })
  }
  return undefined
}

/** `53到110元`, with or without a price word. */
function rangeWithCurrency(scan: Scan): Match | undefined {
  for (const low of scan.qualified) {
    const range = rangeFrom(scan, low)
    if (range?.currency) return forwards(range)
  }
  return undefined
}

function rangeFrom(
  scan: Scan,
  low: V8Number,
): (Match & { lower: number; upper: number; currency: boolean }) | undefined {
  const { text, numbers } = scan
  const lowEnd = currencyAfter(text, low.scaleEnd) ?? low.scaleEnd
  const sign = after(text, skipSpace(text, lowEnd), RANGE_SIGNS)
  const high = sign === undefined ? undefined : numberStartingAt(numbers, skipSpace(text, sign))
  if (high === undefined) return undefined
  const currency = currencyAfter(text, high.scaleEnd)
  return {
    start: low.start,
    end: currency ?? high.scaleEnd,
    lower: low.value,
    upper: high.value,
    currency: currency !== undefined,
  }
}

function forwards(range: Match & { lower: number; upper: number }): Match | undefined {
  return range.lower > 0 && range.upper >= range.lower ? range : undefined
}

/** `不超过300元`: the currency is required. Finds the `低于` of `不低于` too. */
function ceiling({ text, numbers }: Scan): Match | undefined {
  for (const phrase of overlapping(text, CEILING_PHRASE)) {
    const number = numberStartingAt(numbers, skipSpace(text, phrase.end))
    const end = number && currencyAfter(text, number.scaleEnd)
    if (end !== undefined) return amount(phrase.start, end, number!.value, false)
  }
  return undefined
}

/** `价格要超过20元`, `预算4k+`: no ceiling, and nothing else is tried. */
function floor({ text, prices }: Scan): Match | undefined {
  for (const price of prices) {
    const { number } = price
    const before = text.slice(price.end, number.start)
    const phrase = FLOOR_PHRASE.exec(before)
    const plus = after(text, skipSpace(text, number.scaleEnd), ["+"])
    const isPlus = plus !== undefined && isNear(price)
    if (phrase === null && !isPlus) continue
    const lower = number.value > 0 ? { lower: number.value } : {}
    return { start: price.start, end: isPlus ? plus : number.scaleEnd, upper: null, floor: true, ...lower }
  }
  return undefined
}

/** A price word, up to twelve characters without a number, then a number: `预算要求：买2件` reads 2. */
function prefixed({ text, prices }: Scan): Match | undefined {
  for (const price of prices) {
    const { number } = price
    if (number.start - (after(text, price.end, ["金额"]) ?? price.end) > FILLER_LIMIT) continue
    const more = after(text, skipSpace(text, number.scaleEnd), ["来", "多"])
    const currency = currencyAfter(text, more ?? number.scaleEnd)
    const end = currency ?? more ?? number.scaleEnd
    const around = after(text, skipSpace(text, end), AROUND)
    return amount(price.start, around ?? end, number.value, around !== undefined || more !== undefined)
  }
  return undefined
}

function approximateBefore({ text, numbers }: Scan): Match | undefined {
  for (const word of text.matchAll(/差不多|大约|大概|约/g)) {
    const number = numberStartingAt(numbers, skipSpace(text, word.index + word[0].length))
    const end = number && currencyAfter(text, number.scaleEnd)
    if (end !== undefined) return amount(word.index, end, number!.value, true)
  }
  return undefined
}

function approximateBetween({ text, qualified }: Scan): Match | undefined {
  return firstMatch(qualified, (number) => {
    const around = after(text, skipSpace(text, number.scaleEnd), AROUND)
    const end = around === undefined ? undefined : currencyAfter(text, around)
    return end === undefined ? undefined : amount(number.start, end, number.value, true)
  })
}

function amountAndMore({ text, qualified }: Scan): Match | undefined {
  return firstMatch(qualified, (number) => {
    const more = after(text, skipSpace(text, number.scaleEnd), ["多"])
    const end = more === undefined ? undefined : currencyAfter(text, more)
    return end === undefined ? undefined : amount(number.start, end, number.value, true)
  })
}

function largeApproximate({ text, qualified }: Scan): Match | undefined {
  return firstMatch(qualified, (number) => {
    const around = after(text, skipSpace(text, number.scaleEnd), ["左右", "上下"])
    if (around === undefined || number.value < 100) return undefined
    const end = after(text, after(text, around, ["的"]) ?? around, ["预算", "价位", "价格"])
    return end === undefined ? undefined : amount(number.start, end, number.value, true)
  })
}

function largeChinese({ text, qualified }: Scan): Match | undefined {
  return firstMatch(qualified, (number) => {
    const end = after(text, skipSpace(text, number.end), ["左右", "上下"])
    return end !== undefined && number.large && number.value >= 1000
      ? amount(number.start, end, number.value, true)
      : undefined
  })
}

function affordable(qualifiers: readonly string[], approximate: boolean): Family {
  return ({ text, qualified }) =>
    firstMatch(qualified, (number) => {
      const qualified = after(text, skipSpace(text, number.scaleEnd), qualifiers)
      if (qualified === undefined) return undefined
      const end = after(text, after(text, qualified, ["能"]) ?? qualified, ["拿下", "搞定"])
      return end === undefined ? undefined : amount(number.start, end, number.value, approximate)
    })
}

function prepared({ text, numbers }: Scan): Match | undefined {
  for (const word of text.matchAll(/准备了?|给到/g)) {
    const number = numberStartingAt(numbers, skipSpace(text, word.index + word[0].length))
    const end = number && currencyAfter(text, number.scaleEnd)
    if (end !== undefined) return amount(word.index, end, number!.value, false)
  }
  return undefined
}

function standalone({ text, qualified }: Scan): Match | undefined {
  return firstMatch(qualified, (number) => {
    const currency = currencyAfter(text, number.scaleEnd)
    if (currency === undefined) return undefined
    const at = skipSpace(text, currency)
    const end = after(text, at, STANDALONE_QUALIFIERS)
    if (end === undefined) return undefined
    return amount(number.start, end, number.value, after(text, at, [...AROUND, "出头"]) !== undefined)
  })
}

/** `三十几块` is at most 39, `十几块` at most 19. */
function vagueTeens({ text }: Scan): Match | undefined {
  for (const { index } of text.matchAll(/十几/g)) {
    const end = currencyAfter(text, index + 2)
    if (end === undefined) continue
    const tens = "二三四五六七八九".indexOf(text[index - 1] ?? "?") + 2
    return tens < 2 ? amount(index, end, 19, false) : amount(index - 1, end, tens * 10 + 9, false)
  }
  return undefined
}

function singleDigit({ text }: Scan): Match | undefined {
  const start = text.indexOf("个位数价格")
  return start < 0 ? undefined : amount(start, start + 5, 9, false)
}

function amount(start: number, end: number, value: number, approximate: boolean): Match {
  return { start, end, upper: approximate ? value * 1.1 : value, approximate }
}

function firstMatch<T>(items: readonly T[], match: (item: T) => Match | undefined): Match | undefined {
  for (const item of items) {
    const found = match(item)
    if (found !== undefined) return found
  }
  return undefined
}

/** Index behind the first of `words` that stands at `at`. */
function after(text: string, at: number, words: readonly string[]): number | undefined {
  for (const word of words) if (text.startsWith(word, at)) return at + word.length
  return undefined
}

function currencyAfter(text: string, at: number): number | undefined {
  return after(text, skipSpace(text, at), CURRENCIES)
}

function isNear({ end, number }: Price): boolean {
  return number.start - end <= FILLER_LIMIT
}

function digitsAt(text: string, at: number): { value: number; end: number } | undefined {
  let end = at
  while (isDigit(text.charCodeAt(end))) end++
  return end === at ? undefined : { value: readDigits(text.slice(at, end)), end }
}

/** All places where `pattern` (global) matches, those inside an earlier match too. */
function* overlapping(text: string, pattern: RegExp): Generator<{ start: number; end: number }> {
  let from = 0
  for (;;) {
    pattern.lastIndex = from
    const match = pattern.exec(text)
    if (match === null) return
    yield { start: match.index, end: match.index + match[0].length }
    from = match.index + 1
  }
}
