/**
 * Requests per second and caller, by a bucket each that holds one second's worth and fills steadily. Buckets that are full again
 * are forgotten, oldest use first, so callers that left cost nothing.
 */
export class RateLimit {
  readonly #perSecond: number
  readonly #burst: number
  readonly #now: () => number
  readonly #buckets = new Map<string, { tokens: number; at: number }>()

  /** `now` in milliseconds. */
  constructor({ perSecond, burst = perSecond, now }: { perSecond: number; burst?: number; now: () => number }) {
    this.#perSecond = perSecond
    this.#burst = burst
    this.#now = now
  }

  /** Spends one request of `caller`: 0 when it may go on, else the milliseconds until it may. */
  take(caller: string): number {
    const now = this.#now()
    let bucket = this.#buckets.get(caller)
    if (bucket === undefined) {
      this.#forget(now)
      bucket = { tokens: this.#burst, at: now }
    } else {
      this.#buckets.delete(caller)
      bucket.tokens = Math.min(this.#burst, bucket.tokens + ((now - bucket.at) / 1000) * this.#perSecond)
      bucket.at = now
    }
    this.#buckets.set(caller, bucket)
    if (bucket.tokens < 1) return Math.ceil(((1 - bucket.tokens) / this.#perSecond) * 1000)
    bucket.tokens--
    return 0
  }

  get callers(): number {
    return this.#buckets.size
  }

  #forget(now: number): void {
    const fullAfterMs = (this.#burst / this.#perSecond) * 1000
    for (const [caller, bucket] of this.#buckets) {
      if (now - bucket.at < fullAfterMs) return
      this.#buckets.delete(caller)
    }
  }
}
