import type { Environment } from "../core/environment.ts"
import { AppError } from "../core/errors.ts"
import { isJsonObject } from "../core/json.ts"
import { hashRanked } from "../core/random.ts"
import type { Manifest } from "../core/run.ts"
import type { EpisodeRecord } from "../core/trace.ts"
import { type EpisodePlace, readEpisodeAt, readEpisodes, readManifest, scanEpisodes } from "../store/read.ts"
import { type Verification, type VerifyOptions, verifyEpisodes } from "./verify.ts"

/** What a run is played on again. */
export interface ReplayCatalog {
  /** How it was named. */
  readonly name: string
  readonly contentHash: string
  /** An environment on it, by the terms an episode was played by. */
  open(record: EpisodeRecord): Environment
}

export interface VerifyRunOptions extends Pick<VerifyOptions, "signal"> {
  /** Told of every episode. */
  readonly onEpisode?: (progress: { done: number; of: number; different: number }) => void
  /** Only so many episodes, always the same ones. */
  readonly sample?: number
  /** Play on a catalog with another content hash than the run's, too. */
  readonly allowOtherCatalog?: boolean
}

export interface RunVerification extends Verification {
  readonly catalog: string
  readonly content_hash: string
  /** Of the catalog that the run was played on; null: not on record. */
  readonly recorded_content_hash: string | null
}

/**
 * Plays the recorded actions of the run in `folder` again on a catalog and confirms what the shop is recorded to have said.
 * Throws `REFUSED` for another catalog than the run's.
 */
export async function verifyRun(
  folder: string,
  catalog: ReplayCatalog,
  options: VerifyRunOptions = {},
): Promise<RunVerification> {
  const { sample, allowOtherCatalog = false, onEpisode, ...rest } = options
  const recorded = contentHashOf(readManifest(folder))
  const { name, contentHash } = catalog
  if (recorded !== null && recorded !== contentHash && !allowOtherCatalog) {
    throw new AppError(
      "REFUSED",
      `${name} is not the catalog the run was played on: its content hash is ${contentHash}, the run's is ${recorded}. Name the right one, or add --allow-other-catalog to see what differs on this one`,
    )
  }
  const places = new Map<string, EpisodePlace>()
  for await (const place of scanEpisodes(folder)) places.set(place.header.episode_id, place)
  const of = Math.min(places.size, sample ?? places.size)
  const verification = await verifyEpisodes(
    sample === undefined ? readEpisodes(folder) : sampled(folder, places, sample),
    (record) => catalog.open(record),
    { ...rest, onEpisode: (done, different) => onEpisode?.({ done, of, different }) },
  )
  return { catalog: name, content_hash: contentHash, recorded_content_hash: recorded, ...verification }
}

/** The catalog that a run names as the one it was played on, as its experiment did; undefined where it names none. */
export function catalogNameOf({ execution }: Manifest): string | undefined {
  return typeof execution.catalog === "string" ? execution.catalog : undefined
}

function contentHashOf({ plan }: Manifest): string | null {
  const { catalog } = plan.environment
  return isJsonObject(catalog) && typeof catalog.content_hash === "string" ? catalog.content_hash : null
}

/** `count` of the episodes, drawn by the hashes of their ids. */
async function* sampled(
  folder: string,
  places: ReadonlyMap<string, EpisodePlace>,
  count: number,
): AsyncGenerator<EpisodeRecord> {
  const chosen = hashRanked([...places.keys()], "verify", (id) => id).slice(0, count)
  for (const id of chosen) yield await readEpisodeAt(folder, places.get(id)!)
}
