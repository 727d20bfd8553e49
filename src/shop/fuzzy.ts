import { casefold } from "../lib/casefold.ts"
import { LruCache } from "../lib/lru.ts"
import { compareCodePoints } from "../lib/python-text.ts"
import { sequenceRatio } from "../lib/sequence-ratio.ts"

/** A wanted text and an offered one match when their {@link fuzzyRatio} is above this. */
export const FUZZY_THRESHOLD = 85

/** Everything that is not a letter, a number or an underscore, as Python's `\W` has it. */
const NOT_WORD = /[^\p{L}\p{N}_]+/gu

/**
 * How alike two texts are, from 0 to 100 (an integer): the token-set ratio of the reference shop.
 *
 * Both texts are case-folded and cut into words at everything that is no letter, number or underscore. Of the sorted words three
 * lines are made (those in both, the left ones, the right ones) and the best of their similarities counts, so that a text whose
 * words all occur in the other scores 100. Similarity is that of Python's `difflib` ({@link sequenceRatio}), rounded half to even.
 * Chinese without spaces is one word. Two texts without words score 100.
 *
 * @example fuzzyRatio("黑色", "黑色 大号") // 100
 * @example fuzzyRatio("纯棉加厚", "纯棉") // 67
 */
export function fuzzyRatio(left: string, right: string): number {
  const a = words(left)
  const b = words(right)
  const leftText = a.join(" ")
  const rightText = b.join(" ")
  const inRight = new Set(b)
  const common = a.filter((word) => inRight.has(word)).join(" ")
  if (common === "") return percent(leftText, rightText)
  if (common === leftText || common === rightText) return 100
  return Math.max(percent(common, leftText), percent(common, rightText), percent(leftText, rightText))
}

/** Whether {@link fuzzyRatio} is above {@link FUZZY_THRESHOLD}. */
export function fuzzyMatches(left: string, right: string): boolean {
  return fuzzyRatio(left, right) > FUZZY_THRESHOLD
}

/** The same attributes and options are compared over and over. */
const knownWords = new LruCache<string, readonly string[]>(8192)
/** Longer texts are not worth their memory. */
const KEPT_LENGTH = 100

/** The different words of a text, in code point order. */
function words(text: string): readonly string[] {
  return text.length > KEPT_LENGTH ? cut(text) : knownWords.get(text, cut)
}

function cut(text: string): readonly string[] {
  const found = new Set(casefold(text).replace(NOT_WORD, " ").split(" "))
  found.delete("")
  return [...found].sort(compareCodePoints)
}

function percent(left: string, right: string): number {
  return roundHalfEven(100 * sequenceRatio(left, right))
}

/** Python's `round`: a half goes to the even neighbour. */
function roundHalfEven(value: number): number {
  const floor = Math.floor(value)
  const part = value - floor
  if (part !== 0.5) return part < 0.5 ? floor : floor + 1
  return floor % 2 === 0 ? floor : floor + 1
}
