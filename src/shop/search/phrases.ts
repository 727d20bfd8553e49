import { BLOCK_SIZE, FIRST_PART, type IndexArrays } from "./index-file.ts"
import { FIELD_WEIGHTS } from "./ranking.ts"
import { documentFrequency } from "./terms.ts"

/** Where a compound token occurs, in order of place, and the sum of the field weights of its occurrences there. */
export interface PhrasePostings {
  readonly places: number[]
  readonly weights: number[]
}

/**
 * Finds the documents that hold Latin parts (by their terms) next to each other in one field, be it inside one compound token or across neighbouring
 * ones. Such pairs have no postings of their own, which would double the index of an English catalog: documents with all the parts are
 * taken from the postings and then checked against their stored sequences.
 */
export function findPhrase(arrays: IndexArrays, parts: readonly number[]): PhrasePostings {
  const { termGroups, groupBlock, groupPosting, postings } = arrays
  const found: PhrasePostings = { places: [], weights: [] }
  const terms = [...new Set(parts)].sort((a, b) => documentFrequency(arrays, a) - documentFrequency(arrays, b))
  const [rarest, ...others] = terms
  const cursors = others.map((term) => termGroups[term]!)
  const seen = new Uint8Array(BLOCK_SIZE) // how many of the parts, in order of rarity, the documents of a block hold
  blocks: for (let group = termGroups[rarest!]!; group < termGroups[rarest! + 1]!; group++) {
    const block = groupBlock[group]!
    seen.fill(0)
    for (let posting = groupPosting[group]!; posting < groupPosting[group + 1]!; posting++)
      seen[postings[posting]! >>> 8] = 1
    for (let other = 0; other < others.length; other++) {
      const end = termGroups[others[other]! + 1]!
      let cursor = cursors[other]!
      while (cursor < end && groupBlock[cursor]! < block) cursor++
      cursors[other] = cursor
      if (cursor === end) break blocks
      if (groupBlock[cursor] !== block) continue blocks
      for (let posting = groupPosting[cursor]!; posting < groupPosting[cursor + 1]!; posting++) {
        const local = postings[posting]! >>> 8
        if (seen[local] === other + 1) seen[local] = other + 2
      }
    }
    for (let posting = groupPosting[group]!; posting < groupPosting[group + 1]!; posting++) {
      const local = postings[posting]! >>> 8
      if (seen[local] !== terms.length) continue
      const weight = weightOf(arrays, parts, block * BLOCK_SIZE + local)
      if (weight === 0) continue
      found.places.push(block * BLOCK_SIZE + local)
      found.weights.push(weight)
    }
  }
  return found
}

/** The postings that {@link findPhrase} may look at. */
export function phraseCost(arrays: IndexArrays, parts: readonly number[]): number {
  return parts.reduce((sum, part) => sum + documentFrequency(arrays, part), 0)
}

/** The sum of the field weights of the places where `parts` stand next to each other, overlaps included, in field order. */
function weightOf(arrays: IndexArrays, parts: readonly number[], place: number): number {
  const sequences = arrays.sequences32.length > 0 ? arrays.sequences32 : arrays.sequences16
  const wanted = parts.map((term) => FIRST_PART + term - arrays.hanKeys.length)
  const end = arrays.sequenceStart[place + 1]!
  let sum = 0
  let fieldWeight = 0
  for (let index = arrays.sequenceStart[place]!; index < end; index++) {
    const value = sequences[index]!
    if (value < FIRST_PART) {
      fieldWeight = FIELD_WEIGHTS[value]![1]
    } else if (value === wanted[0] && index + parts.length <= end) {
      let matched = 1
      while (matched < parts.length && sequences[index + matched] === wanted[matched]) matched++
      if (matched === parts.length) sum += fieldWeight
    }
  }
  return sum
}
