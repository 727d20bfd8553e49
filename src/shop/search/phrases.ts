import { ceilingOf, type Postings } from "./blocks.ts"
import { withRoom } from "./growing.ts"
import { BLOCK_BITS, BLOCK_SIZE, FIRST_PART, type IndexArrays, type IndexFacts } from "./index-file.ts"
import { FIELD_WEIGHTS, inverseDocumentFrequency, share } from "./ranking.ts"
import { documentFrequency } from "./terms.ts"

/** The postings that {@link PhraseFinder.find} may look at, the first time. */
export function phraseCost(arrays: IndexArrays, parts: readonly number[]): number {
  return parts.reduce((sum, part) => sum + documentFrequency(arrays, part), 0)
}

/**
 * Finds the documents that hold Latin parts next to each other in one field, inside one compound token or across neighbouring ones.
 * Such phrases have no postings of their own, which would double the index of an English catalog: documents with all the parts are
 * taken from the parts' postings, block by block, and checked against their stored sequences. What was found is kept for the next
 * time, since the sizes and models of a catalog come again and again; never more than a 16th of the index's own postings.
 */
export class PhraseFinder {
  readonly #facts: IndexFacts
  readonly #arrays: IndexArrays
  /** Place in the block → how many of the parts, in order of rarity, its document holds. */
  readonly #held = new Uint8Array(BLOCK_SIZE)
  // What has been found so far, laid out as the index lays out a term.
  #postings = new Uint16Array(1 << 10)
  #shares = new Float64Array(1 << 10)
  #groupBlock = new Uint16Array(1 << 8)
  #groupPosting = new Uint32Array(1 << 8)
  #groupCeiling = new Uint8Array(1 << 8)

  /** Parts → what was found, least recently used first; and the number of postings in there. */
  readonly #known = new Map<string, Postings | null>()
  #knownSize = 0

  constructor(facts: IndexFacts, arrays: IndexArrays) {
    this.#facts = facts
    this.#arrays = arrays
  }

  /** The postings of `parts`, given by their terms; null when no document holds them side by side. */
  find(parts: readonly number[]): Postings | null {
    const key = parts.join()
    let found = this.#known.get(key)
    if (found === undefined) {
      found = this.#search(parts)
      this.#knownSize += sizeOf(found)
    }
    this.#known.delete(key)
    this.#known.set(key, found)
    for (const [oldest, postings] of this.#known) {
      if (this.#knownSize <= this.#arrays.postings.length / 16) break
      this.#known.delete(oldest)
      this.#knownSize -= sizeOf(postings)
    }
    return found
  }

  #search(parts: readonly number[]): Postings | null {
    const { termGroups, groupBlock, groupPosting, postings, hanKeys } = this.#arrays
    const wanted = parts.map((term) => FIRST_PART + term - hanKeys.length)
    const terms = [...new Set(parts)].sort(
      (a, b) => documentFrequency(this.#arrays, a) - documentFrequency(this.#arrays, b),
    )
    const rarest = terms[0]!
    const cursors = terms.map((term) => termGroups[term]!)
    const held = this.#held
    let count = 0
    let groups = 0
    for (let group = termGroups[rarest]!; group < termGroups[rarest + 1]!; group++) {
      const block = groupBlock[group]!
      if (!this.#mark(terms, cursors, block)) continue
      this.#makeRoom(count + BLOCK_SIZE, groups + 2)
      const first = count
      let highest = 0
      for (let posting = groupPosting[group]!; posting < groupPosting[group + 1]!; posting++) {
        const local = postings[posting]! >>> 8
        if (held[local] !== terms.length) continue
        const part = this.#shareOf(wanted, (block << BLOCK_BITS) + local)
        if (part === 0) continue
        this.#postings[count] = local << 8
        this.#shares[count++] = part
        if (part > highest) highest = part
      }
      if (count === first) continue
      this.#groupBlock[groups] = block
      this.#groupCeiling[groups] = ceilingOf(highest)
      this.#groupPosting[groups++] = first
      this.#groupPosting[groups] = count
    }
    if (count === 0) return null
    return {
      idf: inverseDocumentFrequency(this.#facts.document_count, count),
      first: 0,
      last: groups,
      groupBlock: this.#groupBlock.slice(0, groups),
      groupPosting: this.#groupPosting.slice(0, groups + 1),
      groupCeiling: this.#groupCeiling.slice(0, groups),
      postings: this.#postings.slice(0, count),
      shares: this.#shares.slice(0, count),
    }
  }

  /** Counts in `held` which documents of `block` hold the terms; false when a term is not in it at all. Blocks must come in order. */
  #mark(terms: readonly number[], cursors: number[], block: number): boolean {
    const { termGroups, groupBlock, groupPosting, postings } = this.#arrays
    const held = this.#held
    for (let index = 0; index < terms.length; index++) {
      const end = termGroups[terms[index]! + 1]!
      let cursor = cursors[index]!
      while (cursor < end && groupBlock[cursor]! < block) cursor++
      cursors[index] = cursor
      if (cursor === end || groupBlock[cursor] !== block) return false
    }
    held.fill(0)
    for (let index = 0; index < terms.length; index++) {
      const end = groupPosting[cursors[index]! + 1]!
      for (let posting = groupPosting[cursors[index]!]!; posting < end; posting++) {
        const local = postings[posting]! >>> 8
        if (held[local] === index) held[local] = index + 1
      }
    }
    return true
  }

  #makeRoom(postings: number, groups: number): void {
    this.#postings = withRoom(this.#postings, postings)
    this.#shares = withRoom(this.#shares, postings)
    this.#groupBlock = withRoom(this.#groupBlock, groups)
    this.#groupPosting = withRoom(this.#groupPosting, groups)
    this.#groupCeiling = withRoom(this.#groupCeiling, groups)
  }

  /** bm25's share of the phrase in a document: 0 when its parts do not stand side by side. Overlapping occurrences all count. */
  #shareOf(wanted: readonly number[], place: number): number {
    const { sequenceStart, sequences16, sequences32, lengths, lengthCode } = this.#arrays
    const sequences = sequences32.length > 0 ? sequences32 : sequences16
    const end = sequenceStart[place + 1]!
    let weight = 0
    let fieldWeight = 0
    for (let index = sequenceStart[place]!; index < end; index++) {
      const value = sequences[index]!
      if (value < FIRST_PART) {
        fieldWeight = FIELD_WEIGHTS[value]![1]
      } else if (value === wanted[0] && index + wanted.length <= end) {
        let matched = 1
        while (matched < wanted.length && sequences[index + matched] === wanted[matched]) matched++
        if (matched === wanted.length) weight += fieldWeight
      }
    }
    return weight === 0 ? 0 : share(weight, lengths[lengthCode[place]!]!, this.#facts.mean_length)
  }
}

/** Misses count as well: a cache of nothing but misses must not grow for ever. */
function sizeOf(postings: Postings | null): number {
  return 16 + (postings?.postings.length ?? 0)
}
