import { readEnglishNumber } from "../../../lib/english-number.ts"
import { readNumber, rounded, type SpokenNumber, startsNumber } from "../../../lib/spoken-number.ts"
import { countWordAt, type Dimension, unitAt } from "./units.ts"

/** A number of a text, or a range of them, with what is counted. */
export interface Amount {
  readonly start: number
  readonly end: number
  /** What it may mean, the likely first: `two ninety-nine` is 299 or 2.99. One member where nothing is ambiguous. */
  readonly readings: readonly number[]
  /** The lower end of a range, whose upper end is the first reading. */
  readonly low: number | null
  readonly type: "money" | "measure" | "count" | "percent" | "bare"
  readonly currency: string | null
  /** Of a measure: what a reading times `factor` is in base units. */
  readonly dimension: Dimension | null
  readonly factor: number
  /** The unit or word of counting, as it is written. */
  readonly word: string
  /** 多, 几十: less exact than it looks. */
  readonly vague: boolean
  /** A single numeral in words, which often is no number: 一, one. */
  readonly bare: boolean
}

const PREFIXES: readonly (readonly [RegExp, string])[] = [
  [/(?:us|u\.s\.)\s?\$\s?$/, "USD"],
  [/hk\$\s?$/, "HKD"],
  [/\$\s?$/, "USD"],
  [/¥\s?$/, "CNY"],
  [/€\s?$/, "EUR"],
  [/£\s?$/, "GBP"],
  [/(?:^|[^a-z])(?:rmb|cny)\s?[:¥]?\s?$/, "CNY"],
  [/人民币\s?$/, "CNY"],
  [/(?:^|[^a-z])usd\s?\$?\s?$/, "USD"],
  [/(?:^|[^a-z])eur\s?$/, "EUR"],
  [/(?:^|[^a-z])gbp\s?$/, "GBP"],
]
const SUFFIX =
  /^(?:\s?(?:(元|块|圆|人民币|rmb|cny|yuan)(?:钱|整|人民币|rmb)?|(美元|美金|刀|dollars?|usd|bucks?|(?:us)?\$(?!\s?\d))|(欧元|euros?|eur|€)|(英镑|quid|gbp|£)|(角|毛)|(cents?|¢)|(港币|港元|hkd)))(?![a-z])/
const CURRENCIES = ["CNY", "USD", "EUR", "GBP", "CNY", "USD", "HKD"] as const

/** All amounts of a folded text, in order. What is part of a name (`K380`, `SKU-1002`) or of a long identifier is none. */
export function findAmounts(text: string, language: "zh" | "en"): Amount[] {
  const found: Amount[] = []
  let at = 0
  while (at < text.length) {
    const amount = amountAt(text, at, language)
    if (amount === undefined) {
      at = skip(text, at)
      continue
    }
    const high = rangeEnd(text, amount, language)
    if (high !== undefined) {
      found.push(joined(amount, high))
      at = high.end
    } else {
      found.push(amount)
      at = amount.end
    }
  }
  return found
}

/** A colour and a size that a figure is written right behind. */
const SIZED = /[红蓝绿黑白黄粉紫灰棕橙金银青色](?:x{0,3}[sml])$/

/** The next place where a number may start: behind a whole word or identifier. */
function skip(text: string, at: number): number {
  if (!/[a-z0-9_]/.test(text[at]!)) return at + 1
  if (text[at] === "x" && /\d/.test(text[at + 1] ?? "") && !/[a-z0-9]/.test(text[at - 1] ?? "")) return at + 1 // 马克杯x6
  let end = at + 1
  while (/[a-z0-9_]/.test(text[end] ?? "")) {
    if (/\d/.test(text[end]!) && SIZED.test(text.slice(0, end))) return end // 红M299
    end++
  }
  if (
    text[end] === "-" &&
    /[a-z]/.test(text[at]!) &&
    /\d/.test(text.slice(at, end + 8)) &&
    /[a-z0-9]/.test(text[end + 1] ?? "")
  ) {
    return identifierEnd(text, end + 1)
  }
  return end
}

function identifierEnd(text: string, at: number): number {
  let end = at
  while (/[a-z0-9_-]/.test(text[end] ?? "")) end++
  return end
}

const IDENTIFIER = /^[a-z]{0,6}\d{7,}/
const NOT_NUMBERS =
  /^(?:一个账|一个人|一个用户|一个id|一下|一般|一直|一定|一起|一样|一会|一些|一点|一旦|一律|一切|一共|一边|一经|一方|一致|一并|一折|万一|十分|千万|百分百|几乎|数据|数字|数码|数码|三方|二维|八折券|一手|第[一二三四五六七八九十])/

function amountAt(text: string, at: number, language: "zh" | "en"): Amount | undefined {
  const half = halfAt(text, at) ?? dozenAt(text, at)
  if (half !== undefined) return half
  const number = numberAt(text, at, language)
  if (number === undefined) return undefined
  return withUnit(text, at, number, language)
}

interface Read extends SpokenNumber {
  readonly readings: readonly number[]
}

function numberAt(text: string, at: number, language: "zh" | "en"): Read | undefined {
  const character = text[at]!
  const before = text[at - 1] ?? ""
  if (/[a-z]/.test(character)) {
    if (/[a-z0-9'_]/.test(before)) return undefined
    if (/^(?:a )?grand (?:total|opening|prize)/.test(text.slice(at, at + 16))) return undefined
    const number = readEnglishNumber(text, at)
    return number === undefined ? undefined : spoken(text, at, number)
  }
  const digit = /\d/.test(character)
  if (!startsNumber(character) && !(character === "." && /\d/.test(text[at + 1] ?? ""))) return undefined
  if (digit) {
    if (
      /[a-z_#]/.test(before) &&
      !SIZED.test(text.slice(0, at)) &&
      !/(?:rmb|cny|usd|eur|gbp|x)$/.test(text.slice(Math.max(0, at - 3), at))
    )
      return undefined
    if (before === "-" && /[a-z]/.test(text[at - 2] ?? "")) return undefined
    if (
      /^\d{3,4}[- ]\d{3,4}[- ]\d{3,4}/.test(text.slice(at, at + 16)) ||
      /^(?:24\/7|(?:19|20)\d\d年)/.test(text.slice(at, at + 6))
    )
      return undefined
    if (IDENTIFIER.test(text.slice(at, at + 24)) && !/[¥$€£]\s?$/.test(text.slice(0, at))) return undefined
    if (/^\d{1,2}:\d\d(?!\d)/.test(text.slice(at, at + 6))) return undefined
    if (
      before === ":" &&
      /(?<!\d)\d{1,2}:$/.test(text.slice(Math.max(0, at - 4), at)) &&
      /^\d\d(?!\d)/.test(text.slice(at, at + 3))
    )
      return undefined
  } else if (NOT_NUMBERS.test(text.slice(at, at + 4)) || before === "第") return undefined
  const number = readNumber(text, at, language)
  if (number === undefined) return undefined
  const scaled =
    number.arabic && number.unit === 1 ? (readEnglishNumber(text, number.end, number.value) ?? number) : number
  const readings = [rounded(scaled.value)]
  const shorthand = /^一?([一二两三四五六七八九])([百千万])([一二三四五六七八九])$/.exec(text.slice(at, scaled.end))
  if (shorthand !== null) {
    const plain = readNumber(`${text.slice(at, scaled.end - 1)}零${text[scaled.end - 1]}`, 0, "zh")
    if (plain !== undefined && plain.value !== scaled.value) readings.push(plain.value) // 两百五, taken to the letter
  }
  return { ...scaled, readings }
}

/** Prices are spoken in two halves: `two ninety-nine`, `forty-nine ninety-nine`, `nineteen ninety five`. */
function spoken(text: string, at: number, number: SpokenNumber): Read {
  const { value } = number
  if (number.unit === 1 && Number.isInteger(value)) {
    const next = readEnglishNumber(text, number.end + 1)
    const isPair =
      text[number.end] === " " && next !== undefined && next.unit === 1 && next.value >= 10 && next.value < 100
    if (value > 0 && value < 100 && isPair) {
      return { ...next, bare: false, readings: [rounded(value + next.value / 100), value * 100 + next.value] }
    }
    const cents = value % 100
    if (value > 100 && value < 1000 && cents >= 10 && !text.slice(at, number.end).includes("hundred")) {
      return { ...number, readings: [value, rounded(value / 100)] }
    }
  }
  return { ...number, readings: [rounded(value)] }
}

/** 半斤, half a kilo. */
function halfAt(text: string, at: number): Amount | undefined {
  const match = /^(?:半个?|half (?:an? )?)/.exec(text.slice(at, at + 8))
  if (match === null || /[a-z]/.test(text[at - 1] ?? "")) return undefined
  if (/[\d一二两三四五六七八九十百]$/.test(text.slice(0, at))) return undefined
  const unit = unitAt(text, at + match[0].length) ?? unitAt(text, at + 1)
  if (unit === undefined) return undefined
  return {
    ...PLAIN,
    start: at,
    end: unit.end,
    readings: [0.5],
    type: "measure",
    dimension: unit.unit.dimension,
    factor: unit.unit.factor,
    word: unit.word,
  }
}

const PLAIN = { low: null, currency: null, dimension: null, factor: 1, word: "", vague: false, bare: false } as const

function withUnit(text: string, at: number, number: Read, language: "zh" | "en"): Amount {
  const base: Amount = {
    ...PLAIN,
    start: at,
    end: number.end,
    readings: number.readings,
    type: "bare",
    ...(number.more && number.value >= 10
      ? { low: number.readings[0]!, readings: [number.readings[0]! + magnitude(number.readings[0]!)] } // 八十多 is 80 to 90
      : {}),
    vague: number.vague || number.more,
    bare: number.bare,
  }
  const before = text.slice(Math.max(0, at - 8), at)
  const prefix = PREFIXES.find(([pattern]) => pattern.test(before))
  const suffix = SUFFIX.exec(text.slice(number.end, number.end + 16))
  if (prefix !== undefined) {
    const sign = prefix[0].exec(before)![0]
    const end = suffix === null || /\$/.test(suffix[0]) ? number.end : number.end + suffix[0].length
    return { ...base, start: at - sign.trimStart().length, end, type: "money", currency: prefix[1] }
  }
  if (suffix !== null && !isPiece(text, number, suffix)) return money(text, base, suffix, language)
  if (number.money) return { ...base, type: "money", currency: null }
  const percent = /^\s?(?:%|percent|per cent|个百分点|折)/.exec(text.slice(number.end, number.end + 12))
  if (percent !== null) return withPercent(base, percent[0])
  return measured(text, base, number)
}

/** The greatest power of ten that divides a number: 10 of 320. */
function magnitude(value: number): number {
  let power = 1
  while (value >= 10 * power && value % (10 * power) === 0) power *= 10
  return power
}

/** 8折 is 20 % off. */
function withPercent(base: Amount, word: string): Amount {
  const end = base.end + word.length
  if (!word.includes("折")) return { ...base, end, type: "percent", word: "%" }
  const readings = base.readings.map((value) => rounded(100 - (value >= 10 ? value : value * 10)))
  return { ...base, end, readings, type: "percent", word: "折" }
}

/** 三块肥皂: 块 counts things where a noun follows, and no money. */
function isPiece(text: string, number: Read, suffix: RegExpExecArray): boolean {
  if (suffix[0] !== "块" || number.value >= 20) return false
  if (number.value === 1 && text[number.end + 1] === "儿") return true // 一块儿: together
  return /^(?:肥皂|香皂|蛋糕|布|毛巾|手表|电池|积木|玻璃|木板|地垫|巧克力|饼干|抹布|地毯|屏|砧板|豆腐)/.test(
    text.slice(number.end + 1),
  )
}

function money(text: string, base: Amount, suffix: RegExpExecArray, language: "zh" | "en"): Amount {
  const group = suffix.slice(1).findIndex((part) => part !== undefined)
  const currency = CURRENCIES[group]!
  let end = base.end + suffix[0].length
  const parts = group === 4 ? 10 : group === 5 ? 100 : 1 // 角 and 毛 are tenths, cents hundredths
  let readings = base.readings.map((value) => rounded(value / parts))
  const change = parts === 1 && base.readings.every(Number.isInteger) ? changeAt(text, end, language) : undefined
  if (change !== undefined) {
    readings = readings.map((value) => rounded(value + change.value))
    end = change.end
  }
  return { ...base, end, readings, type: "money", currency }
}

/** `a dozen`, `half a dozen`, 半打, `a couple of`, 俩, 仨. */
function dozenAt(text: string, at: number): Amount | undefined {
  const match = /^(?:(half(?: a|-a)?[ -]dozen|半打)|(a dozen|一打)|(a couple of|俩(?!人))|(仨|a trio))(?![a-z])/.exec(
    text.slice(at, at + 16),
  )
  if (match === null || /[a-z咱们您你我这那他她它]/.test(text[at - 1] ?? "")) return undefined
  const count = match[1] !== undefined ? 6 : match[2] !== undefined ? 12 : match[3] !== undefined ? 2 : 3
  return { ...PLAIN, start: at, end: at + match[0].length, readings: [count], type: "count", word: match[0] }
}

/** What follows the whole: the 5 of 9块5, 五毛, 5角8分, `and fifty cents`. */
function changeAt(text: string, at: number, language: "zh" | "en"): { value: number; end: number } | undefined {
  const english = /^,? (?:and )?/.exec(text.slice(at, at + 6))
  if (english !== null && language === "en") {
    const start = at + english[0].length
    const number = /\d/.test(text[start] ?? "") ? readNumber(text, start, "en") : readEnglishNumber(text, start)
    const cents = number === undefined ? null : /^ cents?/.exec(text.slice(number.end, number.end + 7))
    if (number !== undefined && cents !== null) return { value: number.value / 100, end: number.end + cents[0].length }
  }
  const match =
    /^([\d一二两三四五六七八九零]{1,2})(?:([角毛])(?:([\d一二三四五六七八九])分?)?)?(?![\d.件个双条只支盒箱袋瓶天月号日一二三四五六七八九十百元块]|包[^邮])/.exec(
      text.slice(at, at + 8).replace(/(?<=[\d一二两三四五六七八九])一(?=[个件双把台只条盒瓶张盏包套本])/, "/"),
    )
  if (match === null) return undefined
  const number = readNumber(match[1]!, 0, "zh")
  if (number === undefined || number.end !== match[1]!.length) return undefined
  if (
    countWordAt(text, at + match[1]!.length) !== undefined &&
    match[2] === undefined &&
    !text.startsWith("包邮", at + match[1]!.length)
  )
    return undefined // 448块一把
  const tenths = match[1]!.length === 2 && match[2] === undefined ? number.value / 100 : number.value / 10
  const hundredths = match[3] === undefined ? 0 : (readNumber(match[3], 0, "zh")?.value ?? 0) / 100
  return { value: tenths + hundredths, end: at + match[0].length }
}

function measured(text: string, base: Amount, number: Read): Amount {
  const gap =
    /^(?: (?:(?:more|extra|additional|further|full|whole|short) )?|-)/.exec(
      text.slice(number.end, number.end + 12),
    )?.[0].length ?? 0
  const place = number.end + gap
  const and = /^ and a half /.exec(text.slice(number.end, number.end + 12))
  const long = /^个(多|半)(?=星期|礼拜|月|小时|钟头)/.exec(text.slice(number.end, number.end + 5)) // 三个多星期
  const span = long === null ? undefined : unitAt(text, number.end + 2)
  if (long !== null && span !== undefined) {
    return {
      ...base,
      end: span.end,
      readings: base.readings.map((value) => value + (long[1] === "半" ? 0.5 : 0)),
      type: "measure",
      dimension: span.unit.dimension,
      factor: span.unit.factor,
      word: span.word,
      vague: long[1] === "多",
    }
  }
  const unit = unitAt(text, and === null ? place : number.end + and[0].length)
  if (unit !== undefined) {
    const half = text[unit.end] === "半" ? 1 : 0
    const more = half === 1 || and !== null ? 0.5 : 0
    return {
      ...base,
      end: unit.end + half,
      readings: base.readings.map((value) => value + more),
      type: "measure",
      dimension: unit.unit.dimension,
      factor: unit.unit.factor,
      word: unit.word,
    }
  }
  if (text.startsWith("打", place))
    return { ...base, end: place + 1, readings: base.readings.map((value) => value * 12), type: "count", word: "打" }
  const dozen = /^dozen/.exec(text.slice(place, place + 5))
  if (dozen !== null)
    return { ...base, end: place + 5, readings: base.readings.map((value) => value * 12), type: "count", word: "dozen" }
  const count = countWordAt(text, place)
  if (count !== undefined) return { ...base, end: count.end, type: "count", word: count.word }
  return base
}

const TO = /^[^\S\n]?(?:-|~|到|至|to|–|and|或|or|和)[^\S\n]?(?:[¥$€£]\s?)?/

/** The upper end of a range that `low` begins: 200-300元, 3到5天, between $200 and $300. */
function rangeEnd(text: string, low: Amount, language: "zh" | "en"): Amount | undefined {
  const link = TO.exec(text.slice(low.end, low.end + 8))
  if (link === null) return undefined
  const word = link[0].replace(/[¥$€£]/, "").trim()
  if (word === "and" && !/between(?: about)? (?:[¥$€£])?$/.test(text.slice(0, low.start + 1).replace(/[¥$€£]$/, "")))
    return undefined
  if (word === "和" || ((word === "或" || word === "or") && low.type !== "bare")) return undefined
  const start = low.end + link[0].length
  if (/[a-z]/.test(text[start] ?? "") && word !== "to" && word !== "and" && word !== "-" && word !== "or")
    return undefined
  const high = start < text.length ? amountAt(text, start, language) : undefined
  if (high === undefined || high.type === "percent") return undefined
  const fits = low.type === "bare" || low.type === high.type || (high.type === "bare" && low.type === "money")
  if (!fits || low.dimension !== (low.type === "bare" ? low.dimension : high.dimension)) return undefined
  return high.readings[0]! > low.readings[0]! ? high : undefined
}

function joined(low: Amount, high: Amount): Amount {
  const scale = low.type === "measure" ? low.factor / high.factor : 1
  const typed = high.type === "bare" ? low : high
  return {
    ...high,
    type: typed.type,
    currency: typed.currency ?? low.currency,
    start: low.start,
    low: low.readings[0]! * scale,
    bare: low.bare && high.bare,
  }
}
