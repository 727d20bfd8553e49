import { canonical, LEXICON, spellings } from "./lexicon.ts"
import { siblingPattern } from "./siblings.ts"
import { isOption } from "./things.ts"
import type { Fact } from "./types.ts"

/** A place in a text that names something: a colour, an order, a product. */
export interface Mention {
  readonly start: number
  readonly end: number
  readonly axis: string
  /** What it may be there; a word of several products' titles names each of them. */
  readonly names: ReadonlySet<string>
  /** Something that the subject is compared with: 比标准版便宜, cheaper than the red one. */
  readonly compared: boolean
}

/** Stands before what is compared with. */
const THAN = /(?:比|相比|对比|较|than|versus|vs\.?|compared (?:to|with))\s*(?:of |for )?(?:the |our |a )?$/

interface Spelling {
  readonly pattern: RegExp
  readonly axis: string
  /** null: what stands there, of the kind of the others but none of them. */
  readonly names: ReadonlySet<string> | null
  /** A single letter is a size only as a capital. */
  readonly capital: boolean
}

/** How a case's things are called in texts. */
export type Vocabulary = readonly Spelling[]

const STOP = new Set(
  "the and for with from pack set new home use kit size color colour pro plus mini our your this that one two item items product order model series style men women unisex adult kids day days left available stock price free shipping".split(
    " ",
  ),
)

const COMMON: readonly Spelling[] = LEXICON.map(({ axis, name, spelling: word }) => spelling(axis, [name], word))

export function vocabularyOf(facts: readonly Fact[]): Vocabulary {
  const names = new Map<string, Set<string>>()
  for (const { labels } of facts) {
    for (const [axis, values] of labels) {
      const all = names.get(axis) ?? new Set<string>()
      for (const value of values) all.add(value)
      names.set(axis, all)
    }
  }
  const found = COMMON.filter(({ axis }) => names.has(axis) || !hasOptions(names))
  for (const [axis, values] of names) {
    for (const name of values) {
      if (axis === "product") found.push(spelling(axis, [name], name))
      else if (name.length >= 2) {
        const stem = stemOf(name)
        if (stem !== undefined && [...values].filter((other) => other.includes(stem)).length === 1)
          found.push(spelling(axis, [name], stem))
      }
      if (axis !== "product" && name.length >= 2)
        for (const word of spellings(name)) found.push(spelling(axis, [name], word))
    }
  }
  for (const [axis, values] of names) {
    if (!isOption(axis)) continue
    const patterns = new Set([...values].flatMap((name) => siblingPattern(name) ?? []))
    for (const pattern of patterns) found.push({ pattern: new RegExp(pattern, "g"), axis, names: null, capital: false })
  }
  return [...found, ...tokensOf([...(names.get("product") ?? [])])]
}

/** Whether anything is told apart by options: then a colour that is none of them names nothing, as in `red switch`. */
function hasOptions(names: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  return [...names.keys()].some(isOption)
}

function spelling(axis: string, names: readonly string[], word: string): Spelling {
  const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+")
  const isLatin = /[a-z0-9]$/.test(word)
  const capital = /^[a-z]$/.test(word)
  const opens = /^[a-z0-9]/.test(word) ? (capital ? "(?<![a-z0-9'])(?<!\\d )" : "(?<![a-z0-9])") : ""
  const closes = isLatin
    ? word.length > 2 && /[a-z]$/.test(word)
      ? "(?:s|es|-colou?red)?(?![a-z0-9])"
      : "(?![a-z0-9'])"
    : ""
  // 红 alone is a colour in 红的, 红款 and 红M, not in 红包
  const single = word.length === 1 && !isLatin ? "(?=[款的]|\\s?[smlx]{1,3}(?![a-z]))" : ""
  return { pattern: new RegExp(`${opens}${escaped}${closes}${single}`, "g"), axis, names: new Set(names), capital }
}

/** What an option is called in short: 椒盐 for 椒盐味, `brown` for `brown switch`, 20000mah for 20,000 mah. */
function stemOf(name: string): string | undefined {
  if (/^[一-龥]{3,}$/.test(name) && /[味轴款版色型装]$/.test(name)) return name.slice(0, -1)
  if (/^\d{1,3}(?:,\d{3})+ ?[a-z]+$/.test(name)) return name.replace(",", "")
  const word = /^([a-z]{3,}) [a-z]+$/.exec(name)?.[1]
  return word !== undefined && !STOP.has(word) ? word : undefined
}

/** Words that tell one title from others. */
function tokensOf(titles: readonly string[]): Spelling[] {
  const owners = new Map<string, Set<string>>()
  for (const title of titles) {
    for (const token of new Set(tokens(title))) owners.set(token, (owners.get(token) ?? new Set()).add(title))
  }
  return [...owners]
    .filter(([, owned]) => owned.size < titles.length)
    .map(([token, owned]) => spelling("product", [...owned], token))
}

function tokens(title: string): string[] {
  const latin = (title.match(/[a-z][a-z0-9-]{2,}|[a-z]\d+/g) ?? []).filter((word) => !STOP.has(word))
  const han = (title.match(/[一-龥]{2,}/g) ?? []).flatMap((run) =>
    Array.from({ length: run.length - 1 }, (_, index) => run.slice(index, index + 2)),
  )
  return [...latin, ...han.filter((pair) => !/色$|[件个双条只款]$/.test(pair))]
}

/** `a small kiln`, `very large`: no size. */
function isAdjective(text: string, match: RegExpExecArray): boolean {
  if (!/^(?:small|medium|large)$/.test(match[0])) return false
  const before = text.slice(Math.max(0, match.index - 10), match.index)
  return (
    /\b(?:very|too|so|quite|pretty|fairly|really|rather|by) $/.test(before) ||
    (/\ban? $/.test(before) &&
      /^ (?!one\b|size\b|in\b|is\b|for\b|at\b|left\b)[a-z]/.test(text.slice(match.index + match[0].length)))
  )
}

/** What a folded text names, in order; `original` is the same text unfolded. Of two that overlap on one axis the longer counts. */
export function findMentions(text: string, original: string, vocabulary: Vocabulary): Mention[] {
  const found: Mention[] = []
  for (const { pattern, axis, names, capital } of vocabulary) {
    for (const match of text.matchAll(pattern)) {
      const to = match.index + match[0].length
      if (names === null && found.some((one) => one.axis === axis && one.start < to && match.index < one.end)) continue
      if (capital && !/[A-Z]/.test(original[match.index] ?? "")) continue
      if (isAdjective(text, match) || (match[0] === "plus" && /^ (?:\d|an? |the )/.test(text.slice(to)))) continue
      found.push({
        start: match.index,
        end: match.index + match[0].length,
        axis,
        names: names ?? new Set([canonical(match[0])]),
        compared: THAN.test(text.slice(Math.max(0, match.index - 20), match.index)),
      })
    }
  }
  const longest = found.filter(
    (one) =>
      !found.some(
        (other) =>
          other !== one &&
          other.axis === one.axis &&
          other.start <= one.start &&
          other.end >= one.end &&
          other.end - other.start > one.end - one.start,
      ),
  )
  const sorted = longest.map((one) => withSize(one, text)).sort((one, other) => one.start - other.start)
  return sorted.map((one) => ({ ...one, compared: one.compared || sorted.some((other) => goesOn(one, other, text)) }))
}

/** `Size` is part of a size's name. */
function withSize(mention: Mention, text: string): Mention {
  const isSized = mention.axis === "size" && /(?<![a-z])size $/.test(text.slice(0, mention.start))
  if (!isSized) return mention
  const start = mention.start - 5
  return { ...mention, start, compared: mention.compared || THAN.test(text.slice(Math.max(0, start - 20), start)) }
}

/** Whether `one` goes on what another is compared with: the L of 比灰色L码贵. */
function goesOn(one: Mention, other: Mention, text: string): boolean {
  return (
    other.compared &&
    other.axis !== one.axis &&
    isOption(other.axis) &&
    isOption(one.axis) &&
    one.start >= other.end &&
    /^[\s,，/()的]{0,2}(?:in )?$/.test(text.slice(other.end, one.start))
  )
}
