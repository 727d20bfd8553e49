import type { SpokenNumber } from "./numbers.ts"

const ONES =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  )
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
 * `a couple hundred`, `a few bucks`, `fifty-something`; or, after `digits`, the multiplier in `2 grand`.
 */
export function readEnglishNumber(text: string, at: number, digits?: number): SpokenNumber | undefined {
  let words = 0
  let total = 0
  let section: number | null = digits ?? null
  let unit = 1
  let end = at
  let more = false
  let few = false
  let money = false
  let next: Word | undefined = wordAt(text, at)
  while (next !== undefined) {
    const { word } = next
    const size = SIZES.get(word)
    const small = SMALL.get(word)
    const previous: number | null = section
    if (size !== undefined && (section !== null || unit > 1)) {
      if (size === unit) break
      if (size === 100) section = (section ?? 1) * 100
      else {
        total += (section ?? 1) * size
        section = null
      }
      unit = size
      money ||= word === "grand"
    } else if (small !== undefined && (digits === undefined || unit > 1)) {
      const room = roomAfter(previous)
      if (room === 0) {
        // one fifty, two twenty
        if (previous === null || previous > 9 || small < 10 || words !== 1) break
        section = previous * 100 + small
      } else if (small >= room) break
      else section = (previous ?? 0) + small
    } else if ((word === "a" || word === "an") && words === 0 && digits === undefined) {
      const noun = wordAt(text, next.end)
      if (noun === undefined || !(SIZES.has(noun.word) || noun.word === "couple" || noun.word === "few")) break
      if (noun.word === "k" || SIZES.has(noun.word)) section = 1
      next = noun
      continue
    } else if ((word === "couple" || word === "few" || word === "several") && words === 0 && digits === undefined) {
      few = word !== "couple"
      more = word === "couple"
      section = few ? 9 : 2
      const of = wordAt(text, next.end)
      if (of?.word === "of") next = of
    } else if (word === "half" && words === 0 && digits === undefined) {
      const article = wordAt(text, next.end)
      const noun = article?.word === "a" ? wordAt(text, article.end) : article
      if (noun === undefined || !SIZES.has(noun.word)) break
      section = 0.5
      next = noun
      words++
      continue
    } else if (word === "and" && unit > 1 && SMALL.has(wordAt(text, next.end)?.word ?? "")) {
      next = wordAt(text, next.end)
      continue
    } else if ((word === "something" || word === "odd" || word === "plus") && words > 0 && next.isJoined) {
      more = true
      end = next.end
      break
    } else break
    words++
    end = next.end
    next = wordAt(text, next.end)
  }
  if (words === 0) return undefined
  if (few && unit > 1) section = section === null ? null : section
  const value = few && unit > 1 ? 10 * unit - 1 : total + (section ?? 0)
  return {
    end,
    value: Number(value.toFixed(4)),
    more,
    unit,
    bare: words === 1 && unit === 1 && value < 20,
    unitOnly: false,
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
  const start = separator === " " || separator === "-" ? at + 1 : at
  WORD.lastIndex = start
  const match = WORD.exec(text)
  return match === null ? undefined : { word: match[0], end: WORD.lastIndex, isJoined: separator === "-" }
}

/** How large a word may still be added: after twenty below 10, after two hundred below 100, at the start anything. */
function roomAfter(section: number | null): number {
  if (section === null) return 1000
  if (section >= 100 && section % 100 === 0) return 100
  if (section >= 20 && section % 10 === 0 && section % 100 !== 0) return 10
  return 0
}
