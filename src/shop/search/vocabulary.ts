import { ownText } from "../../lib/own-text.ts"

/** Gives every term a number in order of first appearance, while an index is built: Han terms by their key, Latin parts by their text. */
export class Vocabulary {
  #keys = new Uint32Array(1 << 12) // open addressing; no Han key is 0
  #ids = new Uint32Array(1 << 12)
  #hanCount = 0
  readonly #latin = new Map<string, number>()

  get size(): number {
    return this.#hanCount + this.#latin.size
  }

  han(key: number): number {
    const slot = this.#slot(key)
    if (this.#keys[slot] === key) return this.#ids[slot]!
    const id = this.size
    this.#keys[slot] = key
    this.#ids[slot] = id
    this.#hanCount++
    if (this.#hanCount * 2 > this.#keys.length) this.#grow()
    return id
  }

  latin(part: string): number {
    let id = this.#latin.get(part)
    if (id === undefined) {
      id = this.size
      this.#latin.set(ownText(part), id)
    }
    return id
  }

  /** The terms in their final order, Han keys and then Latin parts, both sorted, and the final number of each number given out. */
  sorted(): { hanKeys: Uint32Array; latinParts: string[]; finalNumber: Uint32Array } {
    const finalNumber = new Uint32Array(this.size)
    const hanKeys = this.#keys.filter((key) => key !== 0).sort()
    hanKeys.forEach((key, index) => {
      finalNumber[this.#ids[this.#slot(key)]!] = index
    })
    const latinParts = [...this.#latin.keys()].sort() // ASCII: UTF-16 order is byte order
    latinParts.forEach((part, index) => {
      finalNumber[this.#latin.get(part)!] = hanKeys.length + index
    })
    return { hanKeys, latinParts, finalNumber }
  }

  /** Where `key` is, or belongs. */
  #slot(key: number): number {
    const mask = this.#keys.length - 1
    let slot = (Math.imul(key, 0x9e3779b1) >>> 7) & mask
    while (this.#keys[slot] !== key && this.#keys[slot] !== 0) slot = (slot + 1) & mask
    return slot
  }

  #grow(): void {
    const keys = this.#keys
    const ids = this.#ids
    this.#keys = new Uint32Array(keys.length * 2)
    this.#ids = new Uint32Array(keys.length * 2)
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index]!
      if (key === 0) continue
      const slot = this.#slot(key)
      this.#keys[slot] = key
      this.#ids[slot] = ids[index]!
    }
  }
}
