import { roundScore } from "./ranking.ts"

/** A score this far below another one is also below it after rounding. */
const ROUNDING = 1e-8

/** Keeps the best of many scored documents: by rounded score (descending), then by the rank of their id (ascending). */
export class TopDocuments {
  readonly #capacity: number
  /** A binary heap with the worst document on top. */
  readonly #scores: Float64Array
  readonly #ranks: Uint32Array
  readonly #places: Uint32Array
  #size = 0
  /** Only documents with a score (not rounded) above this can enter. */
  floor = 0

  constructor(capacity: number) {
    this.#capacity = capacity
    this.#scores = new Float64Array(capacity)
    this.#ranks = new Uint32Array(capacity)
    this.#places = new Uint32Array(capacity)
  }

  offer(score: number, rank: number, place: number): void {
    const rounded = roundScore(score)
    if (this.#size < this.#capacity) this.#rise(this.#size++, rounded, rank, place)
    else if (!this.#isWorse(rounded, rank, 0)) this.#sink(rounded, rank, place)
    if (this.#size === this.#capacity) this.floor = Math.max(0, this.#scores[0]! - ROUNDING)
  }

  /** Empties into a list, best document first. */
  take(): { place: number; score: number }[] {
    const result = new Array<{ place: number; score: number }>(this.#size)
    while (this.#size > 0) {
      const last = --this.#size
      result[last] = { place: this.#places[0]!, score: this.#scores[0]! }
      this.#sink(this.#scores[last]!, this.#ranks[last]!, this.#places[last]!)
    }
    return result
  }

  /** Moves a new entry up from the end. */
  #rise(from: number, score: number, rank: number, place: number): void {
    let index = from
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (!this.#isWorse(score, rank, parent)) break
      this.#move(parent, index)
      index = parent
    }
    this.#set(index, score, rank, place)
  }

  /** Puts an entry in the place of the top and moves it down. */
  #sink(score: number, rank: number, place: number): void {
    let index = 0
    for (;;) {
      let child = 2 * index + 1
      if (child >= this.#size) break
      if (child + 1 < this.#size && this.#isWorse(this.#scores[child + 1]!, this.#ranks[child + 1]!, child)) child++
      if (this.#isWorse(score, rank, child)) break
      this.#move(child, index)
      index = child
    }
    this.#set(index, score, rank, place)
  }

  #isWorse(score: number, rank: number, than: number): boolean {
    const other = this.#scores[than]!
    return score < other || (score === other && rank > this.#ranks[than]!)
  }

  #move(from: number, to: number): void {
    this.#set(to, this.#scores[from]!, this.#ranks[from]!, this.#places[from]!)
  }

  #set(index: number, score: number, rank: number, place: number): void {
    this.#scores[index] = score
    this.#ranks[index] = rank
    this.#places[index] = place
  }
}
