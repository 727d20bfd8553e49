import { AppError } from "../../core/errors.ts"
import type { EpisodeRecord } from "../../core/trace.ts"
import type { Private } from "../leave-out.ts"
import { blobReader, readEpisodes, readManifest } from "../read.ts"
import { v4OfEpisode } from "./convert.ts"
import { sharedParts } from "./identities.ts"

export interface V4ExportOptions {
  /** What is left out unless it stands here. */
  readonly include?: ReadonlySet<Private>
  /** The last attempt of each job, or all. */
  readonly attempts?: "last" | "all"
}

/**
 * The episodes of the run in `folder` as lines of the v4 form, line feeds included, in the order they were recorded. Throws
 * `BAD_INPUT` for episodes of another suite than shopping.
 */
export async function* exportV4(folder: string, options: V4ExportOptions = {}): AsyncGenerator<string> {
  const { include = new Set(), attempts = "last" } = options
  const shared = sharedParts(blobReader(folder), readManifest(folder))
  for await (const record of readEpisodes(folder, { attempts })) {
    yield `${JSON.stringify(v4OfEpisode(shopping(record), shared, include))}\n`
  }
}

function shopping(record: EpisodeRecord): EpisodeRecord {
  if (record.suite === "shopping") return record
  throw new AppError(
    "BAD_INPUT",
    `${record.episode_id} is an episode of the suite ${record.suite}, for which the v4 form has no place`,
  )
}
