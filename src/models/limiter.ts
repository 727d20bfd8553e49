import { AppError } from "../core/errors.ts"
import { type Clock, systemClock } from "../lib/clock.ts"

/** What a limiter is doing, for progress displays. Rates are per second; null: not limited. */
export interface LimiterState {
  readonly in_flight: number
  readonly waiting: number
  /** Requests in flight that are allowed at most. */
  readonly window: number
  readonly requests_per_s: number | null
  /** Milliseconds until requests are sent again; 0 when they are. */
  readonly cooling_ms: number
  readonly granted: number
  readonly refused: number
  /** Milliseconds that requests waited for their turn, added up. */
  readonly waited_ms: number
}

/** One request that may be sent. `ended` must be called exactly once. */
export interface Permit {
  ended(how: { readonly refused?: boolean; readonly retryAfterMs?: number; readonly tokens?: number }): void
}

/** Decides when requests to one provider account are sent. Shared by everything that talks to that account. */
export interface Limiter {
  /** Resolves in the order asked when a request may be sent. Rejects with `CANCELLED` when `signal` aborts. */
  take(call: { readonly signal: AbortSignal }): Promise<Permit>
  state(): LimiterState
}

export interface LimiterOptions {
  /** Requests in flight at most, however well things go. */
  readonly maxInFlight?: number
  /** Known limits of the account, if any; kept besides what is found out. */
  readonly requestsPerMinute?: number
  readonly tokensPerMinute?: number
  readonly clock?: Clock
  /** Calls `work` after `ms`; returns how to call it off. */
  readonly schedule?: (ms: number, work: () => void) => () => void
  /** In [0, 1): spreads what would happen at once. */
  readonly jitter?: () => number
}

const FIRST_WINDOW = 8
/** After a refusal the window and the rate go down to these shares of what was reached. */
const WINDOW_CUT = 0.7
const RATE_CUT = 0.9
/** The rate grows by this share a second. */
const RATE_GROWTH = 0.01
/** Accepted requests of the last seconds say what rate the server bears. */
const MEASURE_MS = 10_000
const SLOWEST_PER_MS = 1 / 60_000
const FIRST_COOLING_MS = 1000
const LONGEST_COOLING_MS = 60_000

interface Waiter {
  readonly since: number
  readonly grant: (permit: Permit) => void
}

/**
 * A limiter that finds out what the account bears. Requests in flight start at 8 and grow by one with every success until the first
 * refusal (HTTP 429), by one per window from then on. A refusal stops everybody for as long as the server asked (else one second,
 * doubling while refusals follow each other), cuts the window, and paces requests evenly at nine tenths of the rate that was
 * accepted last; the pace then grows by one hundredth a second. Refusals of requests sent before a cut belong to it.
 */
export function adaptiveLimiter(options: LimiterOptions = {}): Limiter {
  const {
    maxInFlight = Number.POSITIVE_INFINITY,
    requestsPerMinute,
    tokensPerMinute,
    clock = systemClock,
    schedule = (ms, work) => {
      const timer = setTimeout(work, ms)
      return () => clearTimeout(timer)
    },
    jitter = () => 0,
  } = options
  const fastest = requestsPerMinute === undefined ? Number.POSITIVE_INFINITY : requestsPerMinute / 60_000
  const tokensPerMs = tokensPerMinute === undefined ? Number.POSITIVE_INFINITY : tokensPerMinute / 60_000

  const queue: Waiter[] = []
  const accepted: number[] = [] // times of the last accepted requests, oldest first
  let inFlight = 0
  let window = Math.min(FIRST_WINDOW, maxInFlight)
  let rate = fastest // requests per ms
  let rateAt = clock.now()
  let nextSend = 0
  let coolUntil = 0
  let coolingMs = FIRST_COOLING_MS
  let cutAt = Number.NEGATIVE_INFINITY
  let tokens = 0 // of the allowance; below zero nobody is served
  let tokensAt = clock.now()
  let granted = 0
  let refused = 0
  let waitedMs = 0
  let cancelTimer: (() => void) | undefined

  const settle = (now: number) => {
    if (rate < fastest) rate = Math.min(fastest, rate * (1 + (RATE_GROWTH * (now - rateAt)) / 1000))
    rateAt = now
    if (tokensPerMinute !== undefined) tokens = Math.min(tokensPerMinute / 60, tokens + (now - tokensAt) * tokensPerMs)
    tokensAt = now
    while (accepted.length > 0 && accepted[0]! < now - MEASURE_MS) accepted.shift()
  }

  const waitMs = (now: number): number => {
    const forTokens = tokens < 0 ? -tokens / tokensPerMs : 0
    return Math.max(0, coolUntil - now, nextSend - now, forTokens)
  }

  const pump = () => {
    cancelTimer?.()
    cancelTimer = undefined
    while (queue.length > 0 && inFlight < Math.max(1, Math.floor(window))) {
      const now = clock.now()
      settle(now)
      const wait = waitMs(now)
      if (wait > 0) {
        cancelTimer = schedule(wait, pump)
        return
      }
      const waiter = queue.shift()!
      inFlight += 1
      granted += 1
      waitedMs += now - waiter.since
      if (rate !== Number.POSITIVE_INFINITY) nextSend = Math.max(nextSend, now) + 1 / rate
      waiter.grant(permit(now))
    }
  }

  const permit = (sentAt: number): Permit => {
    let open = true
    return {
      ended({ refused: wasRefused = false, retryAfterMs, tokens: used }) {
        if (!open) return
        open = false
        inFlight -= 1
        const now = clock.now()
        settle(now)
        if (used !== undefined && tokensPerMinute !== undefined) tokens -= used
        if (wasRefused) refuse(now, sentAt, retryAfterMs)
        else succeed(now)
        pump()
      },
    }
  }

  const succeed = (now: number) => {
    accepted.push(now)
    if (now > coolUntil) coolingMs = FIRST_COOLING_MS
    window = Math.min(maxInFlight, window + (cutAt === Number.NEGATIVE_INFINITY ? 1 : 1 / window))
  }

  const refuse = (now: number, sentAt: number, retryAfterMs: number | undefined) => {
    refused += 1
    const asked = retryAfterMs ?? coolingMs
    const until = now + asked * (1 + 0.1 * jitter())
    if (sentAt < cutAt) {
      if (retryAfterMs !== undefined) coolUntil = Math.max(coolUntil, until)
      return
    }
    cutAt = now
    coolUntil = Math.max(coolUntil, until)
    coolingMs = Math.min(LONGEST_COOLING_MS, coolingMs * 2)
    window = Math.max(1, Math.min(window, inFlight + 1) * WINDOW_CUT)
    const span = Math.min(MEASURE_MS, Math.max(1000, now - (accepted[0] ?? now)))
    const borne = accepted.length / span
    rate = Math.max(SLOWEST_PER_MS, Math.min(rate, borne) * RATE_CUT)
    rateAt = coolUntil
  }

  return {
    take({ signal }) {
      return new Promise<Permit>((resolve, reject) => {
        const cancelled = () => {
          const place = queue.indexOf(waiter)
          if (place >= 0) queue.splice(place, 1)
          reject(new AppError("CANCELLED", "Cancelled while waiting for a turn", { cause: signal.reason }))
        }
        const waiter: Waiter = {
          since: clock.now(),
          grant(granted) {
            signal.removeEventListener("abort", cancelled)
            resolve(granted)
          },
        }
        if (signal.aborted) return cancelled()
        signal.addEventListener("abort", cancelled, { once: true })
        queue.push(waiter)
        pump()
      })
    },
    state() {
      const now = clock.now()
      return {
        in_flight: inFlight,
        waiting: queue.length,
        window: Math.max(1, Math.floor(window)),
        requests_per_s: rate === Number.POSITIVE_INFINITY ? null : rate * 1000,
        cooling_ms: Math.max(0, coolUntil - now),
        granted,
        refused,
        waited_ms: waitedMs,
      }
    },
  }
}

/** Lets everything through at once. */
export const noLimiter: Limiter = {
  take: async () => ({ ended: () => {} }),
  state: () => ({
    in_flight: 0,
    waiting: 0,
    window: Number.MAX_SAFE_INTEGER,
    requests_per_s: null,
    cooling_ms: 0,
    granted: 0,
    refused: 0,
    waited_ms: 0,
  }),
}
