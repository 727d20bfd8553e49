/**
 * Counts of numbers that are not negative, each kept to three significant digits: a share of any number of them in a few thousand
 * counters, the same in whatever order they came.
 */
export class Histogram {
  readonly #counts = new Map<number, number>()
  #total = 0

  add(value: number): void {
    const kept = toThreeDigits(value)
    this.#counts.set(kept, (this.#counts.get(kept) ?? 0) + 1)
    this.#total++
  }

  get count(): number {
    return this.#total
  }

  /** The smallest number that at least that share of all do not exceed (nearest rank), for each share; NaN without numbers. */
  percentiles(shares: readonly number[]): number[] {
    const sorted = [...this.#counts].sort(([a], [b]) => a - b)
    return shares.map((share) => {
      let seen = 0
      for (const [value, count] of sorted) {
        seen += count
        if (seen >= share * this.#total - 1e-9) return value // 0.07 × 100 is more than 7
      }
      return Number.NaN
    })
  }
}

function toThreeDigits(value: number): number {
  if (value < 1000 && Number.isInteger(value)) return value
  return Number(value.toPrecision(3))
}
