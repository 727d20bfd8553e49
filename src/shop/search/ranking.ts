/** Version of everything that decides which documents a query finds and in which order. */
export const SEARCH_VERSION = "souk-search-1"

/** The searched fields in the order in which their weights are added up, with the weight of one occurrence. */
export const FIELD_WEIGHTS = [
  ["title", 3],
  ["brand", 2],
  ["category", 2],
  ["model", 2.5],
  ["attributes", 1.5],
  ["options", 1.2],
  ["bullets", 0.8],
] as const satisfies readonly (readonly [field: string, weight: number])[]

const K1 = 1.2
const B = 0.75

/**
 * How much a token that `matching` of `count` documents hold is worth: ln((N − n + 0.5) / (n + 0.5)), and next to nothing where that
 * is not positive, i.e. for tokens of at least half of the documents.
 */
export function inverseDocumentFrequency(count: number, matching: number): number {
  const idf = Math.log((count - matching + 0.5) / (matching + 0.5))
  return idf <= 0 ? 1e-6 : idf
}

/**
 * bm25's share of one token in one document, from 0 to {@link SHARE_LIMIT}: `weight` is the sum of the field weights of the token's
 * occurrences, `length` and `meanLength` count the tokens (compounds by their parts) of the document and of the mean document. A score is the sum of idf × share over the query's
 * tokens, in the query's order. The operations and their order are those of SQLite's FTS5, so that scores agree to the last bits.
 */
export function share(weight: number, length: number, meanLength: number): number {
  return (weight * (K1 + 1)) / (weight + K1 * (1 - B + (B * length) / meanLength))
}

/** No share reaches this, however often a token occurs. */
export const SHARE_LIMIT = K1 + 1

/** Scores are compared after rounding to nine decimals: sums that differ only by the order of their additions count as equal. */
export function roundScore(score: number): number {
  return Math.round(score * 1e9) / 1e9
}
