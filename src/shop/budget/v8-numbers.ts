/**
 * Numbers as the reference parser sees them: Arabic ones (`1299`, `2.5`) and runs of Chinese numerals, each with an optional
 * scale letter behind. One pass finds them all, so that no rule has to scan digits twice.
 */
export interface V8Number {
  readonly start: number
  /** Behind the digits. */
  readonly end: number
  /** Behind the scale, or `end` where there is none. */
  readonly scaleEnd: number
  /** With the scale; 0 when the numerals do not read as a number. */
  readonly value: number
  /** A run of Chinese numerals holding 千 or 万. */
  readonly large: boolean
}

const DIGIT_OF: Readonly<Record<string, number>> = {
  零: 0,
  〇: 0,
  一: 1,
  二: 2,
  两: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
}
const UNIT_OF: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1000, 万: 10_000, 亿: 100_000_000 }
const SCALE_OF: Readonly<Record<string, number>> = { 万: 10_000, 千: 1000, k: 1000, K: 1000 }

/** Whether the code unit is an Arabic digit, half or full width. */
export function isDigit(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 0xff10 && code <= 0xff19)
}

const CHINESE_NUMERALS = new Set(
  [...Object.keys(DIGIT_OF), ...Object.keys(UNIT_OF)].map((numeral) => numeral.charCodeAt(0)),
)

/** Index behind white space at `at`. */
export function skipSpace(text: string, at: number): number {
  let index = at
  while (isSpace(text.charCodeAt(index))) index++
  return index
}

function isSpace(code: number): boolean {
  if ((code > 32 && code < 127) || (code > 0x3000 && code < 0xf000)) return false
  return code === 32 || (code >= 9 && code <= 13) || (code > 127 && /\s/.test(String.fromCharCode(code)))
}

/** All numbers of `text` in order. `1.2.3` gives 1.2, 2.3 and 3: a rule may begin at any group of digits. */
export function findNumbers(text: string): V8Number[] {
  const numbers: V8Number[] = []
  let index = 0
  while (index < text.length) {
    const start = index
    if (isDigit(text.charCodeAt(index))) {
      index = digitsEnd(text, index)
      let end = index
      if (text[index] === "." && isDigit(text.charCodeAt(index + 1))) end = digitsEnd(text, index + 1)
      numbers.push(scaled(text, start, end, readDigits(text.slice(start, end)), false))
    } else if (CHINESE_NUMERALS.has(text.charCodeAt(index))) {
      while (CHINESE_NUMERALS.has(text.charCodeAt(index))) index++
      const run = text.slice(start, index)
      numbers.push(scaled(text, start, index, readChineseNumeral(run), run.includes("千") || run.includes("万")))
    } else index++
  }
  return numbers
}

/** The value of Arabic digits of either width. Very long runs are infinite. */
export function readDigits(digits: string): number {
  const value = Number(digits)
  return Number.isNaN(value) ? Number(digits.normalize("NFKC")) : value
}

function digitsEnd(text: string, at: number): number {
  let index = at
  while (isDigit(text.charCodeAt(index))) index++
  return index
}

/** The number of `numbers` (in order) that starts at `at`. */
export function numberStartingAt(numbers: readonly V8Number[], at: number): V8Number | undefined {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (numbers[middle]!.start < at) low = middle + 1
    else high = middle
  }
  return numbers[low]?.start === at ? numbers[low] : undefined
}

function scaled(text: string, start: number, end: number, value: number, large: boolean): V8Number {
  const at = skipSpace(text, end)
  const scale = SCALE_OF[text[at] ?? ""]
  if (scale === undefined) return { start, end, scaleEnd: end, value, large }
  return { start, end, scaleEnd: at + 1, value: value * scale, large }
}

/** A run of Chinese numerals by the reference's rules: digits alone are positional, `一千八` is 1800, the rest is by sections. */
function readChineseNumeral(run: string): number {
  let positional = 0
  let digits = 0
  for (const character of run) {
    const digit = DIGIT_OF[character]
    if (digit === undefined) break
    positional = positional * 10 + digit
    digits++
  }
  if (digits === run.length) return positional
  if (digits > 0 && run.length === digits + 2) {
    const unit = UNIT_OF[run[digits]!]!
    const last = DIGIT_OF[run[digits + 1]!]
    if (last !== undefined && unit <= 10_000) return positional * unit + (last * unit) / 10
  }
  return readSections(run)
}

function readSections(run: string): number {
  let total = 0
  let section = 0
  let digit = 0
  for (const character of run) {
    const unit = UNIT_OF[character]
    if (unit === undefined) digit = DIGIT_OF[character]!
    else if (unit < 10_000) {
      section += (digit || 1) * unit
      digit = 0
    } else {
      total += (section + digit || 1) * unit
      section = 0
      digit = 0
    }
  }
  return total + section + digit
}
