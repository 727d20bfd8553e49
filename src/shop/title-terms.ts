import { createRequire } from "node:module"
import type { Jieba } from "@node-rs/jieba"
import { casefold } from "../lib/casefold.ts"
import { LruCache } from "../lib/lru.ts"
import type { TitleTokenizer } from "./rules.ts"

const LATIN_RUN = /[a-z0-9]+(?:[._+\-/][a-z0-9]+)*/g
const HAN_RUN = /[\u3400-\u4dbf\u4e00-\u9fff]+/g
const ENGLISH_WORD = /[\p{L}\p{N}]+(?:[._+\-/'’][\p{L}\p{N}]+)*/gu

/** English words that say nothing of what a thing is. Part of the version `english-words-1`. */
const STOP_WORDS = new Set(
  "a an and any are as at be by can do each every for from has have in into is it its no not of off on or our out over per so such than that the their these this those to up use used using very was we will with without you your".split(
    " ",
  ),
)

/**
 * The words of a title that say what the product is, without repeats, in reading order. Two titles are compared by how many they share.
 * - `han-bigram-latin-number-v1`: runs of Latin letters and digits of the case-folded title, then every two neighbouring Han
 *   characters (a lone one stands for itself).
 * - `jieba-nouns-1`: what jieba's part-of-speech tagger calls a noun, a verbal noun or a foreign word, case-folded.
 * - `english-words-1`: case-folded words without function words.
 * The last two fall back to the first when they find nothing.
 */
export function titleTerms(title: string, tokenizer: TitleTokenizer): string[] {
  const terms = new Set(TOKENIZERS[tokenizer](title))
  if (terms.size === 0) return [...new Set(hanBigrams(title))]
  return [...terms]
}

const TOKENIZERS: Readonly<Record<TitleTokenizer, (title: string) => readonly string[]>> = {
  "han-bigram-latin-number-v1": hanBigrams,
  "jieba-nouns-1": jiebaNouns,
  "english-words-1": englishWords,
}

function hanBigrams(title: string): string[] {
  const text = casefold(title)
  const terms = text.match(LATIN_RUN) ?? []
  const bigrams: string[] = []
  for (const run of text.match(HAN_RUN) ?? []) {
    if (run.length === 1) bigrams.push(run)
    for (let i = 0; i + 1 < run.length; i++) bigrams.push(run.slice(i, i + 2))
  }
  return [...terms, ...bigrams]
}

function jiebaNouns(title: string): readonly string[] {
  return title.length > KEPT_LENGTH ? nouns(title) : knownNouns.get(title, nouns)
}

function nouns(title: string): readonly string[] {
  const found: string[] = []
  for (const { word, tag } of jieba().tag(title, true)) {
    if (tag.startsWith("n") || tag === "vn" || tag === "eng") found.push(casefold(word))
  }
  return found
}

/** Tagging takes about 50 µs, and a task that is played again compares the same titles. */
const knownNouns = new LruCache<string, readonly string[]>(4096)
/** Longer titles are not worth their memory. */
const KEPT_LENGTH = 200

function englishWords(title: string): string[] {
  const words = casefold(title).match(ENGLISH_WORD) ?? []
  return words.map((word) => word.replace(/['’]s$/, "")).filter((word) => !STOP_WORDS.has(word))
}

let loaded: Jieba | undefined

/** The segmenter with its own dictionary, loaded on first use (0.3 s, 40 MB): most processes never score a Chinese title. */
export function jieba(): Jieba {
  if (loaded === undefined) {
    const require = createRequire(import.meta.url)
    // what these two modules export is declared by the package; `require` only defers loading them
    const { Jieba } = require("@node-rs/jieba") as typeof import("@node-rs/jieba")
    const { dict } = require("@node-rs/jieba/dict.js") as typeof import("@node-rs/jieba/dict.js")
    loaded = Jieba.withDict(dict)
  }
  return loaded
}
