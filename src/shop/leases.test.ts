import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Lease, type LeaseClock, Leases } from "./leases.ts"

/** A clock that moves when told to, and runs what is due in order. */
class ManualClock implements LeaseClock {
  #now = 0
  #timers = new Set<{ at: number; run: () => void }>()

  now(): number {
    return this.#now
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.#now + ms, run }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  get timers(): number {
    return this.#timers.size
  }

  advance(ms: number): void {
    const end = this.#now + ms
    for (;;) {
      const due = [...this.#timers].filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0]
      if (due === undefined) break
      this.#timers.delete(due)
      this.#now = due.at
      due.run()
    }
    this.#now = end
  }
}

function leases(capacity: number, clock = new ManualClock()) {
  let count = 0
  const expired: string[] = []
  const pool = new Leases<string>({
    capacity,
    clock,
    newId: () => (++count).toString(16).padStart(32, "0"),
    onExpire: (lease) => expired.push(lease.value),
  })
  return { pool, clock, expired }
}

const take = (
  pool: Leases<string>,
  name: string,
  options: { waitMs?: number; signal?: AbortSignal; ttlMs?: number } = {},
) => pool.acquire(() => name, { ttlMs: 1000, ...options })

describe("leases", () => {
  it("a place is taken once, given back once, and nobody waits who did not ask to", async () => {
    const { pool } = leases(1)
    const lease = await take(pool, "a")
    expect(lease.slot).toBe(0)
    await expect(take(pool, "b", { waitMs: 0 })).rejects.toMatchObject({ code: "CONFLICT", retryable: true })
    expect(pool.release(lease.id)).toBe(true)
    expect(pool.release(lease.id)).toBe(false)
    expect((await take(pool, "b", { waitMs: 0 })).slot).toBe(0)
  })

  it("releasing all frees every place", async () => {
    const { pool } = leases(3)
    await take(pool, "a")
    await take(pool, "b")
    expect(pool.releaseAll().map((lease) => lease.value)).toEqual(["a", "b"])
    expect(pool.free).toBe(3)
    const slots = await Promise.all(["a", "b", "c"].map(async (name) => (await take(pool, name)).slot))
    expect(slots.sort()).toEqual([0, 1, 2])
  })

  it("an old lease is unknown after its place went to another", async () => {
    const { pool } = leases(1)
    const old = await take(pool, "old")
    pool.release(old.id)
    const young = await take(pool, "young")
    expect(pool.find(old.id)).toBeUndefined()
    expect(pool.release(old.id)).toBe(false)
    await expect(pool.serially(old, () => 1)).rejects.toMatchObject({ code: "NOT_FOUND" })
    expect(pool.find(young.id)?.value).toBe("young")
  })

  it("who waits is served in order, and one that gave up is passed over", async () => {
    const { pool } = leases(1)
    const first = await take(pool, "first")
    const gone = new AbortController()
    const order: string[] = []
    const waits = ["b", "c", "d"].map((name) =>
      take(pool, name, name === "c" ? { signal: gone.signal } : {}).then(
        (lease) => {
          order.push(name)
          pool.release(lease.id)
        },
        (error: { code: string }) => void order.push(`${name}:${error.code}`),
      ),
    )
    expect(pool.waiting).toBe(3)
    gone.abort()
    pool.release(first.id)
    await Promise.all(waits)
    expect(order.filter((entry) => !entry.startsWith("c"))).toEqual(["b", "d"])
    expect(order).toContain("c:CANCELLED")
    expect([pool.waiting, pool.size, pool.free]).toEqual([0, 0, 1])
  })

  it("a newcomer does not overtake those who wait", async () => {
    const { pool } = leases(1)
    const first = await take(pool, "first")
    const waiting = take(pool, "waiting")
    pool.release(first.id)
    const newcomer = take(pool, "newcomer", { waitMs: 0 })
    expect((await waiting).value).toBe("waiting")
    await expect(newcomer).rejects.toMatchObject({ code: "CONFLICT" })
  })

  it("one that gives up at the moment it is served leaves the place to the next", async () => {
    const { pool } = leases(1)
    const first = await take(pool, "first")
    const gone = new AbortController()
    const waiting = take(pool, "gone", { signal: gone.signal })
    const next = take(pool, "next")
    pool.release(first.id)
    gone.abort()
    await expect(waiting).rejects.toMatchObject({ code: "CANCELLED" })
    expect((await next).value).toBe("next")
    expect(pool.size).toBe(1)
  })

  it("a wait with a deadline ends in words on what to do", async () => {
    const { pool, clock } = leases(1)
    await take(pool, "a")
    const waiting = take(pool, "b", { waitMs: 500 })
    clock.advance(499)
    expect(pool.waiting).toBe(1)
    clock.advance(1)
    await expect(waiting).rejects.toThrow(/All 1 sessions are taken/)
    expect(pool.waiting).toBe(0)
  })

  it("a session that could not be made gives its place back", async () => {
    const { pool } = leases(1)
    const broken = pool.acquire(
      () => {
        throw new Error("no such task")
      },
      { ttlMs: 1000 },
    )
    await expect(broken).rejects.toThrow("no such task")
    expect(pool.free).toBe(1)
  })

  it("a lease runs out after its TTL unless it is used", async () => {
    const { pool, clock, expired } = leases(3)
    const used = await take(pool, "used")
    await take(pool, "idle")
    await take(pool, "patient", { ttlMs: 3000 })
    clock.advance(900)
    pool.renew(used)
    clock.advance(150)
    expect(expired).toEqual(["idle"])
    clock.advance(900)
    expect(expired).toEqual(["idle", "used"])
    expect(clock.timers).toBe(1)
    clock.advance(5000)
    expect(expired).toEqual(["idle", "used", "patient"])
    expect(clock.timers).toBe(0)
    expect(pool.free).toBe(3)
  })

  it("a lease with work under way does not run out", async () => {
    const { pool, clock, expired } = leases(1)
    const lease = await take(pool, "slow")
    let finish = (): void => {}
    const work = pool.serially(lease, () => new Promise<void>((resolve) => (finish = resolve)))
    await Promise.resolve()
    clock.advance(5000)
    expect(expired).toEqual([])
    finish()
    await work
    await pool.idle()
    clock.advance(1000)
    expect(expired).toEqual(["slow"])
  })

  it("every lease runs out exactly its TTL after its last use, however little or often that moved", async () => {
    const step = fc.oneof(
      { weight: 1, arbitrary: fc.record({ take: fc.constantFrom(1000, 3000) }) },
      { weight: 4, arbitrary: fc.record({ renew: fc.nat(30) }) },
      { weight: 3, arbitrary: fc.record({ advance: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.nat(900)) }) },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { pool, clock, expired } = leases(100)
        const due = new Map<string, { lease: Lease<string>; at: number }>()
        const went: [string, number][] = []
        const advance = (ms: number): void => {
          for (let i = 0; i < ms; i++) {
            clock.advance(1)
            for (const name of expired.splice(0)) went.push([name, clock.now()])
          }
        }
        const expected: [string, number][] = []
        const settle = (): void => {
          for (const [name, { at }] of due) {
            if (at > clock.now()) continue
            expected.push([name, at])
            due.delete(name)
          }
        }
        let names = 0
        for (const event of steps) {
          if ("take" in event) {
            const name = `lease ${names++}`
            const lease = await take(pool, name, { ttlMs: event.take })
            due.set(name, { lease, at: clock.now() + event.take })
          } else if ("renew" in event) {
            const [name, entry] = [...due][event.renew % Math.max(1, due.size)] ?? []
            if (name === undefined || entry === undefined) continue
            pool.renew(entry.lease)
            due.set(name, { lease: entry.lease, at: clock.now() + entry.lease.ttlMs })
          } else advance(event.advance)
          settle()
        }
        advance(4000)
        settle()
        const byName = (list: [string, number][]) => list.sort(([a], [b]) => a.localeCompare(b))
        expect(byName(went)).toEqual(byName(expected))
        expect([pool.size, clock.timers]).toEqual([0, 0])
      }),
      { numRuns: 60 },
    )
  })

  it("work on one lease never overlaps, and a failure does not stop the next", async () => {
    const { pool } = leases(2)
    const lease = await take(pool, "a")
    const other = await take(pool, "b")
    const events: string[] = []
    const work =
      (name: string, fails = false) =>
      async () => {
        events.push(`+${name}`)
        await new Promise((resolve) => setTimeout(resolve, 1))
        events.push(`-${name}`)
        if (fails) throw new Error("failed")
        return name
      }
    const results = await Promise.allSettled([
      pool.serially(lease, work("1")),
      pool.serially(lease, work("2", true)),
      pool.serially(lease, work("3")),
      pool.serially(other, work("x")),
    ])
    expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"])
    expect(events.filter((event) => !event.includes("x"))).toEqual(["+1", "-1", "+2", "-2", "+3", "-3"])
    expect(events.indexOf("+x")).toBeLessThan(events.indexOf("-1"))
  })

  it("work queued on a lease that is released meanwhile is refused", async () => {
    const { pool } = leases(1)
    const lease = await take(pool, "a")
    const first = pool.serially(lease, () => void pool.release(lease.id))
    const second = pool.serially(lease, () => "never")
    await first
    await expect(second).rejects.toMatchObject({ code: "NOT_FOUND" })
  })

  it("restored leases keep their places, also beyond the capacity, and new ones take the gaps", async () => {
    const { pool } = leases(3)
    pool.restore("x".repeat(32), 2, 1000, "x")
    pool.restore("y".repeat(32), 0, 1000, "y")
    expect(() => pool.restore("z".repeat(32), 0, 1000, "z")).toThrow(/held already/)
    expect((await take(pool, "new")).slot).toBe(1)
    pool.restore("w".repeat(32), 7, 1000, "w")
    await expect(take(pool, "late", { waitMs: 0 })).rejects.toMatchObject({ code: "CONFLICT" })
    pool.release("x".repeat(32))
    await expect(take(pool, "late", { waitMs: 0 })).rejects.toMatchObject({ code: "CONFLICT" })
    pool.release("w".repeat(32))
    expect((await take(pool, "late", { waitMs: 0 })).slot).toBeLessThan(7 + 1)
  })

  it("closing refuses those who wait", async () => {
    const { pool } = leases(1)
    await take(pool, "a")
    const waiting = take(pool, "b")
    pool.close()
    await expect(waiting).rejects.toThrow(/stopping/)
    await expect(take(pool, "c")).rejects.toThrow(/stopping/)
  })

  it("whatever happens in whatever order, slots are unique, the capacity holds and nobody is forgotten", async () => {
    const step = fc.oneof(
      fc.record({ type: fc.constant("take" as const), ttl: fc.constantFrom(500, 1000) }),
      fc.record({ type: fc.constant("abort" as const), which: fc.nat(20) }),
      fc.record({ type: fc.constant("release" as const), which: fc.nat(20) }),
      fc.record({ type: fc.constant("renew" as const), which: fc.nat(20) }),
      fc.record({ type: fc.constant("advance" as const), ms: fc.integer({ min: 1, max: 700 }) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(step, { maxLength: 40 }), async (capacity, steps) => {
        const { pool, clock } = leases(capacity)
        const callers: { abort: AbortController; settled: boolean }[] = []
        for (const event of steps) {
          const live = [...pool.all()]
          const pick = <T>(items: T[], which: number): T | undefined => items[which % Math.max(1, items.length)]
          if (event.type === "take") {
            const caller = { abort: new AbortController(), settled: false }
            callers.push(caller)
            take(pool, "x", { signal: caller.abort.signal, ttlMs: event.ttl })
              .catch(() => {})
              .finally(() => {
                caller.settled = true
              })
          } else if (event.type === "abort") pick(callers, event.which)?.abort.abort()
          else if (event.type === "release") pool.release(pick(live, event.which)?.id ?? "")
          else if (event.type === "renew") {
            const lease = pick(live, event.which)
            if (lease !== undefined) pool.renew(lease)
          } else clock.advance(event.ms)
          for (let i = 0; i < 8; i++) await Promise.resolve()
          const slots = [...pool.all()].map((lease) => lease.slot)
          expect(new Set(slots).size).toBe(slots.length)
          expect(slots.every((slot) => slot < capacity)).toBe(true)
          if (pool.waiting > 0) expect(pool.free).toBe(0)
          expect(pool.size + pool.free).toBe(capacity)
          expect(callers.filter((caller) => !caller.settled).length).toBe(pool.waiting)
        }
      }),
      { numRuns: 150 },
    )
  })
})
