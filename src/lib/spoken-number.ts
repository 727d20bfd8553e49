/** A number in digits or words, read for what a person means by it. */
export interface SpokenNumber {
  readonly end: number
  /** The greatest value meant: 几十 is 99, 十几 is 19, 两三百 is 300. */
  readonly value: number
  /** 两三百, 几十: a range of which `value` is the end. */
  readonly vague: boolean
  /** 多, 来, 余, `-odd`: somewhat more than said. */
  readonly more: boolean
  /** The multiplier spoken last (千 of 3千, `k`, hundred), 1 without: what `3到5千` lends to its 3. */
  readonly unit: number
  /** One word for a single digit (一, two), which often is not meant as a number. */
  readonly bare: boolean
  /** A unit without a count: the 千 of 千元以内. */
  readonly unitOnly: boolean
  readonly arabic: boolean
  /** `grand`: money without a currency. */
  readonly money: boolean
}

type Part =
  | { readonly type: "digits"; readonly value: number; readonly short: boolean; readonly pair: boolean }
  | { readonly type: "unit"; readonly size: number }
  | { readonly type: "zero" } // the 零 of 一百零五
  | { readonly type: "few" } // 几, 数

const DIGITS: ReadonlyMap<string, number> = new Map(
  [..."零一二三四五六七八九〇两"].map((digit, index) => [digit, [0, 2][index - 10] ?? index]),
)
const UNITS: ReadonlyMap<string, number> = new Map([
  ["十", 10],
  ["百", 100],
  ["千", 1000],
  ["万", 1e4],
  ["亿", 1e8],
])
const LETTERS: ReadonlyMap<string, number> = new Map([
  ["k", 1000],
  ["w", 1e4],
])
const GROUPED = /\d{1,3}(?:,\d{3}){1,6}(?!\d|,\d)(?:\.\d+)?/y
/** What may follow 来 or 把 in their sense of "about". */
const AFTER_MORE = new Set(" 块元圆毛角的以左上之内,，。.！!？?万个")

/** Whether a number in digits or Chinese numerals may start with `character`. */
export function startsNumber(character: string): boolean {
  return (
    isArabic(character) || DIGITS.has(character) || UNITS.has(character) || character === "几" || character === "数"
  )
}

/**
 * Reads the number that starts at `at` of a folded text: `1,299`, `2.5k`, `1万2`, `4千4百`, `一千八`, `二〇〇`, `三十几`, `两三百`, `100多`,
 * `千把`. Undefined where none starts. `w` is ten thousand in Chinese only.
 */
export function readNumber(text: string, at: number, language: "zh" | "en"): SpokenNumber | undefined {
  return plainDigits(text, at) ?? spokenNumber(text, at, language)
}

/** Digits with nothing behind them that could belong to the number: most numbers, read at once. */
function plainDigits(text: string, at: number): SpokenNumber | undefined {
  if (!isArabic(text[at])) return undefined
  const { value, end } = arabicAt(text, at)
  const next = text[end]
  if (next !== undefined && next !== "," && next !== "，" && next !== "元" && next !== "-") return undefined
  return {
    end,
    value,
    unit: 1,
    vague: false,
    more: false,
    bare: false,
    unitOnly: false,
    arabic: true,
    money: false,
  }
}

function spokenNumber(text: string, at: number, language: "zh" | "en"): SpokenNumber | undefined {
  const { parts, end } = scanParts(text, at, language)
  if (parts.length === 0) return undefined
  const { value, unit } = evaluate(parts)
  const arabic = parts[0]!.type === "digits" && isArabic(text[at] === "." ? text[at + 1] : text[at])
  const number = {
    end,
    value,
    unit,
    vague: parts.some((part) => part.type === "few" || (part.type === "digits" && part.pair)),
    more: false,
    bare: !arabic && unit === 1 && end - at === 1,
    unitOnly: parts.every(({ type }) => type === "unit"),
    arabic,
    money: false,
  }
  return withSuffix(text, number)
}

function scanParts(text: string, at: number, language: "zh" | "en"): { parts: Part[]; end: number } {
  const parts: Part[] = []
  let index = at
  for (;;) {
    const last = parts.at(-1)
    const next = last?.type === "digits" || last?.type === "few" ? undefined : digitsAt(text, index, parts)
    if (next !== undefined) {
      parts.push(...next.parts)
      index = next.end
      continue
    }
    const unit = unitAt(text, index, last, language)
    if (unit === undefined || !fits(unit.size, parts)) return { parts, end: index }
    parts.push({ type: "unit", size: unit.size })
    index = unit.end
  }
}

function digitsAt(text: string, at: number, parts: readonly Part[]): { parts: Part[]; end: number } | undefined {
  const character = text[at] ?? ""
  const unit = lastUnit(parts)
  if (isArabic(character) || (character === "." && parts.length === 0 && isArabic(text[at + 1]))) {
    const { value, end } = arabicAt(text, at)
    const short = end - at === 1
    // `1万2000` is one number, `2k240hz` and `3千5000` are not.
    if (unit > 1 && (value >= unit || (!short && LETTERS.has(text[at - 1]!)))) return undefined
    return { parts: [{ type: "digits", value, short, pair: false }], end }
  }
  if (character === "几" || (character === "数" && UNITS.has(text[at + 1] ?? ""))) {
    return parts.length > 0 && unit === 1 ? undefined : { parts: [{ type: "few" }], end: at + 1 }
  }
  if (!DIGITS.has(character)) return undefined
  let end = at
  while (DIGITS.has(text[end] ?? "")) end++
  const digits = Array.from(text.slice(at, end), (digit) => DIGITS.get(digit)!)
  const zero = unit > 1 && digits[0] === 0
  if (zero) digits.shift()
  const read: Part[] = zero ? [{ type: "zero" }] : []
  if (digits.length > 0) read.push({ type: "digits", ...wordDigits(digits) })
  return { parts: read, end }
}

/** 二〇〇 is positional; two rising digits (两三, 五六) name a range, of which the upper end counts. */
function wordDigits(digits: readonly number[]): { value: number; short: boolean; pair: boolean } {
  const [first, second] = digits
  if (digits.length === 2 && first! > 0 && first! < second!) return { value: second!, short: true, pair: true }
  const value = digits.reduce((sum, digit) => sum * 10 + digit, 0)
  return { value, short: digits.length === 1, pair: false }
}

function unitAt(
  text: string,
  at: number,
  last: Part | undefined,
  language: "zh" | "en",
): { size: number; end: number } | undefined {
  const place = text[at] === " " && last?.type === "digits" ? at + 1 : at
  const character = text[place] ?? ""
  const unit = UNITS.get(character)
  if (unit !== undefined) return { size: unit, end: place + 1 }
  const letter = LETTERS.get(character)
  if (letter === undefined || last?.type !== "digits" || /[a-z]/.test(text[place + 1] ?? "")) return undefined
  return language === "en" && letter > 1000 ? undefined : { size: letter, end: place + 1 }
}

/** Units descend (一千二百) but for 万 and 亿, which multiply all before them (二十万). */
function fits(size: number, parts: readonly Part[]): boolean {
  const last = parts.at(-1)
  const unit = lastUnit(parts)
  if (size >= 1e4) return last?.type !== "unit" || last.size !== size
  return unit === 1 || (last?.type !== "unit" && (unit >= 1e4 || size < unit))
}

function lastUnit(parts: readonly Part[]): number {
  for (let index = parts.length - 1; index >= 0 && index >= parts.length - 3; index--) {
    const part = parts[index]!
    if (part.type === "unit") return part.size
  }
  return 1
}

function evaluate(parts: readonly Part[]): { value: number; unit: number } {
  let total = 0
  let section = 0
  let current: number | null = null
  let unit = 1
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index]!
    const next = parts[index + 1]
    if (part.type === "digits") {
      const isShorthand = next === undefined && part.short && unit > 10 && parts[index - 1]?.type === "unit" // 一千八
      current = isShorthand ? (part.value * unit) / 10 : part.value
    } else if (part.type === "few") {
      if (next?.type === "unit") current = (10 * next.size - 1) / next.size
      else current = unit === 1 ? 9 : unit - 1
    } else if (part.type === "unit") {
      unit = part.size
      if (unit < 1e4) section += (current ?? 1) * unit
      else {
        total = (total + (section + (current ?? 0) || 1)) * unit
        section = 0
      }
      current = null
    }
  }
  return { value: rounded(total + section + (current ?? 0)), unit }
}

/** 两个k, 100多, 二十来, 千把, 十多万, 20几. */
function withSuffix(text: string, number: SpokenNumber): SpokenNumber {
  const { end, value, unit } = number
  const suffix = text[end]
  const follows = AFTER_MORE.has(text[end + 1] ?? " ")
  if (suffix === "个" && unit === 1 && LETTERS.has(text[end + 1] ?? "") && !/[a-z]/.test(text[end + 2] ?? "")) {
    const size = LETTERS.get(text[end + 1]!)!
    return { ...number, end: end + 2, value: value * size, unit: size, bare: false }
  }
  if (suffix === "几" && number.arabic && value > 0 && value % 10 === 0 && Number.isFinite(value)) {
    let power = 10
    while (value % (power * 10) === 0) power *= 10
    return { ...number, end: end + 1, value: value + power - 1, vague: true }
  }
  if (suffix === "多" || suffix === "余" || (follows && (suffix === "来" || (suffix === "把" && unit >= 100)))) {
    const size = UNITS.get(text[end + 1] ?? "") ?? 1
    if (size < 1e4) return { ...number, end: end + 1, more: true }
    return { ...number, end: end + 2, value: value * size, unit: size, more: true }
  }
  return number
}

/** Without the noise of decimal fractions (9.2 × 1000). */
export function rounded(value: number): number {
  return Number.isInteger(value) ? value : Math.round(value * 1e4) / 1e4
}

function isArabic(character: string | undefined): boolean {
  return character !== undefined && character >= "0" && character <= "9"
}

/** The digits at `at`: grouped by commas (1,299), plain, or with decimals. */
function arabicAt(text: string, at: number): { value: number; end: number } {
  let end = digitsEnd(text, at)
  if (text[end] === "," && end - at <= 3) {
    GROUPED.lastIndex = at
    const match = GROUPED.exec(text)
    if (match !== null) return { value: Number(match[0].replaceAll(",", "")), end: GROUPED.lastIndex }
  }
  if (text[end] === "." && isArabic(text[end + 1])) end = digitsEnd(text, end + 1)
  return { value: Number(text.slice(at, end)), end }
}

function digitsEnd(text: string, at: number): number {
  let end = at
  while (isArabic(text[end])) end++
  return end
}
