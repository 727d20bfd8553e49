/*
 * Numbers that are written as words: thirty dollars, the sixth of March, 三百三十九块, 五号.
 */

const UNITS_EN =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  )
const TENS_EN = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ")
const ORDINALS_EN =
  "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split(
    " ",
  )
const DIGITS_ZH: Readonly<Record<string, number>> = {
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
const SCALES_ZH: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1000, 万: 10_000 }

const SMALL = [...UNITS_EN, ...TENS_EN].join("|")
/** A number in English words, without a group. */
export const ENGLISH_NUMBER = `(?:(?:a|${SMALL})(?:[ -](?:${SMALL}|hundred|thousand|and))*[ -])?(?:${SMALL}|hundred|thousand)`
/** An ordinal in English words, up to thirty-first, without a group. */
export const ENGLISH_ORDINAL = `(?:(?:twenty|thirty)[ -])?(?:${ORDINALS_EN.join("|")}|thirtieth)`
/** A number in Chinese characters, without a group. */
export const CHINESE_NUMBER = "[零〇一二两三四五六七八九十百千万]+"

/** Numbers in words that hardly come by chance. */
export const SPELLED = new RegExp(
  `\\b${ENGLISH_NUMBER}\\b|(?:[一二两三四五六七八九]?[十百千][零一二两三四五六七八九十百]*|[二两三四五六七八九]十)(?![个几来多])`,
  "gi",
)

/** The value of a number in English words; undefined: it is none. */
export function englishNumber(text: string): number | undefined {
  let total = 0
  let part = 0
  let cents: number | undefined // seventy-one forty-nine is 71.49
  for (const word of text.toLowerCase().split(/[ -]+/)) {
    if (word === "and" || word === "a") continue
    if (UNITS_EN.includes(word)) {
      const value = UNITS_EN.indexOf(word)
      if (value >= 10 && part % 100 >= 10) cents = value
      else if (cents !== undefined) cents += value
      else part += value
    } else if (TENS_EN.includes(word)) {
      const tens = 20 + 10 * TENS_EN.indexOf(word)
      if (part % 100 >= 10) cents = tens
      else part = part > 0 && part < 10 ? part * 100 + tens : part + tens // two fifty is 250
    } else if (word === "hundred") part = (part || 1) * 100
    else if (word === "thousand") {
      total += (part || 1) * 1000
      part = 0
    } else return undefined
  }
  return total + part + (cents ?? 0) / 100
}

/** The value of an ordinal in English words, from 1; undefined: it is none. */
export function englishOrdinal(text: string): number | undefined {
  const words = text.toLowerCase().split(/[ -]+/)
  const last = words.at(-1) ?? ""
  const tens = words.length > 1 ? (words[0] === "twenty" ? 20 : 30) : 0
  if (last === "thirtieth") return 30
  const at = ORDINALS_EN.indexOf(last)
  return at < 0 ? undefined : tens + at + 1
}

/** The value of a number in Chinese characters; digits in a row are read one by one. */
export function chineseNumber(text: string): number | undefined {
  if (/^[零〇一二两三四五六七八九]{2,}$/.test(text)) return Number([...text].map((char) => DIGITS_ZH[char]).join(""))
  let total = 0
  let digit: number | undefined
  let scale = 1
  for (const char of text) {
    const value = DIGITS_ZH[char]
    if (value !== undefined) {
      digit = value
      continue
    }
    scale = SCALES_ZH[char] ?? 1
    if (scale === 10_000) total = (total + (digit ?? (total === 0 ? 1 : 0))) * scale
    else total += (digit ?? 1) * scale
    digit = undefined
  }
  // 三百五 is 350: a last digit after a hundred or more counts its tenth
  if (digit !== undefined) total += scale >= 100 && !/[零〇]/.test(text) ? digit * (scale / 10) : digit
  return total
}

/** The same length of time or weight, told in the next smaller unit: two years are 24 months. */
export function sameQuantity(value: string): string[] {
  const [count = "", unit = ""] = value.split(" ")
  const smaller: Readonly<Record<string, number>> = { year: 12, 年: 12, week: 7, 周: 7, kg: 1000, l: 1000, lb: 16 }
  return smaller[unit] === undefined ? [] : [String(Number(count) * smaller[unit])]
}

/** Every number of a text, whatever of: in digits or in words. */
export function numbersOf(text: string): string[] {
  const spelled = [...text.matchAll(new RegExp(`\\b(?:${ENGLISH_NUMBER}|both)\\b`, "gi"))]
  return [
    ...[...text.matchAll(/(?<![\w.])\d[\d,]*(?:\.\d+)?/g)].map(([value]) => String(Number(value.replace(/,/g, "")))),
    ...spelled.map(([word]) => String(word.toLowerCase() === "both" ? 2 : englishNumber(word))),
    ...[...text.matchAll(new RegExp(CHINESE_NUMBER, "g"))].map(([word]) => String(chineseNumber(word))),
    ...[...text].flatMap((char) => ("一二两三四五六七八九十".includes(char) ? String(chineseNumber(char)) : [])),
  ]
}
