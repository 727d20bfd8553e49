import { AppError, messageOf } from "../../core/errors.ts"
import { SEARCH_VERSION } from "./ranking.ts"
import { NORMALIZER_VERSION, TOKENIZER_VERSION } from "./tokens.ts"

/**
 * The memory index as one buffer: `souk-ix1`, the header's length (uint32, little-endian), the header as JSON, and from byte 4096
 * each array as raw little-endian numbers at a multiple of eight bytes. Opening makes views and copies nothing.
 *
 * Documents stand in an order of the index's own, similar ones side by side, and are cut into blocks of {@link BLOCK_SIZE}: a
 * document's number in there is its *place*. A term's postings are in groups, one for each block it occurs in; a posting is
 * `place in the block << 8 | weight code`.
 */
export const BLOCK_BITS = 7
export const BLOCK_SIZE = 1 << BLOCK_BITS

const MAGIC = "souk-ix1"
const FORMAT_VERSION = 1
const ARRAYS_START = 4096

const ARRAYS = {
  /** The Han terms' `hanKey`s, sorted; term t has hanKeys[t]. */
  hanKeys: Uint32Array,
  /** The Latin parts, ASCII, sorted, end to end. Part p ends at latinEnds[p] and is term hanKeys.length + p. */
  latinText: Uint8Array,
  latinEnds: Uint32Array,
  /** Term → its first group; one entry more than terms. */
  termGroups: Uint32Array,
  /** Group → its block; → its first posting (one entry more than groups); → a ceiling of its shares in 255ths of SHARE_LIMIT. */
  groupBlock: Uint16Array,
  groupPosting: Uint32Array,
  groupCeiling: Uint8Array,
  postings: Uint16Array,
  /** Weight code → sum of field weights. Postings with {@link RARE_WEIGHT} have theirs in rareWeights, by position in rarePostings. */
  weights: Float64Array,
  rarePostings: Uint32Array,
  rareWeights: Float64Array,
  /** Place → length code → number of tokens. */
  lengthCode: Uint16Array,
  lengths: Uint32Array,
  /** Place → number as given to the builder; → rank of its id among all ids, which decides ties. */
  documents: Uint32Array,
  idRank: Uint32Array,
  /**
   * Place → where its sequences begin (one entry more than documents): for each field with two Latin parts or more, the field and its
   * parts in order. One of the two arrays is empty.
   */
  sequenceStart: Uint32Array,
  sequences16: Uint16Array,
  sequences32: Uint32Array,
} as const

/** In a sequence, a number below this begins a field and is its index; any other is this plus a Latin part's number. */
export const FIRST_PART = 7

/** The weight code of postings whose weight has no code of its own. */
export const RARE_WEIGHT = 255

type ArrayName = keyof typeof ARRAYS
export type IndexArrays = { readonly [Name in ArrayName]: InstanceType<(typeof ARRAYS)[Name]> }
export type IndexLengths = { readonly [Name in ArrayName]: number }

export interface IndexFacts {
  readonly document_count: number
  /** Mean number of tokens of a document, compounds counted by their parts. */
  readonly mean_length: number
}

interface Header extends IndexFacts {
  readonly format: number
  readonly search_version: string
  readonly normalizer: string
  readonly tokenizer: string
  readonly block_size: number
  readonly arrays: Record<ArrayName, { type: string; offset: number; length: number }>
}

const names = Object.keys(ARRAYS) as ArrayName[] // the keys of a const object

/** A new buffer with its header written and all arrays zero, and the views to fill them. */
export function createIndex(
  facts: IndexFacts,
  lengths: IndexLengths,
): { bytes: Uint8Array<ArrayBuffer>; arrays: IndexArrays } {
  let offset = ARRAYS_START
  const arrays: Partial<Header["arrays"]> = {}
  for (const name of names) {
    arrays[name] = { type: ARRAYS[name].name, offset, length: lengths[name] }
    offset += Math.ceil((lengths[name] * ARRAYS[name].BYTES_PER_ELEMENT) / 8) * 8
  }
  const header: Header = {
    format: FORMAT_VERSION,
    search_version: SEARCH_VERSION,
    normalizer: NORMALIZER_VERSION,
    tokenizer: TOKENIZER_VERSION,
    block_size: BLOCK_SIZE,
    ...facts,
    arrays: arrays as Header["arrays"], // every name was set
  }
  const headerBytes = new TextEncoder().encode(JSON.stringify(header))
  const bytes = new Uint8Array(offset)
  bytes.set(new TextEncoder().encode(MAGIC))
  new DataView(bytes.buffer).setUint32(8, headerBytes.length, true)
  bytes.set(headerBytes, 12)
  return { bytes, arrays: viewArrays(bytes.buffer, header) }
}

/** Views on the arrays of an index. Throws `CATALOG_CORRUPT` when `buffer` is not an index of this version, or is cut short. */
export function readIndex(buffer: ArrayBuffer | SharedArrayBuffer): { facts: IndexFacts; arrays: IndexArrays } {
  const header = readHeader(buffer)
  if (
    header.format !== FORMAT_VERSION ||
    header.search_version !== SEARCH_VERSION ||
    header.block_size !== BLOCK_SIZE
  ) {
    throw corrupt(
      `it is of version ${header.format} (${header.search_version}), this program reads ${FORMAT_VERSION} (${SEARCH_VERSION})`,
    )
  }
  return { facts: header, arrays: viewArrays(buffer, header) }
}

function readHeader(buffer: ArrayBuffer | SharedArrayBuffer): Header {
  if (buffer.byteLength < ARRAYS_START) throw corrupt(`it has only ${buffer.byteLength} bytes`)
  const bytes = new Uint8Array(buffer, 0, ARRAYS_START).slice() // a copy: TextDecoder refuses shared memory
  const text = new TextDecoder().decode(bytes)
  const length = new DataView(bytes.buffer).getUint32(8, true)
  if (!text.startsWith(MAGIC) || length > ARRAYS_START - 12) throw corrupt("it does not begin as one")
  try {
    return JSON.parse(text.slice(12, 12 + length)) as Header // written by createIndex; the arrays' bounds are checked by viewArrays
  } catch (error) {
    throw corrupt(`its header is not JSON (${messageOf(error)})`)
  }
}

function viewArrays(buffer: ArrayBuffer | SharedArrayBuffer, header: Header): IndexArrays {
  const views: Partial<Record<ArrayName, object>> = {}
  for (const name of names) {
    const place = header.arrays?.[name]
    try {
      views[name] = new ARRAYS[name](buffer as ArrayBuffer, place.offset, place.length) // the constructors take shared memory as well
    } catch (error) {
      throw corrupt(`its array ${name} is missing or ends beyond its ${buffer.byteLength} bytes (${messageOf(error)})`)
    }
  }
  return views as IndexArrays // every name was set, to a view of its class
}

function corrupt(why: string): AppError {
  return new AppError("CATALOG_CORRUPT", `The search index cannot be read: ${why}. Import the catalog again.`)
}
