/**
 * A sum of numbers that does not depend on their order: the exact sum, rounded once (Shewchuk 1997, as Python's `fsum`).
 * Episodes end in any order; their mean must not show it.
 */
export class ExactSum {
  #partials: number[] = [] // non-overlapping, by increasing magnitude

  add(value: number): void {
    const partials: number[] = []
    let x = value
    for (let y of this.#partials) {
      if (Math.abs(x) < Math.abs(y)) [x, y] = [y, x]
      const high = x + y
      const low = y - (high - x)
      if (low !== 0) partials.push(low)
      x = high
    }
    partials.push(x)
    this.#partials = partials
  }

  /** The sum so far, correctly rounded; 0 without numbers. */
  get total(): number {
    const partials = this.#partials
    let index = partials.length - 1
    if (index < 0) return 0
    let high = partials[index]!
    let low = 0
    while (index > 0 && low === 0) {
      const x = high
      const y = partials[--index]!
      high = x + y
      low = y - (high - x)
    }
    // What is left below decides a tie: half an ulp away from zero, it rounds up.
    if (index > 0 && ((low < 0 && partials[index - 1]! < 0) || (low > 0 && partials[index - 1]! > 0))) {
      const doubled = low * 2
      const rounded = high + doubled
      if (rounded - high === doubled) high = rounded
    }
    return high
  }
}

/** Count, mean and spread of numbers, whatever their order. */
export class Moments {
  count = 0
  readonly #sum = new ExactSum()
  readonly #squares = new ExactSum()

  add(value: number): void {
    this.count++
    this.#sum.add(value)
    this.#squares.add(value * value)
  }

  get sum(): number {
    return this.#sum.total
  }

  /** Undefined without numbers. */
  get mean(): number | undefined {
    return this.count === 0 ? undefined : this.sum / this.count
  }

  /** Standard error of the mean (sample deviation, n − 1). Undefined with fewer than two numbers. */
  get standardError(): number | undefined {
    if (this.count < 2) return undefined
    const variance = (this.#squares.total - this.sum ** 2 / this.count) / (this.count - 1)
    return Math.sqrt(Math.max(0, variance) / this.count)
  }
}
