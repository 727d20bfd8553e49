import { ownText } from "../../lib/own-text.ts"
import type { SearchDocument } from "./engine.ts"
import { NumberList, withRoom } from "./growing.ts"
import { FIRST_PART, RARE_WEIGHT } from "./index-file.ts"
import { invert } from "./inversion.ts"
import { FIELD_WEIGHTS } from "./ranking.ts"
import { foldText, hanKey, modelText, partsOf, scanTokens, type TokenSink } from "./tokens.ts"
import { Vocabulary } from "./vocabulary.ts"

export interface IndexBuilder {
  /** Adds the next document; its number is how many came before it. Of its texts only the id and the category are kept. */
  add(document: SearchDocument): void
  /** The index as one buffer, for `openMemoryIndex`. The builder is spent. */
  finish(): Uint8Array<ArrayBuffer>
}

export function createIndexBuilder(): IndexBuilder {
  return new Builder()
}

/** The documents' terms, document by document, with terms numbered as `vocabulary` does. */
export class ForwardIndex {
  readonly vocabulary = new Vocabulary()
  readonly ids: string[] = []
  readonly categories = new NumberList((length) => new Uint32Array(length))
  readonly categoryNames = new Map<string, number>()
  /** Document → number of tokens; → its first entry in `terms` and `codes`; → its first entry in `sequences`. */
  readonly lengths = new NumberList((length) => new Uint32Array(length))
  readonly termStart = new NumberList((length) => new Uint32Array(length))
  readonly sequenceStart = new NumberList((length) => new Uint32Array(length))
  /** Entries: a term, and the code of its weight in the document. */
  readonly terms = new NumberList((length) => new Uint32Array(length))
  readonly codes = new NumberList((length) => new Uint8Array(length))
  /** Code → weight; entry → weight where the code is RARE_WEIGHT. */
  readonly weights: number[] = []
  readonly rareWeights = new Map<number, number>()
  /** Latin sequences as in the index, but with the vocabulary's numbers. */
  readonly sequences = new NumberList((length) => new Uint32Array(length))
}

class Builder implements IndexBuilder, TokenSink {
  readonly #forward = new ForwardIndex()
  readonly #codeOf = new Map<number, number>()
  /** Term → its weight in the document at hand; → the last field a Han term was seen in. */
  #weight = new Float64Array(1 << 12)
  #seenIn = new Uint32Array(1 << 12)
  /** The terms of the document at hand, in order of first occurrence. */
  #touched = new Uint32Array(1 << 8)
  #touchedCount = 0
  #length = 0
  // The field at hand.
  #text = ""
  #fieldWeight = 0
  #fieldCount = 0
  readonly #latinTokens = new Set<string>()
  readonly #parts: number[] = []

  add(document: SearchDocument): void {
    const forward = this.#forward
    forward.ids.push(ownText(document.asin))
    forward.categories.push(numberOf(forward.categoryNames, document.category))
    forward.termStart.push(forward.terms.length)
    forward.sequenceStart.push(forward.sequences.length)
    this.#length = 0
    const title = foldText(document.title)
    FIELD_WEIGHTS.forEach(([field, weight], index) => {
      if (field === "title") this.#addField(index, weight, title)
      else if (field === "model") this.#addField(index, weight, modelText(title))
      else this.#addField(index, weight, foldText(document[field]))
    })
    forward.lengths.push(this.#length)
    for (let index = 0; index < this.#touchedCount; index++) {
      const term = this.#touched[index]!
      const weight = this.#weight[term]!
      this.#weight[term] = 0
      const code = this.#code(weight)
      if (code === RARE_WEIGHT) forward.rareWeights.set(forward.terms.length, weight)
      forward.terms.push(term)
      forward.codes.push(code)
    }
    this.#touchedCount = 0
  }

  finish(): Uint8Array<ArrayBuffer> {
    return invert(this.#forward)
  }

  #addField(field: number, weight: number, text: string): void {
    if (text === "") return
    this.#text = text
    this.#fieldWeight = weight
    this.#fieldCount++
    scanTokens(text, this)
    if (this.#parts.length > 1) {
      this.#forward.sequences.push(field)
      for (const part of this.#parts) this.#forward.sequences.push(FIRST_PART + part)
    }
    this.#latinTokens.clear()
    this.#parts.length = 0
  }

  han(first: number, second: number): void {
    const term = this.#forward.vocabulary.han(hanKey(first, second))
    if (term >= this.#seenIn.length) this.#seenIn = withRoom(this.#seenIn, term + 1)
    if (this.#seenIn[term] === this.#fieldCount) return
    this.#seenIn[term] = this.#fieldCount
    this.#count(term)
  }

  latin(start: number, end: number): void {
    const token = this.#text.slice(start, end)
    if (this.#latinTokens.has(token)) return
    this.#latinTokens.add(token)
    for (const part of partsOf(token)) {
      const term = this.#forward.vocabulary.latin(part)
      this.#parts.push(term)
      this.#count(term)
    }
  }

  #count(term: number): void {
    if (term >= this.#weight.length) this.#weight = withRoom(this.#weight, term + 1)
    if (this.#weight[term] === 0) {
      if (this.#touchedCount === this.#touched.length) this.#touched = withRoom(this.#touched, this.#touchedCount + 1)
      this.#touched[this.#touchedCount++] = term
    }
    this.#weight[term]! += this.#fieldWeight
    this.#length++
  }

  #code(weight: number): number {
    let code = this.#codeOf.get(weight)
    if (code === undefined) {
      code = Math.min(this.#codeOf.size, RARE_WEIGHT)
      if (code === RARE_WEIGHT) return code
      this.#codeOf.set(weight, code)
      this.#forward.weights.push(weight)
    }
    return code
  }
}

function numberOf(names: Map<string, number>, name: string): number {
  let number = names.get(name)
  if (number === undefined) {
    number = names.size
    names.set(ownText(name), number)
  }
  return number
}
