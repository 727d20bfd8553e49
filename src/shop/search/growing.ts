/** Typed arrays that grow as they are filled: millions of small numbers without boxing them. */

type Cells = Uint8Array | Uint16Array | Uint32Array | Float64Array

/** A list of numbers kept in pieces of one mebi-element: appending never copies what is there. */
export class NumberList<A extends Cells> {
  readonly #make: (length: number) => A
  readonly #pieces: A[] = []
  #last: A
  #room: number
  length = 0

  constructor(make: (length: number) => A) {
    this.#make = make
    this.#last = make(0)
    this.#room = 0
  }

  push(value: number): void {
    if (this.#room === 0) {
      this.#last = this.#make(PIECE)
      this.#pieces.push(this.#last)
      this.#room = PIECE
    }
    this.#last[PIECE - this.#room] = value
    this.#room--
    this.length++
  }

  at(index: number): number {
    return this.#pieces[index >>> PIECE_BITS]![index & (PIECE - 1)]!
  }
}

const PIECE_BITS = 20
const PIECE = 1 << PIECE_BITS

/** `array`, or a larger copy when it has no place for `length` elements; new elements are 0. */
export function withRoom<A extends Cells>(array: A, length: number): A {
  if (length <= array.length) return array
  const larger = new (array.constructor as new (length: number) => A)(Math.max(length, array.length * 2)) // same class as `array`
  larger.set(array)
  return larger
}
