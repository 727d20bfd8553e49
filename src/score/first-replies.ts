import { addFirstReplies, type FirstReplySummary, summarizeFirstReplies } from "../core/first-reply.ts"
import type { Play } from "../core/play.ts"

/** Adds up how soon the buyers of a run of `jobs` were answered, by the last attempt of each, against one goal. */
export class FirstReplies {
  readonly #goalMs: number
  readonly #planned: ReadonlySet<string>
  readonly #episodes = new Map<string, FirstReplySummary>()

  constructor(jobs: readonly { readonly key: string }[], goalMs: number) {
    this.#goalMs = goalMs
    this.#planned = new Set(jobs.map(({ key }) => key))
  }

  add({ header: { episode_id }, events }: Play): void {
    if (!this.#planned.has(episode_id)) return
    const samples = []
    for (const event of events) {
      if (event.type !== "reply") continue
      const observed = event.get("observed_ms")
      const delivered = event.get("delivered_ms")
      if (typeof observed !== "number") continue // the wait was not measured
      const turn = Number(event.get("turn"))
      const delivered_ms = typeof delivered === "number" ? delivered : null
      samples.push({ turn, delivered_ms, observed_ms: observed, goal_ms: this.#goalMs })
    }
    const summary = summarizeFirstReplies(samples)
    if (summary === null) this.#episodes.delete(episode_id)
    else this.#episodes.set(episode_id, summary)
  }

  /** Undefined where nothing was measured. */
  summary(): (FirstReplySummary & { goal_ms: number }) | undefined {
    const total = addFirstReplies([...this.#episodes.values()])
    return total === null ? undefined : { ...total, goal_ms: this.#goalMs }
  }
}
