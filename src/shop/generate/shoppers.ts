import type { Random } from "../../core/random.ts"

/** Of tasks that may have a persona, these do. */
const PERSONA_SHARE = 0.65
/** Of shoppers, these have asked before, up to so many shoppers ago. */
const RETURNING = { share: 0.18, within: 12 }

/** Says who asks, task by task: most are new, some are one of the last few again, so that tasks are linked by their user. */
export class Shoppers {
  readonly #seed: number
  #count = 0

  constructor(seed: number) {
    this.#seed = seed
  }

  /** The key of who asks next; null: a request without a persona. */
  next(random: Random): string | null {
    if (!random.chance(PERSONA_SHARE)) return null
    const number = this.#count++
    const back =
      number > 0 && random.chance(RETURNING.share) ? random.integer(1, Math.min(number, RETURNING.within)) : 0
    return `${this.#seed}:${number - back}`
  }
}
