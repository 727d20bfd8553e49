/** Keeps the values used last, `capacity` of them. */
export class LruCache<Key, Value> {
  readonly #capacity: number
  readonly #values = new Map<Key, Value>()

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  /** The kept value, or the one `make` gives, which is then kept. */
  get(key: Key, make: (key: Key) => Value): Value {
    const kept = this.#values.get(key)
    if (kept !== undefined) {
      this.#values.delete(key)
      this.#values.set(key, kept)
      return kept
    }
    const value = make(key)
    if (this.#values.size >= this.#capacity) {
      for (const oldest of this.#values.keys()) {
        this.#values.delete(oldest)
        break
      }
    }
    this.#values.set(key, value)
    return value
  }
}
