import { describe, expect, it } from "vitest"
import { adaptiveLimiter, type Permit } from "./limiter.ts"

/** A clock and a timetable that move only when told to. */
function fakeTime() {
  let now = 0
  let next = 0
  const timetable = new Map<number, { at: number; work: () => void }>()
  return {
    clock: { now: () => now },
    schedule: (ms: number, work: () => void) => {
      const id = next++
      timetable.set(id, { at: now + ms, work })
      return () => timetable.delete(id)
    },
    /** Runs everything due until `until`, letting promises settle in between. */
    async run(until: number) {
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve))
        const due = [...timetable.entries()].sort(([, a], [, b]) => a.at - b.at)[0]
        if (due === undefined || due[1].at > until) break
        timetable.delete(due[0])
        now = Math.max(now, due[1].at)
        due[1].work()
      }
      now = until
    },
  }
}

const never = new AbortController().signal

/** A server with a token bucket, and `users` callers who always have another request. */
function serverWith(time: ReturnType<typeof fakeTime>, { perSecond, burst, latencyMs, users }: Record<string, number>) {
  const limiter = adaptiveLimiter({ clock: time.clock, schedule: time.schedule, maxInFlight: users! })
  let bucket = burst!
  let at = 0
  const log: { at: number; ok: boolean }[] = []
  const answer = (permit: Permit) => {
    const now = time.clock.now()
    bucket = Math.min(burst!, bucket + ((now - at) * perSecond!) / 1000)
    at = now
    const ok = bucket >= 1
    if (ok) bucket -= 1
    log.push({ at: now, ok })
    time.schedule(ok ? latencyMs! : 5, () => {
      permit.ended(ok ? {} : { refused: true, retryAfterMs: 1000 })
    })
  }
  for (let user = 0; user < users!; user++) {
    // Each user waits for its own answer before it asks again.
    void (async () => {
      for (;;) {
        const permit = await limiter.take({ signal: never })
        await new Promise<void>((resolve) => {
          answer({
            ended(how) {
              permit.ended(how)
              resolve()
            },
          })
        })
      }
    })()
  }
  return { limiter, log }
}

describe("adaptive limiter", () => {
  for (const latencyMs of [50, 1000]) {
    it(`uses nine tenths of a rate it was never told and is seldom refused (latency ${latencyMs} ms)`, async () => {
      const time = fakeTime()
      const { log } = serverWith(time, { perSecond: 10, burst: 10, latencyMs, users: 32 })
      await time.run(360_000)
      const late = log.filter(({ at }) => at > 60_000)
      const accepted = late.filter(({ ok }) => ok).length
      expect(accepted).toBeGreaterThan(0.9 * 10 * 300)
      expect(accepted).toBeLessThanOrEqual(10 * 300 + 10)
      expect((late.length - accepted) / late.length).toBeLessThan(0.05)
    })
  }

  it("does not pace a server that never refuses", async () => {
    const time = fakeTime()
    const { limiter, log } = serverWith(time, { perSecond: 1e6, burst: 1e6, latencyMs: 100, users: 64 })
    await time.run(10_000)
    expect(limiter.state().requests_per_s).toBeNull()
    expect(log.length).toBeGreaterThan(64 * 90)
  })

  it("keeps a rate it was told", async () => {
    const time = fakeTime()
    const limiter = adaptiveLimiter({ clock: time.clock, schedule: time.schedule, requestsPerMinute: 60 })
    let sent = 0
    for (let i = 0; i < 100; i++)
      void limiter.take({ signal: never }).then((permit) => {
        sent += 1
        permit.ended({})
      })
    await time.run(30_000)
    expect(sent).toBeGreaterThanOrEqual(30)
    expect(sent).toBeLessThanOrEqual(31)
  })

  it("waits out tokens that were used beyond the allowance", async () => {
    const time = fakeTime()
    const limiter = adaptiveLimiter({ clock: time.clock, schedule: time.schedule, tokensPerMinute: 6000 })
    const first = await limiter.take({ signal: never })
    first.ended({ tokens: 1000 })
    let granted = false
    void limiter.take({ signal: never }).then(() => {
      granted = true
    })
    await time.run(9_000)
    expect(granted).toBe(false)
    await time.run(11_000)
    expect(granted).toBe(true)
  })

  it("serves in order and forgets who gave up", async () => {
    const time = fakeTime()
    const limiter = adaptiveLimiter({ clock: time.clock, schedule: time.schedule, maxInFlight: 1 })
    const first = await limiter.take({ signal: never })
    const leaver = new AbortController()
    const order: string[] = []
    const second = limiter.take({ signal: leaver.signal }).catch((error) => order.push(error.code))
    const third = limiter.take({ signal: never }).then(() => order.push("third"))
    leaver.abort()
    await second
    first.ended({})
    await third
    expect(order).toEqual(["CANCELLED", "third"])
    expect(limiter.state()).toMatchObject({ waiting: 0, in_flight: 1 })
  })

  it("everybody waits as long as a refusal asks", async () => {
    const time = fakeTime()
    const limiter = adaptiveLimiter({ clock: time.clock, schedule: time.schedule })
    const permit = await limiter.take({ signal: never })
    permit.ended({ refused: true, retryAfterMs: 20_000 })
    let granted = false
    void limiter.take({ signal: never }).then(() => {
      granted = true
    })
    await time.run(19_000)
    expect(granted).toBe(false)
    expect(limiter.state().cooling_ms).toBe(1000)
    await time.run(21_000)
    expect(granted).toBe(true)
  })
})
