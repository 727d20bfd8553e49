import { BlockRanking, ceilingOf, type Postings } from "./blocks.ts"
import type { EngineSource, SearchEngine, SearchHit, SearchOptions } from "./engine.ts"
import { BLOCK_BITS, BLOCK_SIZE, type IndexArrays, type IndexFacts, readIndex } from "./index-file.ts"
import { findPhrase, phraseCost } from "./phrases.ts"
import { inverseDocumentFrequency, share } from "./ranking.ts"
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
  readonly #ranking: BlockRanking

  constructor(buffer: ArrayBuffer | SharedArrayBuffer) {
    const { facts, arrays } = readIndex(buffer)
    this.source = { engine: "memory", buffer }
    this.#facts = facts
    this.#arrays = arrays
    this.#ranking = new BlockRanking(facts, arrays)
  }

  get documentCount(): number {
    return this.#facts.document_count
  }

  search(query: string, top: number, options: SearchOptions = {}): SearchHit[] {
    const limit = Math.floor(top)
    if (!(limit > 0)) return []
    const tokens = this.#find(query, options).flatMap((token) => this.#postings(token))
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

  #postings(token: FoundToken): Postings[] {
    const { termGroups, groupBlock, groupPosting, groupCeiling, postings } = this.#arrays
    if ("parts" in token) return this.#phrase(token.parts)
    const { term } = token
    const idf = inverseDocumentFrequency(this.documentCount, documentFrequency(this.#arrays, term))
    return [
      {
        idf,
        first: termGroups[term]!,
        last: termGroups[term + 1]!,
        groupBlock,
        groupPosting,
        groupCeiling,
        postings,
        shares: null,
      },
    ]
  }

  /** The postings of a compound, in the form the index has them for its terms. None when no document holds it. */
  #phrase(parts: readonly number[]): Postings[] {
    const { places, weights } = findPhrase(this.#arrays, parts)
    if (places.length === 0) return []
    const { lengths, lengthCode } = this.#arrays
    const shares = Float64Array.from(places, (place, index) =>
      share(weights[index]!, lengths[lengthCode[place]!]!, this.#facts.mean_length),
    )
    const blocks = places.map((place) => place >>> BLOCK_BITS)
    const starts = [...places.keys()].filter((index) => index === 0 || blocks[index] !== blocks[index - 1])
    const groupPosting = Uint32Array.from([...starts, places.length])
    return [
      {
        idf: inverseDocumentFrequency(this.documentCount, places.length),
        first: 0,
        last: starts.length,
        groupBlock: Uint16Array.from(starts, (start) => blocks[start]!),
        groupPosting,
        groupCeiling: Uint8Array.from(starts, (start, group) =>
          ceilingOf(Math.max(...shares.subarray(start, groupPosting[group + 1]!))),
        ),
        postings: Uint16Array.from(places, (place) => (place & (BLOCK_SIZE - 1)) << 8),
        shares,
      },
    ]
  }
}
