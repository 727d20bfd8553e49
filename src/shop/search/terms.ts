import type { IndexArrays } from "./index-file.ts"

/** The number of the term with a Han key; -1 when no document holds it. */
export function findHanTerm({ hanKeys }: IndexArrays, key: number): number {
  return search(hanKeys.length, (index) => hanKeys[index]! - key)
}

/** The number of a Latin part's term; -1 when no document holds it. */
export function findLatinTerm({ hanKeys, latinText, latinEnds }: IndexArrays, part: string): number {
  const found = search(latinEnds.length, (index) => {
    const start = index === 0 ? 0 : latinEnds[index - 1]!
    const end = latinEnds[index]!
    for (let offset = 0; offset < part.length && start + offset < end; offset++) {
      const difference = latinText[start + offset]! - part.charCodeAt(offset)
      if (difference !== 0) return difference
    }
    return end - start - part.length
  })
  return found < 0 ? -1 : hanKeys.length + found
}

/** Binary search: the index below `length` at which `compare` gives 0, or -1. */
function search(length: number, compare: (index: number) => number): number {
  let low = 0
  let high = length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const difference = compare(middle)
    if (difference === 0) return middle
    if (difference < 0) low = middle + 1
    else high = middle - 1
  }
  return -1
}

/** How many documents hold a term. */
export function documentFrequency({ termGroups, groupPosting }: IndexArrays, term: number): number {
  return groupPosting[termGroups[term + 1]!]! - groupPosting[termGroups[term]!]!
}
