import { readEnglishNumber } from "../../lib/english-number.ts"
import { readNumber, type SpokenNumber, startsNumber } from "../../lib/spoken-number.ts"
import { ENGLISH_WORDS } from "./lexicon-en.ts"
import { CHINESE_WORDS } from "./lexicon-zh.ts"
import { chineseMeasureAt, isEnglishMeasure } from "./measures.ts"
import type { Role } from "./roles.ts"

interface Span {
  readonly start: number
  readonly end: number
}

/** A number with what stands right behind it: a measure (`2kg`, 3双) makes it a count. */
interface NumberToken extends Span {
  readonly type: "number"
  readonly number: SpokenNumber
  readonly measure: string | null
}

/** A word of the lexicon, or a run of unknown text, whose only role is `other`. */
export interface WordToken extends Span {
  readonly type: "word"
  readonly roles: readonly Role[]
}

export type Token = NumberToken | WordToken

interface Node {
  readonly next: Map<number, Node>
  roles: Role[] | undefined
}

const TRIE = buildTrie()
const OTHER: readonly Role[] = ["other"]
/** Letters that may stand directly behind digits without making them a model, a size or a weight. */
const MONEY_SUFFIX = /(?:rmb|cny|usd|yuan|dollars?|bucks?|eur|euros?|gbp|quid|cents?|ish)(?![a-z])/y
const LETTERS = /[a-z]+/y
const DIGIT_COUNT =
  /(?:(个|[一二两三四五六1-6])位数)|(?:(single|double|triple|two|three|four|five)[- ](?:digits?|figures?))/y
const DIGIT_COUNTS: Readonly<Record<string, number>> = {
  ...{ 个: 1, 一: 1, 二: 2, 两: 2, 三: 3, 四: 4, 五: 5, 六: 6, 1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6 },
  ...{ single: 1, double: 2, triple: 3, two: 2, three: 3, four: 4, five: 5 },
}
const DIGIT_COUNT_INITIALS = new Set(Object.keys(DIGIT_COUNTS).map((word) => word[0]!))

function buildTrie(): Node {
  const root: Node = { next: new Map(), roles: undefined }
  const entries = [
    ...Object.entries(CHINESE_WORDS).map(([role, list]) => [role, list.trim().split(/\s+/)] as const),
    ...Object.entries(ENGLISH_WORDS).map(([role, list]) => [role, list.trim().split(/\s*\|\s*/)] as const),
    ["stop", ["\n", "\r"]] as const,
    ["break", ["\t"]] as const,
  ] as [Role, string[]][] // keys of the lexicons are roles
  for (const [role, words] of entries) for (const word of words) addWord(root, word, role)
  return root
}

function addWord(root: Node, word: string, role: Role): void {
  let node = root
  for (let index = 0; index < word.length; index++) {
    const code = word.charCodeAt(index)
    let next = node.next.get(code)
    if (next === undefined) {
      next = { next: new Map(), roles: undefined }
      node.next.set(code, next)
    }
    node = next
  }
  node.roles ??= []
  if (!node.roles.includes(role)) node.roles.push(role)
}

/**
 * Cuts a folded text into numbers and words, from left to right, the longest that fits at every place; white space is dropped.
 * Costs time linear in the text.
 */
export function tokenize(text: string, language: "zh" | "en"): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    const character = text[at]!
    if (character === " ") {
      at++
      continue
    }
    const word = wordAt(text, at)
    const number = numberAt(text, at, language)
    if (number !== undefined && number.end >= (word?.end ?? 0)) {
      tokens.push(withMeasure(text, at, number, tokens))
      at = tokens.at(-1)!.end
    } else if (word !== undefined) {
      const last = tokens.at(-1)
      const isAgain = last?.type === "word" && last.roles === word.roles
      if (isAgain && word.roles.includes("break")) {
        // ，， ends one clause
      } else if (isAgain && repeats(text, last, word)) {
        tokens[tokens.length - 1] = { type: "word", roles: word.roles, start: last.start, end: word.end }
      } else tokens.push(word)
      at = word.end
    } else at = pushUnknown(tokens, text, at)
  }
  return tokens
}

/** Whether `word` says once more what `last` said right before it: 不不. */
function repeats(text: string, last: WordToken, word: WordToken): boolean {
  return last.end === word.start && text.startsWith(text.slice(word.start, word.end), last.start)
}

function wordAt(text: string, at: number): WordToken | undefined {
  const startsInside = isLetter(text, at) && (isLetter(text, at - 1) || text[at - 1] === "'")
  let node = TRIE
  let found: WordToken | undefined
  for (let index = at; index < text.length; index++) {
    const next = node.next.get(text.charCodeAt(index))
    if (next === undefined) break
    node = next
    if (node.roles === undefined || startsInside) continue
    const goesOn = node.roles.includes("currency") ? isLetter(text, index + 1) : /[a-z0-9]/.test(text[index + 1] ?? "")
    if (isLetter(text, index) && goesOn) continue
    found = { type: "word", roles: node.roles, start: at, end: index + 1 }
  }
  return found
}

function numberAt(text: string, at: number, language: "zh" | "en"): SpokenNumber | undefined {
  const digits = digitCountAt(text, at)
  if (digits !== undefined) return digits
  const character = text[at]!
  if (isLetter(text, at)) return isLetter(text, at - 1) ? undefined : readEnglishNumber(text, at)
  if (!startsNumber(character) && !(character === "." && /\d/.test(text[at + 1] ?? ""))) return undefined
  const number = readNumber(text, at, language)
  if (number === undefined || !number.arabic || number.unit > 1) return number
  return readEnglishNumber(text, number.end, number.value) ?? number
}

/** 个位数, double-digit: the greatest number of so many digits. */
function digitCountAt(text: string, at: number): SpokenNumber | undefined {
  if (!DIGIT_COUNT_INITIALS.has(text[at]!) || isLetter(text, at - 1)) return undefined
  if (!isLetter(text, at) && text[at + 1] !== "位") return undefined
  DIGIT_COUNT.lastIndex = at
  const match = DIGIT_COUNT.exec(text)
  if (match === null) return undefined
  const value = 10 ** DIGIT_COUNTS[match[1] ?? match[2]!]! - 1
  const end = DIGIT_COUNT.lastIndex
  return { end, value, unit: 10, vague: true, more: false, bare: false, unitOnly: false, arabic: false, money: false }
}

function withMeasure(text: string, start: number, number: SpokenNumber, tokens: readonly Token[]): NumberToken {
  const hasCurrency = isPrefix(text, start, tokens)
  const behind = hasCurrency ? undefined : measureBehind(text, number)
  if (behind !== undefined) return { type: "number", start, end: behind.end, number, measure: behind.measure }
  const isModel = !hasCurrency && number.arabic && belongsToName(text, start, tokens)
  return { type: "number", start, end: number.end, number, measure: isModel ? "" : null }
}

/** Whether the last token is a currency that stands before its number: a sign, or a word with no number before it. */
function isPrefix(text: string, start: number, tokens: readonly Token[]): boolean {
  const last = tokens.at(-1)
  if (last?.type !== "word" || !last.roles.includes("currency") || start - last.end > 1) return false
  return /[$¥£€]/.test(text[last.end - 1]!) || tokens.at(-2)?.type !== "number"
}

/** `k380`, `wh-1000`, `#5`. */
function belongsToName(text: string, start: number, tokens: readonly Token[]): boolean {
  const before = text[start - 1]
  if (before === "-") return isLetter(text, start - 2) && tokens.at(-2)?.type !== "number"
  return before === "#" || isLetter(text, start - 1)
}

function measureBehind(text: string, number: SpokenNumber): { measure: string; end: number } | undefined {
  const { end, arabic } = number
  const next = text[end] ?? ""
  if (arabic && text[end - 1] === "w" && number.value / number.unit >= 20) return { measure: "w", end } // watts
  if (next === "%" || next === "°" || next === "℃" || next === "″" || next === "#" || next === "‰") {
    return { measure: next, end: end + 1 }
  }
  if (arabic && (next === '"' || next === "'") && !isLetter(text, end + 1)) return { measure: next, end: end + 1 }
  if (arabic && next === ":" && /\d/.test(text[end + 1] ?? "")) return { measure: ":", end: end + 1 }
  const gap = next === " " || next === "-" ? 1 : 0
  if (isLetter(text, end + gap)) {
    MONEY_SUFFIX.lastIndex = end + gap
    if (MONEY_SUFFIX.test(text)) return undefined
    LETTERS.lastIndex = end + gap
    const word = LETTERS.exec(text)![0]
    const glued = gap === 0 ? arabic && !/^[xs]$/.test(word) : next === "-"
    if (word.length > 40 || !(glued || isEnglishMeasure(word))) return undefined
    return { measure: word, end: end + gap + word.length }
  }
  const place = next === " " ? end + 1 : end
  const measure = chineseMeasureAt(text, place)
  if (measure === undefined) return undefined
  const word = wordAt(text, place) // 包邮, 顶天
  if (word !== undefined && word.end > place + measure.length && word.roles !== OTHER) return undefined
  return { measure, end: place + measure.length }
}

/** Joins unknown characters to runs: Chinese ones to one token, Latin letters to one word each. */
function pushUnknown(tokens: Token[], text: string, at: number): number {
  LETTERS.lastIndex = at
  const end = isLetter(text, at) ? at + LETTERS.exec(text)![0].length : at + 1
  const last = tokens.at(-1)
  if (
    last?.type === "word" &&
    last.roles === OTHER &&
    last.end === at &&
    !isLetter(text, at) &&
    !isLetter(text, at - 1)
  ) {
    tokens[tokens.length - 1] = { ...last, end }
  } else tokens.push({ type: "word", roles: OTHER, start: at, end })
  return end
}

function isLetter(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 97 && code <= 122
}
