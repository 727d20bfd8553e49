import { throwIfCancelled } from "../../core/errors.ts"
import { type Clock, systemClock } from "../../lib/clock.ts"
import { type Pause, pause } from "../../lib/pause.ts"

/** When requests to a provider with limits by the minute are sent. Shared by all workers. */
export interface Pacer {
  /** Resolves when the next request may be sent, one after the other. Rejects with `CANCELLED` when `signal` aborts. */
  take(call: { readonly signal: AbortSignal }): Promise<void>
  /** A request that was sent at `sentAt` was refused for a limit by the minute. */
  refused(refusal: { readonly sentAt: number; readonly retryAfterMs?: number }): void
  /** Requests a minute now; milliseconds until requests are sent again, 0 when they are. */
  state(): { readonly per_minute: number; readonly cooling_ms: number; readonly waves: number }
}

export interface PacerOptions {
  readonly perMinute?: number
  /** How long nobody sends after a refusal, at least. */
  readonly coolingMs?: number
  readonly clock?: Clock
  readonly pause?: Pause
}

const MINUTE_MS = 60_000
/** What the first refusal brings the rate down to. */
const CAUTIOUS = 32

/**
 * Spaces requests evenly. A refusal stops everybody for `coolingMs` (65 s: the minute that limits count in, and a bit), or longer where
 * the server asks for it. The first one brings the rate down to 32 a minute, each later one to half, at least 1. Refusals of requests that
 * were sent before the pause, or that come during it, belong to the same wave and change nothing more.
 */
export function createPacer(options: PacerOptions = {}): Pacer {
  const { coolingMs = 65_000, clock = systemClock, pause: wait = pause } = options
  let perMinute = options.perMinute ?? CAUTIOUS
  let nextAt = clock.now()
  let coolingFrom = Number.NEGATIVE_INFINITY
  let coolingUntil = Number.NEGATIVE_INFINITY
  let waves = 0
  let line: Promise<void> = Promise.resolve()

  const turn = async (signal: AbortSignal) => {
    for (;;) {
      throwIfCancelled(signal)
      const now = clock.now()
      const ms = Math.max(nextAt, coolingUntil) - now
      if (ms <= 0) break
      await wait(ms, signal)
    }
    nextAt = Math.max(nextAt, clock.now()) + MINUTE_MS / perMinute
  }

  return {
    take({ signal }) {
      const mine = line.then(() => turn(signal))
      line = mine.catch(() => {}) // who waits behind waits for itself
      return mine
    },
    refused({ sentAt, retryAfterMs = 0 }) {
      const now = clock.now()
      const until = now + Math.max(coolingMs, retryAfterMs)
      if (now < coolingUntil || sentAt < coolingFrom) {
        if (retryAfterMs > 0) coolingUntil = Math.max(coolingUntil, now + retryAfterMs)
        return
      }
      waves += 1
      perMinute = waves === 1 ? Math.min(perMinute, CAUTIOUS) : Math.max(1, perMinute / 2)
      coolingFrom = now
      coolingUntil = until
    },
    state: () => ({ per_minute: perMinute, cooling_ms: Math.max(0, coolingUntil - clock.now()), waves }),
  }
}
