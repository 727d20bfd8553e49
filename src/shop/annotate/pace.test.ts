import { expect, test } from "vitest"
import { createPacer } from "./pace.ts"

const never = new AbortController().signal

/** A pacer in a world where waiting takes no time but moves the clock. Seconds. */
function inSeconds(options: { perMinute?: number } = {}) {
  let now = 0
  const clock = { now: () => now * 1000 }
  const pacer = createPacer({
    ...options,
    clock,
    pause: async (ms) => {
      now += ms / 1000
    },
  })
  return {
    pacer,
    at: () => Math.round(now * 1000) / 1000,
    goTo(second: number) {
      now = second
    },
    refused: (retryAfter?: number, sentAt = now) =>
      pacer.refused({ sentAt: sentAt * 1000, ...(retryAfter !== undefined && { retryAfterMs: retryAfter * 1000 }) }),
    perMinute: () => pacer.state().per_minute,
  }
}

test("requests are started evenly", async () => {
  const { pacer, at } = inSeconds({ perMinute: 30 })
  const starts: number[] = []
  await Promise.all([1, 2, 3, 4].map(() => pacer.take({ signal: never }).then(() => starts.push(at()))))
  expect(starts).toEqual([0, 2, 4, 6])
})

test("a wave of refusals stops everybody once; the first caps the rate, each further one halves it", async () => {
  const { pacer, goTo, refused, perMinute, at } = inSeconds({ perMinute: 60 })
  refused()
  expect(perMinute()).toBe(32)
  refused()
  expect(perMinute()).toBe(32)
  expect(pacer.state()).toMatchObject({ cooling_ms: 65_000, waves: 1 })
  await pacer.take({ signal: never })
  expect(at()).toBe(65)
  goTo(66)
  refused()
  expect(perMinute()).toBe(16)
  for (let second = 200; second < 2000; second += 100) {
    goTo(second)
    refused()
  }
  expect(perMinute()).toBe(1)
})

test("a refusal that comes late, of a request from before the pause, is no new wave", () => {
  const { refused, goTo, perMinute } = inSeconds({ perMinute: 60 })
  goTo(10)
  refused()
  goTo(80)
  refused(undefined, 5)
  expect(perMinute()).toBe(32)
  refused(undefined, 79)
  expect(perMinute()).toBe(16)
})

test("a server that asks for longer gets it", async () => {
  const { pacer, refused, at } = inSeconds()
  refused(300)
  await pacer.take({ signal: never })
  expect(at()).toBe(300)
})

test("who waits is called off, and those behind are served", async () => {
  const { pacer } = inSeconds()
  const stop = new AbortController()
  const first = pacer.take({ signal: stop.signal })
  stop.abort()
  const second = pacer.take({ signal: never })
  await expect(first).rejects.toMatchObject({ code: "CANCELLED" })
  await expect(second).resolves.toBeUndefined()
})
