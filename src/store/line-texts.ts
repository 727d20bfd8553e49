import type { Json } from "../core/json.ts"

const QUOTE = 0x22
const BACKSLASH = 0x5c
const BRACKET = 0x5b

/** Looks up texts in a list of them, which is between two bytes of a line; what is not looked up is only skipped. */
export class LineTexts {
  readonly #line: Buffer
  readonly #to: number
  readonly #starts: number[] = [] // of the entries found so far
  readonly #texts: (string | undefined)[] = []
  #next: number

  constructor(line: Buffer, from: number, to: number) {
    this.#line = line
    this.#next = from
    this.#to = to
  }

  /** Undefined when there are not so many. Throws an `Error` for what is no text. */
  get(index: number): string | undefined {
    const known = this.#texts[index]
    if (known !== undefined) return known
    this.#findUpTo(index)
    const start = this.#starts[index]
    if (start === undefined) return undefined
    const end = (this.#starts[index + 1] ?? this.#next) - 1 // before the comma
    const entry = JSON.parse(this.#line.toString("utf8", start, end)) as Json
    const text = typeof entry === "string" ? entry : this.#spliced(entry, index)
    this.#texts[index] = text
    return text
  }

  #findUpTo(index: number): void {
    const line = this.#line
    while (this.#starts.length <= index && this.#next < this.#to) {
      const start = this.#next
      const string = line[start] === BRACKET ? line.indexOf(QUOTE, start) : start
      const end = stringEnd(line, string)
      this.#starts.push(start)
      this.#next = (string === start ? end : line.indexOf("]", end) + 1) + 1 // after the comma
    }
  }

  /** A text that is another one with a stretch replaced. */
  #spliced(entry: Json, index: number): string {
    const [base, start, end, middle] = entry as [number, number, number, string]
    const before = base < index ? this.get(base) : undefined
    if (before === undefined) throw new Error(`text ${index} builds on text ${base}, which does not come before it`)
    return before.slice(0, start) + middle + before.slice(end)
  }
}

/** The byte after the string that starts with the quote at `start`. */
function stringEnd(line: Buffer, start: number): number {
  for (let at = line.indexOf(QUOTE, start + 1); at >= 0; at = line.indexOf(QUOTE, at + 1)) {
    let escapes = 0
    while (line[at - 1 - escapes] === BACKSLASH) escapes++
    if (escapes % 2 === 0) return at + 1
  }
  throw new Error("a text does not end")
}
