import { AppError } from "../core/errors.ts"
import type { ScriptTime } from "../core/time.ts"

/** The story's clock: stands still until it is moved, and never goes back. Messages and tool calls are stamped with it. */
export class ScriptClock {
  #now: ScriptTime

  constructor(start: ScriptTime) {
    this.#now = start
  }

  now(): ScriptTime {
    return this.#now
  }

  /** Throws `CONFLICT` for an earlier time: a script that goes back in time is not playable. */
  advanceTo(time: ScriptTime): void {
    if (time < this.#now) {
      throw new AppError("CONFLICT", `The story is at ${this.#now} and cannot go back to ${time}`)
    }
    this.#now = time
  }
}
