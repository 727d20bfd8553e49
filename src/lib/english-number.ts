import { rounded, type SpokenNumber } from "./spoken-number.ts"

const ONES = [
  ..."zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split(" "),
  ..."seventeen eighteen nineteen".split(" "),
]
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ")
const SMALL: ReadonlyMap<string, number> = new Map([
  ...ONES.map((word, index) => [word, index] as const),
  ...TENS.map((word, index) => [word, (index + 2) * 10] as const),
  ["fourty", 40],
])
const SIZES: ReadonlyMap<string, number> = new Map([
  ["hundred", 100],
  ["hundreds", 100],
  ["thousand", 1000],
  ["thousands", 1000],
  ["grand", 1000],
  ["k", 1000],
  ["million", 1e6],
])
const WORD = /[a-z]+/y

/**
 * Reads the number in words at `at`, a word's start, of a folded text: `two hundred and fifty`, `a grand`, `twelve hundred`, `one fifty`,
 * `a couple hundred`, `a few bucks`, `fifty-something`; or, behind `digits`, the multiplier of `2 grand`.
 */
export function readEnglishNumber(text: string, at: number, digits?: number): SpokenNumber | undefined {
  const opening = digits === undefined ? openingAt(text, at) : { section: digits, end: at, more: false, few: false }
  let { end, more } = opening
  let section: number | null = opening.section
  let total = 0
  let unit = 1
  let money = false
  let words = opening.section === null || digits !== undefined ? 0 : 1
  for (let next = wordAt(text, end); next !== undefined; next = wordAt(text, end)) {
    const size = SIZES.get(next.word)
    if (next.word === "and" && unit > 1 && isTail(text, next.end)) {
      end = next.end
      continue
    }
    if (size !== undefined && section !== null && size !== unit) {
      if (size === 100) section = rounded(section * 100)
      else {
        total += section * size
        section = null
      }
      unit = size
      money ||= next.word === "grand"
    } else if (SMALL.has(next.word) && (digits === undefined || unit > 1)) {
      const sum = added(section, SMALL.get(next.word)!, words)
      if (sum === undefined) break
      section = sum
    } else if (next.isJoined && words > 0 && (next.word === "something" || next.word === "odd")) {
      if (next.word === "something" && section !== null && section % 10 === 0) section += 9
      else more = true
    } else break
    words++
    end = next.end
  }
  if (words === 0) return undefined
  const value = opening.few && unit > 1 ? 10 * unit - 1 : total + (section ?? 0)
  return {
    end,
    value: rounded(value),
    vague: opening.few,
    more,
    unit,
    bare: words === 1 && unit === 1 && value < 20,
    unitOnly: opening.section === 1 && opening.end === at && words === 2, // hundred bucks
    arabic: digits !== undefined,
    money,
  }
}

interface Word {
  readonly word: string
  readonly end: number
  /** Joined by a hyphen to what stands before. */
  readonly isJoined: boolean
}

/** The word at `at`, behind at most one blank or hyphen. */
function wordAt(text: string, at: number): Word | undefined {
  const separator = text[at]
  WORD.lastIndex = separator === " " || separator === "-" ? at + 1 : at
  const match = WORD.exec(text)
  return match === null ? undefined : { word: match[0], end: WORD.lastIndex, isJoined: separator === "-" }
}

/** Whether a number word follows that ends the number: two hundred and fifty, not two hundred and three hundred. */
function isTail(text: string, at: number): boolean {
  const word = wordAt(text, at)
  return word !== undefined && SMALL.has(word.word) && !SIZES.has(wordAt(text, word.end)?.word ?? "")
}

interface Opening {
  /** What is counted before the first size or number word; null where the number has no such opening. */
  readonly section: number | null
  readonly end: number
  readonly more: boolean
  readonly few: boolean
}

/** `a` hundred, half a grand, a couple of, a few: the words that open a number without being one. */
function openingAt(text: string, at: number): Opening {
  const none = { section: null, end: at, more: false, few: false }
  let word = wordAt(text, at)
  if (word?.word === "a" || word?.word === "an") {
    const noun = wordAt(text, word.end)
    const isCounted = noun !== undefined && (SIZES.has(noun.word) || noun.word === "dollar" || noun.word === "buck")
    if (isCounted) return { ...none, section: 1, end: word.end }
    if (noun?.word !== "couple" && noun?.word !== "few") return none
    word = noun
  }
  if (word?.word === "hundred" || word?.word === "thousand") return { ...none, section: 1 }
  if (word?.word === "half") {
    const article = wordAt(text, word.end)
    const end = article?.word === "a" ? article.end : word.end
    return SIZES.has(wordAt(text, end)?.word ?? "") ? { ...none, section: 0.5, end } : none
  }
  if (word?.word === "couple" || word?.word === "few" || word?.word === "several") {
    const of = wordAt(text, word.end)
    const end = of?.word === "of" ? of.end : word.end
    return { section: word.word === "couple" ? 2 : 9, end, more: word.word === "couple", few: word.word !== "couple" }
  }
  return none
}

/** `small` added to what was said before it: twenty-five, two hundred five, one fifty (150). Undefined where it does not fit. */
function added(section: number | null, small: number, words: number): number | undefined {
  if (section === null) return small
  if (section >= 100 && section % 100 === 0) return section + small
  if (section >= 20 && section % 10 === 0 && section % 100 !== 0 && small < 10) return section + small
  if (words === 1 && section > 0 && section < 10 && small >= 10) return section * 100 + small
  return undefined
}
