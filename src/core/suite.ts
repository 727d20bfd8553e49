import type { ActorCall } from "./actor.ts"
import type { Progress } from "./run.ts"
import type { Job } from "./task.ts"
import type { EpisodeEnd } from "./trace.ts"

/** A family of tasks. What schedules, records and stores its episodes knows nothing else of it. */
export interface Suite {
  readonly name: string
  /**
   * Plays one job; everything that happens goes through `emit`. Resolves for every way an episode can end, failed and cancelled ones
   * too; rejecting is a fault of ours. Plays may run at the same time.
   */
  play(job: Job, call: ActorCall): Promise<EpisodeEnd>
  /** What the limiter of its model is doing, where there is one. */
  limiter?(): NonNullable<Progress["limiter"]>
  /** Releases what the plays share. */
  close(): Promise<void>
}
