import { AppError } from "../../core/errors.ts"
import { compareCodePoints } from "../../lib/python-text.ts"
import { ceilingOf } from "./blocks.ts"
import type { ForwardIndex } from "./index-builder.ts"
import { BLOCK_BITS, BLOCK_SIZE, createIndex, FIRST_PART, type IndexArrays, RARE_WEIGHT } from "./index-file.ts"
import { share } from "./ranking.ts"

const MOST_DOCUMENTS = BLOCK_SIZE * 65536

/**
 * Turns documents with their terms into terms with their documents. Places are given out by category; then two walks over all entries
 * in order of place, one to count and one to file them, so that each term's postings come out in order of place.
 */
export function invert(forward: ForwardIndex): Uint8Array<ArrayBuffer> {
  const documentCount = forward.ids.length
  if (documentCount > MOST_DOCUMENTS) {
    throw new AppError(
      "BAD_INPUT",
      `A catalog holds at most ${MOST_DOCUMENTS} products, not ${documentCount}: split it`,
    )
  }
  const order = documentsByCategory(forward)
  const vocabulary = forward.vocabulary.sorted()
  const { hanKeys, latinParts, finalNumber } = vocabulary
  const counts = countEntries(forward, order, finalNumber)
  let totalLength = 0
  const lengths = new Set<number>()
  for (let document = 0; document < documentCount; document++) {
    totalLength += forward.lengths.at(document)
    lengths.add(forward.lengths.at(document))
  }
  const groups = counts.groups.reduce((sum, count) => sum + count, 0)
  const wide = latinParts.length + FIRST_PART > 65536
  const { bytes, arrays } = createIndex(
    { document_count: documentCount, mean_length: documentCount === 0 ? 0 : totalLength / documentCount },
    {
      hanKeys: hanKeys.length,
      latinText: latinParts.reduce((sum, part) => sum + part.length, 0),
      latinEnds: latinParts.length,
      termGroups: finalNumber.length + 1,
      groupBlock: groups,
      groupPosting: groups + 1,
      groupCeiling: groups,
      postings: forward.terms.length,
      weights: forward.weights.length,
      rarePostings: forward.rareWeights.size,
      rareWeights: forward.rareWeights.size,
      lengthCode: documentCount,
      lengths: lengths.size,
      documents: documentCount,
      idRank: documentCount,
      sequenceStart: documentCount + 1,
      sequences16: wide ? 0 : forward.sequences.length,
      sequences32: wide ? forward.sequences.length : 0,
    },
  )
  writeVocabulary(hanKeys, latinParts, arrays)
  writeDocuments(forward, order, [...lengths], arrays)
  arrays.weights.set(forward.weights)
  writePostings(forward, finalNumber, counts, totalLength / documentCount, arrays)
  writeSequences(forward, finalNumber, arrays)
  return bytes
}

/** Place → document: by category, then as they came. */
function documentsByCategory({ ids, categories, categoryNames }: ForwardIndex): Uint32Array {
  const rank = new Uint32Array(categoryNames.size)
  const sorted = [...categoryNames].sort(([a], [b]) => compareCodePoints(a, b))
  for (const [index, [, category]] of sorted.entries()) rank[category] = index
  return Uint32Array.from(ids, (_, document) => document).sort(
    (a, b) => rank[categories.at(a)]! - rank[categories.at(b)]! || a - b,
  )
}

/** Visits every entry in order of place. */
function walkEntries(
  forward: ForwardIndex,
  order: Uint32Array,
  visit: (entry: number, place: number, document: number) => void,
): void {
  for (let place = 0; place < order.length; place++) {
    const document = order[place]!
    const end = document + 1 < order.length ? forward.termStart.at(document + 1) : forward.terms.length
    for (let entry = forward.termStart.at(document); entry < end; entry++) visit(entry, place, document)
  }
}

interface EntryCounts {
  /** Term → number of postings; → number of blocks they are in. */
  readonly postings: Uint32Array
  readonly groups: Uint32Array
}

function countEntries(forward: ForwardIndex, order: Uint32Array, finalNumber: Uint32Array): EntryCounts {
  const postings = new Uint32Array(finalNumber.length)
  const groups = new Uint32Array(finalNumber.length)
  const lastBlock = new Int32Array(finalNumber.length).fill(-1)
  walkEntries(forward, order, (entry, place) => {
    const term = finalNumber[forward.terms.at(entry)]!
    postings[term]!++
    if (lastBlock[term] !== place >>> BLOCK_BITS) groups[term]!++
    lastBlock[term] = place >>> BLOCK_BITS
  })
  return { postings, groups }
}

function writeVocabulary(hanKeys: Uint32Array, latinParts: readonly string[], arrays: IndexArrays): void {
  arrays.hanKeys.set(hanKeys)
  const encoder = new TextEncoder()
  let end = 0
  for (const [index, part] of latinParts.entries()) {
    end += encoder.encodeInto(part, arrays.latinText.subarray(end)).written
    arrays.latinEnds[index] = end
  }
}

function writeDocuments(
  forward: ForwardIndex,
  order: Uint32Array,
  lengths: readonly number[],
  arrays: IndexArrays,
): void {
  const { ids } = forward
  const rank = new Uint32Array(ids.length)
  const byId = order.slice().sort((a, b) => compareCodePoints(ids[a]!, ids[b]!) || a - b)
  for (const [index, document] of byId.entries()) rank[document] = index
  const codes = new Map(lengths.map((length, code) => [length, code]))
  arrays.lengths.set(lengths)
  arrays.documents.set(order)
  for (const [place, document] of order.entries()) {
    arrays.idRank[place] = rank[document]!
    arrays.lengthCode[place] = codes.get(forward.lengths.at(document))!
  }
}

function writePostings(
  forward: ForwardIndex,
  finalNumber: Uint32Array,
  counts: EntryCounts,
  meanLength: number,
  arrays: IndexArrays,
): void {
  const { termGroups, groupBlock, groupPosting, groupCeiling, postings } = arrays
  const nextPosting = runningSums(counts.postings)
  const nextGroup = runningSums(counts.groups)
  termGroups.set(nextGroup)
  groupPosting[groupBlock.length] = postings.length
  const lastBlock = new Int32Array(finalNumber.length).fill(-1)
  const rare: [posting: number, weight: number][] = []
  walkEntries(forward, arrays.documents, (entry, place, document) => {
    const term = finalNumber[forward.terms.at(entry)]!
    const block = place >>> BLOCK_BITS
    const posting = nextPosting[term]!++
    if (lastBlock[term] !== block) {
      lastBlock[term] = block
      const group = nextGroup[term]!++
      groupBlock[group] = block
      groupPosting[group] = posting
    }
    const code = forward.codes.at(entry)
    postings[posting] = ((place & (BLOCK_SIZE - 1)) << 8) | code
    const weight = code === RARE_WEIGHT ? forward.rareWeights.get(entry)! : forward.weights[code]!
    if (code === RARE_WEIGHT) rare.push([posting, weight])
    const group = nextGroup[term]! - 1
    const ceiling = ceilingOf(share(weight, forward.lengths.at(document), meanLength))
    if (ceiling > groupCeiling[group]!) groupCeiling[group] = ceiling
  })
  rare.sort(([a], [b]) => a - b)
  for (const [index, [posting, weight]] of rare.entries()) {
    arrays.rarePostings[index] = posting
    arrays.rareWeights[index] = weight
  }
}

/** The sum of all counts before each, and of all. */
function runningSums(counts: Uint32Array): Uint32Array {
  const sums = new Uint32Array(counts.length + 1)
  for (let index = 0; index < counts.length; index++) sums[index + 1] = sums[index]! + counts[index]!
  return sums
}

function writeSequences(forward: ForwardIndex, finalNumber: Uint32Array, arrays: IndexArrays): void {
  const { documents, hanKeys, sequenceStart, sequences16, sequences32 } = arrays
  const target = sequences32.length > 0 ? sequences32 : sequences16
  let written = 0
  for (const [place, document] of documents.entries()) {
    sequenceStart[place] = written
    const end = document + 1 < documents.length ? forward.sequenceStart.at(document + 1) : forward.sequences.length
    for (let index = forward.sequenceStart.at(document); index < end; index++) {
      const value = forward.sequences.at(index)
      target[written++] = value < FIRST_PART ? value : finalNumber[value - FIRST_PART]! - hanKeys.length + FIRST_PART
    }
  }
  sequenceStart[documents.length] = written
}
