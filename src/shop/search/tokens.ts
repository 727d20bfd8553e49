import { casefold } from "../../lib/casefold.ts"
import { collapseText } from "../../lib/python-text.ts"

/** Names of what this file does, as the reference's index manifest names them; a change of any output changes them. */
export const NORMALIZER_VERSION = "nfkc-casefold-basic-punctuation-v1"
export const TOKENIZER_VERSION = "han-bigram-latin-number-v1"

/**
 * ASCII, Han, quotes, brackets: NFKC leaves such text alone (or changes only the width of a mark that becomes a blank anyway) and
 * `toLowerCase` folds it. Most titles are made of nothing else.
 */
const NEEDS_FOLDING =
  /[^\t -~\xb7\xd7\u2018-\u201d\u203a\u3001-\u3003\u3007-\u3011\u3014-\u301b\u3400-\u4dbf\u4e00-\u9fff\uff01\uff0c\uff1a\uff1b\uff1f]/

// JavaScript's `\b` and `\w` know ASCII only; the rule means letters and digits of any script.
const CURRENCY_WORD = /(?<=\p{Nd}) ?(?:rmb|cny|yuan)(?![\p{L}\p{N}_])/gu

/** What a query is searched as and shown as: NFKC, case-folded, currency words as `元`, runs of blanks and punctuation as one space. */
export function normalizeQuery(text: string): string {
  return collapseText(foldText(text).replace(/[，,。;；:：!！?？、|]+/g, " "))
}

/** {@link normalizeQuery} but for blanks and punctuation, which only separate tokens. */
export function foldText(text: string): string {
  let folded = NEEDS_FOLDING.test(text) ? casefold(text.normalize("NFKC")) : text.toLowerCase()
  if (folded.includes("人民币")) folded = folded.replaceAll("人民币", "元")
  if (folded.includes("块钱")) folded = folded.replaceAll("块钱", "元")
  return /rmb|cny|yuan/.test(folded) ? collapseText(folded).replace(CURRENCY_WORD, "元") : folded
}

/** Receives the tokens of a text in reading order. */
export interface TokenSink {
  /** A pair of neighbouring Han characters (numbers from 1), or a run of one: `second` is then 0. */
  han(first: number, second: number): void
  /** A Latin or number token, `text.slice(start, end)`: `kj-129s`, `1.5l`. */
  latin(start: number, end: number): void
}

const OTHER = 0
const ALPHANUMERIC = 1
const JOINT = 2
const KIND = new Uint8Array(128)
for (let code = 0; code < 128; code++) {
  const character = String.fromCharCode(code)
  KIND[code] = /[a-z0-9]/.test(character) ? ALPHANUMERIC : /[._+\-/]/.test(character) ? JOINT : OTHER
}

const EXTENSION_A = 0x3400
const UNIFIED = 0x4e00
const EXTENSION_A_SIZE = 0x4dc0 - EXTENSION_A

/** The characters that form Han tokens: U+3400–4DBF and U+4E00–9FFF. */
const HAN_CHARACTERS = EXTENSION_A_SIZE + (0xa000 - UNIFIED)

/** The number of a Han character, from 1 to {@link HAN_CHARACTERS}; 0 for any other. */
function hanNumber(code: number): number {
  if (code >= UNIFIED) return code < 0xa000 ? code - UNIFIED + EXTENSION_A_SIZE + 1 : 0
  return code >= EXTENSION_A && code < EXTENSION_A + EXTENSION_A_SIZE ? code - EXTENSION_A + 1 : 0
}

/** Walks folded text once. Latin tokens are runs of `[a-z0-9]` with single inner joints `. _ + - /`. */
export function scanTokens(folded: string, sink: TokenSink): void {
  const length = folded.length
  let index = 0
  while (index < length) {
    const code = folded.charCodeAt(index)
    if (code < 128) {
      if (KIND[code] !== ALPHANUMERIC) {
        index++
        continue
      }
      const start = index
      do {
        index++
        if (kindAt(folded, index) === JOINT && kindAt(folded, index + 1) === ALPHANUMERIC) index++
      } while (kindAt(folded, index) === ALPHANUMERIC)
      sink.latin(start, index)
      continue
    }
    let first = hanNumber(code)
    index++
    if (first === 0) continue
    let second = index < length ? hanNumber(folded.charCodeAt(index)) : 0
    if (second === 0) sink.han(first, 0)
    while (second !== 0) {
      sink.han(first, second)
      first = second
      index++
      second = index < length ? hanNumber(folded.charCodeAt(index)) : 0
    }
  }
}

function kindAt(text: string, index: number): number {
  return index < text.length ? (KIND[text.charCodeAt(index)] ?? OTHER) : OTHER
}

/** One number per Han token, below 2^30: pairs and single characters apart. */
export function hanKey(first: number, second: number): number {
  return first * (HAN_CHARACTERS + 1) + second
}

/** The parts between a Latin token's joints. */
export function partsOf(token: string): string[] {
  return token.split(/[._+\-/]/)
}

/** The distinct tokens of a text: Han tokens by their {@link hanKey}, Latin ones as text, each in order of first occurrence. */
export interface Tokens {
  readonly han: readonly number[]
  readonly latin: readonly string[]
}

export function tokensOf(folded: string): Tokens {
  const han = new Set<number>()
  const latin = new Set<string>()
  scanTokens(folded, {
    han: (first, second) => han.add(hanKey(first, second)),
    latin: (start, end) => latin.add(folded.slice(start, end)),
  })
  return { han: [...han], latin: [...latin] }
}

/**
 * The distinct tokens of a text as text: first every Han token (overlapping pairs; a lone character is itself), then every Latin
 * one, each in order of first occurrence. No stop words, no stemming.
 */
export function tokenize(text: string): string[] {
  const { han, latin } = tokensOf(foldText(text))
  return [...han.map(hanText), ...latin]
}

/** The text of a Han token from its {@link hanKey}. */
function hanText(key: number): string {
  const second = key % (HAN_CHARACTERS + 1)
  const first = (key - second) / (HAN_CHARACTERS + 1)
  return second === 0 ? hanCharacter(first) : hanCharacter(first) + hanCharacter(second)
}

function hanCharacter(number: number): string {
  return String.fromCharCode(
    number > EXTENSION_A_SIZE ? number - 1 - EXTENSION_A_SIZE + UNIFIED : number - 1 + EXTENSION_A,
  )
}

/** The model field of a folded title: its Latin tokens that hold both a letter and a digit (`wh-1000xm5`, `iphone15pro`). */
export function modelText(foldedTitle: string): string {
  if (!/[0-9]/.test(foldedTitle)) return ""
  return tokensOf(foldedTitle)
    .latin.filter((token) => /[a-z]/.test(token) && /[0-9]/.test(token))
    .join(" ")
}
