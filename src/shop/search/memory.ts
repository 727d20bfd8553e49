import { BlockRanking, type Postings } from "./blocks.ts"
import type { EngineSource, SearchEngine, SearchHit, SearchOptions } from "./engine.ts"
import { type IndexArrays, type IndexFacts, readIndex } from "./index-file.ts"
import { PhraseFinder, phraseCost } from "./phrases.ts"
import { inverseDocumentFrequency } from "./ranking.ts"
import { documentFrequency, findHanTerm, findLatinTerm } from "./terms.ts"
import { foldText, partsOf, tokensOf } from "./tokens.ts"

/** The default engine: exact top-k over an index in memory, which other threads may share. */
export interface MemoryEngine extends SearchEngine {
  readonly name: "memory"
  /** How many postings a query would read if none were skipped: an upper estimate of its work, at the price of looking its tokens up. */
  cost(query: string, options?: SearchOptions): number
}

/** Opens what `createIndexBuilder` made. Throws `CATALOG_CORRUPT` for anything else. The buffer is only read, and not copied. */
export function openMemoryIndex(buffer: ArrayBuffer | SharedArrayBuffer): MemoryEngine {
  return new OpenMemoryEngine(buffer)
}

/** A token that some document holds: a term of the index, or the parts of a compound that stand next to each other. */
type FoundToken = { readonly term: number } | { readonly parts: readonly number[] }

class OpenMemoryEngine implements MemoryEngine {
  readonly name = "memory"
  readonly source: EngineSource
  readonly #facts: IndexFacts
  readonly #arrays: IndexArrays
  readonly #phrases: PhraseFinder
  readonly #ranking: BlockRanking

  constructor(buffer: ArrayBuffer | SharedArrayBuffer) {
    const { facts, arrays } = readIndex(buffer)
    this.source = { engine: "memory", buffer }
    this.#facts = facts
    this.#arrays = arrays
    this.#phrases = new PhraseFinder(facts, arrays)
    this.#ranking = new BlockRanking(facts, arrays)
  }

  get documentCount(): number {
    return this.#facts.document_count
  }

  search(query: string, top: number, options: SearchOptions = {}): SearchHit[] {
    const limit = Math.floor(top)
    if (!(limit > 0)) return []
    const tokens = this.#find(query, options)
      .map((token) => this.#postings(token))
      .filter((token) => token !== null)
    if (tokens.length === 0) return []
    const { documents } = this.#arrays
    return this.#ranking.rank(tokens, limit).map(({ place, score }) => ({ document: documents[place]!, score }))
  }

  cost(query: string, options: SearchOptions = {}): number {
    let postings = 0
    for (const token of this.#find(query, options)) {
      postings += "term" in token ? documentFrequency(this.#arrays, token.term) : phraseCost(this.#arrays, token.parts)
    }
    return postings
  }

  close(): void {}

  #find(query: string, { maxTokens = Number.POSITIVE_INFINITY }: SearchOptions): FoundToken[] {
    const { han, latin } = tokensOf(foldText(query))
    const found: FoundToken[] = []
    for (const key of han.slice(0, maxTokens)) {
      const term = findHanTerm(this.#arrays, key)
      if (term >= 0) found.push({ term })
    }
    for (const token of latin.slice(0, Math.max(0, maxTokens - han.length))) {
      const terms = partsOf(token).map((part) => findLatinTerm(this.#arrays, part))
      if (terms.includes(-1)) continue
      found.push(terms.length === 1 ? { term: terms[0]! } : { parts: terms })
    }
    return found
  }

  #postings(token: FoundToken): Postings | null {
    if ("parts" in token) return this.#phrases.find(token.parts)
    const { termGroups, groupBlock, groupPosting, groupCeiling, postings } = this.#arrays
    const first = termGroups[token.term]!
    const last = termGroups[token.term + 1]!
    const idf = inverseDocumentFrequency(this.documentCount, documentFrequency(this.#arrays, token.term))
    return { idf, first, last, groupBlock, groupPosting, groupCeiling, postings, shares: null }
  }
}
