import { withRoom } from "./growing.ts"
import { BLOCK_BITS, BLOCK_SIZE, type IndexArrays, type IndexFacts, RARE_WEIGHT } from "./index-file.ts"
import { SHARE_LIMIT, share } from "./ranking.ts"
import { TopDocuments } from "./top.ts"

/** What one token of a query adds to the scores of the documents that hold it, in groups by block. */
export interface Postings {
  readonly idf: number
  /** The groups from `first` up to but not including `last`, as in the index. */
  readonly first: number
  readonly last: number
  readonly groupBlock: Uint16Array
  readonly groupPosting: Uint32Array
  readonly groupCeiling: Uint8Array
  readonly postings: Uint16Array
  /** Posting → bm25's share; null: the posting's low byte is a weight code. */
  readonly shares: Float64Array | null
}

/** The smallest number of 255ths of SHARE_LIMIT that is not below `part`. */
export function ceilingOf(part: number): number {
  return Math.ceil((part / SHARE_LIMIT) * 255)
}

const BUCKETS = 256

/**
 * Ranks documents block by block. The ceilings of a query's groups, added up for each block, say what no document in there can exceed;
 * the most promising blocks are read first, and a block is skipped as soon as its sum is below the worst document kept. In a block
 * that is read, every document's score is added up in the query's order, so that skipping changes no bit of any score.
 *
 * Works because the index has similar documents side by side. When nothing can be skipped (a query of a hundred common tokens)
 * it is plain term-at-a-time ranking with sums that stay in the cache.
 */
export class BlockRanking {
  readonly #facts: IndexFacts
  readonly #arrays: IndexArrays
  readonly #blockCount: number
  /** Length code × number of weight codes + weight code → share. */
  readonly #shares: Float64Array
  // Scratch of one search. Block → sum of ceilings; → its last entry (0: none). Entry → a group, its token, the entry before it.
  readonly #bounds: Float64Array
  readonly #lastEntry: Uint32Array
  #entryGroup = new Uint32Array(1 << 12)
  #entryToken = new Uint32Array(1 << 12)
  #entryBefore = new Uint32Array(1 << 12)
  readonly #sums = new Float64Array(BLOCK_SIZE)

  constructor(facts: IndexFacts, arrays: IndexArrays) {
    this.#facts = facts
    this.#arrays = arrays
    this.#blockCount = Math.ceil(facts.document_count / BLOCK_SIZE)
    this.#bounds = new Float64Array(this.#blockCount)
    this.#lastEntry = new Uint32Array(this.#blockCount)
    const { lengths, weights } = arrays
    this.#shares = new Float64Array(lengths.length * weights.length)
    lengths.forEach((length, row) => {
      weights.forEach((weight, code) => {
        this.#shares[row * weights.length + code] = share(weight, length, facts.mean_length)
      })
    })
  }

  /** The best `top` documents by their place in the index; `tokens` in the query's order. */
  rank(tokens: readonly Postings[], top: number): { place: number; score: number }[] {
    this.#enter(tokens)
    const best = new TopDocuments(Math.min(top, this.#facts.document_count))
    for (const block of this.#byBound()) {
      // The bound is a sum in another order than the scores: what separates them is far below the rounding that `floor` allows for.
      if (this.#bounds[block]! <= best.floor) continue
      for (let entry = this.#lastEntry[block]!; entry !== 0; entry = this.#entryBefore[entry]!) {
        this.#add(tokens[this.#entryToken[entry]!]!, this.#entryGroup[entry]!, block << BLOCK_BITS)
      }
      this.#offer(block << BLOCK_BITS, best)
    }
    this.#bounds.fill(0)
    this.#lastEntry.fill(0)
    return best.take()
  }

  /** Files each group under its block, last token first, so that a block's list of entries begins with the first token. */
  #enter(tokens: readonly Postings[]): void {
    let entry = 1
    for (let token = tokens.length - 1; token >= 0; token--) {
      const { idf, first, last, groupBlock, groupCeiling } = tokens[token]!
      this.#makeRoom(entry + last - first)
      const bounds = this.#bounds
      const lastEntry = this.#lastEntry
      const entryGroup = this.#entryGroup
      const entryToken = this.#entryToken
      const entryBefore = this.#entryBefore
      const unit = (idf * SHARE_LIMIT) / 255
      for (let group = first; group < last; group++) {
        const block = groupBlock[group]!
        bounds[block]! += unit * groupCeiling[group]!
        entryGroup[entry] = group
        entryToken[entry] = token
        entryBefore[entry] = lastEntry[block]!
        lastEntry[block] = entry++
      }
    }
  }

  #makeRoom(entries: number): void {
    if (entries <= this.#entryGroup.length) return
    this.#entryGroup = withRoom(this.#entryGroup, entries)
    this.#entryToken = withRoom(this.#entryToken, entries)
    this.#entryBefore = withRoom(this.#entryBefore, entries)
  }

  /** The blocks with entries, the highest bounds first to within a 256th. */
  #byBound(): Uint32Array {
    const bounds = this.#bounds
    let highest = 0
    for (let block = 0; block < bounds.length; block++) if (bounds[block]! > highest) highest = bounds[block]!
    const scale = (BUCKETS - 1) / highest
    const starts = new Uint32Array(BUCKETS + 1)
    for (let block = 0; block < bounds.length; block++) starts[BUCKETS - Math.floor(bounds[block]! * scale)]!++
    for (let bucket = 1; bucket <= BUCKETS; bucket++) starts[bucket]! += starts[bucket - 1]!
    const order = new Uint32Array(bounds.length)
    for (let block = 0; block < bounds.length; block++) {
      order[starts[BUCKETS - Math.floor(bounds[block]! * scale) - 1]!++] = block
    }
    return order
  }

  /** Adds one group to the sums. */
  #add(token: Postings, group: number, start: number): void {
    const { idf, postings, shares } = token
    const sums = this.#sums
    const end = token.groupPosting[group + 1]!
    if (shares !== null) {
      for (let index = token.groupPosting[group]!; index < end; index++)
        sums[postings[index]! >>> 8]! += idf * shares[index]!
      return
    }
    const { lengthCode } = this.#arrays
    const table = this.#shares
    const codes = this.#arrays.weights.length
    for (let index = token.groupPosting[group]!; index < end; index++) {
      const posting = postings[index]!
      const local = posting >>> 8
      const code = posting & 255
      const part =
        code === RARE_WEIGHT ? this.#rareShare(index, start + local) : table[lengthCode[start + local]! * codes + code]!
      sums[local]! += idf * part
    }
  }

  #rareShare(posting: number, place: number): number {
    const { rarePostings, rareWeights, lengths, lengthCode } = this.#arrays
    let low = 0
    let high = rarePostings.length - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if (rarePostings[middle]! < posting) low = middle + 1
      else high = middle
    }
    return share(rareWeights[low]!, lengths[lengthCode[place]!]!, this.#facts.mean_length)
  }

  /** Offers every document of a block that has a sum high enough, and clears the sums. */
  #offer(start: number, best: TopDocuments): void {
    const sums = this.#sums
    const { idRank } = this.#arrays
    let floor = best.floor
    for (let local = 0; local < BLOCK_SIZE; local++) {
      const sum = sums[local]!
      if (sum <= floor) continue
      best.offer(sum, idRank[start + local]!, start + local)
      floor = best.floor
    }
    sums.fill(0)
  }
}
