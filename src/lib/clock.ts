/** Host time, injected wherever time is read or waited for. */
export interface Clock {
  /** Milliseconds since the epoch, with fractions; never goes back within a process. */
  now(): number
}

/** The real clock: monotonic, so that durations survive a change of the system's time. */
export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
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
