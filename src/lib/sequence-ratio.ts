/** From this length of the second text on, frequent characters are ignored while looking for matches. */
const AUTOJUNK_LENGTH = 200

/**
 * Similarity of two texts from 0 to 1, exactly as `difflib.SequenceMatcher(None, left, right).ratio()` of CPython: twice the
 * number of matched characters over all characters, matches found by Ratcliff and Obershelp's "gestalt" method (longest common
 * block first, then left and right of it; J. W. Ratcliff and D. Metzener, Dr. Dobb's Journal, July 1988).
 *
 * Characters are code points. Two empty texts score 1. As in `difflib`, the order of the arguments can matter, and when `right` has
 * 200 characters or more, those that make up more than one percent of it start no match ("autojunk").
 */
export function sequenceRatio(left: string, right: string): number {
  if (left === right) return 1
  const a = codePoints(left)
  const b = codePoints(right)
  if (a.length === 0 || b.length === 0) return 0
  return (2 * matchedLength(a, b)) / (a.length + b.length)
}

function codePoints(text: string): number[] {
  const points: number[] = []
  for (const character of text) points.push(character.codePointAt(0)!)
  return points
}

/** Sum of the lengths of all matching blocks. */
function matchedLength(a: readonly number[], b: readonly number[]): number {
  const positions = positionsOf(b)
  let matched = 0
  const open: (readonly [number, number, number, number])[] = [[0, a.length, 0, b.length]]
  for (let range = open.pop(); range !== undefined; range = open.pop()) {
    const [aFrom, aTo, bFrom, bTo] = range
    const [i, j, size] = longestBlock(a, b, positions, range)
    if (size === 0) continue
    matched += size
    if (aFrom < i && bFrom < j) open.push([aFrom, i, bFrom, j])
    if (i + size < aTo && j + size < bTo) open.push([i + size, aTo, j + size, bTo])
  }
  return matched
}

/** Where each character stands in `b`, ascending, without the frequent ones of a long text. */
function positionsOf(b: readonly number[]): Map<number, number[]> {
  const positions = new Map<number, number[]>()
  for (const [j, point] of b.entries()) {
    const known = positions.get(point)
    if (known === undefined) positions.set(point, [j])
    else known.push(j)
  }
  if (b.length >= AUTOJUNK_LENGTH) {
    const most = Math.floor(b.length / 100) + 1
    for (const [point, places] of positions) if (places.length > most) positions.delete(point)
  }
  return positions
}

const NOTHING: ReadonlyMap<number, number> = new Map()

/** The longest block common to both ranges, earliest in `a`, then in `b`; grown over characters that start no match. */
function longestBlock(
  a: readonly number[],
  b: readonly number[],
  positions: ReadonlyMap<number, readonly number[]>,
  [aFrom, aTo, bFrom, bTo]: readonly [number, number, number, number],
): readonly [i: number, j: number, size: number] {
  let bestI = aFrom
  let bestJ = bFrom
  let size = 0
  let lengths = NOTHING // for each j, the length of the block that ends at (i - 1, j)
  for (let i = aFrom; i < aTo; i++) {
    const places = positions.get(a[i]!)
    if (places === undefined) {
      lengths = NOTHING
      continue
    }
    const next = new Map<number, number>()
    for (const j of places) {
      if (j < bFrom) continue
      if (j >= bTo) break
      const length = (lengths.get(j - 1) ?? 0) + 1
      next.set(j, length)
      if (length > size) {
        bestI = i - length + 1
        bestJ = j - length + 1
        size = length
      }
    }
    lengths = next
  }
  while (bestI > aFrom && bestJ > bFrom && a[bestI - 1] === b[bestJ - 1]) {
    bestI--
    bestJ--
    size++
  }
  while (bestI + size < aTo && bestJ + size < bTo && a[bestI + size] === b[bestJ + size]) size++
  return [bestI, bestJ, size]
}
