/** The one of `known` that `word` was probably meant to be; undefined when none is close. Case does not count. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined
  let least = Math.max(2, Math.ceil(word.length / 3)) + 1
  for (const candidate of known) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase())
    if (distance < least) {
      best = candidate
      least = distance
    }
  }
  // A word cut short is far from the whole one, and means it all the same.
  return (
    best ??
    (word.length < 3 ? undefined : known.find((candidate) => candidate.toLowerCase().startsWith(word.toLowerCase())))
  )
}

/** Insertions, deletions, replacements and swaps of neighbours that lead from one text to the other (optimal string alignment). */
function editDistance(from: string, to: string): number {
  let before: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const cost = from[i - 1] === to[j - 1] ? 0 : 1
      let distance = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + cost)
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) {
        distance = Math.min(distance, before[j - 2]! + 1)
      }
      row.push(distance)
    }
    before = last
    last = row
  }
  return last[to.length]!
}
