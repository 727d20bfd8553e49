/** Host time, injected wherever time is read or waited for. */
export interface Clock {
  /** Milliseconds since the epoch, with fractions; never goes back within a process. */
  now(): number
}

/** A clock that can be waited on. */
export interface HostClock extends Clock {
  /** Calls `run` once when `ms` milliseconds have passed; the function it gives calls that off, and may be called at any time. */
  after(ms: number, run: () => void): () => void
}

/** The real clock: monotonic, so that durations survive a change of the system's time. */
export const systemClock: HostClock = {
  now: () => performance.timeOrigin + performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

/** A clock for tests: starts at `startMs` and moves `stepMs` with every reading. */
export function countingClock(startMs: number, stepMs = 1): Clock {
  let now = startMs - stepMs
  return {
    now() {
      now += stepMs
      return now
    },
  }
}

/** A clock for tests that stands still until it is moved. */
export interface ManualClock extends HostClock {
  /** Moves on, calling whatever falls due at its own time; work that this wakes is let go on before the clock moves further. */
  advance(ms: number): Promise<void>
  /** Calls that are still to come. */
  readonly pending: number
}

export function manualClock(startMs = 0): ManualClock {
  let now = startMs
  const calls = new Set<{ readonly due: number; readonly run: () => void }>()
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
  return {
    now: () => now,
    after(ms, run) {
      const call = { due: now + ms, run }
      calls.add(call)
      return () => {
        calls.delete(call)
      }
    },
    async advance(ms) {
      const end = now + ms
      await settled()
      for (;;) {
        const next = [...calls].sort((a, b) => a.due - b.due)[0]
        if (next === undefined || next.due > end) break
        now = Math.max(now, next.due)
        calls.delete(next)
        next.run()
        await settled()
      }
      now = end
      await settled()
    },
    get pending() {
      return calls.size
    },
  }
}
