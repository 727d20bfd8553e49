import type { Manifest, Progress } from "../core/run.ts"
import type { Summary } from "../core/score.ts"
import type { EpisodeRecord, EpisodeStatus } from "../core/trace.ts"

/** What is recorded of a job. */
export interface JobState {
  /** Attempts on record, of whatever status. */
  readonly attempts: number
  /** Of the last one. Only `completed` and `invalid` ones are done; others are owed again. */
  readonly status: EpisodeStatus
}

/** Where a run is kept while it is played: one owner at a time. */
export interface RunStore {
  /** Names the place, for people. */
  readonly location: string
  /** The identity card of the run, as written when it was first opened. */
  readonly manifest: Manifest
  /** Job key → what is recorded of it; kept up to date by `append`. */
  readonly jobs: ReadonlyMap<string, JobState>
  /**
   * Resolves when the episode is recorded for good. Calls may overlap. Rejects with `STORE_UNWRITABLE`, and then nothing of the
   * episode is there.
   */
  append(record: EpisodeRecord): Promise<void>
  writeProgress(progress: Progress): void
  writeSummary(summary: Summary): void
  /** Episodes in the order they were recorded: the last attempt of each job, or all of them. */
  episodes(options?: { readonly attempts?: "last" | "all" }): AsyncIterable<EpisodeRecord>
  /** Waits for what was appended, then lets another owner in. Closing twice is fine. */
  close(): Promise<void>
}

/** Whether nothing is left to do for a job in this state. */
export function isDone(state: JobState | undefined): boolean {
  return state?.status === "completed" || state?.status === "invalid"
}
