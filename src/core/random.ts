import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { sha256Hex } from "./fingerprint.ts"

/** Version of everything in this file: a change of any draw changes it. */
export const RANDOM_VERSION = "sha256-xoshiro128-1"

/** First four bytes, big-endian, of SHA-256 over `parts` joined by colons: an unsigned 32-bit seed. */
export function hashSeed(...parts: (string | number)[]): number {
  const hash = sha256(utf8ToBytes(parts.join(":")))
  return ((hash[0]! << 24) | (hash[1]! << 16) | (hash[2]! << 8) | hash[3]!) >>> 0
}

/** Seed of one episode: `<experiment seed>:<task id>:<sample id>`, so that a job's seed never depends on its neighbours. */
export function episodeSeed(experimentSeed: number, taskId: string, sampleId: number): number {
  return hashSeed(experimentSeed, taskId, sampleId)
}

/** `items` in an order decided by hashes of `seed` and each item's `key` alone; adding an item never reorders the others. */
export function hashRanked<T>(items: readonly T[], seed: string | number, key: (item: T) => string): T[] {
  const hex = new Map<T, string>()
  for (const item of items) hex.set(item, sha256Hex(`${seed}:${key(item)}`))
  return [...items].sort((a, b) => (hex.get(a)! < hex.get(b)! ? -1 : hex.get(a)! > hex.get(b)! ? 1 : 0))
}

/** A seeded stream of draws (xoshiro128** seeded from SHA-256 of the given parts). Same parts, same draws, on every machine. */
export class Random {
  #a: number
  #b: number
  #c: number
  #d: number

  constructor(...parts: (string | number)[]) {
    const hash = new DataView(sha256(utf8ToBytes(parts.join(":"))).slice().buffer)
    this.#a = hash.getUint32(0)
    this.#b = hash.getUint32(4)
    this.#c = hash.getUint32(8)
    this.#d = hash.getUint32(12) | 1
  }

  /** An unsigned 32-bit integer. */
  uint32(): number {
    const b5 = Math.imul(this.#b, 5)
    const result = Math.imul((b5 << 7) | (b5 >>> 25), 9) >>> 0
    const t = this.#b << 9
    this.#c ^= this.#a
    this.#d ^= this.#b
    this.#b ^= this.#c
    this.#a ^= this.#d
    this.#c ^= t
    this.#d = (this.#d << 11) | (this.#d >>> 21)
    return result
  }

  /** A number in [0, 1) with 53 bits. */
  next(): number {
    return ((this.uint32() >>> 5) * 67108864 + (this.uint32() >>> 6)) / 9007199254740992
  }

  /** An integer from `low` to `high`, both included. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  /** One of `items`, which must not be empty. */
  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError("Nothing to pick from")
    return items[Math.floor(this.next() * items.length)]!
  }

  /** `items` in random order (Fisher–Yates); the argument is left alone. */
  shuffle<T>(items: readonly T[]): T[] {
    const result = [...items]
    for (let i = result.length - 1; i > 0; i--) {
      const j = Math.floor(this.next() * (i + 1))
      const swap = result[i]!
      result[i] = result[j]!
      result[j] = swap
    }
    return result
  }

  /** `count` different `items` (all of them when there are fewer), in random order. */
  sample<T>(items: readonly T[], count: number): T[] {
    return this.shuffle(items).slice(0, count)
  }
}
