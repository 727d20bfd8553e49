import { AppError } from "../core/errors.ts"

/** Time as leases need it: milliseconds that only grow, and a call after a delay. */
export interface LeaseClock {
  now(): number
  /** Calls `run` once after `ms`; the result calls it off. Must not keep the process alive. */
  after(ms: number, run: () => void): () => void
}

/** A claim on one session: whoever knows `id` holds it until it is released or its time runs out. */
export interface Lease<Value> {
  /** 128 random bits as 32 hex digits. */
  readonly id: string
  /** A small number, unique among the living; handed out again after a release. */
  readonly slot: number
  readonly ttlMs: number
  readonly value: Value
}

interface Held<Value> extends Lease<Value> {
  expiresAt: number
  /** What `expiresAt` was when the lease took its place in the queue: no later than that, and not much earlier. */
  queuedFor: number
  /** Work that is under way or queued; resolves when the last of it has ended. Null when idle. */
  tail: Promise<unknown> | null
}

interface Waiter {
  grant(slot: number): void
  refuse(error: AppError): void
}

/** A renewed lease keeps its place in the queue until its expiry has moved by more than this share of its TTL. */
const MOVE_SHARE = 1 / 64

/**
 * Sessions by lease. Each lives `ttlMs` after its last use; one timer removes those whose time has run out. At most `capacity`
 * live at once: further callers wait in order, and one that gives up while waiting leaves nothing behind.
 *
 * Leases with the same TTL stand in a queue in the order of the expiry they were queued for (a `Map` moves a re-inserted key to its
 * end), and a released lease leaves no entry in it. A renewed one moves only now and then: a key that is re-inserted again and again
 * gets slow, since a `Map` looks past all its old entries until it is rehashed. So who looks for expired leases passes those that
 * were renewed a little.
 */
export class Leases<Value> {
  readonly capacity: number
  readonly #clock: LeaseClock
  readonly #newId: () => string
  readonly #onExpire: (lease: Lease<Value>) => void
  readonly #held = new Map<string, Held<Value>>()
  readonly #queues = new Map<number, Map<string, Held<Value>>>()
  readonly #waiters = new Set<Waiter>()
  readonly #freeSlots: number[] = [] // slots below #nextSlot that nobody holds
  #nextSlot = 0
  #granted = 0 // slots promised to a waiter that has not made its session yet
  #cancelTimer: (() => void) | null = null
  #timerAt = Number.POSITIVE_INFINITY
  #closed = false

  constructor({
    capacity,
    clock,
    newId,
    onExpire = () => {},
  }: {
    capacity: number
    clock: LeaseClock
    /** 32 hex digits nobody can guess. */
    newId: () => string
    /** Told after a lease ran out and was removed. */
    onExpire?: (lease: Lease<Value>) => void
  }) {
    if (!Number.isInteger(capacity) || capacity < 1) {
      throw new AppError("BAD_INPUT", `The number of sessions must be a positive integer, not ${capacity}`)
    }
    this.capacity = capacity
    this.#clock = clock
    this.#newId = newId
    this.#onExpire = onExpire
  }

  /** Leases that live. */
  get size(): number {
    return this.#held.size
  }

  get free(): number {
    return Math.max(0, this.capacity - this.#held.size - this.#granted)
  }

  /** Callers that wait for a place. */
  get waiting(): number {
    return this.#waiters.size
  }

  all(): Iterable<Lease<Value>> {
    return this.#held.values()
  }

  /** The lease, without renewing it. */
  find(id: string): Lease<Value> | undefined {
    return this.#held.get(id)
  }

  isLive(lease: Lease<Value>): boolean {
    return this.#held.get(lease.id) === lease
  }

  /**
   * Takes a place and puts `make(id, slot)` on it; when `make` throws, the place is free again. With none free it waits its turn
   * for at most `waitMs` (endless when undefined). Rejects with `CONFLICT` when the wait was in vain and `CANCELLED` when `signal`
   * aborts, however late: an aborted caller never holds a lease.
   */
  async acquire(
    make: (id: string, slot: number) => Value,
    { ttlMs, waitMs, signal }: { ttlMs: number; waitMs?: number | undefined; signal?: AbortSignal | undefined },
  ): Promise<Lease<Value>> {
    const slot = await this.#place(waitMs, signal)
    this.#granted--
    try {
      if (this.#closed) throw closed()
      if (signal?.aborted) throw cancelled(signal)
      const id = this.#newId()
      return this.#add(id, slot, ttlMs, make(id, slot))
    } catch (error) {
      this.#freeSlot(slot)
      throw error
    }
  }

  /** Puts back a lease from before a restart, with a whole TTL ahead of it. Only before the first `acquire`. */
  restore(id: string, slot: number, ttlMs: number, value: Value): Lease<Value> {
    if (this.#held.has(id)) throw new AppError("CONFLICT", `Lease ${id} lives already`)
    const gap = this.#freeSlots.indexOf(slot)
    if (gap >= 0) this.#freeSlots.splice(gap, 1)
    else if (slot < this.#nextSlot) throw new AppError("CONFLICT", `Slot ${slot} is held already`)
    while (this.#nextSlot <= slot) {
      if (this.#nextSlot < slot) this.#freeSlots.push(this.#nextSlot)
      this.#nextSlot++
    }
    return this.#add(id, slot, ttlMs, value)
  }

  /** A whole TTL from now. */
  renew(lease: Lease<Value>): void {
    const held = this.#held.get(lease.id)
    if (held !== lease || held === undefined) return
    held.expiresAt = this.#clock.now() + held.ttlMs
    if (held.expiresAt - held.queuedFor <= held.ttlMs * MOVE_SHARE) return
    held.queuedFor = held.expiresAt
    const queue = this.#queue(held.ttlMs)
    queue.delete(held.id)
    queue.set(held.id, held)
  }

  /** Milliseconds until the lease runs out if nobody uses it. */
  remainingMs(lease: Lease<Value>): number {
    const held = this.#held.get(lease.id)
    return held === undefined ? 0 : Math.max(0, held.expiresAt - this.#clock.now())
  }

  /**
   * Runs `work` when all earlier work on this lease has ended, so that no two actions on one session overlap; renews the lease
   * before and after. A lease with work under way does not run out. Rejects with `NOT_FOUND` when it was released meanwhile.
   */
  async serially<T>(lease: Lease<Value>, work: () => T | Promise<T>): Promise<T> {
    const held = this.#held.get(lease.id)
    if (held === undefined || held !== lease) throw gone()
    const before = held.tail
    const run = async (): Promise<T> => {
      if (before !== null) await before
      if (!this.isLive(lease)) throw gone()
      this.renew(lease)
      try {
        return await work()
      } finally {
        this.renew(lease)
      }
    }
    const result = run()
    const tail = result.then(
      () => {},
      () => {},
    )
    held.tail = tail
    void tail.then(() => {
      if (held.tail === tail) held.tail = null
    })
    return result
  }

  /** Frees the lease's place for the next in line. False when it was free already. */
  release(id: string): boolean {
    const held = this.#held.get(id)
    if (held === undefined) return false
    this.#held.delete(id)
    this.#queue(held.ttlMs).delete(id)
    this.#freeSlot(held.slot)
    return true
  }

  /** Frees every place; the leases that were held. */
  releaseAll(): Lease<Value>[] {
    const all = [...this.#held.values()]
    for (const held of all) this.release(held.id)
    return all
  }

  /** Resolves when no work is under way on any lease. */
  async idle(): Promise<void> {
    for (;;) {
      const busy = [...this.#held.values()].flatMap((held) => (held.tail === null ? [] : [held.tail]))
      if (busy.length === 0) return
      await Promise.all(busy)
    }
  }

  /** Stops the timer and refuses all who wait. Held leases stay readable. */
  close(): void {
    this.#closed = true
    this.#cancelTimer?.()
    this.#cancelTimer = null
    for (const waiter of [...this.#waiters]) waiter.refuse(closed())
  }

  #add(id: string, slot: number, ttlMs: number, value: Value): Held<Value> {
    const expiresAt = this.#clock.now() + ttlMs
    const held: Held<Value> = { id, slot, ttlMs, value, expiresAt, queuedFor: expiresAt, tail: null }
    this.#held.set(id, held)
    this.#queue(ttlMs).set(id, held)
    this.#schedule(held.expiresAt)
    return held
  }

  #queue(ttlMs: number): Map<string, Held<Value>> {
    let queue = this.#queues.get(ttlMs)
    if (queue === undefined) {
      queue = new Map()
      this.#queues.set(ttlMs, queue)
    }
    return queue
  }

  /** A slot number, now or when one is free; counted in #granted until the caller has used it. */
  #place(waitMs: number | undefined, signal: AbortSignal | undefined): Promise<number> {
    if (this.#closed) return Promise.reject(closed())
    if (signal?.aborted) return Promise.reject(cancelled(signal))
    if (this.free > 0) {
      this.#granted++
      return Promise.resolve(this.#takeSlot())
    }
    if (waitMs !== undefined && waitMs <= 0) return Promise.reject(full(this.capacity))
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        this.#waiters.delete(waiter)
        signal?.removeEventListener("abort", onAbort)
        callOff?.()
      }
      const waiter: Waiter = {
        grant: (slot) => {
          settle()
          resolve(slot)
        },
        refuse: (error) => {
          settle()
          reject(error)
        },
      }
      const onAbort = (): void => waiter.refuse(cancelled(signal))
      const callOff =
        waitMs === undefined ? undefined : this.#clock.after(waitMs, () => waiter.refuse(full(this.capacity)))
      this.#waiters.add(waiter)
      signal?.addEventListener("abort", onAbort, { once: true })
    })
  }

  #takeSlot(): number {
    return this.#freeSlots.pop() ?? this.#nextSlot++
  }

  #freeSlot(slot: number): void {
    this.#freeSlots.push(slot)
    const next = this.#waiters.values().next()
    if (next.done === true || this.free === 0) return
    this.#granted++
    next.value.grant(this.#takeSlot())
  }

  #schedule(at: number): void {
    if (this.#closed || at >= this.#timerAt) return
    this.#cancelTimer?.()
    this.#timerAt = at
    this.#cancelTimer = this.#clock.after(Math.max(0, at - this.#clock.now()), () => this.#expire())
  }

  #expire(): void {
    this.#cancelTimer = null
    this.#timerAt = Number.POSITIVE_INFINITY
    const now = this.#clock.now()
    let next = Number.POSITIVE_INFINITY
    for (const queue of this.#queues.values()) {
      for (const held of queue.values()) {
        if (held.queuedFor > now) {
          next = Math.min(next, held.queuedFor)
          break
        }
        if (held.expiresAt > now) {
          next = Math.min(next, held.expiresAt)
          continue
        }
        if (held.tail !== null) {
          this.renew(held)
          continue
        }
        this.release(held.id)
        this.#onExpire(held)
      }
    }
    if (next < Number.POSITIVE_INFINITY) this.#schedule(next)
  }
}

function gone(): AppError {
  return new AppError("NOT_FOUND", "This session was released or its lease ran out", {
    details: { problem: "session_not_found" },
  })
}

function full(capacity: number): AppError {
  const message = `All ${capacity} sessions are taken; release one, wait longer, or raise --max-sessions`
  return new AppError("CONFLICT", message, { retryable: true, details: { problem: "too_many_sessions" } })
}

function closed(): AppError {
  return new AppError("CANCELLED", "The server is stopping", { retryable: true, details: { problem: "stopping" } })
}

function cancelled(signal: AbortSignal | undefined): AppError {
  return new AppError("CANCELLED", "The caller went away", { cause: signal?.reason })
}
